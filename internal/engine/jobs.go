package engine

import (
	"slices"
	"time"

	"github.com/tidemark-db/tidemark/internal/actor"
	"github.com/tidemark-db/tidemark/internal/checkpoint"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/job"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
)

// forgiveAfter is how long a job must stay attached until its earlier failures are forgotten.
const forgiveAfter = time.Minute

// retirement remembers the failures of a job that has joined again.
type retirement struct {
	failures int
	at       time.Time
}

// recoverJobs starts all jobs, upstreams first. Those that were attached are attached at the durable epoch; the others
// go on from their as_of as sets of their own.
func (d *driver) recoverJobs(s *meta.State) error {
	var built []*instance
	var apart []id.Job
	for _, j := range d.order() {
		def, st := d.jobs[j], s.Status[j]
		d.created[j], d.rows[j], d.records[j] = st.Created, st.Rows, backfill.DecodeSums(st.Records)
		d.recoverTally(def, st.Tally)
		d.setLimits(def)
		if st.Attached && d.sound(def) {
			in, err := d.build(def, nil)
			if err != nil {
				return err
			}
			d.coord.Step(checkpoint.AddJob{Job: j, Attempt: in.attempt, Actors: in.count(), Ups: def.Upstream, Fresh: !st.Created && len(def.Upstream) == 0 && !in.isTable()})
			d.arrange(in)
			built = append(built, in)
			continue
		}
		apart = append(apart, j)
	}
	d.recoverDetached(s, apart)
	for _, in := range built { // only now, because building a job adds outputs to those it reads
		d.start(in)
	}
	d.updateLeases()
	d.tell()
	return nil
}

// sound reports whether a job that was attached can go on so: it and all that it reads.
func (d *driver) sound(j *meta.Job) bool {
	return d.broken[j.ID] == nil && !d.owes(j.ID, d.coord.Durable()) && !slices.ContainsFunc(j.Upstream, func(up id.Job) bool { return !d.coord.Attached(up) })
}

// recoverDetached makes sets of the jobs that were detached, of those together that had replayed together.
func (d *driver) recoverDetached(s *meta.State, jobs []id.Job) {
	sets := map[id.Job]job.Set{}
	for _, j := range jobs {
		st := s.Status[j]
		set := job.Set{AsOf: st.AsOf, Quarantined: st.Quarantined, LaggedOut: st.LaggedOut}
		if st.Attached { // it is broken, or something that it reads
			set.AsOf = d.coord.Durable()
		}
		if err := d.broken[j]; err != nil {
			set.Quarantined = err.Error()
		}
		// A job that had read nothing durable begins anew: the epoch it had pinned may have been lost with the crash.
		if set.AsOf > d.coord.Durable() {
			set.AsOf = 0
		}
		sets[j] = set
		d.coord.Step(checkpoint.AddJob{Job: j, Ups: d.jobs[j].Upstream, Detached: true, AsOf: set.AsOf, Replays: st.Created,
			Apart: d.apart(j)})
	}
	for _, j := range jobs {
		placed := d.place(j, sets[j])
		if placed.asOfAt = s.Status[j].AsOfAt; s.Status[j].Attached {
			placed.asOfAt = d.e.opts.Now() // how old the durable epoch is, is not stored
		}
	}
}

// order returns all jobs, each after those it reads.
func (d *driver) order() []id.Job {
	var out []id.Job
	var visit func(id.Job)
	visit = func(j id.Job) {
		if slices.Contains(out, j) || d.jobs[j] == nil {
			return
		}
		for _, up := range d.jobs[j].Upstream {
			visit(up)
		}
		out = append(out, j)
	}
	ids := make([]id.Job, 0, len(d.jobs))
	for j := range d.jobs {
		ids = append(ids, j)
	}
	slices.Sort(ids)
	for _, j := range ids {
		visit(j)
	}
	return out
}

// addDetached makes a job known to the coordinator as a set that does not run yet.
func (d *driver) addDetached(j id.Job, set job.Set) {
	d.coord.Step(checkpoint.AddJob{Job: j, Ups: d.jobs[j].Upstream, Detached: true, AsOf: set.AsOf})
	d.place(j, set)
}

// place puts a job into the set that the coordinator has it in.
func (d *driver) place(j id.Job, set job.Set) *detachedSet {
	if set.AsOf == 0 {
		set.First, d.urgent = d.coord.Open(), true // rows fed so far are to be scanned
	}
	sid, _ := d.coord.SetOf(j)
	s := d.sets[sid]
	if s == nil {
		s = &detachedSet{Set: set, asOfAt: d.e.opts.Now()}
		d.sets[sid] = s
	}
	s.jobs = append(s.jobs, j)
	d.standsSince[j] = d.coord.Visible()
	if d.owes(j, set.AsOf) {
		d.beginAfter(s)
	}
	if s.Quarantined == "" {
		s.Quarantined = set.Quarantined
	}
	s.LaggedOut = s.LaggedOut || set.LaggedOut
	return s
}

// restart builds the actors of a set and lets them run.
func (d *driver) restart(sid checkpoint.SetID, s *detachedSet) {
	r := checkpoint.Restarted{Set: sid, Attempts: map[id.Job]id.Attempt{}, Actors: map[id.Job]int{}}
	var built []*instance
	for _, j := range d.order() {
		if !slices.Contains(s.jobs, j) {
			continue
		}
		in, err := d.build(d.jobs[j], s)
		if err != nil {
			d.setFailed(s, err)
			return
		}
		built = append(built, in)
		r.Attempts[j], r.Actors[j] = in.attempt, in.count()
	}
	s.Running = true
	d.step(r)
	for _, in := range built {
		d.start(in)
	}
}

