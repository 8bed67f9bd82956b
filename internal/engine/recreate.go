package engine

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/fragment"
	"github.com/tidemark-db/tidemark/internal/id"
)

// Recreate makes a view or index anew beside the one that is there, which goes on meanwhile: a shadow, a relation with a
// job of its own that catches up as any other does. Once it is attached, and that is durable, it takes the place of the old
// one (see swap.go). find chooses the relation on the driver's goroutine. A definition without a relation makes what is
// there by the plan that it has; its settings come before those of the old job.
func (e *Engine) Recreate(ctx context.Context, def Definition, find func(*catalog.Snapshot) (*catalog.Relation, error)) (*catalog.Relation, error) {
	var made *catalog.Relation
	err := e.do(ctx, func(d *driver) error {
		was, err := find(e.Catalog())
		if err != nil {
			return err
		}
		if def, err = d.shadowOf(was, def); err != nil {
			return err
		}
		made, err = d.create(def)
		return err
	})
	return made, err
}

// shadowOf completes the definition of what is to take the place of a relation.
func (d *driver) shadowOf(was *catalog.Relation, def Definition) (Definition, error) {
	old := d.jobs[was.Job]
	if there, ok := d.e.Catalog().Shadow(was.ID); ok {
		return def, errs.RecreateTwice.New("name", was.Name, "job", there.Job)
	}
	if def.Relation != nil && d.e.Catalog().Reads(def.Relation.DependsOn, was.ID) {
		return def, errs.ViewRecursion.New("view", was.Name)
	}
	if def.Relation == nil {
		if err := d.broken[old.ID]; err != nil {
			return def, err
		}
		rel, settings := *was, map[string]string{}
		rel.Definition, rel.Since = "", 0
		maps.Copy(settings, old.Settings)
		maps.Copy(settings, def.Settings)
		def.Relation, def.Settings, def.like = &rel, settings, old
	} else if err := d.layOut(def.Relation, was); err != nil {
		return def, err
	}
	def.Relation.Schema, def.Relation.Name, def.Relation.Owner, def.Relation.Shadow = was.Schema, was.Name, was.Owner, was.ID
	return def, nil
}

// layOut gives a relation the key and the distribution of another, where others read that one: they were planned by both.
func (d *driver) layOut(next, was *catalog.Relation) error {
	readers := d.readers(was.Job)
	if len(readers) == 0 {
		return nil
	}
	known := func(c int) bool { return slices.Contains(was.Key, c) }
	if len(was.Key) > 0 && (len(next.Key) == 0 || slices.ContainsFunc(next.Key, func(c int) bool { return !known(c) })) {
		names := make([]string, len(was.Key))
		for i, c := range was.Key {
			names[i] = was.Columns[c].Name
		}
		return errs.RecreateKey.New("name", was.Name, "columns", strings.Join(names, ", "), "readers", d.e.Names(readers))
	}
	next.Key, next.DistKey, next.Vnodes = was.Key, was.DistKey, was.Vnodes
	return nil
}

// current is a graph that reads relations where they are now.
func (d *driver) current(g *fragment.Graph) *fragment.Graph {
	for _, s := range g.Scans() {
		if rel, ok := d.e.Catalog().Relation(s.Rel.ID); ok {
			g = g.Repointed(rel)
		}
	}
	return g
}

// withShadows adds to relations that are dropped the shadows that can not go on without them.
func withShadows(c *catalog.Snapshot, rels []*catalog.Relation) []*catalog.Relation {
	gone := func(r id.Relation) bool {
		return slices.ContainsFunc(rels, func(d *catalog.Relation) bool { return d.ID == r })
	}
	var shadows []*catalog.Relation
	for _, s := range c.Shadows() {
		if !gone(s.ID) && (gone(s.Shadow) || slices.ContainsFunc(s.DependsOn, gone)) {
			shadows = append(shadows, s)
		}
	}
	return append(shadows, rels...)
}

// WaitSwapped waits until what a job makes is in its place. A job that was dropped meanwhile was cancelled.
func (e *Engine) WaitSwapped(ctx context.Context, j id.Job, of id.Relation) error {
	return e.await(ctx, func(l look) (bool, error) {
		s, err := l.running(j)
		return err == nil && s.Relation == of, err
	})
}

// WaitReaders waits until what reads a relation is in step with it. A reader that is being made, or that is late, is not waited
// for.
func (e *Engine) WaitReaders(ctx context.Context, of id.Relation) error {
	return e.await(ctx, func(l look) (bool, error) {
		c := e.Catalog()
		return !slices.ContainsFunc(c.Relations(), func(r *catalog.Relation) bool {
			s, ok := l.job(r.Job)
			return ok && s.Created && !s.Attached && !l.late(s) && c.Reads(r.DependsOn, of)
		}), nil
	})
}
