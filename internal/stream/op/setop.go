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
// on the left and on the right. The changes of an epoch are held as their net effect and applied at the barrier.
type SetOp struct {
	stream.NoWatermark
	Intersect, All bool
	Types          []types.T
	Vnodes         int
	// State is row key -> count on the left, count on the right, row in the form first seen; nil in a query.
	State *state.Table

	index  *state.Index // rows that changed in this epoch
	deltas []setDelta   // by row
	first  state.Keys   // by row: its first form
	hashes []uint64
	slots  []int32
	keys   state.Keys
}

// setDelta is the change of a row's counts.
type setDelta struct {
	v vnode.ID
	n [2]int64
}

// Chunk counts the rows of a side.
func (o *SetOp) Chunk(port int, c *chunk.Chunk, _ stream.Out) error {
	o.init()
	o.hashes, o.slots = sized(o.hashes, c.Rows()), sized(o.slots, c.Rows())
	vnode.Hash(c.Cols, o.hashes)
	appendKeys(&o.keys, c.Cols, c.Rows())
	o.index.InsertBatch(o.hashes, &o.keys, o.slots)
	for i, s := range o.slots {
		if int(s) == len(o.deltas) {
			v := vnode.ID(0)
			if o.Vnodes > 1 {
				v = vnode.Of(o.hashes[i], o.Vnodes)
			}
			o.deltas = append(o.deltas, setDelta{v: v})
			o.first.Bytes = keyenc.AppendRow(o.first.Bytes, c.Cols, i)
			o.first.Ends = append(o.first.Ends, len(o.first.Bytes))
		}
		o.deltas[s].n[port] += int64(c.Op(i))
	}
	return nil
}

// Size is about how many bytes the changes take; those of a query are held again, in its table, at the barrier.
func (o *SetOp) Size() int {
	if o.index == nil {
		return 0
	}
	n := o.index.Size() + o.first.Size() + cap(o.deltas)*deltaSize
	if o.State.Reader == nil {
		n *= 2
	}
	return n
}

const deltaSize = 24

func (o *SetOp) init() {
	if o.index == nil {
		o.index = state.NewIndex()
	}
	if o.State == nil {
		o.State = state.New(state.Options{})
	}
}

// Barrier emits the differences and stages the counts.
func (o *SetOp) Barrier(_ stream.Barrier, out stream.Out) error {
	o.init()
	e := newEmitter(o.Types, out)
	for s := range o.deltas {
		if err := o.apply(int32(s), e); err != nil {
			return err
		}
	}
	o.index.Reset()
	o.deltas = o.deltas[:0]
	o.first.Reset()
	return e.flush()
}

// apply changes the counts of one row.
func (o *SetOp) apply(s int32, e *emitter) error {
	d, key := &o.deltas[s], o.index.Key(s)
	if d.n == [2]int64{} {
		return nil
	}
	stored, ok, err := o.State.Get(d.v, key)
	if err != nil {
		return err
	}
	var n [2]int64
	row := o.first.At(int(s))
	if ok {
		if n, row, err = decodeSides(stored); err != nil {
			return err
		}
		row = append([]byte{}, row...)
	}
	before := o.result(n)
	n[0] += d.n[0]
	n[1] += d.n[1]
	if n[0] < 0 || n[1] < 0 {
		return negative("row of a set operation")
	}
	if err := e.row(row, o.result(n)-before); err != nil {
		return err
	}
	if n == [2]int64{} {
		o.State.Put(d.v, key, nil, nil)
		return nil
	}
	b := binary.AppendVarint(binary.AppendVarint([]byte{}, n[0]), n[1])
	o.State.Put(d.v, key, nil, append(b, row...))
	return nil
}

func decodeSides(b []byte) (n [2]int64, row []byte, err error) {
	for i := range n {
		v, k := binary.Varint(b)
		if k <= 0 {
			return n, nil, errs.RowCorrupt.New("what", "state of a set operation")
		}
		n[i], b = v, b[k:]
	}
	return n, b, nil
}

// result is how often a row is in the output.
func (o *SetOp) result(n [2]int64) int64 {
	l, r := n[0], n[1]
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
