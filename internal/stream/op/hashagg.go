package op

import (
	"bytes"
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
	Groups *state.Table // group key -> row count, states of additive calls, group columns and last output; see aggGroups
	Inputs *state.Table // group key, call, order key, row -> count, row: the inputs of ordered and distinct calls
	Ctx    *expr.Ctx
	// Bounded: the input ends, has no deletes, and only the final result is wanted.
	Bounded bool
	// AppendOnly: the input has no deletes, so that min and max need not keep theirs. It shapes the state and is fixed
	// for the life of a job.
	AppendOnly bool
	CacheMax   int // bytes in memory after a barrier; 0: AggCacheDefault
}

// AggCacheDefault is for one aggregation of one actor.
const AggCacheDefault = 256 << 20

// HashAgg groups and aggregates. At a barrier it emits, for each group whose result changed, the old result as a delete
// and the new one as an insert. A group without rows is gone, state and all; the one group of an aggregation without
// GROUP BY stays.
type HashAgg struct {
	stream.NoWatermark
	AggConfig
	*aggGroups
	calls  []aggCall
	types  []types.T // of the output
	slots  []int32   // of the rows of the chunk
	opened bool      // the one group of a global aggregation exists
	buf    []byte
}

// NewHashAgg returns an aggregation without groups.
func NewHashAgg(c AggConfig) *HashAgg {
	if c.CacheMax == 0 {
		c.CacheMax = AggCacheDefault
	}
	h := &HashAgg{AggConfig: c}
	for i, call := range c.Calls {
		h.calls = append(h.calls, newAggCall(h, i, call))
	}
	for _, g := range c.Group {
		h.types = append(h.types, c.Input[g])
	}
	for _, call := range c.Calls {
		h.types = append(h.types, call.T)
	}
	h.aggGroups = newAggGroups(h)
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
	h.slots = sized(h.slots, c.Rows())
	if err := h.find(c, h.slots); err != nil {
		return err
	}
	for i, s := range h.slots {
		g := &h.groups[s]
		g.rows += int64(c.Op(i))
		if !g.dirty {
			h.touch(s)
		}
	}
	for i := range h.calls {
		if err := h.calls[i].update(h, c); err != nil {
			return err
		}
	}
	return nil
}

// Barrier emits what changed and writes the groups.
func (h *HashAgg) Barrier(b stream.Barrier, out stream.Out) error {
	if err := h.open(); err != nil {
		return err
	}
	for i := range h.calls {
		if err := h.calls[i].apply(h); err != nil {
			return err
		}
	}
	e := newEmitter(h.types, out)
	for _, s := range h.dirty {
		if err := h.settle(s, e); err != nil {
			return err
		}
	}
	h.dirty = h.dirty[:0]
	tick(h.Ctx, b)
	if err := e.flush(); err != nil || h.Bounded {
		return err
	}
	return h.evict()
}

// open makes the one group of an aggregation without GROUP BY exist from the first barrier on.
func (h *HashAgg) open() error {
	if h.opened || len(h.Group) > 0 {
		return nil
	}
	h.opened = true
	s, err := h.only()
	if err != nil {
		return err
	}
	if g := &h.groups[s]; !g.shown && !g.dirty {
		h.touch(s)
	}
	return nil
}

// settle emits the difference of a group and writes its state.
func (h *HashAgg) settle(s int32, e *emitter) error {
	g := &h.groups[s]
	g.dirty = false
	if g.rows < 0 {
		return negative("row of a group")
	}
	alive := g.rows > 0 || len(h.Group) == 0
	was := h.shownRow(s)
	var is []byte
	if alive {
		var err error
		if is, err = h.result(s); err != nil {
			return err
		}
	}
	if !bytes.Equal(was, is) || (was == nil) != (is == nil) {
		if was != nil {
			if err := e.row(was, -1); err != nil {
				return err
			}
		}
		if is != nil {
			if err := e.row(is, +1); err != nil {
				return err
			}
		}
		h.show(s, is)
	}
	if h.Bounded {
		return nil
	}
	if !alive {
		h.remove(s)
		return nil
	}
	h.Groups.Write(g.v, h.index.Key(s), h.encode(s))
	return nil
}

