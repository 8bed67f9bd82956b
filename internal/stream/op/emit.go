package op

import (
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
)

// emitter makes chunks of compact rows.
type emitter struct {
	out   stream.Out
	types []types.T
	cols  []*chunk.Vec
	ops   []chunk.Op
	minus bool // ops has a delete
}

func newEmitter(ts []types.T, out stream.Out) *emitter {
	e := &emitter{out: out, types: ts}
	e.reset(0)
	return e
}

// reset begins a chunk of about so many rows.
func (e *emitter) reset(rows int) {
	e.ops, e.minus, e.cols = make([]chunk.Op, 0, rows), false, make([]*chunk.Vec, len(e.types))
	for i, t := range e.types {
		e.cols[i] = chunk.NewVec(t, rows)
	}
}

// row emits n copies of a row; deletes of them when n is negative.
func (e *emitter) row(row []byte, n int64) error {
	op := chunk.Insert
	if n < 0 {
		op, n, e.minus = chunk.Delete, -n, true
	}
	for range n {
		if err := keyenc.DecodeInto(e.cols, row); err != nil {
			return err
		}
		if e.ops = append(e.ops, op); len(e.ops) >= chunk.RowsMax {
			if err := e.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush sends what was collected.
func (e *emitter) flush() error {
	if len(e.ops) == 0 {
		return nil
	}
	c := chunk.New(nil, e.cols, len(e.ops))
	if e.minus {
		c.Ops = e.ops
	}
	e.reset(len(e.ops)) // a full chunk is likely to be followed by another
	return e.out.Chunk(c)
}

// differ emits the difference of two multisets of compact rows.
type differ struct {
	*emitter
	rows *state.Multimap
}

func newDiffer(ts []types.T, out stream.Out) *differ {
	return &differ{newEmitter(ts, out), state.NewMultimap()}
}

// was and is add a row that was there before, or is there after.
func (d *differ) was(row []byte) error { d.rows.Add(0, row, -1); return nil }
func (d *differ) is(row []byte) error  { d.rows.Add(0, row, +1); return nil }

// emit sends the difference, deletes first, and begins anew.
func (d *differ) emit() error {
	for _, sign := range [...]int64{-1, +1} {
		for r := d.rows.First(0); r >= 0; r = d.rows.Next(r) {
			if n := d.rows.Count(r); n*sign > 0 {
				if err := d.row(d.rows.Bytes(r), n); err != nil {
					return err
				}
			}
		}
	}
	d.rows.Reset()
	return nil
}
