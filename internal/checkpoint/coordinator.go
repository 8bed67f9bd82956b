// Package checkpoint is the barrier coordinator: a pure state machine that decides when epochs begin, become visible and
// are made durable, and which jobs take part. It does no I/O: the driver tells it events with Step and carries out, in
// order, the effects that Ready returns.
package checkpoint

import (
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/invariant"
)

// Coordinator keeps the epochs of all jobs in step.
//
// Attached jobs share every barrier; an epoch is visible when all of them have acknowledged it. Detached jobs form sets
// (a job being created; a failed job with those downstream of it): a set moves in steps of its own, ends each with a
// barrier that only its jobs get, and is published with the next epoch that becomes visible. Nobody waits for a set.
//
// Invariants:
//
//	C1 one barrier collects at a time, and one step of a set
//	C2 epochs become visible in order, and durable in order; durable <= visible < open
//	C3 what is published of a set is a whole step: its next step begins only after the publication
//	C4 acknowledgements of an earlier attempt of a job change nothing
//	C5 a commit takes the visible epoch at its start; the next begins after its end
type Coordinator struct {
	open    epoch.Epoch // the epoch that rows written now belong to
	visible epoch.Epoch
	durable epoch.Epoch

	jobs map[id.Job]*job
	sets map[SetID]*set

	nextSet    SetID
	collecting *collection            // the barrier of the attached jobs in flight
	attaching  []SetID                // sets that asked to attach, taken by the next barrier
	joining    map[id.Job]epoch.Epoch // jobs whose attach barrier has passed, until they are published: the epoch of that barrier
	committing epoch.Epoch            // 0 when no commit is under way
	dirty      bool                   // something was published since the last commit began
	out        []Effect
}

// SetID names a set of detached jobs.
type SetID uint32

type job struct {
	attempt id.Attempt
	actors  int
	ups     []id.Job    // jobs it reads
	apart   []id.Job    // jobs that must not be brought into one set with it
	set     SetID       // 0: attached
	asOf    epoch.Epoch // of a detached job
}

type set struct {
	jobs    []id.Job
	running bool        // its actors exist
	step    *collection // its barrier in flight
	sealed  bool        // a step is acknowledged and waits for publication
	replays bool        // its jobs were recovered as detached ones that had been attached
	asOf    epoch.Epoch // what the published state of its jobs equals
	target  epoch.Epoch // as_of once the step in flight is published
}

// collection counts the acknowledgements of one barrier.
type collection struct {
	pair    epoch.Pair
	waiting map[id.Job]int
}

// settle seals the step once nobody is waited for.
func (s *set) settle() {
	if s.step.done() {
		s.step, s.sealed = nil, true
	}
}

func (c *collection) done() bool { return len(c.waiting) == 0 }

// New returns a coordinator that goes on after the durable epoch; the first epoch is in a new block of numbers.
func New(durable, open epoch.Epoch) *Coordinator {
	return &Coordinator{open: open, visible: durable, durable: durable, jobs: map[id.Job]*job{}, sets: map[SetID]*set{},
		joining: map[id.Job]epoch.Epoch{}}
}

// Open, Visible and Durable are the epochs as they stand.
func (c *Coordinator) Open() epoch.Epoch    { return c.open }
func (c *Coordinator) Visible() epoch.Epoch { return c.visible }
func (c *Coordinator) Durable() epoch.Epoch { return c.durable }

// Collecting reports whether a barrier of the attached jobs is in flight.
func (c *Coordinator) Collecting() bool { return c.collecting != nil }

// Waiting returns the attached jobs that hold up the barrier in flight, sorted.
func (c *Coordinator) Waiting() []id.Job {
	if c.collecting == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(c.collecting.waiting))
}

// WaitsFor reports whether the job is one of them.
func (c *Coordinator) WaitsFor(j id.Job) bool {
	if c.collecting == nil {
		return false
	}
	_, ok := c.collecting.waiting[j]
	return ok
}

// Attached reports whether the job takes part in every barrier.
func (c *Coordinator) Attached(j id.Job) bool {
	s, ok := c.jobs[j]
	return ok && s.set == 0
}

// Joining reports whether the job's attach barrier has passed but its first own epoch is not visible yet.
func (c *Coordinator) Joining(j id.Job) bool { _, ok := c.joining[j]; return ok }