// result is the output row of a group; it is valid until the next.
func (h *HashAgg) result(s int32) ([]byte, error) {
	h.buf = append(h.buf[:0], h.form(s)...)
	for i := range h.calls {
		d, err := h.calls[i].value(h, s)
		if err != nil {
			if err = failed(h.Ctx, err); err != nil {
				return nil, err
			}
			d = types.Null
		}
		h.buf = keyenc.AppendDatums(h.buf, []types.T{h.Calls[i].T}, types.Row{d})
	}
	if h.buf == nil {
		h.buf = []byte{} // a row without columns
	}
	return h.buf, nil
}

// aggGroups is the groups in memory. Slots are dense numbers that index the slabs of the accumulators.
type aggGroups struct {
	h      *HashAgg
	index  *state.Index // group key -> slot
	groups []aggGroup
	arena  state.Arena
	dirty  []int32 // slots that changed in this epoch, in order
	gone   int     // groups without rows
	whole  bool    // groups without a slot do not exist

	hashes, places []uint64
	keys           state.Keys
	enc            []byte
}

type aggGroup struct {
	rows  int64
	row   state.Span // the group columns as a compact row, in the form first seen; the rest of the output last emitted
	form  int32      // bytes of the group columns
	v     vnode.ID
	shown bool // the row is in the output
	dirty bool
	used  bool // since the last sweep
}

func newAggGroups(h *HashAgg) *aggGroups {
	h.Groups.CacheMax = -1
	return &aggGroups{h: h, index: state.NewIndex(), whole: h.Groups.Reader == nil}
}

func (a *aggGroups) touch(s int32) {
	a.groups[s].dirty, a.groups[s].used = true, true
	a.dirty = append(a.dirty, s)
}

// find fills slots with the group of each row.
func (a *aggGroups) find(c *chunk.Chunk, slots []int32) error {
	h := a.h
	n := c.Rows()
	a.hashes, a.places = sized(a.hashes, n), sized(a.places, n)
	cols := c.Project(h.Group).Cols
	vnode.Hash(cols, a.hashes)
	appendKeys(&a.keys, cols, n)
	a.index.InsertBatch(a.hashes, &a.keys, slots)
	if a.index.Len() == len(a.groups) {
		return nil
	}
	if h.Vnodes > 1 {
		vnode.Hash(c.Project(h.Dist).Cols, a.places)
	}
	for i, s := range slots {
		if int(s) < len(a.groups) {
			continue
		}
		v := vnode.ID(0)
		if h.Vnodes > 1 {
			v = vnode.Of(a.places[i], h.Vnodes)
		}
		a.enc = keyenc.AppendRow(a.enc[:0], cols, i)
		if err := a.load(s, v, a.enc); err != nil {
			return err
		}
	}
	return nil
}

// only returns the slot of the one group of an aggregation without GROUP BY.
func (a *aggGroups) only() (int32, error) {
	hash := []uint64{0}
	vnode.Hash(nil, hash)
	s, isNew := a.index.Insert(hash[0], nil)
	if !isNew {
		return s, nil
	}
	return s, a.load(s, 0, []byte{})
}

// load makes the next slot, with the stored state of its group if there is one.
func (a *aggGroups) load(s int32, v vnode.ID, form []byte) error {
	a.groups = append(a.groups, aggGroup{v: v, row: a.arena.Set(state.NoSpan, form), form: int32(len(form))})
	for i := range a.h.calls {
		a.h.calls[i].grow(s)
	}
	if a.whole {
		a.h.fresh(s)
		return nil
	}
	b, ok, err := a.h.Groups.Get(v, a.index.Key(s))
	if err != nil {
		return err
	}
	if !ok {
		a.h.fresh(s)
		return nil
	}
	return a.decode(s, b)
}

// fresh tells the calls that the group has no inputs.
func (h *HashAgg) fresh(s int32) {
	for i := range h.calls {
		h.calls[i].fresh(s)
	}
}

// form returns the group columns.
func (a *aggGroups) form(s int32) []byte { return a.arena.Get(a.groups[s].row)[:a.groups[s].form] }

// shownRow returns the output last emitted for the group, nil when it has none.
func (a *aggGroups) shownRow(s int32) []byte {
	if !a.groups[s].shown {
		return nil
	}
	return a.arena.Get(a.groups[s].row)
}

