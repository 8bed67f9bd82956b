package engine

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/tidemark-db/tidemark/internal/actor"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/job"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/state"
)

// Feed gives the rows of statements to their tables, all of them between the same two barriers, and returns the epoch that
// they belong to. seq is the highest sequence number of the DML log among them. Rows are exact: old ones as deletes, new
// ones as inserts.
func (e *Engine) Feed(seq uint64, rows iter.Seq2[dml.Fed, error]) (epoch.Epoch, error) {
	if err := e.backPressure(); err != nil {
		return 0, err
	}
	e.gate.RLock()
	defer e.gate.RUnlock()
	for r, err := range rows {
		if err != nil {
			return 0, err
		}
		in, ok := e.inputs.Load(r.Job)
		if !ok {
			continue // the table was dropped after the statement was evaluated
		}
		if err := in.(*instance).feed(r.Rows); err != nil {
			return 0, err
		}
	}
	if seq > 0 {
		e.gate.seq.Store(seq)
	}
	e.post(e.d.fed)
	return e.gate.open, nil
}

// feed splits rows over the actors of a table. Statements come one after the other.
func (in *instance) feed(c *chunk.Chunk) error {
	if len(c.Cols) < len(in.rel.Columns) { // evaluated before columns were added
		var err error
		if c, err = state.FormatOf(in.rel).Widen(c); err != nil {
			return err
		}
	}
	return in.route.Split(c, func(i int, part *chunk.Chunk) error {
		in.root().actors[i].inbox.Send(actor.Control, actor.Msg{Chunk: part})
		return nil
	})
}

// Hurry asks for a barrier as soon as one may be injected.
func (e *Engine) Hurry() { e.post(func() { e.d.urgent = true }) }

// WaitVisible waits until the epoch is visible.
func (e *Engine) WaitVisible(ctx context.Context, at epoch.Epoch) error {
	if e.Visible() >= at {
		return nil
	}
	e.Hurry()
	return e.await(ctx, func(l look) (bool, error) { return l.visible >= at, nil })
}

// WaitDurable waits until the epoch is durable.
func (e *Engine) WaitDurable(ctx context.Context, at epoch.Epoch) error {
	if err := e.WaitVisible(ctx, at); err != nil { // a commit takes what is visible
		return err
	}
	e.post(func() { e.d.commitSoon = true })
	return e.await(ctx, func(l look) (bool, error) { return l.durable >= at, nil })
}

// Stale says that a view answers as of an earlier epoch, and why.
type Stale struct {
	Job   id.Job
	AsOf  epoch.Epoch
	State job.State
	Cause string
}

// readyGrace is how long a reader waits for a relation that is being created before it is refused: what has little to
// read is there by then.
const readyGrace = 200 * time.Millisecond

// emptyGrace is how much longer a reader waits when nothing is left to read: only a loaded machine keeps it then.
const emptyGrace = 2 * time.Second

// WaitFresh waits until the jobs have reached an epoch. Jobs that can not reach it by themselves (paused, quarantined),
// or not soon (limited), are returned: their rows are as of an earlier epoch. A job that was never attached has no rows to read.
func (e *Engine) WaitFresh(ctx context.Context, jobs []id.Job, at epoch.Epoch, incomplete bool) (stale []Stale, err error) {
	if e.Visible() < at {
		e.Hurry()
	}
	stale, err = e.waitFresh(ctx, jobs, at, incomplete)
	if errs.Code(err) == errs.JobNotReady.Code && e.waitReady(ctx, jobs) {
		return e.waitFresh(ctx, jobs, at, incomplete)
	}
	return stale, err
}

// waitReady waits a little for jobs that are being created, and reports whether they are there.
func (e *Engine) waitReady(ctx context.Context, jobs []id.Job) bool {
	return e.waitThere(ctx, jobs, readyGrace, JobStatus.stands) || e.waitThere(ctx, jobs, emptyGrace, JobStatus.takesLong)
}

// waitThere waits for jobs to be created, but no longer than the grace, nor for one that something keeps.
func (e *Engine) waitThere(ctx context.Context, jobs []id.Job, grace time.Duration, keeps func(JobStatus) bool) bool {
	ctx, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	there := false
	_ = e.await(ctx, func(l look) (bool, error) { // what ends it early is seen by who looks again
		there = !slices.ContainsFunc(jobs, func(j id.Job) bool { s, ok := l.job(j); return ok && !s.Created })
		kept := slices.ContainsFunc(jobs, func(j id.Job) bool { s, ok := l.job(j); return ok && !s.Created && l.kept(s, keeps) })
		return there || kept, nil
	})
	return there
}

func (e *Engine) waitFresh(ctx context.Context, jobs []id.Job, at epoch.Epoch, incomplete bool) (stale []Stale, err error) {
	err = e.await(ctx, func(l look) (bool, error) {
		stale = nil
		for _, j := range jobs {
			s, ok := l.job(j)
			switch {
			case !ok || s.Attached && l.visible >= at:
			case !s.Created && incomplete:
				stale = append(stale, Stale{j, s.AsOf, s.State, s.Reason})
			case !s.Created && (s.State == job.Quarantined || s.State == job.LaggedOut):
				return false, errs.JobQuarantined.New("job", j, "reason", s.Reason)
			case !s.Created:
				return false, errs.JobNotReady.New("name", e.Names([]id.Job{j}), "progress", e.Situation(s))
			case l.late(s):
				stale = append(stale, Stale{j, s.AsOf, s.State, s.Reason})
			case s.AsOf < at || s.Attached:
				return false, nil
			}
		}
		return true, nil
	})
	return stale, err
}

// InStep reports whether a job is attached: what it wrote is of the same epoch as what it reads.
func (e *Engine) InStep(j id.Job) bool {
	e.seen.Lock()
	defer e.seen.Unlock()
	return e.seen.jobs[j].Attached
}

// Open returns the epoch that rows fed now belong to.
func (e *Engine) OpenEpoch() epoch.Epoch {
	e.gate.RLock()
	defer e.gate.RUnlock()
	return e.gate.open
}

// View pins the visible epoch for a reader.
func (e *Engine) View() kv.View { return e.store.View() }
