package bind

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// exprAs binds an expression whose type is asked for. The parts of ROW(...), and under a cast those of ARRAY[...], take the
// types of the parts of the type each on its own, so that a literal, NULL or an empty array in them needs no cast.
func (c context) exprAs(e ast.Expr, t types.T, how expr.CastContext) (expr.Expr, error) {
	if x, built, err := c.built(e, t, how); built {
		return x, err
	}
	x, err := c.expr(e)
	if err != nil {
		return nil, err
	}
	x, err = c.b.cast(x, t, how)
	return x, at(err, e.Position())
}

// built binds ROW(...) for a struct and ARRAY[...] for an array; built is false for other expressions.
func (c context) built(e ast.Expr, t types.T, how expr.CastContext) (x expr.Expr, built bool, err error) {
	switch e := e.(type) {
	case *ast.Row:
		if t.Kind == types.KindStruct && len(t.Fields) == len(e.Elems) && !slices.ContainsFunc(e.Elems, isStar) {
			x, err = c.rowAs(e, t, how)
			return x, true, err
		}
	case *ast.Array:
		if t.Kind == types.KindArray && how == expr.CastExplicit { // what a column asks for does not reach the elements
			x, err = c.arrayAs(e, t, how)
			return x, true, err
		}
	case *ast.MapLit:
		if t.Kind == types.KindMap {
			x, err = c.mapAs(e, t, how)
			return x, true, err
		}
	}
	return nil, false, nil
}

func isStar(e ast.Expr) bool { _, ok := e.(*ast.Star); return ok }

func (c context) rowAs(e *ast.Row, t types.T, how expr.CastContext) (expr.Expr, error) {
	names, fields := make([]string, len(e.Elems)), make([]expr.Expr, len(e.Elems))
	for i, f := range t.Fields {
		x, err := c.exprAs(e.Elems[i], f.Type, how)
		if err != nil {
			return nil, err
		}
		names[i], fields[i] = f.Name, x
	}
	return c.b.Funcs.Row(names, fields), nil
}

func (c context) arrayAs(e *ast.Array, t types.T, how expr.CastContext) (expr.Expr, error) {
	if len(e.Elems) == 0 {
		return &expr.Const{Value: types.NewArray(*t.Elem, nil), T: t}, nil
	}
	elems := make([]expr.Expr, len(e.Elems))
	for i, elem := range e.Elems {
		var err error
		if elems[i], err = c.exprAs(elem, *t.Elem, how); err != nil {
			return nil, err
		}
	}
	x, err := c.b.Funcs.Syntax("array", elems...)
	return x, at(err, e.Pos)
}
