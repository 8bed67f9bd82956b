package engine

import (
	"context"
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/checkpoint"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/settings"
)

// How many actors a job is to have is stored with it. Whoever was built for another number is outgrown, and is built anew
// when that costs nobody anything:
//
//   - a set ends its step with a barrier, and is built anew from what that has published
//   - an attached view is let go of between two barriers, with those that read it; they catch up and attach again
//   - a table has no history to catch up with: its rows go to other actors from one barrier on, which begin when all before
//     it is published; those that read it are let go of first

// SetParallelism changes how many actors a fragment of the job may have. The job goes on with them soon; WaitScaled tells when.
func (e *Engine) SetParallelism(ctx context.Context, j id.Job, actors settings.Actors) error {
	return e.do(ctx, func(d *driver) error {
		err := d.change(j, func(def *meta.Job) {
			before := d.parallelism(def)
			def.Settings = maps.Clone(def.Settings)
			if def.Settings == nil {
				def.Settings = map[string]string{}
			}
			def.Settings[ParallelismSetting] = actors.String()
			if def.Parallel = actors.Count; d.parallelism(def) != before {
				def.Generation++
			}
		})
		d.rescaling, d.urgent = true, true
		return err
	})
}

// WaitScaled waits until the job is settled with the actors that it is to have.
func (e *Engine) WaitScaled(ctx context.Context, j id.Job) error {
	return e.await(ctx, func(l look) (bool, error) {
		s, ok := l.job(j)
		return !ok || l.settled(s), nil
	})
}

// ParallelismSetting is the setting of a job that tells how many actors its fragments have.
const ParallelismSetting = "streaming_parallelism"

// actorsOf is the rule of a job; one that can not be read is as if none had been given.
func actorsOf(def *meta.Job) settings.Actors {
	if def.Parallel > 0 {
		return settings.Actors{Count: def.Parallel}
	}
	a, _ := settings.ParseActors(ParallelismSetting, def.Settings[ParallelismSetting])
	a.Count = 0
	return a
}

// parallelism is how many actors a fragment of the job is to have at most.
func (d *driver) parallelism(def *meta.Job) int { return actorsOf(def).Of(d.e.opts.Parallelism) }

// outgrown reports whether a job was built for other numbers of actors, of itself or of what it reads, than there are
// to be, or before they were all to be replaced.
func (d *driver) outgrown(j id.Job) bool {
	if slices.ContainsFunc(d.handOvers, func(h handOver) bool { return h.old.def.ID == j }) {
		return true
	}
	in := d.insts[j]
	if in == nil || in.stopping {
		return false
	}
	if in.parallel != d.parallelism(d.jobs[j]) || in.recovery != d.recoveries {
		return true
	}
	for _, f := range in.frags {
		for _, l := range f.leaves {
			if up := d.insts[l.from.Job]; up != nil && len(up.root().actors) != len(l.edges) {
				return true
			}
		}
	}
	return false
}

// rescaleAttached lets go of outgrown views, and of what reads an outgrown table. It does so between two barriers, so that
// nothing is done again.
func (d *driver) rescaleAttached() {
	if !d.rescaling || d.coord.Collecting() {
		return
	}
	d.rescaling = false
	for _, j := range d.order() {
		in, outgrown := d.insts[j], d.outgrown(j)
		d.rescaling = d.rescaling || outgrown
		if in != nil && in.isTable() {
			d.wanted = d.wanted || outgrown // it changes hands at a barrier, which nothing else may bring
			continue
		}
		if in == nil || !d.coord.Attached(j) || d.coord.Joining(j) {
			continue
		}
		if !outgrown && !slices.ContainsFunc(d.jobs[j].Upstream, d.outgrown) {
			d.readOn(in)
		} else if d.leavable(in) {
			d.release(j, errs.JobRescaled)
		}
	}
}

// release rolls a job back without calling it a failure: with its set, or with those that read it.
func (d *driver) release(j id.Job, why *errs.Entry) {
	d.cause = why.New("name", d.insts[j].rel.Name)
	d.step(checkpoint.Failed{Job: j, Attempt: d.insts[j].attempt})
	d.cause = nil
}

// handOver is a table whose rows go to other actors already, while those before take leave.
type handOver struct {
	old, next *instance
	at        epoch.Epoch // the last epoch of the old ones
}

// changingHands are the outgrown tables that nothing is attached to: their rows can go to other actors from this barrier on.
func (d *driver) changingHands(attach []id.Job) (out []id.Job) {
	if !d.rescaling || len(d.alterations) > 0 {
		return nil // columns first
	}
	for _, t := range d.order() {
		if in := d.insts[t]; in == nil || !in.isTable() || !d.outgrown(t) {
			continue
		}
		read := func(j id.Job) bool { return slices.Contains(d.jobs[j].Upstream, t) }
		busy := slices.ContainsFunc(attach, read)
		for j := range d.jobs {
			busy = busy || read(j) && d.coord.Attached(j)
		}
		if !busy {
			out = append(out, t)
		}
	}
	return out
}

// handOver gives the rows after the barrier that ends an epoch to new actors, which do not run yet. The gate is held.
func (d *driver) handOver(t id.Job, at epoch.Epoch) {
	old := d.insts[t]
	next, err := d.build(d.jobs[t], nil)
	if err != nil {
		d.fail(err)
		return
	}
	d.insts[t] = old
	d.handOvers = append(d.handOvers, handOver{old, next, at})
}

// endHandOvers lets the new actors of tables begin where the old ones have ended. There is no barrier meanwhile.
func (d *driver) endHandOvers() {
	d.handOvers = slices.DeleteFunc(d.handOvers, d.endHandOver)
}

func (d *driver) endHandOver(h handOver) (ended bool) {
	t := h.old.def.ID
	switch {
	case d.jobs[t] == nil:
		h.next.stop() // dropped; whoever still feeds it must not wait
		return true
	case d.coord.Visible() < h.at:
		return false
	}
	if d.stop(t); h.old.live > 0 {
		return false
	}
	d.insts[t] = h.next
	d.step(checkpoint.Replaced{Job: t, Attempt: h.next.attempt, Actors: h.next.count()})
	d.start(h.next)
	d.urgent = true
	d.tell()
	return true
}
