package bind

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// setOp binds UNION, EXCEPT and INTERSECT.
func (b *Binder) setOp(o *ast.SetOp, outer *scope) (plan.Node, []string, error) {
	l, names, err := b.body(o.Left, outer, true)
	if err != nil {
		return nil, nil, err
	}
	r, rightNames, err := b.body(o.Right, outer, true)
	if err != nil {
		return nil, nil, err
	}
	if o.Corresponding {
		if l, r, names, err = corresponding(o, l, r, names, rightNames); err != nil {
			return nil, nil, err
		}
	}
	lf, rf := l.Schema(), r.Schema()
	if len(lf) != len(rf) {
		return nil, nil, errs.ColumnCount.New("what", "each "+string(o.Kind)+" query must have the same number of columns").At(int(itemPos(o.Right, 0)))
	}
	ts := make([]types.T, len(lf))
	for i := range lf {
		if ts[i], err = expr.CommonType(string(o.Kind), []types.T{lf[i].Type, rf[i].Type}); err != nil {
			return nil, nil, at(err, itemPos(o.Right, i))
		}
	}
	if l, err = b.coerceColumns(l, ts, o.Left); err != nil {
		return nil, nil, err
	}
	if r, err = b.coerceColumns(r, ts, o.Right); err != nil {
		return nil, nil, err
	}
	if o.Kind == ast.Union {
		u := plan.Node(&plan.Union{Ins: []plan.Node{l, r}})
		if !o.All {
			u = distinct(u)
		}
		return u, names, nil
	}
	return &plan.SetOp{Intersect: o.Kind == ast.Intersect, All: o.All, Left: l, Right: r}, names, nil
}

// corresponding keeps the columns that both sides have by name, in the order of the left, or those of BY.
func corresponding(o *ast.SetOp, l, r plan.Node, names, rightNames []string) (plan.Node, plan.Node, []string, error) {
	var want []string
	for _, id := range o.CorrespondingBy {
		want = append(want, id.Name)
	}
	if len(want) == 0 {
		for _, n := range names {
			if slices.Contains(rightNames, n) {
				want = append(want, n)
			}
		}
	}
	lp, rp := &plan.Project{Input: l, Names: want}, &plan.Project{Input: r, Names: want}
	for _, n := range want {
		i, k := slices.Index(names, n), slices.Index(rightNames, n)
		if i < 0 || k < 0 {
			return nil, nil, nil, errs.UndefinedColumn.New("name", "\""+n+"\"").At(int(o.Pos))
		}
		lp.Exprs, rp.Exprs = append(lp.Exprs, outputOf(l, i)), append(rp.Exprs, outputOf(r, k))
	}
	if len(want) == 0 {
		return nil, nil, nil, errs.ColumnCount.New("what", "the sides of "+string(o.Kind)+" CORRESPONDING have no column in common").At(int(o.Pos))
	}
	return lp, rp, want, nil
}

// itemPos is where the expression of an output column stands.
func itemPos(body ast.Body, i int) ast.Pos {
	switch body := body.(type) {
	case *ast.Select:
		if i < len(body.Items) {
			return body.Items[i].Expr.Position()
		}
	case *ast.Values:
		if i < len(body.Rows[0]) {
			return body.Rows[0][i].Position()
		}
	case *ast.SetOp:
		return itemPos(body.Left, i)
	case *ast.Query:
		return itemPos(body.Body, i)
	}
	return body.Position()
}

// coerceColumns casts columns where their types differ.
func (b *Binder) coerceColumns(n plan.Node, ts []types.T, body ast.Body) (plan.Node, error) {
	p := identity(n)
	changed := false
	for i, t := range ts {
		if p.Exprs[i].Type().Equal(t) {
			continue
		}
		e, err := b.cast(literalOf(n, i), t, expr.CastImplicit)
		if err != nil {
			return nil, at(err, itemPos(body, i))
		}
		p.Exprs[i], changed = e, true
	}
	if !changed {
		return n, nil
	}
	return p, nil
}

// literalOf is an output column, or the literal or parameter without a type that it is: that is cast where it stands.
func literalOf(n plan.Node, i int) expr.Expr {
	if p, ok := n.(*plan.Project); ok && p.Exprs[i].Type().Kind == types.KindUnknown {
		switch e := p.Exprs[i].(type) {
		case *expr.Const, *expr.Param:
			return e
		}
	}
	return outputOf(n, i)
}

// distinct removes duplicates.
func distinct(n plan.Node) plan.Node {
	a := &plan.Agg{Input: n}
	for i := range n.Schema() {
		a.Group = append(a.Group, i)
	}
	return a
}
