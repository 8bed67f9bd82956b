package chunk

import "github.com/tidemark-db/tidemark/internal/types"

// Op says what a row of a chunk does to the multiset that the stream describes.
type Op int8

const (
	Insert Op = +1
	Delete Op = -1
)

// Chunk is a batch of changes. An update is the delete of the old row followed by the insert of the new one. A chunk
// that was emitted is immutable: operators downstream may keep it and share its columns.
type Chunk struct {
	Ops  []Op // nil when every row is an insert
	Cols []*Vec
	rows int
}

// New makes a chunk of columns of equal length.
func New(ops []Op, cols []*Vec, rows int) *Chunk { return &Chunk{Ops: ops, Cols: cols, rows: rows} }

// Rows is the number of changes.
func (c *Chunk) Rows() int { return c.rows }

// Op returns what row i does.
func (c *Chunk) Op(i int) Op {
	if c.Ops == nil {
		return Insert
	}
	return c.Ops[i]
}

// Row returns the values of row i.
func (c *Chunk) Row(i int) types.Row {
	r := make(types.Row, len(c.Cols))
	for j, v := range c.Cols {
		r[j] = v.Datum(i)
	}
	return r
}

// Gather returns the rows at the given positions.
func (c *Chunk) Gather(rows []int32) *Chunk {
	out := &Chunk{Cols: make([]*Vec, len(c.Cols)), rows: len(rows)}
	for j, v := range c.Cols {
		out.Cols[j] = v.Gather(rows)
	}
	if c.Ops != nil {
		out.Ops = gather(c.Ops, rows)
	}
	return out
}

// Slice returns rows from (included) to to (excluded); it shares memory with c.
func (c *Chunk) Slice(from, to int) *Chunk {
	out := &Chunk{Cols: make([]*Vec, len(c.Cols)), rows: to - from}
	for j, v := range c.Cols {
		out.Cols[j] = v.Slice(from, to)
	}
	if c.Ops != nil {
		out.Ops = c.Ops[from:to:to]
	}
	return out
}

// Project returns a chunk of the given columns; it shares them with c.
func (c *Chunk) Project(cols []int) *Chunk {
	out := &Chunk{Ops: c.Ops, Cols: make([]*Vec, len(cols)), rows: c.rows}
	for j, k := range cols {
		out.Cols[j] = c.Cols[k]
	}
	return out
}

// With returns a chunk with the same changes and other columns.
func (c *Chunk) With(cols []*Vec) *Chunk { return &Chunk{Ops: c.Ops, Cols: cols, rows: c.rows} }