// show notes what was emitted.
func (a *aggGroups) show(s int32, row []byte) {
	g := &a.groups[s]
	if g.shown = row != nil; !g.shown {
		row = a.form(s)
	}
	g.row = a.arena.Set(g.row, row)
}

// encode is how a group is stored: rows, length of the group columns, states of the additive calls, 0 or 1, and the
// group columns or the whole output last emitted.
func (a *aggGroups) encode(s int32) []byte {
	g := &a.groups[s]
	b := binary.AppendVarint(a.enc[:0], g.rows)
	b = binary.AppendUvarint(b, uint64(g.form))
	for i := range a.h.calls {
		b = a.h.calls[i].encode(s, b)
	}
	shown := byte(0)
	if g.shown {
		shown = 1
	}
	a.enc = append(append(b, shown), a.arena.Get(g.row)...)
	return a.enc
}

func (a *aggGroups) decode(s int32, b []byte) error {
	g := &a.groups[s]
	rows, n := binary.Varint(b)
	if n <= 0 {
		return errs.RowCorrupt.New("what", "state of a group")
	}
	b = b[n:]
	form, n := binary.Uvarint(b)
	if n <= 0 {
		return errs.RowCorrupt.New("what", "state of a group")
	}
	b = b[n:]
	var err error
	for i := range a.h.calls {
		if b, err = a.h.calls[i].decode(s, b); err != nil {
			return err
		}
	}
	if len(b) == 0 || b[0] > 1 || form > uint64(len(b)-1) {
		return errs.RowCorrupt.New("what", "state of a group")
	}
	g.rows, g.form, g.shown = rows, int32(form), b[0] == 1
	g.row = a.arena.Set(g.row, b[1:])
	return nil
}

// remove forgets a group without rows; its slot stays until the next sweep, as an empty group.
func (a *aggGroups) remove(s int32) {
	g := &a.groups[s]
	a.h.Groups.Write(g.v, a.index.Key(s), nil)
	a.gone++
	for i := range a.h.calls {
		a.h.calls[i].reset(s)
	}
	a.h.fresh(s)
}

// size is about the number of bytes in memory.
func (a *aggGroups) size() int {
	return a.index.Size() + a.arena.Size() + len(a.groups)*(groupSize+callSize*len(a.h.calls))
}

const (
	groupSize = 40
	callSize  = 16
)

// evict makes the groups in memory fit, by copying those used since the last sweep, the youngest first, at most half of
// what is allowed. Groups without rows go when they are many.
func (a *aggGroups) evict() error {
	tight := a.size() > a.h.CacheMax
	if !tight && !a.arena.Wasteful() && (a.gone < slotsMin || a.gone < len(a.groups)/2) {
		return nil
	}
	from := int32(0)
	if tight {
		keep := a.h.CacheMax / 2 / max(a.size()/max(len(a.groups), 1), 1)
		from = int32(max(len(a.groups)-keep, 0))
	}
	old := *a
	a.index, a.groups, a.arena, a.gone = state.NewIndex(), nil, state.Arena{}, 0
	states := a.h.calls
	a.h.calls = make([]aggCall, len(states))
	for i := range states {
		a.h.calls[i] = newAggCall(a.h, i, states[i].Call)
	}
	for s := range int32(len(old.groups)) {
		g := &old.groups[s]
		if g.rows == 0 && len(a.h.Group) > 0 {
			continue
		}
		if tight && len(a.h.Group) > 0 && (s < from || !g.used) {
			a.whole = false
			continue
		}
		if err := a.move(&old, states, s, !tight); err != nil {
			return err
		}
	}
	return nil
}

// move copies a group and its states.
func (a *aggGroups) move(old *aggGroups, states []aggCall, from int32, used bool) error {
	g := old.groups[from]
	to, _ := a.index.Insert(old.index.Hash(from), old.index.Key(from))
	g.used = used && g.used
	g.row = a.arena.Set(state.NoSpan, old.arena.Get(g.row))
	a.groups = append(a.groups, g)
	for i := range states {
		a.enc = states[i].encode(from, a.enc[:0])
		a.h.calls[i].grow(to)
		if _, err := a.h.calls[i].decode(to, a.enc); err != nil {
			return err
		}
	}
	return nil
}
