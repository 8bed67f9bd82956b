package session

import (
	"context"

	"github.com/tidemark-db/tidemark/internal/capture"
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// refreshCaptured runs REFRESH TABLE and REFRESH SOURCE: history is read again and compared with what is here.
func (s *Session) refreshCaptured(ctx context.Context, st *ast.Refresh) (Result, error) {
	tag := done("REFRESH " + string(st.Kind))
	rel, err := s.binder(nil).Relation(st.Name)
	if err != nil {
		return nil, err
	}
	if err := s.owns(kindName(rel.Kind), rel.Name, rel.Owner); err != nil {
		return nil, err
	}
	c := s.d.captures
	switch {
	case st.Kind == ast.SourceObject && c.IsSource(rel):
		if err := c.Reset(ctx, rel); err != nil {
			return nil, err
		}
		for _, t := range c.Tables(rel) {
			if err := s.waitRefreshed(ctx, t); ctx.Err() != nil {
				return nil, err
			} else if err != nil {
				s.notice("WARNING", "table \"%s\" is not captured: %s", t.Name, err.Error())
			}
		}
		return tag, nil
	case st.Kind == ast.TableObject && c.IsCaptured(rel):
		if err := c.Refresh(ctx, rel, func() error { return nil }); err != nil {
			return nil, err
		}
		return tag, s.waitRefreshed(ctx, rel)
	}
	return nil, errs.NotASource.New("name", rel.Name).At(int(st.Name.Pos))
}

// refreshSchema runs ALTER TABLE ... REFRESH SCHEMA of a captured table.
func (s *Session) refreshSchema(ctx context.Context, rel *catalog.Relation, a *ast.RefreshSchema) error {
	if !s.d.captures.IsCaptured(rel) {
		return errs.NotASource.New("name", rel.Name).At(int(a.Position()))
	}
	up, err := s.d.captures.Describe(ctx, rel)
	if err != nil {
		return err
	}
	err = s.d.captures.Refresh(ctx, rel, func() error {
		if err := s.widen(ctx, rel, up); err != nil {
			return err
		}
		return s.d.evolve(ctx, rel, up)
	})
	if err != nil {
		return err
	}
	return s.waitRefreshed(ctx, rel)
}

// waitRefreshed waits for a table's history as CREATE TABLE does, but leaves the table where it is whatever happens.
func (s *Session) waitRefreshed(ctx context.Context, rel *catalog.Relation) error {
	if s.vars.Bool("background_ddl") {
		return nil
	}
	return s.d.captures.WaitLive(ctx, rel)
}

// widen gives columns the types of their upstream, where those store the same values alike.
func (s *Session) widen(ctx context.Context, rel *catalog.Relation, up *connector.Table) error {
	for _, col := range capture.DriftOf(rel, up).Changed {
		at := columnAt(rel, col.Name)
		if from := rel.Columns[at].Type; !storedAlike(from, col.Type) {
			return errs.CapturedColumn.New("column", col.Name, "declared", types.SQLName(from), "upstream", col.Native, "table", up.Name)
		}
		a := &ast.AlterColumn{Name: ast.Ident{Name: col.Name}, Change: ast.ColumnSetType, Type: typeName(col.Type)}
		if err := s.changeType(ctx, rel, at, a); err != nil {
			return err
		}
	}
	return nil
}

// evolve gives a captured table the columns that are new upstream. Rows that are there have NULL in them until they are read
// again, so the columns take it.
func (d *Database) evolve(ctx context.Context, rel *catalog.Relation, up *connector.Table) error {
	return d.editTable(ctx, rel, func(_ *catalog.Snapshot, r *catalog.Relation, _ engine.Reads) ([]kv.Write, error) {
		for _, col := range capture.DriftOf(r, up).Added {
			r.Columns = append(r.Columns, catalog.Column{Name: col.Name, Type: col.Type, Initial: dml.InitialValue(col.Type, types.Null)})
		}
		return nil, nil
	})
}
