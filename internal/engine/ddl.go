package engine

import (
	"context"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/checkpoint"
	"github.com/tidemark-db/tidemark/internal/fragment"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/job"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/settings"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
)

// Definition is a relation to be created. The engine fills in its numbers.
type Definition struct {
	Relation *catalog.Relation
	Plan     plan.Node // of a materialized view or index; nil for a table or view
	SQL      string
	Settings map[string]string // backfill_rate_limit, streaming_parallelism, on_row_error, on_lag ...
	like     *meta.Job         // whose graph is taken, in place of Plan
}

// Create makes a relation. A job starts in the background; WaitJob waits for it. check runs on the driver's goroutine with
// the catalog as it is then, so that what it finds still holds when the relation is made.
func (e *Engine) Create(ctx context.Context, def Definition, check func(*catalog.Snapshot) error) (*catalog.Relation, error) {
	var made *catalog.Relation
	err := e.do(ctx, func(d *driver) error {
		if err := check(e.Catalog()); err != nil {
			return err
		}
		var err error
		made, err = d.create(def)
		return err
	})
	return made, err
}

// create stores the relation, its job and the progress records of all its ranges in one transaction, then starts it.
func (d *driver) create(def Definition) (*catalog.Relation, error) {
	rel := *def.Relation
	rel.ID = d.counters.Relation
	d.counters.Relation++
	var writes []kv.Write
	var j *meta.Job
	if rel.Kind == catalog.KindSubscription || rel.Drains() {
		rel.Since = uint64(d.coord.Visible())
	}
	if rel.Runs() {
		j = d.newJob(&rel, def)
		w, err := meta.PutJob(j)
		if err != nil {
			return nil, err
		}
		d.beginTally(j, &rel)
		writes = append(writes, w, meta.PutStatus(j.ID, meta.Status{Attached: len(j.Upstream) == 0, Tally: d.tallies[j.ID].stored()}))
		writes = append(writes, progressRecords(j)...)
	}
	writes = append(writes, meta.PutRelation(&rel), meta.PutCounters(d.counters))
	if err := d.e.store.Apply(writes); err != nil {
		return nil, err
	}
	next := d.e.Catalog().Edit()
	next.Put(&rel)
	d.e.snap.Store(next)
	d.subscribe(&rel)
	d.updateLeases()
	if j == nil {
		return &rel, nil
	}
	d.jobs[j.ID] = j
	if len(j.Upstream) > 0 {
		d.addDetached(j.ID, job.Set{First: d.coord.Open()})
		d.urgent = true // rows fed so far are to be scanned
		d.setLimits(j)
	} else if err := d.startAttached(j); err != nil {
		return nil, err
	}
	d.tell()
	return &rel, nil
}

// startAttached runs a job that reads no other: it has no history to catch up with.
func (d *driver) startAttached(j *meta.Job) error {
	in, err := d.build(j, nil)
	if err != nil {
		return err
	}
	d.step(checkpoint.AddJob{Job: j.ID, Attempt: in.attempt, Actors: in.count(), Fresh: !in.isTable()})
	d.start(in)
	d.wanted = true
	return nil
}

// newJob cuts the plan into fragments and numbers everything. A table's plan is an empty Values: rows come by DML.
func (d *driver) newJob(rel *catalog.Relation, def Definition) *meta.Job {
	j := &meta.Job{ID: d.counters.Job, Relation: rel.ID, SQL: def.SQL, Settings: def.Settings}
	d.counters.Job++
	if a, err := settings.ParseActors(ParallelismSetting, def.Settings[ParallelismSetting]); err == nil {
		j.Parallel = a.Count
	}
	j.Table = d.newTable(j)
	o := fragment.Options{Vnodes: d.e.opts.Vnodes, NextTable: func() id.Table { return d.newTable(j) }}
	switch {
	case def.like != nil:
		d.renumber(j, def.like)
		j.Graph = d.current(j.Graph)
	case def.Plan == nil:
		j.Graph = fragment.ForTable(rel, o)
	default:
		j.Graph = fragment.Build(def.Plan, rel, o)
	}
	rel.Job, rel.Table = j.ID, j.Table
	for _, s := range j.Graph.Scans() {
		if !slices.Contains(j.Upstream, s.Rel.Job) {
			j.Upstream = append(j.Upstream, s.Rel.Job)
		}
	}
	return j
}

// renumber gives a job the graph of another over tables of its own.
func (d *driver) renumber(j, like *meta.Job) {
	fresh := map[id.Table]id.Table{}
	j.Tables = nil
	for _, t := range like.Tables {
		fresh[t] = d.newTable(j)
	}
	j.Table, j.Graph = fresh[like.Table], like.Graph.Renumbered(fresh)
}

