package opt

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/bind"
	"github.com/tidemark-db/tidemark/internal/types"
)

// direct handles subqueries that depend on the left row in their WHERE alone and by an equality among others, as most of
// EXISTS, IN and LATERAL do: that is a join whose condition is the WHERE, and no domain is needed.
func (d *domain) direct(a *plan.Apply, right plan.Node) (plan.Node, bool) {
	if a.Scalar {
		return nil, false // more than one row is an error, which a join does not know
	}
	p, _ := right.(*plan.Project)
	n := right
	if p != nil {
		n = p.Input
		if slices.ContainsFunc(p.Exprs, func(e expr.Expr) bool { return hasRefs(e) || hasOuter(e) }) {
			return nil, false
		}
	}
	where, rows := filtered(n)
	if !slices.ContainsFunc(where, ties) || correlated(rows) || slices.ContainsFunc(where, hasOuter) {
		return nil, false // without a tie all rows are paired: the domain may be much smaller than the left side
	}
	lw, rw, at := len(a.Left.Schema()), len(right.Schema()), 0
	if p != nil { // what is selected, and behind it what the condition reads
		all := identity(rows)
		rows = &plan.Project{Input: rows, Exprs: slices.Concat(p.Exprs, all.Exprs), Names: slices.Concat(p.Names, all.Names)}
		at = rw
	}
	var conds []expr.Expr
	for _, c := range where {
		conds = append(conds, expr.Rewrite(expr.Shift(c, lw+at), func(e expr.Expr) expr.Expr {
			if r, ok := e.(*ref); ok {
				return d.list[r.i]
			}
			return e
		}))
	}
	kind, cond := a.Kind, a.Cond
	if kind == plan.NullAnti { // of the rows that are there, one that compares as NULL counts as a match
		kind = plan.Anti
		if cond != nil {
			cond = &expr.Coalesce{Args: []expr.Expr{cond, expr.True()}, T: types.Bool}
		}
	}
	j := bind.MakeJoin(kind, a.Left, rows, append(conds, expr.Conjuncts(cond)...))
	if kind == plan.Semi || kind == plan.Anti {
		return j, true
	}
	return pick(j, span(0, lw+rw)), true
}

// filtered takes the conditions off rows.
func filtered(n plan.Node) (conds []expr.Expr, rows plan.Node) {
	for {
		f, ok := n.(*plan.Filter)
		if !ok {
			return conds, n
		}
		conds, n = append(conds, expr.Conjuncts(f.Cond)...), f.Input
	}
}

// ties reports whether a condition is an equality of an item of the domain with what the subquery's rows have.
func ties(c expr.Expr) bool {
	call, ok := c.(*expr.Call)
	if !ok || len(call.Args) != 2 || call.Fn.Name != "=" && call.Fn.Name != "is not distinct from" {
		return false
	}
	return slices.ContainsFunc(call.Args, func(e expr.Expr) bool { _, ok := e.(*ref); return ok }) &&
		slices.ContainsFunc(call.Args, func(e expr.Expr) bool { return !hasRefs(e) && len(expr.Columns(e)) > 0 })
}
