package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/bind"
)

func (s *Session) renameColumn(ctx context.Context, rel *catalog.Relation, a *ast.RenameColumn) error {
	at, err := column(rel, a.Old)
	if err != nil {
		return err
	}
	b := s.binder(nil)
	return s.d.engine.Change(ctx, func(c *catalog.Snapshot) ([]kv.Write, error) {
		now, ok := c.Relation(rel.ID)
		if !ok || at >= len(now.Columns) || now.Columns[at].Name != a.Old.Name {
			return nil, errs.UndefinedColumn.New("name", fmt.Sprintf("\"%s\" of relation \"%s\"", a.Old.Name, rel.Name)).At(int(a.Old.Pos))
		}
		if columnAt(now, a.New.Name) >= 0 {
			return nil, errs.DuplicateTableColumn.New("column", a.New.Name, "table", now.Name).At(int(a.New.Pos))
		}
		r := bind.Renaming{Of: rel.ID, Columns: map[int]string{at: a.New.Name}}
		writes, err := renamed(b, c, r)
		if err != nil {
			return nil, err
		}
		more, err := renameColumnIn(b, c, now, r)
		if err != nil {
			return nil, err
		}
		return append(writes, more...), viewsStillBind(b, c, rel.ID)
	})
}

// renameColumnIn renames a column of a table, in its generated columns, and in its indexes.
func renameColumnIn(b *bind.Binder, c *catalog.Snapshot, was *catalog.Relation, r bind.Renaming) ([]kv.Write, error) {
	var writes []kv.Write
	now, _ := c.Relation(was.ID)
	for _, rel := range append(indexesOn(c, was.ID), now) {
		next := *rel
		next.Columns = slices.Clone(rel.Columns)
		for i := range next.Columns {
			col := &next.Columns[i]
			for at, name := range r.Columns {
				if col.Name == was.Columns[at].Name {
					col.Name = name
				}
			}
			if col.Generated != "" {
				var err error
				if col.Generated, err = b.RenamedGenerated(col.Generated, was, r); err != nil {
					return nil, err
				}
			}
		}
		if w := next.Watermark; w != nil {
			text, err := b.RenamedGenerated(w.Expr, was, r)
			if err != nil {
				return nil, err
			}
			next.Watermark = &catalog.Watermark{Col: w.Col, Expr: text}
		}
		c.Put(&next)
		writes = append(writes, meta.PutRelation(&next))
	}
	return writes, nil
}

// viewsStillBind refuses a renaming that a view's text could not follow, such as of a column named in USING.
func viewsStillBind(b *bind.Binder, c *catalog.Snapshot, of id.Relation) error {
	b.Catalog = c
	for _, v := range c.Dependants(of) {
		if v.Kind != catalog.KindView {
			continue
		}
		if _, err := readsOf(b, v, of, nil); err != nil {
			return errs.Unsupported.New("feature", "renaming a column that view \""+v.Name+"\" joins by name").Wrap(err)
		}
	}
	return nil
}