func (d *driver) newTable(j *meta.Job) id.Table {
	t := d.counters.Table
	d.counters.Table++
	j.Tables = append(j.Tables, t)
	return t
}

// progressRecords are the first records of all ranges of all inputs, so that a missing one is known to be corruption.
func progressRecords(j *meta.Job) []kv.Write {
	rec := (&backfill.Record{Phase: backfill.NotStarted}).Encode()
	var writes []kv.Write
	for _, s := range j.Graph.Scans() {
		for v := range s.Vnodes {
			writes = append(writes, kv.Write{Key: kv.AppendTable(nil, s.Table, uint16(v)), New: rec})
		}
	}
	return writes
}

// Drop removes relations, given dependants first, and the jobs behind them. It can not fail half-way: one transaction
// takes them out of the catalog, their rows are removed in the background.
func (e *Engine) Drop(ctx context.Context, find func(*catalog.Snapshot) ([]*catalog.Relation, error)) error {
	return e.do(ctx, func(d *driver) error {
		rels, err := find(e.Catalog())
		if err != nil {
			return err
		}
		return d.drop(rels)
	})
}

func (d *driver) drop(rels []*catalog.Relation) error {
	rels = withShadows(d.e.Catalog(), rels)
	next := d.e.Catalog().Edit()
	var writes []kv.Write
	for _, r := range rels {
		writes = append(writes, meta.DropRelation(r.ID))
		if r.Drains() {
			writes = append(writes, meta.DropSink(r.ID))
		}
		if r.Base() {
			writes = append(writes, meta.DropMade(r.ID))
		}
		delete(d.subscriptions, r.ID)
		next.Drop(r.ID)
		if j := d.jobs[r.Job]; r.Job != 0 && j != nil {
			writes = append(writes, meta.DropJob(j.ID)...)
			for _, t := range j.Tables {
				writes = append(writes, meta.PutDropped(t))
			}
		}
	}
	if err := d.e.store.Apply(writes); err != nil {
		return err
	}
	d.e.snap.Store(next)
	for _, r := range rels {
		if j := d.jobs[r.Job]; r.Job != 0 && j != nil {
			d.dropJob(j)
		}
	}
	d.updateLeases()
	d.sweep()
	d.tell()
	return nil
}

// dropJob stops a job for good; its tables are purged when its actors have ended.
func (d *driver) dropJob(j *meta.Job) {
	delete(d.jobs, j.ID)
	delete(d.limits, j.ID)
	delete(d.created, j.ID)
	delete(d.progress, j.ID)
	delete(d.rows, j.ID)
	delete(d.movedAt, j.ID)
	delete(d.records, j.ID)
	delete(d.tallies, j.ID)
	delete(d.broken, j.ID)
	d.e.rowErrors.forget(j.ID)
	delete(d.standsSince, j.ID)
	d.e.inputs.Delete(j.ID)
	in := d.insts[j.ID]
	for sid, s := range d.sets {
		if slices.Contains(s.jobs, j.ID) {
			if in != nil && len(s.jobs) == 1 {
				in.kept, s.pins = append(in.kept, s.pins...), nil // its actors may be reading them
			}
			d.leave(sid, s, j.ID)
		}
	}
	d.step(checkpoint.DropJob{Job: j.ID})
	if in == nil {
		d.purge(j)
	}
}

// purge removes the rows of a dropped job.
func (d *driver) purge(j *meta.Job) { d.purgeTables(j.Tables) }

// purgeTables removes the rows of tables that are stored as dropped.
func (d *driver) purgeTables(tables []id.Table) {
	d.beside(func() error {
		if err := d.e.store.DropTables(tables); err != nil {
			return err
		}
		writes := make([]kv.Write, len(tables))
		for i, t := range tables {
			writes[i] = meta.ForgetDropped(t)
		}
		return d.e.store.Apply(writes)
	}, func() {})
}

// Change applies a change of the catalog that touches no job: comments, schemas, users, names.
func (e *Engine) Change(ctx context.Context, fn func(edit *catalog.Snapshot) ([]kv.Write, error)) error {
	return e.do(ctx, func(d *driver) error { return d.edit(fn) })
}

// NextRelation takes a number for an object that is not a relation, such as a schema.
func (e *Engine) NextRelation(ctx context.Context) (r id.Relation, err error) {
	err = e.do(ctx, func(d *driver) error {
		r = d.counters.Relation
		d.counters.Relation++
		return e.store.Apply([]kv.Write{meta.PutCounters(d.counters)})
	})
	return r, err
}
