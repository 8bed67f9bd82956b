package sim

import (
	"context"
	"time"

	"github.com/tidemark-db/tidemark/internal/job"
)

// settle lets the run come to rest: nothing disturbs it, everything that had stopped goes on. For the first
// steps clients go on too, so that jobs attach under load. In bounded time all jobs must be attached and show every statement.
func (s *scheduler) settle(load int) {
	nap := napMin
	for n := 0; s.broken == nil; n++ {
		if n == settleMax {
			s.fail("the run does not come to rest: %s", s.describe())
			return
		}
		s.world.step++
		if s.dead() {
			s.restart()
			continue
		}
		s.disk.fuse = 0
		if n%100 == 0 {
			s.relieve()
		}
		if n < load && s.rand.IntN(loadEvery) == 0 {
			s.statement()
			s.writeLog()
		}
		if n < load && s.rand.IntN(attachEvery) == 0 && !s.dead() {
			s.disturbAttach()
		}
		if !s.quiet() {
			nap = napMin
			continue
		}
		if s.settled() {
			return
		}
		s.clock.advance(nap)
		nap = min(2*nap, napMax)
	}
}

// Nobody moves while time passes, so that a step of a set takes no longer than it would on an idle machine.
const (
	napMin = time.Millisecond
	napMax = time.Second
	// loadSteps is how long clients go on after a round; one of loadEvery steps is a statement.
	loadSteps = 300
	loadEvery = 10
	// attachEvery: before one of so many of these steps attaches are disturbed.
	attachEvery = 8
)

// quiet moves everything once and reports whether nothing could move.
func (s *scheduler) quiet() bool {
	idle := !s.moveActor()
	if s.rand.IntN(8) == 0 || idle {
		idle = !s.host.runBackground() && idle
		idle = !s.writeLog() && idle
		idle = s.engine.Waiting() == 0 && idle
		s.drive(s.engine.Waiting())
	}
	return idle && s.broken == nil && !s.dead()
}

// relieve ends what the scheduler did to slow things down.
func (s *scheduler) relieve() {
	for _, l := range s.host.loops {
		l.slow = 0
	}
	if s.ending {
		return
	}
	for _, r := range s.views() {
		switch st := s.engine.Jobs()[r.Job]; st.State {
		case job.Running:
		case job.LaggedOut:
			s.note("lagged out", "%s", r.Name)
			s.drop(r)
			return // with those that read it
		default:
			s.must("lift the rate", s.engine.SetRate(context.Background(), r.Job, -1))
			s.must("resume", s.engine.Resume(context.Background(), r.Job))
		}
	}
}

// settled reports whether readers see everything.
func (s *scheduler) settled() bool {
	if s.ending || s.history.pending() != nil {
		return false
	}
	for _, st := range s.history.statements {
		if st.at > s.engine.Visible() {
			return false
		}
	}
	for _, st := range s.engine.Jobs() {
		if !st.Attached || st.Outgrown {
			return false
		}
	}
	return len(s.engine.Catalog().Shadows()) == 0
}
