package engine

import (
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/tidemark-db/tidemark/internal/checkpoint"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/job"
)

// detachedSet is a set of the coordinator with what the driver knows of it. It outlives the coordinator's until its jobs
// have joined.
type detachedSet struct {
	job.Set
	jobs     []id.Job
	pins     []*pin      // views that its catch-ups may be reading, the newest last
	attachAt epoch.Epoch // the epoch that its attach barrier ended; 0 before
	midway   bool        // the step in flight, or not published yet, is one in the middle of a scan
	asOfAt   time.Time   // when its as_of was visible; zero when it is not known
	cause    error       // of its last failure, until it gets on
	failed   id.Job      // whose failure that was, of this set or of one that it reads; 0: of no one in particular
}

// movesMax bounds what one look at a set may do: start it, and pin what it reads.
const movesMax = 2

// moveSet does what is due for a detached set, and tells when to look at it again at the latest.
func (d *driver) moveSet(sid checkpoint.SetID, s *detachedSet, now time.Time) (until time.Time) {
	for range movesMax {
		if slices.ContainsFunc(s.jobs, func(j id.Job) bool { return d.insts[j] != nil && d.insts[j].stopping }) {
			return time.Time{} // the old actors have not ended yet
		}
		d.lookAt(s)
		var action job.Action
		if action, until = s.Next(now, d.coord.Visible(), len(d.missing(s)) == 0); action == job.Wait {
			return until
		}
		if d.move(sid, s, action, now); action == job.Halt {
			return time.Time{} // its jobs are another set now
		}
	}
	return until
}

// eachSet goes through the detached sets in order. What is done to one may end another, which is left out then.
func (d *driver) eachSet() iter.Seq2[checkpoint.SetID, *detachedSet] {
	return func(yield func(checkpoint.SetID, *detachedSet) bool) {
		for _, sid := range slices.Sorted(maps.Keys(d.sets)) {
			if s := d.sets[sid]; s != nil && !yield(sid, s) {
				return
			}
		}
	}
}

// lookAt brings what is known of a set up to date.
func (d *driver) lookAt(s *detachedSet) {
	s.Scanned, s.Idle, s.Paused = s.Running, s.Running, false
	s.Rows, s.Bytes = 0, 0
	s.Every = d.e.opts.ScanStep
	s.BytesMax, s.Pressed = d.e.opts.Changes.Limit(), over(d.e.opts.Memory)
	s.Arranged = !slices.ContainsFunc(s.jobs, func(j id.Job) bool { return !d.arranging(j) })
	s.Outgrown = s.Running && slices.ContainsFunc(s.jobs, d.outgrown)
	s.Told, s.PaidAt, s.Slows = true, time.Time{}, false
	if debt := d.debt(s); debt > 0 {
		s.PaidAt = d.e.opts.Now().Add(debt)
	}
	for _, j := range s.jobs {
		s.Paused, s.Slows = s.Paused || d.limiter(j).Paused(), s.Slows || d.jobs[j].Slows()
		d.limiter(j).Hold(s.Outgrown)
		if in := d.insts[j]; s.Running {
			s.Scanned, s.Idle = s.Scanned && (in.scanned() || d.arranging(j)), s.Idle && in.idle()
			s.Told = s.Told && in.told()
			s.Rows, s.Bytes = s.Rows+in.work.rows.Load(), s.Bytes+in.unstaged()
		}
	}
	s.Settled = s.Settled && (s.Outgrown || s.Paused)
}

// debt is how long the limits of a set's jobs take to pay for what was replayed.
func (d *driver) debt(s *detachedSet) (most time.Duration) {
	for _, j := range s.jobs {
		most = max(most, d.limiter(j).Debt())
	}
	return most
}

func (d *driver) move(sid checkpoint.SetID, s *detachedSet, action job.Action, now time.Time) {
	switch action {
	case job.Start:
		d.restart(sid, s)
	case job.Pin, job.Replay:
		d.replay(sid, s, now)
	case job.Step:
		s.Settled, s.midway = s.Outgrown || s.Paused, s.Midway()
		d.step(checkpoint.SetStep{Set: sid})
		d.urgent = true // a step becomes visible only with a barrier of the attached jobs
	case job.Attach:
		s.Attaching = true
		d.step(checkpoint.Attach{Set: sid})
		d.urgent = true
	case job.Halt:
		d.halt(s)
	}
}

// halt ends the actors of a set whose state is published.
func (d *driver) halt(s *detachedSet) {
	j := s.jobs[0]
	if s.Outgrown {
		d.release(j, errs.JobRescaled)
	} else {
		d.release(j, errs.JobResting)
	}
}

// firstScan reports whether a step that ends now is one in the middle of a scan of jobs that nobody could read yet.
func (d *driver) firstScan(s *detachedSet) bool {
	return s.Midway() && !slices.ContainsFunc(s.jobs, func(j id.Job) bool { return !d.unread(j) })
}

// replay pins the visible epoch for the set and lets it catch up to it.
func (d *driver) replay(sid checkpoint.SetID, s *detachedSet, now time.Time) {
	p := d.pinFor(s)
	s.Pinned, s.PinnedAt = p.epoch(), now
	if s.Replayed { // the first one has what happened during the scan, and would not be short anyhow
		d.hurry(s.jobs)
	} else {
		d.countPinned(s)
	}
	d.updateLeases()
	d.step(checkpoint.SetStep{Set: sid, Until: p.epoch()})
	if s.Replayed = s.Scanned; s.Replayed {
		s.Replays++
	}
	d.urgent = true
}

