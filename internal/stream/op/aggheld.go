package op

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// A first scan settles most groups in each of its steps, and nobody reads the results in between. So at barriers with
// stream.Hold an aggregation that has not emitted anything yet holds all results back: groups are written as if they were
// shown. The first barrier without it, or one at which the groups no longer fit, gives all of them as inserts.
//
// A mark in every owned vnode says that what is stored was not emitted. With it recovery loads the groups, so that those
// held back are always in memory. Each actor decides for itself: after a change of their number one may own vnodes of an
// actor that held back and of one that did not, and gives the results of the former at its first barrier.

// heldMax bounds the groups that an actor holds back: they are emitted in one epoch.
const heldMax = 1 << 21

// heldKey is the mark's key in Groups. Keys of groups are longer: only aggregations with GROUP BY hold back.
var heldKey = []byte{}

// mayHold decides whether the results of the epoch that the barrier ends are held back.
func (h *HashAgg) mayHold(b stream.Barrier) bool {
	return b.Holds() && h.Unread && len(h.Group) > 0 && h.whole && !h.emitted && len(h.groups) <= heldMax && !h.tight()
}

// mark says in all owned vnodes whether results are held back.
func (h *HashAgg) mark(held bool) {
	var value []byte
	if held {
		value = []byte{1}
	}
	for _, v := range h.Owned {
		h.Groups.Write(v, heldKey, nil, value)
	}
	h.held = held
}

// release emits all results.
func (h *HashAgg) release(e *emitter) error {
	h.emitted = true
	h.mark(false)
	return h.give(e, len(h.groups))
}

// giveOwed emits the results that another owner has held back.
func (h *HashAgg) giveOwed(e *emitter) error {
	for _, v := range h.owed {
		h.Groups.Write(v, heldKey, nil, nil)
	}
	n := h.owedGroups
	h.owed, h.owedGroups = nil, 0
	return h.give(e, n)
}

// give emits the results of the first groups in memory.
func (h *HashAgg) give(e *emitter, groups int) error {
	for s := range int32(groups) {
		if row := h.shownRow(s); row != nil {
			if err := e.row(row, +1); err != nil {
				return err
			}
		}
	}
	return nil
}

// recoverHeld loads the groups whose results were held back.
func (h *HashAgg) recoverHeld() error {
	if !h.Unread || len(h.Group) == 0 {
		return nil
	}
	for _, v := range h.Owned {
		_, held, err := h.Groups.Get(v, heldKey)
		if err == nil && held {
			h.owed = append(h.owed, v)
			err = h.reload(v)
		}
		if err != nil {
			return err
		}
	}
	if h.owedGroups = len(h.groups); len(h.owed) == len(h.Owned) {
		h.held, h.whole, h.emitted = true, true, false // in memory is all there is, and nothing of it was emitted
		h.owed, h.owedGroups = nil, 0
		return h.loadInputs()
	}
	return nil
}

// loadInputs reads the inputs of all groups, which are in memory in the order of the store: a scan that goes on comes to most of
// them, and looking for each by itself takes much longer.
func (h *HashAgg) loadInputs() error {
	if !slices.ContainsFunc(h.calls, func(a aggCall) bool { return a.stored() }) {
		return nil
	}
	s := int32(0)
	err := h.Inputs.Load(h.Owned, func(v vnode.ID, key, value []byte) error {
		for int(s) < len(h.groups) && (h.groups[s].v != v || !bytes.HasPrefix(key, h.index.Key(s))) {
			s++
		}
		if int(s) == len(h.groups) || len(key) < len(h.index.Key(s))+callPrefix {
			return errs.RowCorrupt.New("what", "group of an input of an aggregate")
		}
		key = key[len(h.index.Key(s)):]
		return h.meet(s, int(binary.BigEndian.Uint16(key)), key[callPrefix:], value)
	})
	for s := range int32(len(h.groups)) {
		h.fresh(s) // the heads that are not known by now have no inputs
	}
	return err
}

// meet takes the next stored input of a call in a group.
func (h *HashAgg) meet(s int32, call int, key, value []byte) error {
	_, n := binary.Varint(value)
	if n <= 0 || call >= len(h.calls) || !h.calls[call].Distinct && !bytes.HasSuffix(key, value[n:]) {
		return errs.RowCorrupt.New("what", "input of an aggregate")
	}
	if a := &h.calls[call]; a.headed() && !a.heads[s].known {
		a.heads[s] = aggHead{known: true, form: a.first.Set(state.NoSpan, a.formOf(key, value[n:]))}
	}
	return nil
}

// reload loads all groups of a vnode.
func (a *aggGroups) reload(v vnode.ID) error {
	it := a.h.Groups.Stored(v, nil)
	hash := []uint64{0}
	for it.Next() {
		if len(it.Key()) == len(heldKey) {
			continue
		}
		s := a.slot(v)
		if err := a.decode(s, it.Value()); err != nil {
			it.Close()
			return err
		}
		cols, err := groupCols(a.h.types[:len(a.h.Group)], a.form(s))
		if err != nil {
			it.Close()
			return err
		}
		vnode.Hash(cols, hash)
		a.index.Insert(hash[0], it.Key())
	}
	return it.Close()
}

// groupCols are the group columns of one group.
func groupCols(ts []types.T, form []byte) ([]*chunk.Vec, error) {
	cols := make([]*chunk.Vec, len(ts))
	for i, t := range ts {
		cols[i] = chunk.NewVec(t, 1)
	}
	return cols, keyenc.DecodeInto(cols, form)
}

// slot makes the next slot.
func (a *aggGroups) slot(v vnode.ID) int32 {
	s := int32(len(a.groups))
	a.groups = append(a.groups, aggGroup{v: v, row: state.NoSpan})
	for i := range a.h.calls {
		a.h.calls[i].grow(s)
	}
	return s
}
