package op

import (
	"bytes"

	"github.com/tidemark-db/tidemark/internal/chunk"
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
	Owned  []vnode.ID   // of the actor
	Unread bool         // nobody has read the results yet: some may have been held back, and may be
	Groups *state.Table // group key -> row count, states of additive calls, group columns and last output; see aggGroups
	Inputs *state.Table // group key, call, order key, row -> count, row: the inputs of ordered and distinct calls
	Ctx    *expr.Ctx
	// Bounded: the input ends, has no deletes, and only the final result is wanted.
	Bounded bool
	// CacheMax bounds the bytes in memory after a barrier, and a quarter more for inputs; 0: as the account of Groups allows,
	// AggCacheDefault without one.
	CacheMax int
}

// AggCacheDefault is for one aggregation of one actor without an account.
const AggCacheDefault = 256 << 20

// inputsShare is what part of the groups' memory their kept inputs may take: an input that is not in memory is read from
// the store before it is counted.
const inputsShare = 4

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
	held   bool      // no result was emitted, those of all groups are held back
	// emitted: results were emitted, and may be still shown.
	emitted bool
	// owed are vnodes whose groups, owedGroups, the first ones in memory, another owner has held back.
	owed       []vnode.ID
	owedGroups int
	buf        []byte
}

// NewHashAgg returns an aggregation without groups.
func NewHashAgg(c AggConfig) *HashAgg {
	if c.CacheMax == 0 && c.Groups.Account == nil {
		c.CacheMax = AggCacheDefault
	}
	if c.CacheMax > 0 {
		c.Inputs.CacheMax = max(c.CacheMax/inputsShare, 1)
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
	if h.whole, err = h.Groups.Empty(); err != nil || h.whole {
		return err
	}
	h.emitted = true
	return h.recoverHeld()
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
	h.spell(c, h.slots)
	for i := range h.calls {
		if err := h.calls[i].update(h, c); err != nil {
			return err
		}
	}
	h.note()
	return nil
}

// Size is about how many bytes the groups take. The barrier of a query moves the inputs of ordered calls to their table and
// gathers those of a group into its result.
func (h *HashAgg) Size() int {
	n := h.size()
	if h.Bounded {
		n += h.Inputs.Size()
		for i := range h.calls {
			n += inputsMoved * h.calls[i].changes.Size()
		}
	}
	return n
}

const inputsMoved = 2

// Unstaged implements stream.Unstaged.
func (h *HashAgg) Unstaged() int {
	n := len(h.dirty) * h.stored()
	for i := range h.calls {
		n += h.calls[i].changes.Used()
	}
	return n
}

// Barrier emits what changed, or holds it back, and writes the groups.
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
	if err := h.giveOwed(e); err != nil {
		return err
	}
	hold := h.mayHold(b)
	if hold && !h.held {
		h.mark(true)
	}
	for _, s := range h.dirty {
		if err := h.settle(s, e); err != nil {
			return err
		}
	}
	h.dirty = h.dirty[:0]
	if h.held && !hold {
		if err := h.release(e); err != nil {
			return err
		}
	}
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
		if err := h.emit(e, was, is); err != nil {
			return err
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
	h.Groups.Write(g.v, h.index.Key(s), nil, h.encode(s))
	return nil
}

// emit gives the difference of two results of a group unless it is held back; nil is none.
func (h *HashAgg) emit(e *emitter, was, is []byte) error {
	if h.held {
		return nil
	}
	h.emitted = true
	if was != nil {
		if err := e.row(was, -1); err != nil {
			return err
		}
	}
	if is != nil {
		return e.row(is, +1)
	}
	return nil
}

// result is the output row of a group; it is valid until the next.
func (h *HashAgg) result(s int32) ([]byte, error) {
	h.buf = append(h.buf[:0], h.spelling(s)...)
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
