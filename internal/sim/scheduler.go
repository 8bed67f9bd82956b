package sim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tidemark-db/tidemark/internal/actor"
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
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
	// longNapEvery: one of so many moves of the clock outlasts every pin.
	longNapEvery = 20
	// tableFailsEvery: one of so many failures of tables happens; each ends the engine.
	tableFailsEvery = 8
)

// scheduler picks who moves next.
type scheduler struct {
	*world
	actions []action
	total   int
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
		{"follow", 1, (*scheduler).follow},
	}
	disturbances = []action{
		{"slow", 2, (*scheduler).slowDown},
		{"fail", 2, (*scheduler).failActor},
		{"halfway", 2, (*scheduler).failHalfway},
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
	s := &scheduler{world: w, actions: slices.Concat(moves, requests)}
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
	for range roundSteps {
		if s.broken == nil {
			s.step()
		}
	}
	s.settle(loadSteps)
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
	if s.rand.IntN(longNapEvery) == 0 {
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
	rels := relations(s.engine.Catalog())
	if !s.serving() || len(rels)-len(tables) >= viewsMax {
		return false
	}
	from := slices.DeleteFunc(rels, func(r *catalog.Relation) bool { return s.depth(r) >= depthMax })
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
		s.drop(v)
	}
	return ok
}

// slowDown makes an actor stand still for a while.
func (s *scheduler) slowDown() bool {
	if len(s.host.loops) == 0 {
		return false
	}
	l := s.host.loops[s.rand.IntN(len(s.host.loops))]
	l.slow = s.world.step + s.rand.IntN(slowMax)
	s.note("slow", "actor %d of job %d until step %d", l.id(), l.job(), l.slow)
	return true
}

// failActor ends an actor with an error. That of a table ends the engine.
func (s *scheduler) failActor() bool {
	loops := s.host.loops
	if s.rand.IntN(2) == 0 {
		loops = s.awaited()
	}
	if len(loops) == 0 {
		return false
	}
	l := loops[s.rand.IntN(len(loops))]
	if l.job() <= id.Job(len(tables)) && s.rand.IntN(tableFailsEvery) > 0 {
		return false
	}
	s.note("fail", "actor %d of job %d", l.id(), l.job())
	s.host.remove(l, errInjected)
	return true
}

// failHalfway makes an actor fail whose job has read some of its history for the first time.
func (s *scheduler) failHalfway() bool {
	jobs := s.engine.Jobs()
	loops := slices.DeleteFunc(slices.Clone(s.host.loops), func(l *loop) bool {
		st := jobs[l.job()]
		return st.State != job.Creating || st.Scanned == 0
	})
	if len(loops) == 0 {
		return false
	}
	l := loops[s.rand.IntN(len(loops))]
	s.note("halfway", "actor %d of job %d", l.id(), l.job())
	s.host.remove(l, errInjected)
	return true
}

// awaited returns the actors of views that are read by one which is not attached.
func (s *scheduler) awaited() []*loop {
	return s.read(func(st engine.JobStatus) bool { return !st.Attached })
}

// read returns the actors of views that are read by one of a kind.
func (s *scheduler) read(by func(engine.JobStatus) bool) []*loop {
	jobs, cat := s.engine.Jobs(), s.engine.Catalog()
	return slices.DeleteFunc(slices.Clone(s.host.loops), func(l *loop) bool {
		return !slices.ContainsFunc(s.views(), func(r *catalog.Relation) bool {
			return by(jobs[r.Job]) && slices.ContainsFunc(r.DependsOn, func(up id.Relation) bool {
				rel, ok := cat.Relation(up)
				return ok && rel.Job == l.job() && rel.Kind != catalog.KindTable
			})
		})
	})
}

// pause lets a catch-up read nothing more, and resume makes it go on, or a quarantined job try again.
func (s *scheduler) pause() bool {
	v, ok := s.aView()
	if ok {
		s.note("pause", "job %d", v.Job)
		s.must("pause", s.engine.Pause(context.Background(), v.Job))
	}
	return ok
}

func (s *scheduler) resume() bool {
	v, ok := s.aView()
	if ok && s.engine.Jobs()[v.Job].State != job.LaggedOut {
		s.note("resume", "job %d, %s", v.Job, s.engine.Jobs()[v.Job].State)
		s.must("resume", s.engine.Resume(context.Background(), v.Job))
	}
	return ok
}

// aView picks a view, if clients are served and there is one.
func (s *scheduler) aView() (v *catalog.Relation, ok bool) {
	if !s.serving() {
		return nil, false
	}
	views := s.views()
	if len(views) == 0 {
		return nil, false
	}
	return views[s.rand.IntN(len(views))], true
}

// setRate pauses a catch-up, slows it down, or lifts its limit.
func (s *scheduler) setRate() bool {
	v, ok := s.aView()
	if ok {
		rate := []float64{0, 20, -1}[s.rand.IntN(3)]
		s.note("rate", "job %d: %v", v.Job, rate)
		s.must("set the rate", s.engine.SetRate(context.Background(), v.Job, rate))
	}
	return ok
}

// rescale gives a table or a view another number of actors, at any time of its life.
func (s *scheduler) rescale() bool {
	if !s.serving() {
		return false
	}
	rels, jobs := relations(s.engine.Catalog()), s.engine.Jobs()
	if made := slices.DeleteFunc(slices.Clone(rels), func(r *catalog.Relation) bool { return jobs[r.Job].Created }); len(made) > 0 && s.rand.IntN(4) > 0 {
		rels = made // those that are being created have the most to lose
	}
	r, n := rels[s.rand.IntN(len(rels))], s.rand.IntN(actorsMax+1)
	s.note("rescale", "job %d: %d actors", r.Job, n)
	s.must("rescale", s.engine.SetParallelism(context.Background(), r.Job, n))
	return true
}

// lightFuse plans a crash at one of the next writes to the store.
func (s *scheduler) lightFuse() bool {
	s.disk.fuse = 1 + s.rand.IntN(fuseMax)
	return true
}

func (s *scheduler) crash() bool {
	s.note("crash", "between two steps")
	s.disk.crash()
	return true
}

// shut begins to close the engine, after all statements under way.
func (s *scheduler) shut() bool {
	if s.ending {
		return false
	}
	for s.seq.Write() {
	}
	if s.dead() {
		return true
	}
	s.note("close", "%d statements", s.history.last())
	s.ending = true
	s.engine.Shut()
	return true
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
