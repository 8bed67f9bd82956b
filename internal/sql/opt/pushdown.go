package opt

import (
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/bind"
)

// pushDown moves conditions towards the scans; an equality between the sides of a cross join makes it a hash join.
func pushDown(n plan.Node) plan.Node { return push(n, nil) }

// push rewrites n under conditions over its output, all of which are applied in the result.
func push(n plan.Node, conds []expr.Expr) plan.Node {
	switch n := n.(type) {
	case *plan.Filter:
		return push(n.Input, append(expr.Conjuncts(n.Cond), conds...))
	case *plan.Project:
		return pushProject(n, conds)
	case *plan.Join:
		return pushJoin(n, conds)
	case *plan.Union:
		ins := make([]plan.Node, len(n.Ins))
		for i, in := range n.Ins {
			ins[i] = push(in, conds)
		}
		return n.WithInputs(ins)
	case *plan.Agg:
		return pushAgg(n, conds)
	}
	ins := n.Inputs()
	if len(ins) > 0 {
		out := make([]plan.Node, len(ins))
		for i, in := range ins {
			out[i] = push(in, nil)
		}
		n = n.WithInputs(out)
	}
	return filter(n, conds)
}

func filter(n plan.Node, conds []expr.Expr) plan.Node {
	if len(conds) == 0 {
		return n
	}
	return &plan.Filter{Input: n, Cond: expr.And(conds...)}
}

// pushProject states conditions over the projection's input, unless that would run something twice that may fail or vary.
func pushProject(p *plan.Project, conds []expr.Expr) plan.Node {
	var below, above []expr.Expr
	for _, c := range conds {
		ok := true
		for _, i := range expr.Columns(c) {
			e := p.Exprs[i]
			ok = ok && !expr.CouldFail(e) && expr.VolatilityOf(e) == expr.Immutable
		}
		if !ok {
			above = append(above, c)
			continue
		}
		below = append(below, expr.Rewrite(c, func(e expr.Expr) expr.Expr {
			if col, ok := e.(*expr.Col); ok {
				return p.Exprs[col.Index]
			}
			return e
		}))
	}
	return filter(&plan.Project{Input: push(p.Input, below), Exprs: p.Exprs, Names: p.Names}, above)
}

// pushAgg moves conditions on group columns below the grouping.
func pushAgg(a *plan.Agg, conds []expr.Expr) plan.Node {
	var below, above []expr.Expr
	for _, c := range conds {
		cols := expr.Columns(c)
		ok := len(cols) > 0
		for _, i := range cols {
			ok = ok && i < len(a.Group)
		}
		if ok {
			below = append(below, expr.MapColumns(c, func(i int) int { return a.Group[i] }))
		} else {
			above = append(above, c)
		}
	}
	return filter(a.WithInputs([]plan.Node{push(a.Input, below)}), above)
}

// pushJoin sends conditions to the side they are about. Those of an outer join's padded side stay above.
func pushJoin(j *plan.Join, conds []expr.Expr) plan.Node {
	lw := len(j.Left.Schema())
	if j.Kind == plan.Inner && j.Cond != nil {
		conds = append(expr.Conjuncts(j.Cond), conds...)
	}
	var left, right, both, above []expr.Expr
	for _, c := range conds {
		cols := expr.Columns(c)
		onLeft, onRight := true, true
		for _, i := range cols {
			onLeft, onRight = onLeft && i < lw, onRight && i >= lw
		}
		switch {
		case expr.VolatilityOf(c) == expr.Volatile || len(cols) == 0:
			above = append(above, c)
		case onLeft && (j.Kind == plan.Inner || j.Kind == plan.Left || leftOnly(j)):
			left = append(left, c)
		case onRight && (j.Kind == plan.Inner || j.Kind == plan.Right):
			right = append(right, expr.Shift(c, -lw))
		case j.Kind == plan.Inner:
			both = append(both, c)
		default:
			above = append(above, c)
		}
	}
	l, r := push(j.Left, left), push(j.Right, right)
	if j.Kind == plan.Inner {
		return filter(innerJoin(j, l, r, both), above)
	}
	return filter(j.WithInputs([]plan.Node{l, r}), above)
}

func leftOnly(j *plan.Join) bool {
	return j.Kind == plan.Semi || j.Kind == plan.Anti || j.Kind == plan.NullAnti
}

// innerJoin joins on the keys that there are and on those found among the conditions.
func innerJoin(j *plan.Join, l, r plan.Node, conds []expr.Expr) plan.Node {
	if len(j.LeftKeys) == 0 {
		return bind.MakeJoin(plan.Inner, l, r, conds)
	}
	out := *j
	out.Left, out.Right, out.Cond = l, r, nil
	if len(conds) > 0 {
		out.Cond = expr.And(conds...)
	}
	return &out
}
