package session

import (
	"context"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
	"github.com/tidemark-db/tidemark/internal/types"
)

func (s *Session) addColumn(ctx context.Context, rel *catalog.Relation, a *ast.AddColumn) error {
	col, err := s.binder(nil).Column(a.Column, rel.Name)
	if err != nil {
		return err
	}
	if col.Generated != "" {
		return errs.Unsupported.New("feature", "a generated column that is added to a table").At(int(a.Column.Pos))
	}
	if columnAt(rel, col.Name) >= 0 && a.IfNotExists {
		s.notice("NOTICE", "column \"%s\" of relation \"%s\" already exists, skipping", col.Name, rel.Name)
		return nil
	}
	initial, err := s.initialValue(a, col)
	if err != nil {
		return err
	}
	if col.NotNull && initial.IsNull() {
		if some, err := s.any(ctx, rel, nil); err != nil || some {
			return orElse(err, errs.NullsPresent.New("column", col.Name, "table", rel.Name))
		}
	}
	col.Initial = dml.InitialValue(col.Type, initial)
	return s.d.editTable(ctx, rel, func(_ *catalog.Snapshot, r *catalog.Relation, _ engine.Reads) ([]kv.Write, error) {
		if columnAt(r, col.Name) >= 0 {
			return nil, errs.DuplicateTableColumn.New("column", col.Name, "table", r.Name).At(int(a.Column.Pos))
		}
		r.Columns = append(r.Columns, col)
		redefine(r, func(st *ast.CreateTable) { st.Columns = append(st.Columns, a.Column) })
		return nil, nil
	})
}

// initialValue is what rows that are there get: the default, computed once.
func (s *Session) initialValue(a *ast.AddColumn, col catalog.Column) (types.Datum, error) {
	e, err := s.binder(nil).Default(col)
	if err != nil {
		return types.Null, err
	}
	if expr.VolatilityOf(e) == expr.Volatile {
		return types.Null, errs.Unsupported.New("feature", "adding a column whose default differs from row to row").At(int(a.Column.Pos))
	}
	return expr.EvalConst(s.exprCtx(), e)
}

func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// any reports whether the table has a row that satisfies the condition; nil: any row.
func (s *Session) any(ctx context.Context, rel *catalog.Relation, where ast.Expr) (bool, error) {
	q := &ast.Query{Body: &ast.Select{Items: []ast.SelectItem{{Expr: &ast.NumberLit{Text: "1"}}},
		From: []ast.TableExpr{&ast.TableRef{Name: qualified(rel.Schema, rel.Name)}}, Where: where}, Limit: &ast.NumberLit{Text: "1"}}
	r, err := s.query(ctx, &Prepared{stmt: q}, nil)
	if err != nil {
		return false, err
	}
	defer r.Close()
	c, err := r.Next(ctx)
	return c != nil && c.Rows() > 0, err
}

func isNull(column string) ast.Expr {
	e, err := parser.ParseExpr(ast.QuoteIdent(column) + " IS NULL")
	if err != nil {
		return nil // a quoted name always parses
	}
	return e
}
