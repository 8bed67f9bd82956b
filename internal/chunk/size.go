package chunk

// Size is about how many bytes the chunk holds. Columns and strings that it shares with others count, too.
func (c *Chunk) Size() int {
	n := len(c.Ops)
	for _, v := range c.Cols {
		n += v.Size()
	}
	return n
}

// Size is about how many bytes the column holds.
func (v *Vec) Size() int {
	n := cap(v.Nulls) + cap(v.Bools) + 8*(cap(v.Ints)+cap(v.Floats)) + stringSize*cap(v.Strs)
	for _, s := range v.Strs {
		n += len(s)
	}
	return n
}

const stringSize = 16 // of a string beside its bytes
