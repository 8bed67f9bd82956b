package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/bind"
	"github.com/tidemark-db/tidemark/internal/types"
)

// changeColumn runs ALTER COLUMN.
func (s *Session) changeColumn(ctx context.Context, rel *catalog.Relation, a *ast.AlterColumn) error {
	at, err := column(rel, a.Name)
	if err != nil {
		return err
	}
	b := s.binder(nil)
	switch a.Change {
	case ast.ColumnSetNotNull:
		if some, err := s.any(ctx, rel, isNull(a.Name.Name)); err != nil || some {
			return orElse(err, errs.NullsPresent.New("column", a.Name.Name, "table", rel.Name))
		}
	case ast.ColumnDropNotNull:
		if slices.Contains(rel.Key, at) {
			return errs.InvalidTableDefinition.New("what", "column \""+a.Name.Name+"\" is in a primary key").At(int(a.Name.Pos))
		}
	case ast.ColumnSetType:
		return s.changeType(ctx, rel, at, a)
	}
	return s.d.editTable(ctx, rel, func(_ *catalog.Snapshot, r *catalog.Relation, _ engine.Reads) ([]kv.Write, error) {
		col := &r.Columns[at]
		kind := ast.NotNull
		switch a.Change {
		case ast.ColumnSetNotNull, ast.ColumnDropNotNull:
			col.NotNull = a.Change == ast.ColumnSetNotNull
		default:
			kind, col.Default = ast.Default, ""
			if a.Expr != nil {
				col.Default = ast.FormatExpr(a.Expr)
				if _, err := b.Default(*col); err != nil {
					return nil, err
				}
			}
		}
		redefineColumn(r, a.Name.Name, func(d *ast.ColumnDef) {
			d.Constraints = slices.DeleteFunc(d.Constraints, func(c ast.Constraint) bool {
				return c.Kind == kind || kind == ast.NotNull && c.Kind == ast.Nullable
			})
			if a.Change == ast.ColumnSetNotNull || a.Expr != nil {
				d.Constraints = append(d.Constraints, ast.Constraint{Kind: kind, Expr: a.Expr})
			}
		})
		return nil, nil
	})
}

// changeType gives a column another type that stores its values alike. Others would have to be written anew.
func (s *Session) changeType(ctx context.Context, rel *catalog.Relation, at int, a *ast.AlterColumn) error {
	to, err := bind.Type(a.Type)
	if err != nil {
		return err
	}
	from := rel.Columns[at].Type
	if a.Expr != nil || !storedAlike(from, to) || slices.Contains(rel.Key, at) {
		return errs.Unsupported.New("feature", fmt.Sprintf("changing a column from %s to %s", types.SQLName(from), types.SQLName(to))).At(int(a.Pos))
	}
	if err := s.dropIndexesOf(ctx, rel, at); err != nil {
		return err
	}
	b := s.binder(nil)
	return s.d.editTable(ctx, rel, func(c *catalog.Snapshot, r *catalog.Relation, reads engine.Reads) ([]kv.Write, error) {
		users, err := s.columnUsers(b, c, r, at, reads)
		if err != nil {
			return nil, err
		}
		if len(users) > 0 {
			return nil, errs.ColumnOfView.New("detail", usedBy(users, a.Name.Name, r.Name))
		}
		r.Columns[at].Type = to
		redefineColumn(r, a.Name.Name, func(d *ast.ColumnDef) { d.Type = a.Type })
		return nil, nil
	})
}

// wider lists types whose values are stored as those of the ones after them.
var wider = [][]types.Kind{{types.KindInt2, types.KindInt4, types.KindInt8}, {types.KindVarchar, types.KindText}, {types.KindFloat4, types.KindFloat8}}

// storedAlike reports whether every stored value of one type is the same value of the other.
func storedAlike(from, to types.T) bool {
	if from.Equal(to) {
		return true
	}
	for _, kinds := range wider {
		f, t := slices.Index(kinds, from.Kind), slices.Index(kinds, to.Kind)
		if f >= 0 && t > f {
			return to.Width == 0
		}
	}
	return from.Kind == to.Kind && from.Kind == types.KindVarchar && (to.Width == 0 || from.Width > 0 && to.Width >= from.Width)
}