// AsOf returns the epoch that the job's published state equals.
func (c *Coordinator) AsOf(j id.Job) epoch.Epoch {
	s, ok := c.jobs[j]
	if !ok {
		return 0
	}
	if s.set == 0 && !c.Joining(j) {
		return c.visible
	}
	return s.asOf
}

// SetOf returns the set of a detached job.
func (c *Coordinator) SetOf(j id.Job) (SetID, bool) {
	s, ok := c.jobs[j]
	if !ok || s.set == 0 {
		return 0, false
	}
	return s.set, true
}

// Step takes an event.
func (c *Coordinator) Step(e Event) {
	switch e := e.(type) {
	case AddJob:
		c.addJob(e)
	case DropJob:
		c.dropJob(e.Job)
	case Tick:
		c.tick()
	case SetStep:
		c.beginStep(e)
	case Attach:
		c.askAttach(e.Set)
	case Ack:
		c.ack(e)
	case Failed:
		c.failed(e)
	case Restarted:
		c.restarted(e)
	case Replaced:
		c.replaced(e)
	case Rewired:
		c.rewired(e)
	case CommitDue:
		c.commit()
	case Committed:
		c.committed(e.Epoch)
	default:
		invariant.Check(false, "unknown event %T", e)
	}
}

// Ready returns the effects since the last call, in the order in which they must be carried out.
func (c *Coordinator) Ready() []Effect {
	out := c.out
	c.out = nil
	return out
}

func (c *Coordinator) emit(e Effect) { c.out = append(c.out, e) }

func (c *Coordinator) addJob(e AddJob) {
	_, known := c.jobs[e.Job]
	invariant.Check(!known, "job %d added twice", e.Job)
	j := &job{attempt: e.Attempt, actors: e.Actors, ups: e.Ups, apart: e.Apart}
	c.jobs[e.Job] = j
	if e.Fresh {
		c.joining[e.Job] = c.open - 1
	}
	if !e.Detached {
		return
	}
	c.nextSet++
	j.set, j.asOf = c.nextSet, e.AsOf
	c.sets[j.set] = &set{jobs: []id.Job{e.Job}, running: e.Actors > 0, asOf: e.AsOf, replays: e.Replays}
	if e.Replays {
		c.reunite(e.Job)
	}
}

func (c *Coordinator) dropJob(id id.Job) {
	j, ok := c.jobs[id]
	if !ok {
		return
	}
	c.forget(id)
	if s := c.sets[j.set]; s != nil {
		c.leaveSet(j.set, s, id)
	}
	delete(c.jobs, id)
	delete(c.joining, id)
	c.emit(Stop{Jobs: jobList{id}})
	c.settle()
}

// forget stops waiting for the job's acknowledgements.
func (c *Coordinator) forget(j id.Job) {
	if c.collecting != nil {
		delete(c.collecting.waiting, j)
	}
	if s := c.sets[c.jobs[j].set]; s != nil && s.step != nil {
		delete(s.step.waiting, j)
		s.settle()
	}
}

func (c *Coordinator) leaveSet(id SetID, s *set, j id.Job) {
	s.jobs = remove(s.jobs, j)
	if len(s.jobs) == 0 {
		delete(c.sets, id)
		c.attaching = remove(c.attaching, id)
	}
}

// tick begins a barrier of the attached jobs unless one is in flight: barriers back off instead of piling up.
func (c *Coordinator) tick() {
	if c.collecting != nil {
		return
	}
	pair := epoch.Pair{Prev: c.open, Curr: c.open + 1}
	c.open = pair.Curr
	attach := c.takeAttaching()
	c.collecting = &collection{pair: pair, waiting: map[id.Job]int{}}
	for id, j := range c.jobs {
		if j.set == 0 && j.actors > 0 {
			c.collecting.waiting[id] = j.actors
		}
	}
	c.emit(Inject{Pair: pair, Attach: attach})
	// The attaching jobs get this barrier too, as the last one that comes to them directly, and do not hold it up: they
	// take part from the next one on.
	for _, id := range attach {
		j := c.jobs[id]
		j.set = 0
		c.joining[id] = pair.Prev
	}
	c.settle()
}

// takeAttaching dissolves the sets that asked to attach and may, and returns their jobs.
func (c *Coordinator) takeAttaching() []id.Job {
	var jobs []id.Job
	for _, sid := range c.attaching {
		s, ok := c.sets[sid]
		if !ok || !s.running || s.step != nil || s.sealed || !c.upstreamsAttached(s) {
			continue
		}
		jobs = append(jobs, s.jobs...)
		delete(c.sets, sid)
	}
	c.attaching = nil
	slices.Sort(jobs)
	return jobs
}

