package engine

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/checkpoint"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
)

// A shadow takes the place of its relation between two barriers, in one write to the control state. From then on the number
// and the name of the relation lead to the job and the table that were the shadow's. Whoever reads the relation is let go
// of, as for another number of actors, and catches up from its as_of: what it owes (meta.Takeover) is the difference
// between the old table, which is kept as it was, and the new one as of the epoch that it replays to.
//
// The write is not part of a commit, so a crash may go back to an epoch before it. That is harmless because every status
// that says who equals what was durable before: what was attached then goes back to the durable epoch, and its rows follow
// from the old table as of just that epoch.

// swapShadows puts the shadows that are ready in their places.
func (d *driver) swapShadows() {
	for _, s := range d.e.Catalog().Shadows() {
		if d.coord.Collecting() || len(d.handOvers)+len(d.alterations) > 0 {
			return
		}
		if !d.swappable(s) {
			continue
		}
		settle := d.swap
		if !d.fits(s) {
			settle = d.giveUp
		}
		if err := settle(s); err != nil {
			d.fail(err)
			return
		}
	}
}

// swappable reports whether a shadow is attached, and that is durable, as is where the old job and its readers stand. It
// asks for what is missing.
func (d *driver) swappable(s *catalog.Relation) bool {
	if !d.coord.Attached(s.Job) || d.coord.Joining(s.Job) || d.arranging(s.Job) {
		return false
	}
	was, ok := d.e.Catalog().Relation(s.Shadow)
	if !ok {
		return false
	}
	var since epoch.Epoch
	for _, j := range append(d.readers(was.Job), was.Job, s.Job) {
		if d.coord.Joining(j) {
			return false
		}
		since = max(since, d.standsSince[j])
	}
	d.urgent = d.urgent || d.coord.Visible() <= since
	d.commitSoon = d.commitSoon || d.coord.Durable() <= since
	return d.coord.Durable() > since
}

// fits reports whether those who read the relation, of whom there may be new ones, can read its shadow. One whose stored plan
// can not be read here can not be led to another relation either.
func (d *driver) fits(s *catalog.Relation) bool {
	was, _ := d.e.Catalog().Relation(s.Shadow)
	if slices.ContainsFunc(d.readers(was.Job), func(j id.Job) bool { return d.broken[j] != nil }) {
		return false
	}
	alike := was.Vnodes == s.Vnodes && slices.Equal(was.Key, s.Key) && slices.Equal(was.DistKey, s.DistKey)
	return alike || len(d.readers(was.Job)) == 0
}

// giveUp drops a shadow: its relation stays as it is.
func (d *driver) giveUp(s *catalog.Relation) error {
	d.e.opts.Logger.Warn("a view is not replaced, because what reads it can not read the new one", "view", s.Name, "job", s.Job)
	return d.drop([]*catalog.Relation{s})
}

// readers are the jobs that read a job's relation.
func (d *driver) readers(j id.Job) (out []id.Job) {
	for _, r := range d.order() {
		if slices.Contains(d.jobs[r].Upstream, j) {
			out = append(out, r)
		}
	}
	return out
}

// swap puts a shadow in the place of what it is the shadow of.
func (d *driver) swap(s *catalog.Relation) error {
	was, _ := d.e.Catalog().Relation(s.Shadow)
	old, made := d.jobs[was.Job], *d.jobs[s.Job]
	next := inPlace(was, s)
	next.Since = uint64(d.standsSince[s.Job]) + 1
	if made.Relation = was.ID; s.Definition == "" {
		made.SQL = old.SQL
	}
	var rewired []*meta.Job
	for _, r := range d.readers(old.ID) {
		rewired = append(rewired, d.rewired(r, was, next))
	}
	writes, err := swapWrites(was, s, next, old, append(rewired, &made))
	if err != nil {
		return err
	}
	if err := d.e.store.Apply(writes); err != nil {
		return err
	}
	for _, r := range rewired {
		if in := d.insts[r.ID]; in != nil && !in.stopping {
			d.release(r.ID, errs.JobRescaled)
		}
	}
	edit := d.e.Catalog().Edit()
	edit.Drop(s.ID)
	edit.Put(next)
	d.e.snap.Store(edit)
	d.jobs[made.ID] = &made
	d.insts[made.ID].def, d.insts[made.ID].rel = &made, next
	d.succeed(was, next)
	d.dropAllBut(old, was.Table)
	for _, r := range rewired {
		d.rewire(r)
	}
	d.updateLeases()
	d.sweep()
	d.tell()
	return nil
}

// inPlace is a relation with the rows of its shadow, and with its definition if it has one.
func inPlace(was, s *catalog.Relation) *catalog.Relation {
	next := *was
	if s.Definition != "" {
		next.Columns = append(slices.Clip(was.Columns), s.Columns[len(was.Columns):]...)
		next.Definition, next.Query, next.DependsOn = s.Definition, s.Query, s.DependsOn
	}
	next.Job, next.Table, next.Key, next.DistKey, next.Vnodes = s.Job, s.Table, s.Key, s.DistKey, s.Vnodes
	return &next
}

// rewired is a reader that reads the relation as it is from now on, and owes the difference if it has read any of it.
func (d *driver) rewired(r id.Job, was, next *catalog.Relation) *meta.Job {
	def := *d.jobs[r]
	def.Graph = def.Graph.Repointed(next)
	def.Upstream = slices.Clone(def.Upstream)
	for i, up := range def.Upstream {
		if up == was.Job {
			def.Upstream[i] = next.Job
		}
	}
	if d.coord.AsOf(r) == 0 {
		return &def
	}
	s := d.setOf(r)
	def.TakesOver = append(slices.Clip(def.TakesOver), meta.Takeover{Was: was, At: d.coord.Visible(), InStep: s != nil && s == d.setOf(was.Job)})
	return &def
}

// swapWrites is what is stored of a swap.
func swapWrites(was, s, next *catalog.Relation, old *meta.Job, changed []*meta.Job) ([]kv.Write, error) {
	writes := append(meta.DropJob(old.ID), meta.DropRelation(s.ID), meta.PutRelation(next))
	for _, t := range old.Tables { // the relation's own too: what is owed keeps it
		writes = append(writes, meta.PutDropped(t))
	}
	for _, j := range changed {
		w, err := meta.PutJob(j)
		if err != nil {
			return nil, err
		}
		writes = append(writes, w)
	}
	return writes, nil
}

// dropAllBut drops a job, and its tables but one, which is kept while anybody owes what follows from it.
func (d *driver) dropAllBut(j *meta.Job, kept id.Table) {
	def := *j
	def.Tables = slices.DeleteFunc(slices.Clone(j.Tables), func(t id.Table) bool { return t == kept })
	if in := d.insts[j.ID]; in != nil {
		in.def = &def
	}
	d.kept[kept] = j.ID
	d.dropJob(&def)
}

// rewire makes a reader that was let go of read the relation as it is now.
func (d *driver) rewire(r *meta.Job) {
	d.jobs[r.ID] = r
	d.step(checkpoint.Rewired{Job: r.ID, Ups: r.Upstream})
	if s := d.setOf(r.ID); s != nil {
		s.Resume() // what stopped it may have been in what was replaced
		d.beginAfter(s)
	}
	d.dirty[r.ID] = true
}

// beginAfter lets a set that owes a difference pin an epoch after the swap: it is told from epochs whether it has taken it.
func (d *driver) beginAfter(s *detachedSet) { s.First, d.urgent = d.coord.Open(), true }
