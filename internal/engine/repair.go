package engine

import (
	"context"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/job"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// RepairBackfill mends what CheckBackfill finds, and lets the job go on. An output is never edited: a record is written anew
// only where what is there already follows from it, else the job loses all that it has made and begins again. restart asks
// for that whatever is found, of a job that has not been attached.
func (e *Engine) RepairBackfill(ctx context.Context, j id.Job, restart bool) ([]Checked, error) {
	if err := e.WaitDurable(ctx, e.Visible()); err != nil { // what is written beside the epochs must not lie below them
		return nil, err
	}
	if err := e.waitEnded(ctx, j); err != nil {
		return nil, err
	}
	c, err := e.checked(ctx, j)
	if err != nil {
		return nil, err
	}
	defer c.view.Close()
	found, err := c.findings(ctx)
	if err != nil {
		return nil, err
	}
	if restart {
		if c.Created {
			return nil, errs.RepairCreated.New("job", j)
		}
		return found, e.do(ctx, func(d *driver) error { return d.beginAnew(c) })
	}
	if len(found) == 0 {
		return nil, nil
	}
	writes, anew, err := c.mended(found)
	if err != nil {
		return nil, err
	}
	return found, e.do(ctx, func(d *driver) error {
		if anew {
			return d.beginAnew(c)
		}
		if err := d.amendTally(c); err != nil {
			return err
		}
		if err := d.e.store.Apply(writes); err != nil {
			return err
		}
		d.forgetRecords(j)
		d.goOn(j)
		return nil
	})
}

// forgetRecords takes the records of a job as they are from now on, and from the next commit on after a crash, too.
func (d *driver) forgetRecords(j id.Job) {
	delete(d.records, j)
	d.dirty[j], d.urgent, d.commitSoon = true, true, true
}

// waitEnded waits for the actors of a job that was stopped a moment ago.
func (e *Engine) waitEnded(ctx context.Context, j id.Job) error {
	return e.await(ctx, func(l look) (bool, error) {
		s, ok := l.job(j)
		return !ok || !s.Ending, nil
	})
}

// mended are the records to be written; anew says that records can not help. What can not be mended is refused.
func (c *checked) mended(found []Checked) (writes []kv.Write, anew bool, err error) {
	scans := c.def.Graph.Scans()
	for _, f := range found {
		if f.Mend == MendTally {
			continue // amendTally
		}
		w := kv.Write{}
		if f.Vnode >= 0 {
			w.Key = kv.AppendTable(nil, scans[f.Input].Table, uint16(f.Vnode))
		}
		switch f.Mend {
		case MendNone:
			return nil, false, f.Err
		case MendRestart:
			return nil, true, nil
		case MendBegin:
			w.New = (&backfill.Record{Phase: backfill.NotStarted, Generation: c.Generation}).Encode()
		case MendLive:
			rec, err := c.live(scans[f.Input], vnode.ID(f.Vnode))
			if err != nil {
				return nil, false, err
			}
			w.New = rec.Encode()
		}
		writes = append(writes, w)
	}
	return writes, false, nil
}

// goOn lets a job that was stopped try again.
func (d *driver) goOn(j id.Job) {
	if s := d.setOf(j); s != nil {
		d.tryAgain(s)
	}
	d.tell()
}

// beginAnew gives a job that has never been attached empty tables and first records: it is as if it had just been created.
// Those that read it have read nothing.
func (d *driver) beginAnew(c *checked) error {
	old, s := d.jobs[c.Job], d.setOf(c.Job)
	rel, ok := d.e.Catalog().Relation(c.def.Relation)
	if old != c.def || s == nil || len(s.jobs) != 1 || d.insts[c.Job] != nil || !ok {
		return errs.RepairRunning.New("job", c.Job)
	}
	def := *old
	d.renumber(&def, old)
	made := *rel
	made.Table = def.Table
	w, err := meta.PutJob(&def)
	if err != nil {
		return err
	}
	delete(d.rows, def.ID) // there is none yet
	delete(d.records, def.ID)
	d.beginTally(&def, &made)
	status := meta.Status{Tally: d.tallies[def.ID].stored()}
	writes := append(progressRecords(&def), w, meta.PutRelation(&made), meta.PutStatus(def.ID, status), meta.PutCounters(d.counters))
	for _, t := range old.Tables {
		writes = append(writes, meta.PutDropped(t))
	}
	if err := d.e.store.Apply(writes); err != nil {
		return err
	}
	next := d.e.Catalog().Edit()
	next.Put(&made)
	d.e.snap.Store(next)
	d.jobs[def.ID] = &def
	d.repoint(&made)
	s.Set = job.Set{First: d.coord.Open()}
	s.keepPins(0)
	d.purge(old)
	d.urgent, d.dirty[def.ID] = true, true
	delete(d.progress, def.ID)
	d.updateLeases()
	d.tell()
	return nil
}

// repoint makes all jobs read a relation where it is now.
func (d *driver) repoint(rel *catalog.Relation) {
	for k, def := range d.jobs {
		if slices.Contains(def.Upstream, rel.Job) {
			c := *def
			c.Graph = def.Graph.Repointed(rel)
			d.jobs[k] = &c
		}
	}
}
