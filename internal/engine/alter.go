package engine

import (
	"context"
	"sync/atomic"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
)

// alteration is a change of tables' columns that waits for a barrier.
type alteration struct {
	change func(edit *catalog.Snapshot, reads Reads) ([]kv.Write, error)
	result chan error // has room for one
	// taken by the driver when it begins, or by who asked when it gives up.
	taken *atomic.Bool
}

// Reads tells which columns of a relation a job reads.
type Reads func(j id.Job, of id.Relation) []int

// Alter is Change for the columns of tables. It happens between two epochs: rows up to the barrier have the old columns,
// rows after it the new ones.
func (e *Engine) Alter(ctx context.Context, change func(edit *catalog.Snapshot, reads Reads) ([]kv.Write, error)) error {
	a := alteration{change, make(chan error, 1), new(atomic.Bool)}
	err := e.do(ctx, func(d *driver) error {
		d.alterations, d.urgent = append(d.alterations, a), true
		return nil
	})
	if err != nil {
		return err
	}
	made := false
	err = e.await(ctx, func(look) (bool, error) {
		select {
		case err := <-a.result:
			made = true
			return true, err
		default:
			return false, nil
		}
	})
	if !made && err != nil && !a.taken.CompareAndSwap(false, true) {
		return <-a.result // it was under way
	}
	return err
}

// alter applies what waits for the barrier that is about to be injected, and returns what the barrier tells the tables. The
// gate is held: no row enters meanwhile.
func (d *driver) alter() []stream.Mutation {
	var out []stream.Mutation
	for _, a := range d.alterations {
		if !a.taken.CompareAndSwap(false, true) {
			continue
		}
		before := d.e.Catalog()
		err := d.edit(func(edit *catalog.Snapshot) ([]kv.Write, error) { return a.change(edit, d.reads) })
		if err == nil {
			out = append(out, d.widen(before)...)
		}
		a.result <- err
	}
	d.alterations = nil
	return out
}

// widen makes the running tables know the columns that were added since a snapshot.
func (d *driver) widen(before *catalog.Snapshot) []stream.Mutation {
	var out []stream.Mutation
	for _, rel := range d.e.Catalog().Relations() {
		old, ok := before.Relation(rel.ID)
		in := d.insts[rel.Job]
		if !ok || old == rel || in == nil {
			continue
		}
		in.rel = rel
		if f := state.FormatOf(rel); f.Growth != nil && len(old.Columns) < len(rel.Columns) {
			out = append(out, stream.Widen{Table: rel.Table, Types: f.Types, Added: f.Growth.Added})
		}
	}
	return out
}

// reads is Reads over the graphs of jobs.
func (d *driver) reads(j id.Job, of id.Relation) []int {
	def := d.jobs[j]
	if def == nil || def.Graph == nil {
		return nil
	}
	return def.Graph.Reads(of)
}

// edit makes a new catalog and stores what the function writes.
func (d *driver) edit(fn func(edit *catalog.Snapshot) ([]kv.Write, error)) error {
	next := d.e.Catalog().Edit()
	writes, err := fn(next)
	if err != nil {
		return err
	}
	if err := d.e.store.Apply(writes); err != nil {
		return err
	}
	d.e.snap.Store(next)
	return nil
}
