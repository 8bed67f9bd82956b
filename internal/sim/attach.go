package sim

import (
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/job"
)

// Jobs attach when a run comes to rest, because their windows are short then. So that is when attaches are disturbed.

// disturbAttach does something to an attach, if there is one.
func (s *scheduler) disturbAttach() {
	if s.rand.IntN(2) == 0 {
		s.stall()
	} else {
		s.unseat()
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
	loops := s.read(func(st engine.JobStatus) bool { return st.State == job.Attaching })
	if len(loops) == 0 {
		return
	}
	l := loops[s.rand.IntN(len(loops))]
	s.note("unseat", "actor %d of job %d", l.id(), l.job())
	s.host.remove(l, errInjected)
}

// checkAttaching: whoever attaches holds nobody up for longer than it is given (M10).
func (s *scheduler) checkAttaching() {
	for j, patience := range s.engine.HeldUp() {
		if held := s.engine.Held(); held > patience {
			s.fail("job %d attaches and holds up a barrier for %v", j, held)
		}
	}
}
