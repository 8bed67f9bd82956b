package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/types"
)

// replaceView gives a view that is there a new query, for CREATE OR REPLACE VIEW. The view stays the same to those who
// read it; there is false when there is none to replace.
func (s *Session) replaceView(ctx context.Context, rel *catalog.Relation) (there bool, err error) {
	err = s.d.engine.Change(ctx, func(c *catalog.Snapshot) ([]kv.Write, error) {
		was, ok := c.Find(rel.Schema, rel.Name)
		if there = ok; !ok {
			return nil, nil
		}
		if was.Kind != catalog.KindView {
			return nil, errs.WrongObject.New("what", "\""+was.Name+"\" is not a view")
		}
		if err := s.owns(kindName(was.Kind), was.Name, was.Owner); err != nil {
			return nil, err
		}
		if err := replaceable(c, was, rel); err != nil {
			return nil, err
		}
		next := *rel
		next.ID, next.Owner, next.Grants, next.Comment = was.ID, was.Owner, was.Grants, was.Comment
		for i, col := range was.Columns {
			next.Columns[i].Comment = col.Comment
		}
		c.Put(&next)
		return []kv.Write{meta.PutRelation(&next)}, nil
	})
	return there, err
}

// replaceable checks that the readers of a view can go on with another one in its place.
func replaceable(c *catalog.Snapshot, was, next *catalog.Relation) error {
	if err := sameColumns(was, next); err != nil {
		return err
	}
	readers := dependants(c, was)
	for _, r := range readers {
		switch {
		case slices.Contains(next.DependsOn, r.ID):
			return errs.ViewRecursion.New("view", was.Name)
		case r.Kind != catalog.KindView && was.Query != next.Query:
			return errs.ViewStreams.New("view", was.Name, "kind", kindName(r.Kind), "reader", r.Name)
		}
	}
	return nil
}

// sameColumns refuses what PostgreSQL refuses: columns may be added at the end only.
func sameColumns(was, next *catalog.Relation) error {
	if len(next.Columns) < len(was.Columns) {
		return errs.ViewColumns.New("problem", "cannot drop columns from view")
	}
	for i, old := range was.Columns {
		col := next.Columns[i]
		if col.Name != old.Name {
			return errs.ViewColumns.New("problem", fmt.Sprintf("cannot change name of view column \"%s\" to \"%s\"", old.Name, col.Name))
		}
		if !col.Type.Equal(old.Type) {
			return errs.ViewColumns.New("problem", fmt.Sprintf("cannot change data type of view column \"%s\" from %s to %s", old.Name,
				types.SQLName(old.Type), types.SQLName(col.Type)))
		}
	}
	return nil
}
