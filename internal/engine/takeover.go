package engine

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// takeOver emits what leads a reader from a relation as it was at the reader's as_of to the one that has taken its place.
// Nothing is written to the old table any more, so it is the same in every view that is taken since.
func (p pinned) takeOver(t meta.Takeover, v vnode.ID, from, to epoch.Epoch, upTo []byte, emit func(*chunk.Chunk) error) error {
	old := state.FormatOf(t.Was)
	if !t.InStep {
		if err := state.NewRelationSnapshot(p.view, old, p.cols).Changes(v, from, to, upTo, emit); err != nil {
			return err
		}
	}
	return state.Difference(p.view, old, state.FormatOf(p.rel), p.cols, v, upTo, emit)
}

// owes reports whether a job has a difference to take.
func (d *driver) owes(j id.Job, asOf epoch.Epoch) bool { return d.jobs[j].Owes(asOf) }

// apart are the jobs that a job reads now and has never replayed with.
func (d *driver) apart(j id.Job) (out []id.Job) {
	for _, t := range d.jobs[j].TakesOver {
		if rel, ok := d.e.Catalog().Relation(t.Was.ID); ok {
			out = append(out, rel.Job)
		}
	}
	return out
}

// holdRead keeps the changelogs that a job of a set needs, from its as_of or else from its pin on. What it owes, it reads
// from the table that was; of the one that is, only what comes after the pin.
func (d *driver) holdRead(leases map[id.Table]epoch.Epoch, s *detachedSet, j id.Job, from epoch.Epoch) {
	for _, up := range d.jobs[j].Upstream {
		def := d.jobs[up]
		t, owed := d.jobs[j].Owed(def.Relation, s.AsOf)
		if owed && s.AsOf != 0 {
			hold(leases, t.Was.Table, from)
			if s.Pinned == 0 {
				continue
			}
			hold(leases, def.Table, s.Pinned)
			continue
		}
		hold(leases, def.Table, from)
	}
}

// tookOver are the jobs that have taken all that they owed by the epoch that a commit holds.
func (d *driver) tookOver() (out []id.Job) {
	for _, j := range d.order() {
		if len(d.jobs[j].TakesOver) > 0 && d.broken[j] == nil && !d.owes(j, d.coord.AsOf(j)) {
			out = append(out, j)
		}
	}
	return out
}

// forgive forgets what jobs have taken over, now that it is durable.
func (d *driver) forgive(jobs []id.Job) error {
	for _, j := range jobs {
		if d.jobs[j] == nil || d.owes(j, d.coord.AsOf(j)) {
			continue
		}
		def := *d.jobs[j]
		def.TakesOver = nil
		if err := d.storeJob(&def); err != nil {
			return err
		}
	}
	d.sweep()
	return nil
}

// sweep removes the tables that were kept for what is owed, once nobody owes it any more and the actors that wrote them have
// ended.
func (d *driver) sweep() {
	var free []id.Table
	for t, j := range d.kept {
		if !d.owed(t) && d.insts[j] == nil {
			free = append(free, t)
		}
	}
	if len(free) == 0 {
		return
	}
	slices.Sort(free)
	for _, t := range free {
		delete(d.kept, t)
	}
	d.purgeTables(free)
}

// owed reports whether anybody's rows follow from a table that was replaced.
func (d *driver) owed(t id.Table) bool {
	for _, j := range d.jobs {
		if slices.ContainsFunc(j.TakesOver, func(o meta.Takeover) bool { return o.Was.Table == t }) {
			return true
		}
	}
	return false
}

// keepOwed takes what a start has found dropped apart: what is kept because it is owed, and what can go.
func (d *driver) keepOwed(dropped []id.Table) (free []id.Table) {
	d.kept = map[id.Table]id.Job{}
	for _, t := range dropped {
		if d.owed(t) {
			d.kept[t] = 0
		} else {
			free = append(free, t)
		}
	}
	return free
}

// succeed lets the subscriptions on a relation that was replaced go on with the one in its place.
func (d *driver) succeed(was, next *catalog.Relation) {
	for _, s := range d.subscriptions {
		if s.job == was.Job {
			s.job, s.table, s.from, s.marks = next.Job, next.Table, d.coord.Visible(), nil
		}
	}
}
