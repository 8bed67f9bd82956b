package sim

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tidemark-db/tidemark/internal/actor"
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/job"
)

// Bounds of what a run has.
const (
	viewsMax = 5  // at a time
	depthMax = 3  // views upon views
	slowMax  = 80 // steps for which an actor may stand still
	fuseMax  = 40 // store writes until a planned crash
	// actorsMax bounds the actors that a fragment is given.
	actorsMax = 4
	// slowRate is what a catch-up may read a second that is to take long.
	slowRate = 2
	// poisonWorks: one of so many moves of a poisoned job fails.
	poisonWorks = 2
	// tableFailsEvery: one of so many failures of tables happens; each ends the engine.
	tableFailsEvery = 8
)

// scheduler picks who moves next.
type scheduler struct {
	*world
	actions []action
	total   int
	// longNapEvery: one of so many moves of the clock outlasts every pin.
	longNapEvery int
	// poisoned is a job that fails whenever it gets anywhere; 0: none does.
	poisoned id.Job
}

// action is something that may happen. It reports false when it could not.
type action struct {
	name   string
	weight int
	run    func(*scheduler) bool
}

// Everything that makes progress always happens; what disturbs it happens often in some runs and never in others, so
// that no disturbance hides another.
var (
	moves = []action{
		{"actor", 60, (*scheduler).moveActor},
		{"driver", 16, (*scheduler).moveDriver},
		{"background", 5, func(s *scheduler) bool { return s.host.runBackground() }},
		{"clock", 6, (*scheduler).moveClock},
		{"log", 6, (*scheduler).writeLog},
	}
	requests = []action{
		{"statement", 8, (*scheduler).statement},
		{"create", 3, (*scheduler).createView},
		{"drop", 1, (*scheduler).dropView},
		{"replace", 2, (*scheduler).replaceView},
		{"index", 1, (*scheduler).createIndex},
		{"follow", 1, (*scheduler).follow},
	}
	disturbances = []action{
		{"slow", 2, (*scheduler).slowDown},
		{"fail", 2, (*scheduler).failActor},
		{"halfway", 6, (*scheduler).failHalfway},
		{"poison", 1, (*scheduler).poison},
		{"pause", 1, (*scheduler).pause},
		{"resume", 1, (*scheduler).resume},
		{"rate", 2, (*scheduler).setRate},
		{"rescale", 3, (*scheduler).rescale},
		{"fuse", 1, (*scheduler).lightFuse},
		{"crash", 1, (*scheduler).crash},
		{"close", 1, (*scheduler).shut},
	}
)

func newScheduler(w *world) *scheduler {
	s := &scheduler{world: w, actions: slices.Concat(moves, requests), longNapEvery: []int{4, 20, 100}[w.rand.IntN(3)]}
	for _, a := range disturbances {
		a.weight *= []int{0, 0, 1, 3}[w.rand.IntN(4)]
		s.actions = append(s.actions, a)
	}
	for _, a := range s.actions {
		s.total += a.weight
	}
	return s
}

// round lets things happen, and then the run come to rest.
func (s *scheduler) round() {
	s.brittle = s.rand.IntN(3) == 0
	for range roundSteps {
		if s.broken == nil {
			s.step()
		}
	}
	s.poisoned = 0
	s.settle(loadSteps)
	s.checkLeftovers()
}

// preload gives the tables some history before there are views.
func (s *scheduler) preload() {
	for range s.rand.IntN(historyMax) {
		s.statement()
		s.writeLog()
	}
}

// step lets one thing happen.
func (s *scheduler) step() {
	s.world.step++
	if s.dead() {
		s.restart()
		return
	}
	n := s.rand.IntN(s.total)
	for _, a := range s.actions {
		if n -= a.weight; n < 0 {
			a.run(s)
			return
		}
	}
}

