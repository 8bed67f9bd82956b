package engine

import (
	"slices"
	"time"

	"github.com/tidemark-db/tidemark/internal/checkpoint"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
)

// detachLate lets go of jobs that hold up a barrier for too long: they catch up by themselves, and nobody waits for them.
// What they did of the epoch is rolled back as after a failure, but does not count as one. Those that are to slow the others
// down are waited for.
func (d *driver) detachLate(now time.Time) {
	held := now.Sub(d.tickAt)
	if !d.coord.Collecting() || held < min(d.e.opts.DetachAfter, d.e.opts.AttachPatience) {
		return // nobody is late yet
	}
	for _, j := range d.coord.Waiting() {
		if cause := d.late(j, held); cause != nil {
			d.cause = cause
			d.step(checkpoint.Failed{Job: j, Attempt: d.insts[j].attempt})
			d.cause = nil
		}
	}
}

// late says why a job is to be let go of that a barrier has been waiting for so long; nil when it is not.
func (d *driver) late(j id.Job, held time.Duration) error {
	if !d.coord.Attached(j) || d.jobs[j].Slows() || !d.holdsUp(j) {
		return nil
	}
	s := d.setOf(j)
	switch name := d.insts[j].rel.Name; {
	case held >= d.e.opts.DetachAfter:
		return errs.JobLate.New("name", name, "time", d.e.opts.DetachAfter)
	case s != nil && held >= s.Patience() && held >= d.e.opts.AttachPatience: // it attaches
		return errs.AttachUndone.New("name", name, "time", s.Patience())
	}
	return nil
}

// holdsUp reports whether a barrier in flight waits for the job, and not for one that it reads.
func (d *driver) holdsUp(j id.Job) bool {
	behind := func(j id.Job) bool {
		in := d.insts[j]
		return in != nil && !in.isTable() && d.coord.WaitsFor(j) && in.behind()
	}
	return behind(j) && !slices.ContainsFunc(d.jobs[j].Upstream, behind)
}
