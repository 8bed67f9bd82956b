package sim

import (
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/job"
)

// Jobs attach when a run comes to rest, because their windows are short then. So that is when attaches are disturbed.

// disturbAttach does something to an attach, if there is one.
func (s *scheduler) disturbAttach() {
	switch s.rand.IntN(5) {
	case 0, 1:
		s.stall()
	case 2, 3:
		s.unseat()
	default:
		s.jolt()
	}
}

// jolt does to a view that attaches what else is done to views at any time.
func (s *scheduler) jolt() {
	jobs := s.engine.Jobs()
	views := slices.DeleteFunc(s.views(), func(r *catalog.Relation) bool { return jobs[r.Job].State != job.Attaching })
	if !s.serving() || len(views) == 0 {
		return
	}
	v := views[s.rand.IntN(len(views))]
	switch s.rand.IntN(6) {
	case 0:
		s.pauseView(v)
	case 1:
		s.rescaleTo(v)
	case 2:
		s.limit(v)
	case 3:
		s.failOf(func(l *loop) bool { return l.job() == v.Job })
	case 4:
		s.crash()
	default:
		s.struck("drop", v.Job)
		s.drop(v)
	}
}

// stall lets a job that attaches stand still for longer than others wait for it.
func (s *scheduler) stall() {
	jobs := slices.Sorted(maps.Keys(s.engine.HeldUp()))
	if len(jobs) == 0 {
		return
	}
	j := jobs[s.rand.IntN(len(jobs))]
	s.note("stall", "job %d", j)
	for _, l := range s.host.loops {
		if l.job() == j {
			l.slow = s.world.step + s.rand.IntN(slowMax)
		}
	}
	s.clock.advance(2 * job.AttachPatience)
}

// unseat ends an actor of a view that is read by one which has asked to attach.
func (s *scheduler) unseat() {
	read := s.read(func(st engine.JobStatus) bool { return st.State == job.Attaching })
	if s.failOf(func(l *loop) bool { return slices.Contains(read, l) }) {
		s.trace.counts["unseat"]++
	}
}

// checkAttaching: whoever attaches holds nobody up for longer than it is given (M10).
func (s *scheduler) checkAttaching() {
	for j, patience := range s.engine.HeldUp() {
		if held := s.engine.Held(); held > patience {
			s.fail("job %d attaches and holds up a barrier for %v", j, held)
		}
	}
}
