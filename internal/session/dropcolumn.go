package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

func (s *Session) dropColumn(ctx context.Context, rel *catalog.Relation, a *ast.DropColumn) error {
	at := columnAt(rel, a.Name.Name)
	if at < 0 && a.IfExists {
		s.notice("NOTICE", "column \"%s\" of relation \"%s\" does not exist, skipping", a.Name.Name, rel.Name)
		return nil
	}
	at, err := column(rel, a.Name)
	if err != nil {
		return err
	}
	if slices.Contains(rel.Key, at) {
		return errs.InvalidTableDefinition.New("what", "cannot drop column \""+a.Name.Name+"\" of the primary key").At(int(a.Name.Pos))
	}
	if err := s.dropIndexesOf(ctx, rel, at); err != nil {
		return err
	}
	if a.Cascade {
		if err := s.dropReaders(ctx, rel, at); err != nil {
			return err
		}
	}
	b := s.binder(nil)
	return s.d.editTable(ctx, rel, func(c *catalog.Snapshot, r *catalog.Relation, reads engine.Reads) ([]kv.Write, error) {
		users, err := s.columnUsers(b, c, r, at, reads)
		if err != nil {
			return nil, err
		}
		if len(users) > 0 {
			return nil, errs.ColumnInUse.New("column", a.Name.Name, "table", r.Name, "detail", usedBy(users, a.Name.Name, r.Name))
		}
		redefine(r, func(st *ast.CreateTable) {
			st.Columns = slices.DeleteFunc(st.Columns, func(d *ast.ColumnDef) bool { return d.Name == a.Name.Name })
		})
		hideColumn(&r.Columns[at], at)
		return hideIndexed(c, r.ID, a.Name.Name), nil
	})
}

// hideColumn makes a column one that nobody sees; rows go on having it.
func hideColumn(c *catalog.Column, at int) {
	c.Name = fmt.Sprintf("........pg.dropped.%d........", at+1)
	c.Dropped, c.Hidden, c.NotNull, c.Default, c.Generated = true, true, false, "", ""
}

// hideIndexed hides a column in the indexes that carry it.
func hideIndexed(c *catalog.Snapshot, on id.Relation, name string) []kv.Write {
	var writes []kv.Write
	for _, ix := range indexesOn(c, on) {
		next := *ix
		next.Columns = slices.Clone(ix.Columns)
		for i := range next.Columns {
			if next.Columns[i].Name == name {
				hideColumn(&next.Columns[i], i)
			}
		}
		c.Put(&next)
		writes = append(writes, meta.PutRelation(&next))
	}
	return writes
}

// dropIndexesOf drops the indexes by a column, as PostgreSQL does.
func (s *Session) dropIndexesOf(ctx context.Context, rel *catalog.Relation, at int) error {
	return s.d.engine.Drop(ctx, func(c *catalog.Snapshot) ([]*catalog.Relation, error) {
		return slices.DeleteFunc(indexesOn(c, rel.ID), func(ix *catalog.Relation) bool { return !keyedBy(ix, rel.Columns[at].Name) }), nil
	})
}

// keyedBy reports whether an index is by a column.
func keyedBy(ix *catalog.Relation, name string) bool {
	return slices.ContainsFunc(ix.DistKey, func(k int) bool { return ix.Columns[k].Name == name })
}

// dropReaders drops the views that read a column, and what reads these.
func (s *Session) dropReaders(ctx context.Context, rel *catalog.Relation, at int) error {
	b := s.binder(nil)
	var victims []*catalog.Relation
	err := s.d.engine.Alter(ctx, func(c *catalog.Snapshot, reads engine.Reads) ([]kv.Write, error) {
		b.Catalog = c
		victims = slices.DeleteFunc(c.SinksInto(rel.ID), func(sink *catalog.Relation) bool { return !slices.Contains(sink.IntoCols, at) })
		for _, user := range c.Dependants(rel.ID) {
			used, err := readsOf(b, user, rel.ID, reads)
			if err != nil {
				return nil, err
			}
			if user.Kind != catalog.KindIndex && slices.Contains(used, at) {
				victims = append(victims, user)
			}
		}
		return nil, nil
	})
	if err != nil {
		return err
	}
	return s.d.engine.Drop(ctx, func(c *catalog.Snapshot) ([]*catalog.Relation, error) {
		var all []*catalog.Relation
		for _, v := range victims {
			for _, d := range dependants(c, v) {
				if _, ok := c.Relation(d.ID); ok && !slices.Contains(all, d) {
					all = append(all, d)
				}
			}
		}
		return all, nil
	})
}
