package bind

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// asof is l ASOF [LEFT] JOIN r ON equalities AND one inequality: each left row with the nearest right row that satisfies
// the condition. It is a lateral TopN over the right rows.
func (b *Binder) asof(j *ast.Join, l, r plan.Node, s *scope) (plan.Node, *scope, error) {
	kind := joinKinds[j.Kind]
	if j.On == nil {
		return nil, nil, errs.AsofCondition.New().At(int(j.Pos))
	}
	on, err := b.condition(j.On, s, "JOIN/ON", "JOIN conditions")
	if err != nil {
		return nil, nil, err
	}
	lw, rw := len(l.Schema()), len(r.Schema())
	conds := conditions(on)
	nearest, desc, ok := nearestOf(conds, lw)
	if !ok {
		return nil, nil, errs.AsofCondition.New().At(int(j.On.Position()))
	}
	right := newSide(inner(r))
	order := plan.Order{Col: right.column(expr.Shift(nearest, -lw)), Desc: desc}
	top := &plan.TopN{Input: &plan.Filter{Input: right.node(), Cond: ofRight(expr.And(conds...), lw)}, Order: []plan.Order{order}, Limit: 1}
	return &plan.Apply{Kind: kind, Left: l, Right: pickWidth(top, rw)}, s, nil
}

// nearestOf finds the right side of the one inequality, beside which there must be an equality, and whether the largest
// such value is the nearest.
func nearestOf(conds []expr.Expr, lw int) (nearest expr.Expr, desc, ok bool) {
	equalities := 0
	for _, c := range conds {
		if _, _, nullSafe, eq := equality(c, lw); eq && !nullSafe {
			equalities++
			continue
		}
		call, isCall := c.(*expr.Call)
		if !isCall || len(call.Args) != 2 || nearest != nil {
			return nil, false, false
		}
		less := map[string]bool{"<": true, "<=": true}[call.Fn.Name]
		if !less && call.Fn.Name != ">" && call.Fn.Name != ">=" {
			return nil, false, false
		}
		switch x, y := call.Args[0], call.Args[1]; {
		case within(x, 0, lw) && within(y, lw, 1<<30):
			nearest, desc = y, !less
		case within(y, 0, lw) && within(x, lw, 1<<30):
			nearest, desc = x, less
		default:
			return nil, false, false
		}
	}
	return nearest, desc, nearest != nil && equalities > 0
}

// inner states a relation for the right side of an Apply: what it refers to outside stands one level higher.
func inner(n plan.Node) plan.Node {
	return plan.MapOuter(n, func(o *plan.Outer, level int) expr.Expr {
		if o.Depth <= level {
			return o
		}
		return &plan.Outer{Depth: o.Depth + 1, Index: o.Index, T: o.T, Name: o.Name}
	})
}

// ofRight states a condition over left then right columns for the right side of an Apply.
func ofRight(cond expr.Expr, lw int) expr.Expr {
	return expr.Rewrite(cond, func(e expr.Expr) expr.Expr {
		switch e := e.(type) {
		case *plan.Outer:
			return &plan.Outer{Depth: e.Depth + 1, Index: e.Index, T: e.T, Name: e.Name}
		case *expr.Col:
			if e.Index < lw {
				return &plan.Outer{Depth: 1, Index: e.Index, T: e.T, Name: e.Name}
			}
			return &expr.Col{Index: e.Index - lw, T: e.T, Name: e.Name}
		}
		return e
	})
}