// hurry lets jobs take what they get of the processors from now on: others would wait for them, or they could do for ever.
func (d *driver) hurry(jobs []id.Job) {
	for _, j := range jobs {
		d.insts[j].behindOthers.Store(false)
		d.insts[j].wake()
	}
}

// pinFor takes a view of the visible epoch for the catch-ups of the set.
func (d *driver) pinFor(s *detachedSet) *pin {
	p := &pin{view: d.e.store.View()}
	s.pins = append(s.pins, p)
	for _, j := range s.jobs {
		d.insts[j].pins.set(p)
	}
	return p
}

// keepPins closes all views but the newest n.
func (s *detachedSet) keepPins(n int) {
	for len(s.pins) > n {
		s.pins[0].view.Close()
		s.pins = s.pins[1:]
	}
}

// stepPublished: what the set staged is visible and its as_of has moved; nobody reads the older views any more.
func (d *driver) stepPublished(sid checkpoint.SetID) {
	s := d.sets[sid]
	if s == nil {
		return
	}
	s.InStep = false
	s.overcome()
	d.commitSoon = d.commitSoon || s.midway && !s.Pressed // what was read is not read again after a crash
	s.midway = false
	for _, j := range s.jobs {
		d.noteRecords(j)
	}
	d.charge(s)
	if s.AsOf = d.coord.AsOf(s.jobs[0]); s.AsOf == s.Pinned {
		s.asOfAt = s.PinnedAt
	}
	s.keepPins(1)
	d.updateLeases()
}

// overcome notes that the set gets on: what it failed of is not the reason for anything any more. That it was late, or took too
// long to attach, is why it is not attached until it is.
func (s *detachedSet) overcome() {
	if code := errs.Code(s.cause); code != errs.JobLate.Code && code != errs.AttachUndone.Code {
		s.cause = nil
	}
}

// charge lets the limits of a set's jobs pay for what their last step has replayed.
func (d *driver) charge(s *detachedSet) {
	for _, j := range s.jobs {
		rows := 0
		for _, st := range d.insts[j].status { // of its last barrier
			rows += st.Replayed
		}
		d.limiter(j).Charge(rows)
	}
}

// serveAttaching pins the epoch that attaching jobs wait for, now that it is visible.
func (d *driver) serveAttaching(e epoch.Epoch) {
	for _, s := range d.eachSet() {
		if s.attachAt != e {
			continue
		}
		d.pinFor(s)
		for _, j := range s.jobs {
			d.insts[j].wake()
		}
		d.urgent = true // the jobs are published with the next epoch
	}
}

// joined: the job is attached and published.
func (d *driver) joined(j id.Job) {
	for sid, s := range d.sets {
		if !slices.Contains(s.jobs, j) {
			continue
		}
		d.retired[j] = retirement{failures: s.Failures, at: d.e.opts.Now()}
		d.leave(sid, s, j)
	}
	d.dirty[j], d.standsSince[j] = true, d.coord.Visible()
	if !d.arranging(j) {
		d.created[j] = true
		delete(d.records, j)
		d.insts[j].work.watched.Store(false)
	}
	d.commitSoon = true
	d.updateLeases()
}

// leave takes a job out of a set; a set without jobs is gone.
func (d *driver) leave(sid checkpoint.SetID, s *detachedSet, j id.Job) {
	s.jobs = slices.DeleteFunc(slices.Clone(s.jobs), func(k id.Job) bool { return k == j })
	if len(s.jobs) == 0 {
		s.keepPins(0)
		delete(d.sets, sid)
	}
}

// setOf finds the set that the driver has the job in.
func (d *driver) setOf(j id.Job) *detachedSet {
	for _, s := range d.sets {
		if slices.Contains(s.jobs, j) {
			return s
		}
	}
	return nil
}

// missing are the jobs that the set reads outside of itself and that are not attached and published.
func (d *driver) missing(s *detachedSet) (out []id.Job) {
	for _, j := range s.jobs {
		for _, up := range d.jobs[j].Upstream {
			attached := d.coord.Attached(up) && !d.coord.Joining(up) && !d.outgrown(up) && !d.arranging(up)
			if !attached && !slices.Contains(s.jobs, up) && !slices.Contains(out, up) {
				out = append(out, up)
			}
		}
	}
	return out
}

// updateLeases keeps the changelogs that are needed. While a commit is under way nothing is given up that was needed
// when it began: it holds the as_of of then, to which a crash would go back.
func (d *driver) updateLeases() {
	leases := d.leasesNow()
	for t, from := range d.leased {
		hold(leases, t, from)
	}
	d.e.store.SetLeases(leases)
}

// hold widens the leases so that a table's changes after an epoch are kept.
func hold(leases map[id.Table]epoch.Epoch, t id.Table, from epoch.Epoch) {
	if old, ok := leases[t]; !ok || from < old {
		leases[t] = from
	}
}

// leasesNow are the changelogs of every table that a detached job reads, from the job's as_of on, and of those that
// readers follow.
func (d *driver) leasesNow() map[id.Table]epoch.Epoch {
	leases := map[id.Table]epoch.Epoch{}
	for _, s := range d.sets {
		from := s.AsOf
		if from == 0 {
			from = s.Pinned
		}
		if from == 0 || s.LaggedOut {
			continue // it has read nothing yet, or will not go on
		}
		for _, j := range s.jobs {
			d.holdRead(leases, s, j, from)
		}
	}
	for l := range d.leases {
		hold(leases, l.table, l.from)
	}
	for _, s := range d.subscriptions {
		hold(leases, s.table, s.from)
	}
	return leases
}
