package op

import (
	"bytes"
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
	// State is row key -> count on the left, count on the right, row in the form first seen, or the forms on the left where
	// equal rows may differ; nil in a query.
	State *state.Table

	index  *state.Index // rows that changed in this epoch
	deltas []setDelta   // by row
	first  state.Keys   // by row: its first form
	forms  *spellings   // by row: changes of its forms on the left; nil when rows have one form
	held   *spellings   // of the row that is being changed
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
		if o.forms != nil && port == left {
			o.forms.add(s, c.Cols, i, c.Op(i))
		}
	}
	return nil
}

// Size is about how many bytes the changes take; those of a query are held again, in its table, at the barrier.
func (o *SetOp) Size() int {
	n := o.Pending()
	if o.State == nil || o.State.Reader == nil {
		n *= 2
	}
	return n
}

// Pending implements stream.Pending.
func (o *SetOp) Pending() int {
	if o.index == nil {
		return 0
	}
	n := o.index.Size() + o.first.Size() + cap(o.deltas)*deltaSize
	if o.forms != nil {
		n += o.forms.forms.Size()
	}
	return n
}

// Unstaged implements stream.Unstaged.
func (o *SetOp) Unstaged() int { return len(o.first.Bytes) + len(o.deltas)*deltaSize }

// Shrink implements stream.Pending.
func (o *SetOp) Shrink() { o.index, o.deltas, o.first = nil, nil, state.Keys{} }

const deltaSize = 24

func (o *SetOp) init() {
	if o.index == nil {
		o.index = state.NewIndex()
		o.forms, o.held = newSpellings(o.Types), newSpellings(o.Types)
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
	if o.forms != nil {
		o.forms.forms.Reset()
	}
	return e.flush()
}

// apply changes the counts of one row. A row may change its form though its counts do not change.
func (o *SetOp) apply(s int32, e *emitter) error {
	d, key := &o.deltas[s], o.index.Key(s)
	if d.n == [2]int64{} && (o.forms == nil || o.forms.forms.First(s) < 0) {
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
	was, is, rest, err := o.respell(s, ok, row)
	if err != nil {
		return err
	}
	before := o.result(n)
	n[left] += d.n[left]
	n[right] += d.n[right]
	if n[left] < 0 || n[right] < 0 {
		return negative("row of a set operation")
	}
	if err := replace(e, was, before, is, o.result(n)); err != nil {
		return err
	}
	if n == [2]int64{} {
		o.State.Put(d.v, key, nil, nil)
		return nil
	}
	b := binary.AppendVarint(binary.AppendVarint([]byte{}, n[left]), n[right])
	o.State.Put(d.v, key, nil, append(b, rest...))
	return nil
}

// respell returns the form of a row before and after the changes, and what is stored of it. A row that is on the left has
// a form, and no other is in the output.
func (o *SetOp) respell(s int32, stored bool, row []byte) (was, is, rest []byte, err error) {
	if o.forms == nil {
		return row, row, row, nil
	}
	o.held.forms.Reset()
	if stored {
		if _, err := o.held.decode(0, row); err != nil {
			return nil, nil, nil, err
		}
	}
	was = append(was, o.held.best(0)...)
	o.held.merge(0, o.forms, s)
	is = append(is, o.held.best(0)...)
	return was, is, o.held.encode(0, nil), nil
}

// replace emits that a row which was there so often in one form is now there so often in another.
func replace(e *emitter, was []byte, before int64, is []byte, after int64) error {
	if bytes.Equal(was, is) {
		return e.row(is, after-before)
	}
	if err := e.row(was, -before); err != nil {
		return err
	}
	return e.row(is, after)
}

// The ports of a set operation.
const left, right = 0, 1

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
