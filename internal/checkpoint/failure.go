package checkpoint

import (
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/invariant"
)

// failed rolls a job back together with every job downstream of it. They become one set, so that they replay in common
// windows and no view ever mixes epochs; everybody else goes on as if nothing had happened.
func (c *Coordinator) failed(e Failed) {
	j, ok := c.jobs[e.Job]
	if !ok || j.attempt != e.Attempt {
		return
	}
	jobs, together := []id.Job(nil), c.component
	if s := c.sets[j.set]; s != nil {
		jobs, together = slices.Clone(s.jobs), slices.Clone // a set lives and dies together
	} else {
		jobs = c.rolledBack(e.Job)
	}
	for _, id := range jobs {
		c.forget(id)
	}
	c.emit(Stop{Jobs: slices.Clone(jobs)})
	for len(jobs) > 0 {
		group := together(jobs)
		jobs = slices.DeleteFunc(jobs, func(id id.Job) bool { return slices.Contains(group, id) })
		asOf := c.AsOf(group[0])
		c.emit(Detach{Set: c.intoSet(group, asOf), Jobs: group, AsOf: asOf, Cause: e.Job})
	}
	c.settle()
}

// rolledBack returns the jobs that go back with one: those that read it, those that attach together with any of them, and
// so on.
func (c *Coordinator) rolledBack(j id.Job) []id.Job {
	jobs := []id.Job{j}
	for n := 0; n < len(jobs); {
		n = len(jobs)
		for _, id := range slices.Clone(jobs) {
			for _, o := range c.together(id) {
				if !slices.Contains(jobs, o) {
					jobs = append(jobs, o)
				}
			}
		}
		jobs = c.downstream(jobs...)
	}
	return jobs
}

// together returns the job and those that attach with it and had replayed in common with it: while that is not published,
// one alone can not go back, because it has in its state what others published after their common as_of.
func (c *Coordinator) together(j id.Job) []id.Job {
	if !c.Joining(j) {
		return []id.Job{j}
	}
	all := []id.Job{j}
	for id := range c.joining {
		if id != j {
			all = append(all, id)
		}
	}
	slices.Sort(all[1:])
	return c.component(all)
}

// downstream returns the jobs and all attached jobs that read them, directly or not, sorted.
func (c *Coordinator) downstream(roots ...id.Job) []id.Job {
	jobs := slices.Clone(roots)
	for i := 0; i < len(jobs); i++ {
		for id, j := range c.jobs {
			if j.set == 0 && slices.Contains(j.ups, jobs[i]) && !slices.Contains(jobs, id) {
				jobs = append(jobs, id)
			}
		}
	}
	slices.Sort(jobs)
	return jobs
}

// component returns the first of the jobs and those of them connected to it that equal the same epoch, sorted. A job whose
// attach was not published yet still has the as_of it had as a detached one, so it can not replay in common with the
// others: it waits in a set of its own until they are attached again.
func (c *Coordinator) component(jobs []id.Job) []id.Job {
	group := []id.Job{jobs[0]}
	for i := 0; i < len(group); i++ {
		for _, id := range jobs {
			if !slices.Contains(group, id) && c.AsOf(id) == c.AsOf(jobs[0]) && c.adjacent(id, group[i]) {
				group = append(group, id)
			}
		}
	}
	slices.Sort(group)
	return group
}

// reunite puts a recovered job into one set with those that it reads or that read it and that equal the same epoch. If they
// had replayed in common, one has in its state what the other has published after that epoch, and must not read it again.
func (c *Coordinator) reunite(j id.Job) {
	to := c.jobs[j].set
	for _, sid := range slices.Sorted(maps.Keys(c.sets)) {
		s := c.sets[sid]
		if sid == to || !s.replays || s.asOf != c.sets[to].asOf || c.apart(s.jobs, c.sets[to].jobs) ||
			!slices.ContainsFunc(s.jobs, func(o id.Job) bool { return c.adjacent(j, o) }) {
			continue
		}
		for _, o := range s.jobs {
			c.jobs[o].set = to
		}
		c.sets[to].jobs = append(c.sets[to].jobs, s.jobs...)
		delete(c.sets, sid)
	}
	slices.Sort(c.sets[to].jobs)
}

// apart reports whether any of the jobs must not be in one set with any of the others.
func (c *Coordinator) apart(some, others []id.Job) bool {
	for _, a := range some {
		for _, b := range others {
			if slices.Contains(c.jobs[a].apart, b) || slices.Contains(c.jobs[b].apart, a) {
				return true
			}
		}
	}
	return false
}

func (c *Coordinator) adjacent(a, b id.Job) bool {
	return slices.Contains(c.jobs[a].ups, b) || slices.Contains(c.jobs[b].ups, a)
}

// intoSet makes the jobs one stopped set.
func (c *Coordinator) intoSet(jobs []id.Job, asOf epoch.Epoch) SetID {
	sid := c.jobs[jobs[0]].set
	if sid == 0 {
		c.nextSet++
		sid = c.nextSet
	}
	c.sets[sid] = &set{jobs: jobs, asOf: asOf}
	for _, id := range jobs {
		j := c.jobs[id]
		j.set, j.asOf = sid, asOf
		j.attempt = 0 // C4: whatever the old actors still say is ignored
		delete(c.joining, id)
	}
	c.attaching = remove(c.attaching, sid)
	return sid
}

func (c *Coordinator) restarted(e Restarted) {
	s, ok := c.sets[e.Set]
	if !ok {
		return
	}
	for _, id := range s.jobs {
		c.jobs[id].attempt, c.jobs[id].actors = e.Attempts[id], e.Actors[id]
	}
	s.running = true
}

func (c *Coordinator) replaced(e Replaced) {
	j, ok := c.jobs[e.Job]
	if !ok {
		return
	}
	invariant.Check(j.set == 0 && c.collecting == nil, "the actors of job %d change during a barrier", e.Job)
	j.attempt, j.actors = e.Attempt, e.Actors
}

func (c *Coordinator) rewired(e Rewired) {
	if j, ok := c.jobs[e.Job]; ok {
		invariant.Check(j.set != 0, "job %d is attached and reads others", e.Job)
		j.ups = e.Ups
	}
}
