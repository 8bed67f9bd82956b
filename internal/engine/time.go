package engine

import (
	"slices"
	"time"

	"github.com/tidemark-db/tidemark/internal/fragment"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/plan"
)

// timeStep is how often a barrier comes for the sake of the time it carries alone, when a job looks at the time.
const timeStep = time.Second

// barrierTime is the time of the next barrier. It never goes back, so that what has passed for one job has passed for all.
func (d *driver) barrierTime() time.Time {
	if now := d.e.opts.Now(); now.After(d.clock) {
		d.clock = now
	}
	return d.clock
}

// watchesTime reports whether an attached job has rows that come and go with the time.
func (d *driver) watchesTime() bool {
	for id, in := range d.insts {
		if in.timed && d.coord.Attached(id) {
			return true
		}
	}
	return false
}

// timed reports whether a job has rows that come and go with the time.
func timed(j *meta.Job) bool {
	return slices.ContainsFunc(j.Graph.Fragments, func(f *fragment.Fragment) bool { return plan.FollowsClock(f.Root) })
}
