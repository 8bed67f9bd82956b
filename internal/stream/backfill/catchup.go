// Package backfill brings a job from history to live without stopping either: one operator, CatchUp, and one progress
// record per range (here: per vnode of the upstream table).
//
// A job that catches up is detached: nothing is sent to it and nobody waits for it. Its steps end with barriers that
// only it gets:
//
//	scan     Work reads the upstream as of one pinned epoch, in key order, and emits the rows
//	re-pin   a barrier with Replay while the scan goes on: the changes of (as_of, until] at or below the cursors are
//	         emitted, and the scan goes on as of until
//	replay   the same after the scan: the changes of whole vnodes
//	attach   the last direct barrier ends epoch e; when e is visible the rest up to e is replayed, and then the rows that
//	         the upstream has sent since e are read: the operator is live and passes everything
//
// Invariant B1: after every barrier, what this operator has emitted sums up to the upstream as of as_of, restricted to
// keys at or below each range's scan cursor. Records, emitted rows and operator state are staged in the same epoch.
package backfill

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/invariant"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Snapshot is the upstream as of one epoch, with the changelog that leads to it.
type Snapshot interface {
	// Scan reads at most rowsMax rows of a vnode with keys after the cursor, in key order. It returns them (nil: none),
	// the key of the last one, and whether the vnode ends there.
	Scan(v vnode.ID, after []byte, rowsMax int) (c *chunk.Chunk, cursor []byte, end bool, err error)
	// Changes emits what happened to a vnode in (from, to], net per key and epoch or better, restricted to keys <= upTo
	// when upTo is not nil.
	Changes(v vnode.ID, from, to epoch.Epoch, upTo []byte, emit func(*chunk.Chunk) error) error
}

// Pins gives the snapshots that the job's driver holds open for its catch-ups, so that all of them read the same epoch.
type Pins interface {
	At(e epoch.Epoch) (s Snapshot, ok bool) // ok is false while e is not visible
}

// Progress is where the records of one input are kept: a state table of the job.
type Progress interface {
	Load(v vnode.ID) (rec []byte, ok bool, err error)
	Store(v vnode.ID, rec []byte) error
}

// Order says whose scan may read, and is told of ranges whose scan has ended. It is asked by many actors.
type Order interface {
	Turn(input int) bool
	Ended(input int)
}

// Config is what a catch-up is made of.
type Config struct {
	Job      id.Job
	Input    int // position among the inputs of the job
	Owned    []vnode.ID
	Pins     Pins
	Progress Progress
	// Live: the port is fed from the start, because the job is attached or its upstream is in the same set.
	Live bool
	AsOf epoch.Epoch // what the job's published state equals; 0 when it has none
	// Generation of the owners of the ranges. It is raised before they change.
	Generation uint32
	Order      Order // of the scans of the job's inputs
	// Scanned counts the rows that the scans of the job have read, those of earlier attempts too that are staged; nil: nobody
	// wants to know.
	Scanned *atomic.Uint64
	// Check is what the records are held against when they are loaded.
	Check Standing
	// Arrangement makes the job read its history while it is attached; nil: before.
	Arrangement *Arrangement
}

// Status is what a catch-up reports with each barrier.
type Status struct {
	Input    int
	Phase    Phase // the least of its ranges
	AsOf     epoch.Epoch
	Replayed int // rows replayed in the step that ended
	Ranges   []RangeStatus
}

// RangeStatus is the progress of one range as SHOW BACKFILL shows it.
type RangeStatus struct {
	Vnode vnode.ID
	Record
}

// CatchUp is the operator.
type CatchUp struct {
	Config
	ranges   []*rng
	asOf     epoch.Epoch
	snap     Snapshot    // of asOf; nil until the first Replay after recovery
	attachAt epoch.Epoch // the epoch to be replayed to before going live; 0 when not attaching
	live     bool
	replayed int
	next     int // range to scan next; those before it have ended
	arr      *arrangement
}

// rng is a range with its record.
type rng struct {
	v     vnode.ID
	rec   Record
	dirty bool
}

// New returns a catch-up that has not recovered yet.
func New(c Config) *CatchUp { return &CatchUp{Config: c, asOf: c.AsOf, live: c.Live} }

