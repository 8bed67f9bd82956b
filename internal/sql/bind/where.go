package bind

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// where binds WHERE. EXISTS and IN at its top level become semi and anti joins.
func (x *selection) where(e ast.Expr) error {
	parts, place := conjuncts(e), "WHERE"
	if len(parts) > 1 {
		place = "AND"
	}
	for _, part := range parts {
		done, err := x.semiJoin(part)
		if err != nil {
			return err
		}
		if done {
			continue
		}
		c, err := context{b: x.b, s: x.s, sel: x, where: "WHERE"}.expr(part)
		if err == nil {
			c, err = x.b.boolean(c, part, place)
		}
		if err != nil {
			return err
		}
		x.in = &plan.Filter{Input: x.in, Cond: c}
	}
	return nil
}

func conjuncts(e ast.Expr) []ast.Expr {
	l, ok := e.(*ast.Logic)
	if !ok || l.Op != ast.And {
		return []ast.Expr{e}
	}
	var out []ast.Expr
	for _, a := range l.Args {
		out = append(out, conjuncts(a)...)
	}
	return out
}

// semiJoin turns [NOT] EXISTS and [NOT] IN (query) into an Apply; done is false for any other condition.
func (x *selection) semiJoin(e ast.Expr) (done bool, err error) {
	not := false
	for n, ok := e.(*ast.Not); ok; n, ok = e.(*ast.Not) {
		e, not = n.X, !not
	}
	switch e := e.(type) {
	case *ast.Exists:
		kind := plan.Semi
		if not {
			kind = plan.Anti
		}
		r, _, err := x.b.query(e.Query, x.s)
		if err != nil {
			return true, err
		}
		x.in = &plan.Apply{Kind: kind, Left: x.in, Right: r}
		return true, nil
	case *ast.In:
		if e.Query == nil {
			return false, nil
		}
		kind := plan.Semi
		if e.Not != not {
			kind = plan.NullAnti
		}
		return true, x.inJoin(kind, e)
	}
	return false, nil
}

// inJoin is x [NOT] IN (query) as a join.
func (x *selection) inJoin(kind plan.Kind, e *ast.In) error {
	c := context{b: x.b, s: x.s, sel: x, where: "WHERE"}
	left, r, err := c.inSides(e.X, e.Query, e.Pos)
	if err != nil {
		return err
	}
	width := len(x.in.Schema())
	var conds []expr.Expr
	for i, l := range left {
		f := r.Schema()[i]
		eq, err := c.compare("=", e.Pos, l, &expr.Col{Index: width + i, T: f.Type, Name: f.Name})
		if err != nil {
			return err
		}
		conds = append(conds, eq)
	}
	x.in = &plan.Apply{Kind: kind, Left: x.in, Right: r, Cond: expr.And(conds...)}
	return nil
}

// inSides binds the value or row on the left of IN and the query on its right.
func (c context) inSides(x ast.Expr, q *ast.Query, pos ast.Pos) ([]expr.Expr, plan.Node, error) {
	elems := []ast.Expr{x}
	if row, ok := x.(*ast.Row); ok {
		elems = row.Elems
	}
	left, err := c.list(elems)
	if err != nil {
		return nil, nil, err
	}
	r, _, err := c.b.query(q, c.sel.s)
	if err != nil {
		return nil, nil, err
	}
	switch n := len(r.Schema()); {
	case n > len(left):
		return nil, nil, errs.SubqueryColumns.New("what", "has too many columns").At(int(pos))
	case n < len(left):
		return nil, nil, errs.SubqueryColumns.New("what", "has too few columns").At(int(pos))
	}
	return left, r, nil
}
