package backfill

import (
	"bytes"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/invariant"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// In arrangement mode the job is attached before anything was read, and no changelog is kept for it. In epoch c a range is
// read as the upstream was at the end of the epoch before, and what the port brings in c is held until c ends: then it is
// known how far the scan has come in it, and the changes of keys at or below the cursor pass. So B1 holds with the as_of of
// an attached job. What was scanned in an epoch and what had happened in it meet at the barrier, whatever their order was.
//
// A job that is rolled back in the middle replays what its ranges have passed, as for a re-pin, attaches, and reads on.

// heldMax is how many bytes are held: with more, nothing is read in what is left of the epoch, so that its changes can pass.
const heldMax = 8 << 20

// Places tells where the upstream stores the rows that a port brings.
type Places interface {
	// Each calls fn for every row with its vnode and its key, which is valid during the call.
	Each(c *chunk.Chunk, fn func(row int, v vnode.ID, key []byte))
}

// Arrangement is what a catch-up in arrangement mode is made of beside the others.
type Arrangement struct {
	Places   Places
	Cols     []int       // that are passed on, of those that the port brings
	Skips    bool        // nothing is read: only what happens from the attach on passes
	Attached bool        // the job is attached from the start
	Visible  epoch.Epoch // when it starts
}

// arrangement is the state of one.
type arrangement struct {
	Arrangement
	prev    epoch.Epoch // before the epoch that is under way: what is scanned in it
	byVnode map[vnode.ID]*rng
	held    []*chunk.Chunk
	size    int  // bytes held
	frozen  bool // nothing more is read in this epoch
}

func newArrangement(a *Arrangement) *arrangement {
	if a == nil {
		return nil
	}
	return &arrangement{Arrangement: *a, prev: a.Visible, byVnode: map[vnode.ID]*rng{}}
}

func (a *arrangement) full() bool { return a != nil && a.size > heldMax }

// Pending is about how many bytes are held until the barrier.
func (o *CatchUp) Pending() int {
	if o.arr == nil {
		return 0
	}
	return o.arr.size
}

// Shrink implements stream.Pending: nothing is kept after a barrier.
func (o *CatchUp) Shrink() {}

// skip takes all ranges for scanned, in the epoch after the one that the attach barrier ended.
func (o *CatchUp) skip() {
	for _, r := range o.ranges {
		if r.rec.Phase < Replaying {
			o.Order.Ended(o.Input)
		}
		r.rec.Phase, r.dirty = Live, true
	}
	o.next = len(o.ranges)
}

// settled reports whether the cursors are those that the epoch ends with.
func (o *CatchUp) settled() bool {
	return !o.arr.Attached || o.arr.frozen || o.next == len(o.ranges)
}

// take passes on or holds what the port brings.
func (o *CatchUp) take(c *chunk.Chunk, out stream.Out) error {
	a := o.arr
	if o.next == len(o.ranges) {
		return out.Chunk(c.Project(a.Cols))
	}
	if o.settled() {
		return o.pass(c, out)
	}
	a.held = append(a.held, c)
	if a.size += c.Size(); !a.full() || o.snap == nil {
		return nil // without a view the port is not read on, see Holding: the epoch is to have a slice
	}
	a.frozen = true
	return o.release(out)
}

// release passes on what is held.
func (o *CatchUp) release(out stream.Out) error {
	for _, c := range o.arr.held {
		if err := o.pass(c, out); err != nil {
			return err
		}
	}
	o.arr.held, o.arr.size = nil, 0
	return nil
}

// pass passes on the changes of keys that the scan has passed.
func (o *CatchUp) pass(c *chunk.Chunk, out stream.Out) error {
	a, rows := o.arr, make([]int32, 0, c.Rows())
	a.Places.Each(c, func(row int, v vnode.ID, key []byte) {
		r := a.byVnode[v]
		invariant.Check(r != nil, "job %d input %d was sent a row of vnode %d, which it does not own", o.Job, o.Input, v)
		if r.passed(key) {
			rows = append(rows, int32(row))
		}
	})
	c = c.Project(a.Cols)
	if len(rows) == 0 {
		return nil
	}
	if len(rows) < c.Rows() {
		c = c.Gather(rows)
	}
	return out.Chunk(c)
}

// passed reports whether the scan has passed a key.
func (r *rng) passed(key []byte) bool {
	switch r.rec.Phase {
	case NotStarted:
		return false
	case Scanning:
		return bytes.Compare(key, r.rec.ScanCursor) <= 0
	}
	return true
}

// arrange reads a slice of the upstream as it was when the epoch began, once that is visible.
func (o *CatchUp) arrange(budget int, out stream.Out) (more bool, err error) {
	if o.settled() {
		return false, nil
	}
	if o.snap == nil {
		s, ok := o.Pins.At(o.arr.prev)
		if !ok {
			return false, nil // the driver wakes the actor when it is visible
		}
		if o.snap = s; o.arr.full() {
			return true, nil // nobody was asked whether anything may be read
		}
	}
	if !o.Order.Turn(o.Input) {
		return false, nil
	}
	return o.slice(budget, out)
}

// endEpoch passes on what was held, now that the scan gets no further in the epoch.
func (o *CatchUp) endEpoch(e epoch.Epoch, out stream.Out) error {
	a := o.arr
	if !a.Attached || !o.live || o.attachAt != 0 {
		return nil
	}
	if err := o.release(out); err != nil {
		return err
	}
	a.frozen, a.prev, o.asOf, o.snap = false, e, e, nil
	for _, r := range o.ranges {
		if r.dirty {
			r.rec.AsOf, r.rec.Until = e, e
		}
	}
	return nil
}