// Recover loads the records. They were written in the transaction that created the job, so a missing one is corruption:
// all that are missing are named.
func (o *CatchUp) Recover() error {
	o.arr = newArrangement(o.Arrangement)
	standing := o.Check
	standing.Job = o.Job
	sound, found, err := check(standing, o.Input, o.Owned, o.Progress.Load)
	if err != nil {
		return err
	}
	var missing []vnode.ID
	for _, f := range found {
		if f.Err.Entry != errs.BackfillRecordMissing {
			return f.Err
		}
		missing = append(missing, f.Vnode)
	}
	if len(missing) > 0 {
		return errs.BackfillRecordMissing.New("vnode", listed(missing), "job", o.Job, "input", o.Input)
	}
	for _, v := range o.Owned {
		r := &rng{v: v, rec: *sound[v]}
		r.dirty, r.rec.Generation = r.rec.Generation < o.Generation, o.Generation
		o.ranges = append(o.ranges, r)
		if o.arr != nil {
			o.arr.byVnode[v] = r
		}
		o.count(r.rec.Rows)
		if o.live && o.arr == nil || r.rec.Phase >= Replaying {
			o.Order.Ended(o.Input)
		}
	}
	return nil
}

func listed(vs []vnode.ID) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(vs), " ", ", "), "[]")
}

// Holding keeps the port unread between the attach barrier and the end of the last replay, and while as much of it is held as
// may be and nothing could be read in the epoch.
func (o *CatchUp) Holding() bool { return o.attachAt != 0 || o.arr.full() && o.snap == nil }

// Chunk passes live changes.
func (o *CatchUp) Chunk(_ int, c *chunk.Chunk, out stream.Out) error {
	invariant.Check(o.live && o.attachAt == 0, "job %d input %d was fed while it is not live", o.Job, o.Input)
	if o.arr != nil {
		return o.take(c, out)
	}
	return out.Chunk(c)
}

// Watermark passes what a live upstream promises.
func (o *CatchUp) Watermark(_ int, w stream.Watermark, out stream.Out) error { return out.Watermark(w) }

// Work scans a slice, or does the last replay of an attach.
func (o *CatchUp) Work(budget int, out stream.Out) (more bool, err error) {
	if o.attachAt != 0 {
		return false, o.finishAttach(out)
	}
	if o.arr != nil {
		return o.arrange(budget, out)
	}
	if o.live || o.snap == nil || !o.Order.Turn(o.Input) {
		return false, nil // whose turn it is not asks again after the step that ends when nobody has more to read
	}
	return o.slice(budget, out)
}

// slice scans the next rows of the ranges, one after the other.
func (o *CatchUp) slice(budget int, out stream.Out) (more bool, err error) {
	for budget > 0 && o.next < len(o.ranges) {
		if r := o.ranges[o.next]; r.rec.Phase < Replaying {
			rows, err := o.scan(r, budget, out)
			if err != nil {
				return false, err
			}
			budget -= rows
		}
		if o.ranges[o.next].rec.Phase >= Replaying {
			o.next++
		}
	}
	return o.next < len(o.ranges), nil
}

// scan reads the next rows of a range.
func (o *CatchUp) scan(r *rng, budget int, out stream.Out) (rows int, err error) {
	c, cursor, end, err := o.snap.Scan(r.v, r.rec.ScanCursor, budget)
	if err != nil {
		return 0, err
	}
	r.rec.Phase, r.rec.AsOf, r.dirty = Scanning, o.asOf, true
	if c != nil {
		r.rec.ScanCursor = append(r.rec.ScanCursor[:0:0], cursor...)
		rows = c.Rows()
		r.rec.Rows += uint64(rows)
		r.rec.Bytes += bytesOf(c)
		o.count(uint64(rows))
		if err := out.Chunk(c); err != nil {
			return 0, err
		}
	}
	if end {
		if r.rec.Phase = Replaying; o.arr != nil {
			r.rec.Phase = Live // all that happens to it has come by the port
		}
		o.Order.Ended(o.Input)
	}
	return rows, nil
}

