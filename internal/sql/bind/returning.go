package bind

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// returning binds RETURNING over the changed rows: the columns of the scope.
func (b *Binder) returning(items []ast.SelectItem, s *scope) (*plan.Returning, error) {
	if len(items) == 0 {
		return nil, nil
	}
	over := make([]types.Field, s.width())
	for _, c := range s.cols {
		over[c.index] = types.Field{Name: c.name, Type: c.t}
	}
	number := types.Field{Name: "row", Type: types.Int8}
	rows := &plan.Given{Fields: append(slices.Clone(over), number)}
	x := &selection{b: b, in: rows, s: s}
	if err := x.items(&ast.Select{Items: items}); err != nil {
		return nil, err
	}
	switch pos := int(items[0].Expr.Position()); {
	case len(x.calls) > 0 || len(x.groupings) > 0:
		return nil, errs.AggregateMisplaced.New("where", "RETURNING").At(pos)
	case len(x.wins) > 0:
		return nil, errs.WindowMisplaced.New("where", "RETURNING").At(pos)
	case len(x.sets) > 0:
		return nil, errs.SetMisplaced.New("where", "RETURNING").At(pos)
	}
	out := &plan.Returning{Over: types.FieldTypes(over), Origins: x.origins}
	for i, e := range x.exprs {
		e, err := b.typed(e)
		if err != nil {
			return nil, err
		}
		x.exprs[i] = e
		out.Fields = append(out.Fields, types.Field{Name: x.names[i], Type: e.Type()})
	}
	if len(x.subs) == 0 {
		out.Exprs = x.exprs
		return out, nil
	}
	x.exprs = append(x.exprs, &expr.Col{Index: len(over), T: number.Type, Name: number.Name})
	x.names = append(x.names, number.Name)
	var err error
	out.Rows = rows
	out.Query, err = x.assemble(&ast.Select{})
	return out, err
}