// moveActor lets an actor read a message or do a slice of work.
func (s *scheduler) moveActor() bool {
	loops := s.host.loops
	if len(loops) == 0 {
		return false
	}
	first := s.rand.IntN(len(loops))
	for i := range loops {
		l := loops[(first+i)%len(loops)]
		if l.slow <= s.world.step && s.turn(l) {
			return true
		}
	}
	return false
}

// turn moves one actor. Only what the scheduler has injected may make it fail.
func (s *scheduler) turn(l *loop) bool {
	turned, err := l.Turn(s.rand.IntN(len(l.Actor().Inputs)))
	if err != nil {
		s.note("failed", "actor %d of job %d: %v", l.id(), l.job(), err)
		if !s.dead() {
			s.fail("actor %d of job %d failed: %w", l.id(), l.job(), err)
		}
		s.host.remove(l, err)
		return true
	}
	switch turned {
	case actor.Moved:
		s.note("actor", "%d of job %d", l.id(), l.job())
		if l.job() == s.poisoned && s.rand.IntN(poisonWorks) == 0 {
			s.fell(l)
		}
	case actor.Ended:
		s.note("ended", "actor %d of job %d", l.id(), l.job())
		s.host.remove(l, nil)
	default:
		return false
	}
	return true
}

// moveDriver lets the driver take some of the events and decide.
func (s *scheduler) moveDriver() bool {
	n := s.engine.Waiting()
	if s.rand.IntN(2) == 0 {
		n = s.rand.IntN(3)
	}
	s.drive(n)
	return true
}

func (s *scheduler) drive(events int) {
	s.note("driver", "%d of %d events at %v", min(events, s.engine.Waiting()), s.engine.Waiting(), s.clock.now.UnixMilli())
	running := s.engine.Turn(events)
	if s.dead() {
		return
	}
	if err := s.engine.Err(); errors.Is(err, errInjected) {
		s.note("stopped", "%v", err)
		s.disk.crash()
		return
	} else if err != nil {
		s.fail("the engine has stopped: %w", err)
		return
	}
	if !running {
		s.closed()
		return
	}
	s.learnSwaps()
	s.checkAttaching()
	s.check()
}

func (s *scheduler) moveClock() bool {
	steps := []time.Duration{time.Millisecond, time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, time.Second}
	if s.rand.IntN(s.longNapEvery) == 0 {
		s.note("nap", "")
		s.clock.advance(job.RepinAfter)
	}
	s.clock.advance(steps[s.rand.IntN(len(steps))])
	return true
}

// serving reports whether clients get answers.
func (s *scheduler) serving() bool { return !s.ending && s.engine.Visible() >= s.fresh }

func (s *scheduler) writeLog() bool {
	return s.seq.Write()
}

// createView makes a view over what is there.
func (s *scheduler) createView() bool {
	from := readable(s.engine.Catalog())
	if !s.serving() || len(from)-len(tables) >= viewsMax {
		return false
	}
	from = slices.DeleteFunc(from, func(r *catalog.Relation) bool { return s.depth(r) >= depthMax })
	s.named++
	s.create(fmt.Sprintf("CREATE MATERIALIZED VIEW v%d AS %s", s.named, s.aQuery(from)))
	return true
}

// depth is how many views lie between a relation and the tables.
func (s *scheduler) depth(r *catalog.Relation) int {
	d := 0
	for _, up := range r.DependsOn {
		if rel, ok := s.engine.Catalog().Relation(up); ok {
			d = max(d, 1+s.depth(rel))
		}
	}
	return d
}

func (s *scheduler) dropView() bool {
	v, ok := s.aView()
	if ok {
		s.struck("drop", v.Job)
		s.drop(v)
	}
	return ok
}

// closed: the engine has ended in order. Everything is durable, and it starts again.
func (s *scheduler) closed() {
	s.note("closed", "")
	s.disk.crash()
	s.restart()
	if seq := s.engine.DMLSeq(); s.broken == nil && seq < s.history.last() {
		s.fail("statement %d was not durable when the engine had closed: %d", s.history.last(), seq)
	}
}
