package engine

import (
	"context"
	"time"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/job"
)

// JobStatus is where a job stands, as readers and SHOW JOBS see it.
type JobStatus struct {
	ID       id.Job
	Relation id.Relation
	SQL      string
	State    job.State
	AsOf     epoch.Epoch
	AsOfAt   time.Time // when that was; zero when it is not known
	Created  bool      // it has been attached once: its relation answers
	Attached bool
	WaitsFor []id.Relation // of a job that is queued: what it reads and is not attached
	Reason   string        // of a quarantine or the last failure
	Progress
}

// status tells where a job stands now.
func (d *driver) status(j id.Job) JobStatus {
	def := d.jobs[j]
	s := JobStatus{ID: j, Relation: def.Relation, SQL: def.SQL, State: job.Running, AsOf: d.coord.AsOf(j),
		Attached: d.coord.Attached(j) && !d.coord.Joining(j)}
	s.Created = s.Attached || d.created[j]
	set := d.setOf(j)
	if set == nil {
		return s
	}
	s.AsOfAt, s.Progress = set.asOfAt, d.progressOf(j)
	for _, up := range d.missing(set) {
		s.WaitsFor = append(s.WaitsFor, d.jobs[up].Relation)
	}
	s.State = set.State(len(s.WaitsFor) == 0)
	if set.cause != nil {
		s.Reason = set.cause.Error()
	}
	if set.Quarantined != "" {
		s.Reason = set.Quarantined
	}
	return s
}

// Jobs returns the status of all jobs.
func (e *Engine) Jobs() map[id.Job]JobStatus {
	e.seen.Lock()
	defer e.seen.Unlock()
	out := make(map[id.Job]JobStatus, len(e.seen.jobs))
	for j, s := range e.seen.jobs {
		out[j] = s
	}
	return out
}

// Visible and Durable are the epochs as readers see them.
func (e *Engine) Visible() epoch.Epoch {
	e.seen.Lock()
	defer e.seen.Unlock()
	return e.seen.visible
}

// look is what a waiter is shown after each change.
type look struct {
	visible, durable epoch.Epoch
	job              func(id.Job) (JobStatus, bool)
}

// await waits until ok returns true or an error. It looks again after every change of an epoch or job.
func (e *Engine) await(ctx context.Context, ok func(look) (bool, error)) error {
	for {
		e.seen.Lock()
		done, err := ok(look{e.seen.visible, e.seen.durable, func(j id.Job) (JobStatus, bool) {
			s, found := e.seen.jobs[j]
			return s, found
		}})
		changed := e.seen.changed
		e.seen.Unlock()
		if done || err != nil {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-e.stopped:
			return e.closedError()
		}
	}
}

// WaitJob waits until a job is attached and that is durable. A job that was dropped meanwhile was cancelled.
func (e *Engine) WaitJob(ctx context.Context, j id.Job) error {
	var need epoch.Epoch
	return e.await(ctx, func(l look) (bool, error) {
		s, ok := l.job(j)
		switch {
		case !ok:
			return false, errs.JobCancelled.New()
		case s.State == job.Quarantined:
			return false, errs.JobQuarantined.New("job", j, "reason", s.Reason)
		case !s.Attached:
			need = 0
			return false, nil
		case need == 0:
			need = l.visible
		}
		return l.durable >= need, nil
	})
}

// WaitAll waits until no job is being created; jobs that are paused or quarantined are not waited for.
func (e *Engine) WaitAll(ctx context.Context) error {
	return e.await(ctx, func(l look) (bool, error) {
		for j := range e.seen.jobs { // await holds the lock
			s, _ := l.job(j)
			if !s.Attached && s.State != job.Quarantined && s.State != job.Paused {
				return false, nil
			}
		}
		return true, nil
	})
}