// bytesOf is how many bytes the values of a chunk take.
func bytesOf(c *chunk.Chunk) (n uint64) {
	for _, v := range c.Cols {
		switch {
		case len(v.Strs) > 0:
			for _, s := range v.Strs {
				n += uint64(len(s))
			}
		case len(v.Bools) > 0:
			n += uint64(len(v.Bools))
		default:
			n += 8 * uint64(c.Rows())
		}
	}
	return n
}

func (o *CatchUp) count(rows uint64) {
	if o.Scanned != nil {
		o.Scanned.Add(rows)
	}
}

// Barrier replays if the barrier asks for it, and stores the records that changed.
func (o *CatchUp) Barrier(b stream.Barrier, out stream.Out) error {
	o.replayed = 0
	if o.arr != nil {
		if err := o.endEpoch(b.Prev, out); err != nil {
			return err
		}
	}
	for _, m := range b.Mutations {
		switch m := m.(type) {
		case stream.Replay:
			if err := o.repin(m.Until, out); err != nil {
				return err
			}
		case stream.Attach:
			o.beginAttach(m, b.Prev)
		}
	}
	return o.store()
}

// repin replays up to until and goes on from there.
func (o *CatchUp) repin(until epoch.Epoch, out stream.Out) error {
	if o.live {
		return nil // its upstream is in the same set and replays for both
	}
	s, ok := o.Pins.At(until)
	if !ok {
		return errs.Internal.New("what", "a replay was asked for up to an epoch that is not pinned").WithDetail("epoch %d, job %d", until, o.Job)
	}
	if err := o.replay(s, until, out); err != nil {
		return err
	}
	o.snap = s
	return nil
}

// replay emits the changes of (asOf, until] for what the scan has passed.
func (o *CatchUp) replay(s Snapshot, until epoch.Epoch, out stream.Out) error {
	for _, r := range o.ranges {
		if until > o.asOf && r.rec.Phase != NotStarted {
			upTo := r.rec.ScanCursor
			if r.rec.Phase >= Replaying {
				upTo = nil
			} else if upTo == nil {
				upTo = []byte{}
			}
			err := s.Changes(r.v, o.asOf, until, upTo, func(c *chunk.Chunk) error {
				o.replayed += c.Rows()
				return out.Chunk(c)
			})
			if err != nil {
				return err
			}
		}
		r.rec.AsOf, r.rec.Until, r.dirty = until, until, true
	}
	o.asOf = until
	return nil
}

func (o *CatchUp) beginAttach(m stream.Attach, e epoch.Epoch) {
	if !slices.Contains(m.Jobs, o.Job) {
		return
	}
	if !o.live {
		o.attachAt = e
	}
	if o.arr != nil {
		o.arr.Attached, o.arr.prev = true, e
	}
}

// finishAttach replays the rest once the attach epoch is visible, and opens the port.
func (o *CatchUp) finishAttach(out stream.Out) error {
	s, ok := o.Pins.At(o.attachAt)
	if !ok {
		return nil // the driver wakes the actor when it is visible
	}
	if err := o.replay(s, o.attachAt, out); err != nil {
		return err
	}
	o.live, o.attachAt = true, 0
	if o.snap = nil; o.arr != nil {
		if o.snap = s; o.arr.Skips { // the epoch before the one under way
			o.skip()
		}
		return nil
	}
	for _, r := range o.ranges {
		invariant.Check(r.rec.Phase >= Replaying, "B6: vnode %d of job %d attaches before its scan has ended", r.v, o.Job)
		r.rec.Phase, r.dirty = Live, true
	}
	return nil
}

func (o *CatchUp) store() error {
	for _, r := range o.ranges {
		if !r.dirty {
			continue
		}
		if err := o.Progress.Store(r.v, r.rec.Encode()); err != nil {
			return err
		}
		r.dirty = false
	}
	return nil
}

// Report tells the driver how far the catch-up is.
func (o *CatchUp) Report() any {
	s := Status{Input: o.Input, Phase: Live, AsOf: o.asOf, Replayed: o.replayed}
	for _, r := range o.ranges {
		phase := r.rec.Phase
		if phase == Live && !o.live {
			phase = Replaying // it was live before its job was detached
		}
		s.Phase = min(s.Phase, phase)
		if !o.live || o.arr != nil {
			s.Ranges = append(s.Ranges, RangeStatus{Vnode: r.v, Record: r.rec})
		}
	}
	return s
}