// start runs the actors of an instance.
func (d *driver) start(in *instance) {
	in.each(func(_ *fragmentActors, a *runningActor) {
		l := actor.NewLoop(a.actor, a.inbox, actor.Driver{
			Ack:    func(b *stream.Barrier, reports []any) { d.e.post(func() { d.acknowledged(in, a, b, reports) }) },
			Grant:  in.limit.Grant,
			Worked: func(rows, unspent int, more bool) { d.e.worked(in, a.id, rows, unspent, more) },
		})
		in.live++
		d.running++
		d.e.host.Actor(l, func(err error) { d.e.post(func() { d.actorEnded(in, err) }) })
	})
}

// acknowledged: an actor has staged an epoch.
func (d *driver) acknowledged(in *instance, a *runningActor, b *stream.Barrier, reports []any) {
	in.report(a.id, reports)
	delete(in.work.ended, a.id)
	d.step(checkpoint.Ack{Job: in.def.ID, Attempt: in.attempt, Epoch: b.Prev})
	if d.coord.Attached(in.def.ID) {
		return
	}
	d.urgent = true // a set's step becomes visible only with the next epoch of the attached jobs
	if s := d.setOf(in.def.ID); s != nil {
		s.Window = d.e.opts.Now().Sub(s.StepAt) // until the last one; how long publication takes says nothing of the set
	}
}

// actorEnded takes leave of an actor. One that fails takes its instance with it.
func (d *driver) actorEnded(in *instance, err error) {
	d.running--
	in.live--
	switch {
	case err != nil && !in.stopping:
		d.actorFailed(in, err)
	case in.stopping && in.live == 0:
		d.instanceEnded(in)
	}
}

// actorFailed records the root cause once; what follows from it in the same attempt is silent. A table has no upstream to
// replay: what it lost is in the log of statements alone, which is fed again when the engine starts.
func (d *driver) actorFailed(in *instance, err error) {
	if in.isTable() {
		d.fail(errs.TableFailed.New("name", in.rel.Name, "what", err.Error()).Wrap(err))
		return
	}
	d.cause = err
	d.step(checkpoint.Failed{Job: in.def.ID, Attempt: in.attempt})
	d.cause = nil
}

// stop ends an instance; what it staged is discarded once its actors have ended.
func (d *driver) stop(j id.Job) {
	in := d.insts[j]
	if in == nil || in.stopping {
		return
	}
	in.stop()
	if in.live == 0 {
		d.instanceEnded(in)
	}
}

// instanceEnded: the actors of a stopped instance are gone.
func (d *driver) instanceEnded(in *instance) {
	j := in.def.ID
	d.e.store.Discard(j)
	if d.insts[j] == in {
		delete(d.insts, j)
	}
	in.kept.close()
	in.memory.Close()
	if s := d.setOf(j); s != nil && !slices.ContainsFunc(s.jobs, func(k id.Job) bool { return d.insts[k] != nil }) {
		s.keepPins(0) // nobody of the set reads them any more
	}
	if d.jobs[j] == nil {
		d.purge(in.def)
		d.sweep()
	}
	d.tell()
}

// detached takes over a set of jobs that were rolled back together.
func (d *driver) detached(f checkpoint.Detach) {
	s := &detachedSet{jobs: slices.Clone(f.Jobs), asOfAt: d.e.opts.Now(), failed: f.Cause}
	s.AsOf = f.AsOf
	for _, j := range f.Jobs {
		for sid, old := range d.sets {
			if slices.Contains(old.jobs, j) {
				s.Failures, s.Undone = max(s.Failures, old.Failures), max(s.Undone, old.Undone)
				if old.AsOf == s.AsOf {
					s.asOfAt = old.asOfAt
				}
				s.pins = append(s.pins, old.pins...)
				old.pins = nil
				d.leave(sid, old, j)
			}
		}
		if r, ok := d.retired[j]; ok && d.e.opts.Now().Sub(r.at) < forgiveAfter {
			s.Failures = max(s.Failures, r.failures)
		}
		delete(d.retired, j)
		d.dirty[j], d.standsSince[j] = true, d.coord.Visible()
	}
	d.sets[f.Set] = s
	d.setFailed(s, d.cause)
	d.updateLeases()
	d.tell()
}

func (d *driver) setFailed(s *detachedSet, cause error) {
	reason := "unknown"
	if cause != nil {
		reason = cause.Error()
	}
	s.cause = cause
	switch code := errs.Code(cause); {
	case code == errs.JobLate.Code:
		s.Rest()
	case code == errs.JobRescaled.Code || code == errs.JobResting.Code:
		s.Rest()
		s.cause = nil // nothing is wrong with it
	case code == errs.AttachUndone.Code:
		s.Undo(d.e.opts.Now())
	case errs.Is(cause, errs.Corruption):
		s.Refuse(errs.Told(cause))
	default:
		s.Fail(d.e.opts.Now(), reason)
	}
	s.LaggedOut = s.LaggedOut || errs.Code(cause) == errs.BackfillLaggedOut.Code
	d.e.opts.Logger.Warn("jobs are rolled back", "jobs", s.jobs, "attempt", s.Failures, "code", errs.Code(cause), "error", reason)
	for _, j := range s.jobs {
		d.dirty[j] = true
	}
	d.lookAt(s)
	d.tell()
}

// onRowError counts the rows of a job whose expression failed; nil when such a row is to stop the job.
func (d *driver) onRowError(j id.Job) func(error) {
	if d.jobs[j].Settings["on_row_error"] == "stop" {
		return nil
	}
	return func(err error) { d.e.rowErrors.add(j, err) }
}
