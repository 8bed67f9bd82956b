package session

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// current tells how a query is to read its relations. A plan may name a view as it was before another took its place; what
// is read was pinned after the plan was made, so nothing is written to the old one any more. One statement reads a view in
// one form.
func (s *Session) current(r kv.Reader) func(*catalog.Relation) (*catalog.Relation, error) {
	at := s.pinnedAt(r)
	var seen []*catalog.Relation // few: what a statement names
	return func(rel *catalog.Relation) (*catalog.Relation, error) {
		if i := slices.IndexFunc(seen, func(r *catalog.Relation) bool { return r.ID == rel.ID }); i >= 0 {
			return seen[i], nil
		}
		now, err := s.d.currentAt(rel, at)
		if err == nil {
			seen = append(seen, now)
		}
		return now, err
	}
}

// pinnedAt is the epoch that a reader shows; what is not pinned shows the newest.
func (s *Session) pinnedAt(r kv.Reader) epoch.Epoch {
	if v, ok := r.(interface{ Epoch() epoch.Epoch }); ok {
		return v.Epoch()
	}
	if s.oneEpoch() && s.txn.seen != nil {
		return s.txn.seen.Epoch()
	}
	return s.d.engine.Visible()
}

// currentAt is a relation that a plan names, as it is to be read as of an epoch.
func (d *Database) currentAt(rel *catalog.Relation, at epoch.Epoch) (*catalog.Relation, error) {
	now, ok := d.engine.Catalog().Relation(rel.ID)
	if !ok || now.Job == 0 { // dropped since; what is pinned still has it
		return rel, nil
	}
	moved := now.Table != rel.Table
	switch {
	case at >= epoch.Epoch(now.Since) && moved && !slices.Equal(now.Key, rel.Key), at < epoch.Epoch(now.Since) && !moved && replaced(now):
		return nil, errs.ReplacedMeanwhile.New("name", rel.Name)
	case at < epoch.Epoch(now.Since) && moved: // pinned before the other was ready
		return rel, nil
	case moved:
		return now, nil
	}
	return rel, nil
}

// replaced reports whether a relation has rows of a job that was not its first. Of sinks and subscriptions, Since says
// something else.
func replaced(r *catalog.Relation) bool {
	return r.Kind == catalog.KindMaterializedView || r.Kind == catalog.KindIndex
}
