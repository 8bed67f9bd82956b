package opt

import (
	"slices"

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
	case *plan.SetOp:
		return n.WithInputs([]plan.Node{push(n.Left, conds), push(n.Right, conds)})
	case *plan.Agg:
		return pushGrouped(n, conds, func(c int) int { return groupColumn(n, c) })
	case *plan.TopN:
		return pushGrouped(n, conds, func(c int) int { return partitionColumn(n.Partition, c) })
	case *plan.Window:
		return pushGrouped(n, conds, func(c int) int { return partitionColumn(n.Partition, c) })
	case *plan.ProjectSet:
		return pushGrouped(n, conds, func(c int) int { return inputColumn(n, c) })
	}
	return filter(plan.MapInputs(n, func(in plan.Node) plan.Node { return push(in, nil) }), conds)
}

func filter(n plan.Node, conds []expr.Expr) plan.Node {
	if len(conds) == 0 {
		return n
	}
	return &plan.Filter{Input: n, Cond: expr.And(safeFirst(conds)...)}
}

// safeFirst puts conditions that cannot fail before those that may, which then see only rows that satisfy the former:
// neither the order in which they are written nor whether they are of ON or WHERE decides if b <> 0 guards 10 / b.
func safeFirst(conds []expr.Expr) []expr.Expr {
	order := func(e expr.Expr) int {
		if expr.CouldFail(e) || expr.VolatilityOf(e) == expr.Volatile {
			return 1
		}
		return 0
	}
	return slices.SortedStableFunc(slices.Values(conds), func(a, b expr.Expr) int { return order(a) - order(b) })
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

// pushGrouped moves conditions below a node that treats rows with different values of some columns apart. Column gives the
// input column that such an output column is, -1 for any other.
func pushGrouped(n plan.Node, conds []expr.Expr, column func(int) int) plan.Node {
	var below, above []expr.Expr
	for _, c := range conds {
		cols := expr.Columns(c)
		ok := len(cols) > 0 && expr.VolatilityOf(c) != expr.Volatile && !expr.CouldFail(c)
		for _, i := range cols {
			ok = ok && column(i) >= 0
		}
		if ok {
			below = append(below, expr.MapColumns(c, column))
		} else {
			above = append(above, c)
		}
	}
	return filter(plan.MapInputs(n, func(in plan.Node) plan.Node { return push(in, below) }), above)
}

func groupColumn(a *plan.Agg, c int) int {
	if c < len(a.Group) {
		return a.Group[c]
	}
	return -1
}

func partitionColumn(partition []int, c int) int {
	if slices.Contains(partition, c) {
		return c
	}
	return -1
}

func inputColumn(n *plan.ProjectSet, c int) int {
	if c < len(n.Input.Schema()) && !n.Outer {
		return c
	}
	return -1
}

// pushJoin sends conditions to the side they are about. A condition that no row padded with NULLs satisfies makes an
// outer join an inner one; what else is about a padded side stays above.
func pushJoin(j *plan.Join, conds []expr.Expr) plan.Node {
	lw := len(j.Left.Schema())
	kind := stricter(j.Kind, conds, lw)
	var left, right, both, above []expr.Expr
	if kind == plan.Inner {
		conds = append(expr.Conjuncts(j.Cond), conds...)
	}
	for _, c := range conds {
		onLeft, onRight := sides(c, lw)
		switch {
		case expr.VolatilityOf(c) == expr.Volatile || onLeft && onRight || j.Temporal && expr.CallOf(c, expr.Momentary) != nil:
			above = append(above, c)
		case onLeft && kind != plan.Right && kind != plan.Full:
			left = append(left, c)
		case onRight && (kind == plan.Inner || kind == plan.Right) && !j.Temporal:
			right = append(right, expr.Shift(c, -lw))
		case kind == plan.Inner:
			both = append(both, c)
			if own := implied(c, 0, lw); own != nil {
				left = append(left, own)
			}
			if own := implied(c, lw, end); own != nil && !j.Temporal {
				right = append(right, expr.Shift(own, -lw))
			}
		default:
			above = append(above, c)
		}
	}
	if kind == plan.Inner {
		return filter(innerJoin(j, push(j.Left, left), push(j.Right, right), safeFirst(both)), above)
	}
	out := *j
	out.Kind = kind
	var on []expr.Expr
	for _, c := range expr.Conjuncts(j.Cond) {
		onLeft, onRight := sides(c, lw)
		switch {
		case onRight && !onLeft && !j.Temporal && (kind == plan.Left || kind == plan.Semi || kind == plan.Anti):
			right = append(right, expr.Shift(c, -lw))
		case onLeft && !onRight && (kind == plan.Right || kind == plan.Semi):
			left = append(left, c)
		default:
			on = append(on, c)
		}
	}
	on = safeFirst(on)
	out.Left, out.Right, out.Cond = push(j.Left, left), push(j.Right, right), expr.And(on...)
	if len(out.LeftKeys) == 0 && kind != plan.NullAnti && !j.Temporal { // its keys may have been within an OR
		return filter(bind.MakeJoin(kind, out.Left, out.Right, on), above)
	}
	return filter(&out, above)
}

// sides tells whether a condition reads columns of one side only; both are true when it reads none.
func sides(c expr.Expr, lw int) (onLeft, onRight bool) {
	onLeft, onRight = true, true
	for _, i := range expr.Columns(c) {
		onLeft, onRight = onLeft && i < lw, onRight && i >= lw
	}
	return onLeft, onRight
}

// end is behind the last column of any join.
const end = 1 << 30

// stricter is the kind of join that is left when rows that do not satisfy the conditions are not wanted.
func stricter(kind plan.Kind, conds []expr.Expr, lw int) plan.Kind {
	rejects := func(from, to int) bool {
		return slices.ContainsFunc(conds, func(c expr.Expr) bool { return rejectsNull(c, from, to) })
	}
	if (kind == plan.Left || kind == plan.Full) && rejects(lw, end) { // rows without a right part
		kind = map[plan.Kind]plan.Kind{plan.Left: plan.Inner, plan.Full: plan.Right}[kind]
	}
	if (kind == plan.Right || kind == plan.Full) && rejects(0, lw) { // rows without a left part
		kind = map[plan.Kind]plan.Kind{plan.Right: plan.Inner, plan.Full: plan.Left}[kind]
	}
	return kind
}

// rejectsNull reports whether a condition cannot be true when the columns in [from, to) are NULL.
func rejectsNull(c expr.Expr, from, to int) bool {
	switch c := c.(type) {
	case *expr.Call:
		if c.Fn.Name == "is not null" || c.Fn.Name == "is true" || c.Fn.Name == "is false" {
			return nullIfNull(c.Args[0], from, to)
		}
		return nullIfNull(c, from, to)
	case *expr.Logic:
		for _, a := range c.Args {
			if rejectsNull(a, from, to) != c.Or { // OR needs all, AND one
				return !c.Or
			}
		}
		return c.Or
	}
	return nullIfNull(c, from, to)
}

// nullIfNull reports whether an expression is NULL when the columns are.
func nullIfNull(e expr.Expr, from, to int) bool {
	switch e := e.(type) {
	case *expr.Col:
		return e.Index >= from && e.Index < to
	case *expr.Call:
		return e.Fn.Strict && slices.ContainsFunc(e.Args, func(a expr.Expr) bool { return nullIfNull(a, from, to) })
	}
	return false
}

// innerJoin joins on the keys that there are and on those found among the conditions.
func innerJoin(j *plan.Join, l, r plan.Node, conds []expr.Expr) plan.Node {
	if len(j.LeftKeys) == 0 && !j.Temporal {
		return bind.MakeJoin(plan.Inner, l, r, conds)
	}
	out := *j
	out.Kind, out.Left, out.Right, out.Cond = plan.Inner, l, r, nil
	if len(conds) > 0 {
		out.Cond = expr.And(conds...)
	}
	return &out
}
