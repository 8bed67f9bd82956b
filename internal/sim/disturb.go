package sim

import (
	"context"
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/job"
	"github.com/tidemark-db/tidemark/internal/settings"
)

// Disturbances: what happens to actors, jobs and the machine at any time.

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
	awaited := s.awaited()
	if s.rand.IntN(2) == 0 {
		return s.failOf(func(l *loop) bool { return slices.Contains(awaited, l) })
	}
	v, ok := s.aView()
	return s.failOf(func(l *loop) bool { return !ok || l.job() == v.Job || s.rand.IntN(tableFailsEvery) == 0 })
}

// failHalfway makes an actor fail whose job has read some of its history for the first time.
func (s *scheduler) failHalfway() bool {
	jobs := s.engine.Jobs()
	return s.failOf(func(l *loop) bool { return phase(jobs[l.job()]) == halfway })
}

// failOf makes one of some actors fail.
func (s *scheduler) failOf(which func(*loop) bool) bool {
	loops := slices.DeleteFunc(slices.Clone(s.host.loops), func(l *loop) bool { return !which(l) })
	if len(loops) == 0 {
		return false
	}
	l := loops[s.rand.IntN(len(loops))]
	if l.job() <= id.Job(len(tables)) && s.rand.IntN(tableFailsEvery) > 0 {
		return false
	}
	s.fell(l)
	return true
}

// fell makes an actor fail.
func (s *scheduler) fell(l *loop) {
	s.note("fail", "actor %d of job %d", l.id(), l.job())
	s.struck("fail", l.job())
	s.host.remove(l, errInjected)
}

// poison lets a job fail until it is quarantined, or the round ends.
func (s *scheduler) poison() bool {
	v, ok := s.aView()
	if ok {
		s.poisoned = v.Job
	}
	return ok
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
		s.pauseView(v)
	}
	return ok
}

func (s *scheduler) pauseView(v *catalog.Relation) {
	s.note("pause", "job %d", v.Job)
	s.struck("pause", v.Job)
	s.must("pause", s.engine.Pause(context.Background(), v.Job))
}

func (s *scheduler) resume() bool {
	v, ok := s.aView()
	if ok && s.engine.Jobs()[v.Job].State != job.LaggedOut {
		s.note("resume", "job %d, %s", v.Job, s.engine.Jobs()[v.Job].State)
		s.must("resume", s.engine.Resume(context.Background(), v.Job))
	}
	return ok
}

// aView picks a view, if clients are served and there is one. Its phase is picked first, so that rare ones are met as often as
// common ones.
func (s *scheduler) aView() (v *catalog.Relation, ok bool) {
	if !s.serving() {
		return nil, false
	}
	jobs, phases := s.engine.Jobs(), map[string][]*catalog.Relation{}
	for _, v := range s.views() {
		p := phase(jobs[v.Job])
		phases[p] = append(phases[p], v)
	}
	if len(phases) == 0 {
		return nil, false
	}
	names := slices.Sorted(maps.Keys(phases))
	views := phases[names[s.rand.IntN(len(names))]]
	return views[s.rand.IntN(len(views))], true
}

// struck counts that something happened to a job in its phase.
func (s *scheduler) struck(what string, j id.Job) {
	st, there := s.engine.Jobs()[j]
	if !there {
		s.trace.counts[what+" DROPPED"]++ // its actors have not ended yet
		return
	}
	s.trace.counts[what+" "+phase(st)]++
}

const halfway = "HALFWAY"

// phase is the state of a job; one that has read some of its history for the first time is halfway.
func phase(st engine.JobStatus) string {
	if st.State == job.Creating && st.Scanned > 0 {
		return halfway
	}
	return string(st.State)
}

// setRate pauses a catch-up, slows it down, or lifts its limit.
func (s *scheduler) setRate() bool {
	v, ok := s.aView()
	if ok {
		s.limit(v)
	}
	return ok
}

func (s *scheduler) limit(v *catalog.Relation) {
	rate := []float64{0, slowRate, -1}[s.rand.IntN(3)]
	s.note("rate", "job %d: %v", v.Job, rate)
	s.struck("rate", v.Job)
	s.must("set the rate", s.engine.SetRate(context.Background(), v.Job, rate))
}

// rescale gives a table or a view another number of actors, at any time of its life.
func (s *scheduler) rescale() bool {
	if !s.serving() {
		return false
	}
	rels := relations(s.engine.Catalog())
	r := rels[s.rand.IntN(len(rels))]
	if v, ok := s.aView(); ok && s.rand.IntN(4) > 0 {
		r = v // those that are not attached have the most to lose
	}
	s.rescaleTo(r)
	return true
}

func (s *scheduler) rescaleTo(r *catalog.Relation) {
	n := s.rand.IntN(actorsMax + 1)
	s.note("rescale", "job %d: %d actors", r.Job, n)
	s.struck("rescale", r.Job)
	s.must("rescale", s.engine.SetParallelism(context.Background(), r.Job, settings.Actors{Count: n}))
}

// lightFuse plans a crash at one of the next writes to the store.
func (s *scheduler) lightFuse() bool {
	s.disk.fuse = 1 + s.rand.IntN(fuseMax)
	return true
}

func (s *scheduler) crash() bool {
	for j := range s.engine.Jobs() {
		s.struck("crash", j)
	}
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
