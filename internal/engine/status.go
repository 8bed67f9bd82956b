package engine

import (
	"context"
	"slices"
	"strings"
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
	Shadow   bool     // it is to take the place of another
	WaitsFor []id.Job // jobs that it reads and that are not attached
	Reason   string   // of a quarantine or the last failure, until it gets on
	Cause    error    // of the last failure, likewise; nil after a restart
	Progress
	Background  bool   // nobody waits for its creation
	Parallelism string // how many actors a fragment has, as settings.Actors prints it
	Outgrown    bool   // it does not have them yet
	Paying      bool   // it replays nothing for a while, because its limit has yet to pay for what it has replayed
	Ending      bool   // its actors were told to end and have not all done so
}

// Situation tells in a line how far a job is and what keeps it.
func (e *Engine) Situation(s JobStatus) string {
	line := string(s.State) + ", " + s.Progress.String()
	if len(s.WaitsFor) > 0 {
		line += ", waits for " + e.Names(s.WaitsFor)
	}
	if s.Reason != "" {
		line += ": " + s.Reason
	}
	return line
}

// Names lists the relations of jobs.
func (e *Engine) Names(jobs []id.Job) string {
	if len(jobs) == 0 {
		return ""
	}
	var names []string
	for _, rel := range e.Catalog().Relations() {
		if rel.Job != 0 && slices.Contains(jobs, rel.Job) {
			names = append(names, rel.Name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// status tells where a job stands now.
func (d *driver) status(j id.Job) JobStatus {
	def := d.jobs[j]
	s := JobStatus{ID: j, Relation: def.Relation, SQL: def.SQL, State: job.Running, AsOf: d.coord.AsOf(j),
		Attached: d.coord.Attached(j) && !d.coord.Joining(j) && !d.arranging(j), Parallelism: actorsOf(def).String(), Outgrown: d.outgrown(j),
		Ending: d.insts[j] != nil && d.insts[j].stopping}
	s.Created = s.Attached || d.created[j]
	if rel, ok := d.e.Catalog().Relation(def.Relation); ok {
		s.Shadow = rel.Shadow != 0
	}
	s.Background = def.Settings["background_ddl"] == "on"
	set := d.setOf(j)
	if set == nil {
		if d.arranging(j) {
			s.Progress, s.State = d.progressOf(j), d.arrangingState(j)
		}
		return s
	}
	s.AsOfAt, s.Progress = set.asOfAt, d.progressOf(j)
	s.WaitsFor, s.Paying = d.missing(set), d.debt(set) > readyGrace
	if s.State = set.State(len(s.WaitsFor) == 0); s.Created && s.State == job.Creating {
		s.State = job.CatchingUp
	} else if s.State == job.CatchingUp && d.arranging(j) {
		s.State = job.Creating
	}
	if s.Cause = set.cause; s.Cause != nil {
		s.Reason = s.Cause.Error()
	}
	if set.Quarantined != "" {
		s.Reason = set.Quarantined
	}
	if set.brought(j) {
		s.Reason = errs.InputEnded.New("job", set.failed, "cause", s.Reason).Error()
	}
	return s
}

// brought reports whether a job is where it is because of another one's failure.
func (s *detachedSet) brought(j id.Job) bool {
	return s.failed != 0 && s.failed != j && (s.Failures > 0 && s.cause != nil || s.Quarantined != "")
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

func (e *Engine) Durable() epoch.Epoch {
	e.seen.Lock()
	defer e.seen.Unlock()
	return e.seen.durable
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

// stuck reports whether a job gets no further by itself, nor by what it waits for.
func (l look) stuck(s JobStatus) bool { return l.kept(s, JobStatus.stands) }

// late reports whether what a job lacks is not worth waiting for by those whom older rows serve: it is stuck, or its limit may
// make it take hours, or for ever where its inputs change by more.
func (l look) late(s JobStatus) bool {
	return l.kept(s, func(s JobStatus) bool { return s.Paying || s.stands() })
}

// kept reports whether a job, or what it waits for, is kept from going on.
func (l look) kept(s JobStatus, by func(JobStatus) bool) bool {
	return by(s) || s.State == job.Queued && slices.ContainsFunc(s.WaitsFor, func(up id.Job) bool {
		u, ok := l.job(up)
		return ok && l.kept(u, by)
	})
}

// stands reports whether a job goes on only when somebody lets it.
func (s JobStatus) stands() bool {
	return s.State == job.Paused || s.State == job.Quarantined || s.State == job.LaggedOut
}

// takesLong reports whether a job that is being created has rows to read, pays for those it has read, or stands.
func (s JobStatus) takesLong() bool { return s.Scanned < s.Total || s.Paying || s.stands() }

// running is the status of a job that may still get where it is waited for. One that was dropped meanwhile was cancelled.
func (l look) running(j id.Job) (JobStatus, error) {
	s, ok := l.job(j)
	switch {
	case !ok:
		return s, errs.JobCancelled.New()
	case s.State == job.Quarantined || s.State == job.LaggedOut:
		return s, s.stopped()
	}
	return s, nil
}

// WaitJob waits until a job is attached and that is durable. A job that was dropped meanwhile was cancelled.
func (e *Engine) WaitJob(ctx context.Context, j id.Job) error {
	var need epoch.Epoch
	return e.await(ctx, func(l look) (bool, error) {
		s, err := l.running(j)
		switch {
		case err != nil:
			return false, err
		case !s.Attached:
			need = 0
			return false, nil
		case need == 0:
			need = l.visible
		}
		return l.durable >= need, nil
	})
}

// stopped is the error of a job that has failed for good. What a row has done is told as the row's error.
func (s JobStatus) stopped() error {
	if errs.Is(s.Cause, errs.User) {
		return s.Cause
	}
	return errs.JobQuarantined.New("job", s.ID, "reason", s.Reason)
}

// WaitAll waits until no job is being created or is to replace another; jobs that do not get on by themselves are not waited
// for.
func (e *Engine) WaitAll(ctx context.Context) error {
	return e.await(ctx, func(l look) (bool, error) {
		for j := range e.seen.jobs { // await holds the lock
			s, _ := l.job(j)
			if (!s.Attached || s.Shadow) && !l.stuck(s) {
				return false, nil
			}
		}
		return true, nil
	})
}
