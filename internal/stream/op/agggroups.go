package op

import (
	"encoding/binary"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// aggGroups is the groups in memory. Slots are dense numbers that index the slabs of the accumulators.
type aggGroups struct {
	h      *HashAgg
	index  *state.Index // group key -> slot
	groups []aggGroup
	arena  state.Arena
	forms  *spellings // of the group columns by slot, nil when each has one
	dirty  []int32    // slots that changed in this epoch, in order
	gone   int        // groups without rows
	whole  bool       // groups without a slot do not exist
	cache  mem.Cache

	hashes, places []uint64
	keys           state.Keys
	enc            []byte
}

type aggGroup struct {
	rows  int64
	row   state.Span // the group columns as a compact row, in a form that was there; the rest of the output last emitted
	form  int32      // bytes of the group columns in row
	v     vnode.ID
	shown bool // the row is in the output
	dirty bool
	used  bool // since the last sweep
}

func newAggGroups(h *HashAgg) *aggGroups {
	h.Groups.CacheMax = -1
	return &aggGroups{h: h, index: state.NewIndex(), forms: newSpellings(h.types[:len(h.Group)]), whole: h.Groups.Reader == nil,
		cache: mem.NewCache(h.Groups.Account)}
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

// Known tells which rows of a chunk belong to groups that are in memory, and which to others.
func (a *aggGroups) Known(c *chunk.Chunk) (known, others []int32) {
	n := c.Rows()
	a.hashes = sized(a.hashes, n)
	slots := make([]int32, n)
	cols := c.Project(a.h.Group).Cols
	vnode.Hash(cols, a.hashes)
	appendKeys(&a.keys, cols, n)
	a.index.FindBatch(a.hashes, &a.keys, slots)
	for i, s := range slots {
		if s >= 0 {
			known = append(known, int32(i))
		} else {
			others = append(others, int32(i))
		}
	}
	return known, others
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
	a.slot(v)
	a.groups[s].row, a.groups[s].form = a.arena.Set(state.NoSpan, form), int32(len(form))
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

// spell counts the forms in which the group columns came.
func (a *aggGroups) spell(c *chunk.Chunk, slots []int32) {
	if a.forms == nil {
		return
	}
	cols := c.Project(a.h.Group).Cols
	for i, s := range slots {
		a.forms.add(s, cols, i, c.Op(i))
	}
}

// spelling returns the group columns as they are to be shown for the rows that are there.
func (a *aggGroups) spelling(s int32) []byte {
	if a.forms == nil {
		return a.form(s)
	}
	return a.forms.best(s)
}

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
	if g.shown = row != nil; g.shown {
		g.form = int32(len(a.spelling(s)))
	} else {
		row = a.form(s)
	}
	g.row = a.arena.Set(g.row, row)
}

// encode is how a group is stored: rows, length of the group columns, their forms where equal ones may differ, states of
// the additive calls, 0 or 1, and the group columns or the whole output last emitted.
func (a *aggGroups) encode(s int32) []byte {
	g := &a.groups[s]
	b := binary.AppendVarint(a.enc[:0], g.rows)
	b = binary.AppendUvarint(b, uint64(g.form))
	if a.forms != nil {
		b = a.forms.encode(s, b)
	}
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
	if a.forms != nil {
		if b, err = a.forms.decode(s, b); err != nil {
			return err
		}
	}
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
	a.h.Groups.Write(g.v, a.index.Key(s), nil, nil)
	a.gone++
	for i := range a.h.calls {
		a.h.calls[i].reset(s)
	}
	a.h.fresh(s)
}

// size is about the number of bytes in memory.
func (a *aggGroups) size() int {
	n := a.index.Size() + a.arena.Size() + cap(a.groups)*(groupSize+callSize*len(a.h.calls))
	for i := range a.h.calls {
		n += a.h.calls[i].size()
	}
	if a.forms != nil {
		n += a.forms.forms.Size()
	}
	return n
}

// stored is about how many bytes a group takes when it is written.
func (a *aggGroups) stored() int {
	return (a.index.Used()+a.arena.Size())/max(len(a.groups), 1) + callSize*len(a.h.calls)
}

const (
	groupSize = 40
	callSize  = 16 // of the states of an accumulator
)

// note tells the account what is in memory, so that an epoch ends before it has become too much.
func (a *aggGroups) note() {
	if !a.h.Bounded {
		a.cache.Note(int64(a.size()))
	}
}

// tight reports whether the groups take more than they may.
func (a *aggGroups) tight() bool {
	size := int64(a.size())
	return size > a.cache.Bound(size, int64(a.h.CacheMax))
}

// evict makes the groups in memory fit, by copying those used since the last sweep, the youngest first, at most half of
// what is allowed. Groups without rows go when they are many.
func (a *aggGroups) evict() error {
	size := a.size()
	bound := int(a.cache.Bound(int64(size), int64(a.h.CacheMax)))
	tight := size > bound && !a.h.held
	if !tight && !a.arena.Wasteful() && (a.gone < slotsMin || a.gone < len(a.groups)/2) {
		return nil
	}
	from := int32(0)
	if tight {
		keep := bound / 2 / max(size/max(len(a.groups), 1), 1)
		from = int32(max(len(a.groups)-keep, 0))
	}
	old := *a
	a.index, a.groups, a.arena, a.gone = state.NewIndex(), nil, state.Arena{}, 0
	a.forms = newSpellings(a.h.types[:len(a.h.Group)])
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
	a.cache.Note(int64(a.size()))
	return nil
}

// move copies a group and its states.
func (a *aggGroups) move(old *aggGroups, states []aggCall, from int32, used bool) error {
	g := old.groups[from]
	to, _ := a.index.Insert(old.index.Hash(from), old.index.Key(from))
	g.used = used && g.used
	g.row = a.arena.Set(state.NoSpan, old.arena.Get(g.row))
	a.groups = append(a.groups, g)
	if a.forms != nil {
		a.forms.merge(to, old.forms, from)
	}
	for i := range states {
		a.enc = states[i].encode(from, a.enc[:0])
		a.h.calls[i].grow(to)
		if _, err := a.h.calls[i].decode(to, a.enc); err != nil {
			return err
		}
	}
	return nil
}
