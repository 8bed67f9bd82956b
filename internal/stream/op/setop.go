package op

import (
	"encoding/binary"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// SetOp is EXCEPT and INTERSECT, with and without ALL: how often a row is in the output is a function of how often it is
// on the left and on the right.
type SetOp struct {
	stream.NoWatermark
	Intersect, All bool
	Types          []types.T
	Vnodes         int
	State          *state.Table // row key -> left, right, row; nil in a query

	index  *state.Index
	groups []setGroup
	dirty  []int32
	hashes []uint64
	key    []byte
}

// setGroup is one distinct row.
type setGroup struct {
	v       vnode.ID
	n       [2]int64 // on the left and right
	emitted int64
	row     types.Row // the first form seen
	dirty   bool
}

// Chunk counts the rows of a side.
func (o *SetOp) Chunk(port int, c *chunk.Chunk, _ stream.Out) error {
	if o.index == nil {
		o.index = state.NewIndex()
	}
	o.hashes = append(o.hashes[:0], make([]uint64, c.Rows())...)
	vnode.Hash(c.Cols, o.hashes)
	for i := range c.Rows() {
		o.key = o.key[:0]
		for _, v := range c.Cols {
			o.key = keyenc.AppendKeyVec(o.key, v, i, keyenc.Order{})
		}
		s, isNew := o.index.Insert(o.hashes[i], o.key)
		if isNew {
			if err := o.load(o.hashes[i], c.Row(i)); err != nil {
				return err
			}
		}
		g := &o.groups[s]
		g.n[port] += int64(c.Op(i))
		if !g.dirty {
			g.dirty = true
			o.dirty = append(o.dirty, s)
		}
	}
	return nil
}

// load makes a group for the key last built.
func (o *SetOp) load(hash uint64, row types.Row) error {
	g := setGroup{row: row}
	if o.Vnodes > 1 {
		g.v = vnode.Of(hash, o.Vnodes)
	}
	if o.State != nil {
		b, ok, err := o.State.Get(g.v, o.key)
		if err != nil {
			return err
		}
		if ok {
			if err := g.decode(o.Types, b); err != nil {
				return err
			}
			g.emitted = o.result(&g)
		}
	}
	o.groups = append(o.groups, g)
	return nil
}

func (g *setGroup) decode(ts []types.T, b []byte) (err error) {
	for i := range g.n {
		v, n := binary.Varint(b)
		if n <= 0 {
			return errs.RowCorrupt.New("what", "state of a set operation")
		}
		g.n[i], b = v, b[n:]
	}
	g.row, err = keyenc.DecodeRow(ts, b)
	return err
}

// result is how often the row is in the output.
func (o *SetOp) result(g *setGroup) int64 {
	l, r := g.n[0], g.n[1]
	switch {
	case o.Intersect && o.All:
		return min(l, r)
	case o.Intersect:
		return one(l > 0 && r > 0)
	case o.All:
		return max(l-r, 0)
	}
	return one(l > 0 && r == 0)
}

func one(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// Barrier emits the differences and stages the counts.
func (o *SetOp) Barrier(_ stream.Barrier, out stream.Out) error {
	b := chunk.NewBuilder(o.Types, 0)
	for _, s := range o.dirty {
		g := &o.groups[s]
		g.dirty = false
		is := o.result(g)
		op, n := chunk.Insert, is-g.emitted
		if n < 0 {
			op, n = chunk.Delete, -n
		}
		for range n {
			b.Append(op, g.row)
			if b.Full() {
				if err := out.Chunk(b.Take()); err != nil {
					return err
				}
			}
		}
		g.emitted = is
		o.store(s, g)
	}
	o.dirty = o.dirty[:0]
	if c := b.Take(); c != nil {
		return out.Chunk(c)
	}
	return nil
}

func (o *SetOp) store(s int32, g *setGroup) {
	if o.State == nil {
		return
	}
	if g.n == [2]int64{} {
		o.State.Put(g.v, o.index.Key(s), nil, nil)
		return
	}
	b := binary.AppendVarint(binary.AppendVarint([]byte{}, g.n[0]), g.n[1])
	o.State.Put(g.v, o.index.Key(s), nil, keyenc.AppendDatums(b, o.Types, g.row))
}
