package engine

import (
	"slices"
	"time"

	"github.com/tidemark-db/tidemark/internal/checkpoint"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
)

// detachLate lets go of jobs that hold up a barrier for too long: they catch up by themselves, and nobody waits for them.
// What they did of the epoch is rolled back as after a failure, but does not count as one.
func (d *driver) detachLate(now time.Time) {
	if !d.coord.Collecting() || now.Sub(d.tickAt) < d.e.opts.DetachAfter {
		return
	}
	waiting := d.coord.Waiting()
	behind := func(j id.Job) bool {
		in := d.insts[j]
		return in != nil && !in.isTable() && slices.Contains(waiting, j) && in.behind()
	}
	for _, j := range waiting {
		// One that is behind because another job is will be on time without it.
		if !d.coord.Attached(j) || !behind(j) || slices.ContainsFunc(d.jobs[j].Upstream, behind) {
			continue
		}
		d.cause = errs.JobLate.New("name", d.insts[j].rel.Name, "time", d.e.opts.DetachAfter)
		d.step(checkpoint.Failed{Job: j, Attempt: d.insts[j].attempt})
		d.cause = nil
	}
}
