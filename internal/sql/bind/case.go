package bind

import (
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

func (c context) caseExpr(e *ast.Case) (expr.Expr, error) {
	out := &expr.Case{}
	var results []expr.Expr // ELSE first, as PostgreSQL looks for the common type
	var at []ast.Pos
	add := func(e ast.Expr) error {
		r, err := c.expr(e)
		results, at = append(results, r), append(at, e.Position())
		return err
	}
	if e.Else != nil {
		if err := add(e.Else); err != nil {
			return nil, err
		}
	}
	for _, w := range e.Whens {
		cond := w.Cond
		if e.Operand != nil {
			cond = &ast.Binary{Pos: w.Cond.Position(), Op: ast.Operator{Name: "="}, Left: e.Operand, Right: w.Cond}
		}
		x, err := c.expr(cond)
		if err == nil {
			x, err = c.b.boolean(x, cond, "CASE/WHEN")
		}
		if err == nil {
			err = add(w.Result)
		}
		if err != nil {
			return nil, err
		}
		out.Whens = append(out.Whens, expr.When{Cond: x})
	}
	t, err := c.unify("CASE", results, at...)
	if err != nil {
		return nil, err
	}
	if out.T = t; e.Else != nil {
		out.Else, results = results[0], results[1:]
	}
	for i := range out.Whens {
		out.Whens[i].Then = results[i]
	}
	return out, nil
}

// unify casts expressions to their common type.
func (c context) unify(what string, es []expr.Expr, pos ...ast.Pos) (types.T, error) {
	where := func(i int) ast.Pos { return pos[min(i, len(pos)-1)] }
	ts := expr.Types(es)
	t, err := expr.CommonType(what, ts)
	if err != nil {
		return t, at(err, where(clash(ts)))
	}
	for i := range es {
		if es[i], err = c.b.cast(es[i], t, expr.CastImplicit); err != nil {
			return t, at(err, where(i))
		}
	}
	return t, nil
}

// clash is the first type that does not go together with those before it.
func clash(ts []types.T) int {
	for i := range ts {
		if _, err := expr.CommonType("", ts[:i+1]); err != nil {
			return i
		}
	}
	return 0
}

// positionsOf are the positions of syntactic expressions, for unify.
func positionsOf(es []ast.Expr) []ast.Pos {
	out := make([]ast.Pos, len(es))
	for i, e := range es {
		out[i] = e.Position()
	}
	return out
}

func (c context) castExpr(e *ast.Cast) (expr.Expr, error) {
	t, err := Type(e.Type)
	if err != nil {
		return nil, err
	}
	if lit, ok := e.X.(*ast.StringLit); ok && t.Kind == types.KindArray {
		t = types.ArrayOfText(t, lit.Value)
	}
	if e.Style != ast.CastTry {
		if x, built, err := c.built(e.X, t, expr.CastExplicit); built {
			return x, err
		}
	}
	x, err := c.expr(e.X)
	if err != nil {
		return nil, err
	}
	if e.Style == ast.CastTry {
		x, err = c.b.Funcs.TryCast(x, t)
	} else {
		x, err = c.b.cast(x, t, expr.CastExplicit)
	}
	pos := e.Pos
	if _, literal := e.X.(*ast.StringLit); literal || e.Style == ast.CastLiteral || e.Style == ast.CastColons {
		pos = e.X.Position()
	}
	return x, at(err, pos)
}
