package chunk

import "github.com/tidemark-db/tidemark/internal/types"

// Builder collects rows into chunks of at most a given number of rows.
type Builder struct {
	types   []types.T
	rowsMax int
	ops     []Op
	deletes bool
	cols    []*Vec
}

// NewBuilder returns an empty builder; rowsMax <= 0 means RowsMax.
func NewBuilder(ts []types.T, rowsMax int) *Builder {
	if rowsMax <= 0 {
		rowsMax = RowsMax
	}
	b := &Builder{types: ts, rowsMax: rowsMax}
	b.reset()
	return b
}

func (b *Builder) reset() {
	b.ops, b.deletes, b.cols = nil, false, make([]*Vec, len(b.types))
	for j, t := range b.types {
		b.cols[j] = NewVec(t, 0)
	}
}

// Len is the number of rows collected.
func (b *Builder) Len() int { return len(b.ops) }

// Full reports whether the chunk has reached its size and should be taken.
func (b *Builder) Full() bool { return len(b.ops) >= b.rowsMax }

// Append adds a row.
func (b *Builder) Append(op Op, row types.Row) {
	b.op(op)
	for j, d := range row {
		b.cols[j].Append(d)
	}
}

// AppendFrom adds row i of a chunk of the same types.
func (b *Builder) AppendFrom(op Op, c *Chunk, i int) {
	b.op(op)
	for j, v := range c.Cols {
		b.cols[j].AppendFrom(v, i)
	}
}

func (b *Builder) op(op Op) {
	b.ops = append(b.ops, op)
	b.deletes = b.deletes || op == Delete
}

// Take returns the rows collected as a chunk, nil when there are none, and starts anew.
func (b *Builder) Take() *Chunk {
	if len(b.ops) == 0 {
		return nil
	}
	c := New(nil, b.cols, len(b.ops))
	if b.deletes {
		c.Ops = b.ops
	}
	b.reset()
	return c
}
