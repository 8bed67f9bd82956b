package op

import (
	"encoding/binary"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// AggConfig is what a hash aggregation is made of.
type AggConfig struct {
	Input  []types.T
	Group  []int // columns; none: one group that is always there
	Calls  []agg.Call
	Dist   []int // input columns that choose the vnode: some of Group
	Vnodes int
	Groups *state.Table // group key -> row count, states of additive calls, last output
	Inputs *state.Table // group key, call, row -> count: the inputs of ordered and distinct calls
	Ctx    *expr.Ctx
	// Bounded: the input ends, has no deletes, and only the final result is wanted.
	Bounded bool
}

// HashAgg groups and aggregates. At a barrier it emits, for each group that changed, the old result as a delete and the
// new one as an insert. A group without rows is gone, state and all; the one group of an aggregation without GROUP BY
// stays.
//
// All groups met since the start are kept in slots: a dense number that indexes the typed slabs of the accumulators.
type HashAgg struct {
	stream.NoWatermark
	AggConfig
	index  *state.Index // group key -> slot
	rows   []int64      // by slot: rows in the group
	out    []types.Row  // by slot: the result last emitted, nil when none
	keys   []groupKey   // by slot
	dirty  []bool
	dirtyN []int32 // slots that changed in this epoch
	calls  []aggCall
	slots  []int32
	hashes []uint64 // of the group columns
	places []uint64 // of the distribution columns
	key    []byte
	opened bool // the one group of a global aggregation exists
	whole  bool // the state table was empty at the start: what is not in memory does not exist
}

// groupKey is what a slot stands for.
type groupKey struct {
	v   vnode.ID
	key []byte    // of the state tables
	row types.Row // the group columns
}

// NewHashAgg returns an aggregation without groups.
func NewHashAgg(c AggConfig) *HashAgg {
	h := &HashAgg{AggConfig: c, index: state.NewIndex()}
	for i, call := range c.Calls {
		h.calls = append(h.calls, newAggCall(h, i, call))
	}
	return h
}

// Recover finds out whether the state begins empty, so that new groups need not be looked for.
func (h *HashAgg) Recover() error {
	var err error
	h.whole, err = h.Groups.Empty()
	return err
}

// Chunk adds the rows of a chunk to their groups.
func (h *HashAgg) Chunk(_ int, c *chunk.Chunk, _ stream.Out) error {
	if err := h.find(c); err != nil {
		return err
	}
	for i, s := range h.slots {
		h.rows[s] += int64(c.Op(i))
		if !h.dirty[s] {
			h.dirty[s] = true
			h.dirtyN = append(h.dirtyN, s)
		}
	}
	for i := range h.calls {
		if err := h.calls[i].update(h, c); err != nil {
			return err
		}
	}
	return nil
}

// find fills slots with the group of each row of the chunk.
func (h *HashAgg) find(c *chunk.Chunk) error {
	n := c.Rows()
	if cap(h.slots) < n {
		h.slots, h.hashes, h.places = make([]int32, n), make([]uint64, n), make([]uint64, n)
	}
	h.slots, h.hashes, h.places = h.slots[:n], h.hashes[:n], h.places[:n]
	cols := c.Project(h.Group).Cols
	vnode.Hash(cols, h.hashes)
	if h.Vnodes > 1 {
		vnode.Hash(c.Project(h.Dist).Cols, h.places)
	}
	for i := range n {
		h.key = h.key[:0]
		for _, v := range cols {
			h.key = keyenc.AppendKeyVec(h.key, v, i, keyenc.Order{})
		}
		s, isNew := h.index.Insert(h.hashes[i], h.key)
		if isNew {
			row := make(types.Row, len(cols))
			for j, v := range cols {
				row[j] = v.Datum(i)
			}
			if err := h.load(s, h.places[i], row); err != nil {
				return err
			}
		}
		h.slots[i] = s
	}
	return nil
}

// load makes slot s the group with the key last built, from the state table if it is there.
func (h *HashAgg) load(s int32, hash uint64, row types.Row) error {
	n := int(s) + 1
	for len(h.rows) < n {
		h.rows, h.out, h.dirty = append(h.rows, 0), append(h.out, nil), append(h.dirty, false)
		h.keys = append(h.keys, groupKey{})
	}
	v := vnode.ID(0)
	if h.Vnodes > 1 {
		v = vnode.Of(hash, h.Vnodes)
	}
	h.rows[s], h.out[s], h.keys[s] = 0, nil, groupKey{v, append([]byte{}, h.key...), row}
	for i := range h.calls {
		h.calls[i].reset(s)
	}
	if h.whole {
		return nil
	}
	b, ok, err := h.Groups.Get(v, h.key)
	if err != nil || !ok {
		return err
	}
	return h.decode(s, b)
}

// A group is stored as: rows, states of the additive calls, flag and last output as a compact row.
func (h *HashAgg) encode(s int32) []byte {
	b := binary.AppendVarint(nil, h.rows[s])
	for i := range h.calls {
		b = h.calls[i].encode(s, b)
	}
	if h.out[s] == nil {
		return append(b, 0)
	}
	return keyenc.AppendDatums(append(b, 1), h.outTypes(), h.out[s])
}

func (h *HashAgg) decode(s int32, b []byte) error {
	rows, n := binary.Varint(b)
	if n <= 0 {
		return errs.RowCorrupt.New("what", "state of a group")
	}
	h.rows[s], b = rows, b[n:]
	var err error
	for i := range h.calls {
		if b, err = h.calls[i].decode(s, b); err != nil {
			return err
		}
	}
	if len(b) == 0 {
		return errs.RowCorrupt.New("what", "state of a group")
	}
	if b[0] == 0 {
		return nil
	}
	h.out[s], err = keyenc.DecodeRow(h.outTypes(), b[1:])
	return err
}

// outTypes are the types of the output: group columns, then calls.
func (h *HashAgg) outTypes() []types.T {
	ts := make([]types.T, 0, len(h.Group)+len(h.Calls))
	for _, g := range h.Group {
		ts = append(ts, h.Input[g])
	}
	for _, c := range h.Calls {
		ts = append(ts, c.T)
	}
	return ts
}

// Barrier emits what changed and stages the groups.
func (h *HashAgg) Barrier(b stream.Barrier, out stream.Out) error {
	if err := h.openGlobal(); err != nil {
		return err
	}
	tick(h.Ctx, b)
	builder := chunk.NewBuilder(h.outTypes(), 0)
	for _, s := range h.dirtyN {
		h.dirty[s] = false
		if err := h.settle(s, builder); err != nil {
			return err
		}
		if builder.Full() {
			if err := out.Chunk(builder.Take()); err != nil {
				return err
			}
		}
	}
	h.dirtyN = h.dirtyN[:0]
	if c := builder.Take(); c != nil {
		return out.Chunk(c)
	}
	return nil
}

// openGlobal makes the one group of an aggregation without GROUP BY exist from the first barrier on.
func (h *HashAgg) openGlobal() error {
	if h.opened || len(h.Group) > 0 {
		return nil
	}
	h.opened = true
	h.key = h.key[:0]
	s, isNew := h.index.Insert(0, nil)
	if !isNew {
		return nil
	}
	if err := h.load(s, 0, types.Row{}); err != nil {
		return err
	}
	if h.out[s] == nil {
		h.dirty[s] = true
		h.dirtyN = append(h.dirtyN, s)
	}
	return nil
}

// settle emits the difference of a group and writes its state.
func (h *HashAgg) settle(s int32, b *chunk.Builder) error {
	var now types.Row
	alive := h.rows[s] > 0 || len(h.Group) == 0
	if h.rows[s] < 0 {
		return errs.Internal.New("what", "a group has fewer than no rows")
	}
	if alive {
		now = append(make(types.Row, 0, len(h.Group)+len(h.Calls)), h.keys[s].row...)
		for i := range h.calls {
			d, err := h.calls[i].value(h, s)
			if err != nil {
				return err
			}
			now = append(now, d)
		}
	}
	if !sameRow(h.out[s], now) {
		if h.out[s] != nil {
			b.Append(chunk.Delete, h.out[s])
		}
		if now != nil {
			b.Append(chunk.Insert, now)
		}
	}
	h.out[s] = now
	if h.Bounded {
		return nil
	}
	k := h.keys[s]
	if !alive {
		h.Groups.Put(k.v, k.key, nil, nil)
		for i := range h.calls {
			h.calls[i].reset(s)
		}
		return nil
	}
	h.Groups.Put(k.v, k.key, nil, h.encode(s))
	return nil
}

func sameRow(a, b types.Row) bool {
	if (a == nil) != (b == nil) || len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
