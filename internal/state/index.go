package state

import "bytes"

// Index maps byte keys to dense slots: 0, 1, 2 ... in order of arrival. It is an open-addressing table without pointers:
// the collector has three slices to look at, however many keys there are.
type Index struct {
	table []entry  // a power of two, at most 3/4 full
	keys  []byte   // arena
	ends  []int    // by slot: where its key ends in the arena
	lows  []uint32 // by slot: the lower half of its hash, for growing
}

// entry is a slot number + 1 (0: empty) with the upper bits of its hash.
type entry struct {
	slot int32
	tag  uint32
}

const indexFirst = 64 // entries of an empty table

// NewIndex returns an empty index.
func NewIndex() *Index { return &Index{table: make([]entry, indexFirst)} }

// Len is the number of keys.
func (x *Index) Len() int { return len(x.ends) }

// Key returns the key of a slot.
func (x *Index) Key(slot int32) []byte {
	from := 0
	if slot > 0 {
		from = x.ends[slot-1]
	}
	return x.keys[from:x.ends[slot]]
}

// Insert returns the slot of a key, a new one if it is not there. hash must spread its upper and lower bits.
func (x *Index) Insert(hash uint64, key []byte) (slot int32, isNew bool) {
	if (len(x.ends)+1)*4 > len(x.table)*3 {
		x.grow()
	}
	mask := uint64(len(x.table) - 1)
	tag := uint32(hash >> 32)
	i := hash & mask
	for ; x.table[i].slot != 0; i = (i + 1) & mask {
		if e := x.table[i]; e.tag == tag && bytes.Equal(x.Key(e.slot-1), key) {
			return e.slot - 1, false
		}
	}
	x.keys = append(x.keys, key...)
	x.ends = append(x.ends, len(x.keys))
	slot = int32(len(x.ends) - 1)
	x.table[i] = entry{slot + 1, tag}
	x.lows = append(x.lows, uint32(hash))
	return slot, true
}

// grow doubles the table.
func (x *Index) grow() {
	old := x.table
	x.table = make([]entry, 2*len(old))
	mask := uint64(len(x.table) - 1)
	for _, e := range old {
		if e.slot == 0 {
			continue
		}
		i := (uint64(e.tag)<<32 | uint64(x.lows[e.slot-1])) & mask
		for x.table[i].slot != 0 {
			i = (i + 1) & mask
		}
		x.table[i] = e
	}
}