// upstreamsAttached reports whether all that the set reads from outside is attached and published.
func (c *Coordinator) upstreamsAttached(s *set) bool {
	for _, id := range s.jobs {
		for _, up := range c.jobs[id].ups {
			u, ok := c.jobs[up]
			if slices.Contains(s.jobs, up) {
				continue
			}
			if !ok || u.set != 0 || c.Joining(up) {
				return false
			}
		}
	}
	return true
}

// beginStep ends the current step of a set with a barrier. Until says what the step's state will equal.
func (c *Coordinator) beginStep(e SetStep) {
	s, ok := c.sets[e.Set]
	if !ok || !s.running || s.step != nil || s.sealed || e.Until > 0 && !c.upstreamsAttached(s) {
		return
	}
	s.target = max(e.Until, s.asOf)
	// The step's rows are staged for the next epoch to become visible: an epoch that readers may have seen never changes.
	s.step = &collection{pair: epoch.Pair{Prev: c.visible + 1, Curr: c.visible + 2}, waiting: map[id.Job]int{}}
	for _, id := range s.jobs {
		if n := c.jobs[id].actors; n > 0 {
			s.step.waiting[id] = n
		}
	}
	c.emit(InjectSet{Set: e.Set, Jobs: slices.Clone(s.jobs), Pair: s.step.pair, Until: e.Until})
}

func (c *Coordinator) askAttach(s SetID) {
	if _, ok := c.sets[s]; ok && !slices.Contains(c.attaching, s) {
		c.attaching = append(c.attaching, s)
	}
}

func (c *Coordinator) ack(e Ack) {
	j, ok := c.jobs[e.Job]
	if !ok || j.attempt != e.Attempt {
		return // C4
	}
	if s := c.sets[j.set]; s != nil && s.step != nil && s.step.pair.Prev == e.Epoch {
		countDown(s.step, e.Job)
		s.settle()
		return
	}
	if c.collecting != nil && c.collecting.pair.Prev == e.Epoch {
		countDown(c.collecting, e.Job)
		c.settle()
	}
}

func countDown(c *collection, j id.Job) {
	n, ok := c.waiting[j]
	if !ok {
		return
	}
	if n == 1 {
		delete(c.waiting, j)
		return
	}
	c.waiting[j] = n - 1
}

// settle publishes the collected epoch once nobody is waited for.
func (c *Coordinator) settle() {
	if c.collecting == nil || !c.collecting.done() {
		return
	}
	e := c.collecting.pair.Prev
	c.collecting = nil
	invariant.Check(e > c.visible, "epoch %d published after %d", e, c.visible)
	c.visible, c.dirty = e, true
	p := Publish{Epoch: e}
	for id, j := range c.jobs {
		at, joins := c.joining[id]
		switch {
		case j.set != 0 || joins && at >= e:
			continue // detached, or its attach barrier is this very one: its first own epoch is the next
		case joins:
			delete(c.joining, id)
			p.Joined = append(p.Joined, id)
		}
		p.Jobs = append(p.Jobs, id)
	}
	for sid, s := range c.sets {
		if !s.sealed {
			continue
		}
		s.sealed, s.asOf = false, s.target
		for _, id := range s.jobs {
			c.jobs[id].asOf = s.asOf
			p.Jobs = append(p.Jobs, id)
		}
		p.Sets = append(p.Sets, sid)
	}
	slices.Sort(p.Jobs)
	slices.Sort(p.Joined)
	slices.Sort(p.Sets)
	c.emit(p)
}

// commit begins a commit of all that is visible, if there is anything and none is under way.
func (c *Coordinator) commit() {
	if c.committing != 0 || !c.dirty {
		return
	}
	c.committing, c.dirty = c.visible, false
	c.emit(Commit{Epoch: c.visible})
}

func (c *Coordinator) committed(e epoch.Epoch) {
	invariant.Check(e == c.committing, "commit of epoch %d ended, %d was begun", e, c.committing)
	c.durable, c.committing = e, 0
	c.emit(Durable{Epoch: e})
}

func remove[E comparable](s []E, x E) []E {
	return slices.DeleteFunc(slices.Clone(s), func(y E) bool { return y == x })
}
