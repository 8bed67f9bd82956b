package opt

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
)

// factor states apart what every alternative of a condition asks for: (a AND b) OR (a AND c) is a AND (b OR c), where a may
// be the key of a join. Both are the same for NULLs too.
func factor(n plan.Node) plan.Node {
	n = plan.MapInputs(n, factor)
	switch n := n.(type) {
	case *plan.Filter:
		return &plan.Filter{Input: n.Input, Cond: factored(n.Cond)}
	case *plan.Join:
		if n.Cond != nil {
			out := *n
			out.Cond = factored(n.Cond)
			return &out
		}
	}
	return n
}

func factored(cond expr.Expr) expr.Expr {
	var out []expr.Expr
	for _, c := range expr.Conjuncts(cond) {
		out = append(out, commonFirst(c)...)
	}
	return expr.And(out...)
}

// commonFirst splits a condition into what all of its alternatives have in common and the rest of it.
func commonFirst(c expr.Expr) []expr.Expr {
	or, ok := c.(*expr.Logic)
	if !ok || !or.Or {
		return []expr.Expr{c}
	}
	alternatives := make([][]expr.Expr, len(or.Args))
	for i, a := range or.Args {
		alternatives[i] = expr.Conjuncts(a)
	}
	var common []expr.Expr
	guarded := false // by a condition that stays: what may fail is run only where that holds
	for _, c := range alternatives[0] {
		everywhere := !slices.ContainsFunc(alternatives, func(a []expr.Expr) bool { return !has(a, c) })
		switch {
		case !everywhere || expr.VolatilityOf(c) == expr.Volatile || guarded && expr.CouldFail(c):
			guarded = true
		case !has(common, c):
			common = append(common, c)
		}
	}
	if len(common) == 0 {
		return []expr.Expr{c}
	}
	rests := make([]expr.Expr, len(alternatives))
	for i, a := range alternatives {
		rest := slices.DeleteFunc(a, func(c expr.Expr) bool { return has(common, c) })
		if len(rest) == 0 {
			return common // an alternative asks for nothing else
		}
		rests[i] = expr.And(rest...)
	}
	return append(common, expr.Or(rests...))
}

func has(conds []expr.Expr, c expr.Expr) bool {
	return slices.ContainsFunc(conds, func(o expr.Expr) bool { return expr.Equal(o, c) })
}

// implied is what a condition over both sides of a join asks of one side alone, nil if nothing: (l1 AND r1) OR (l2 AND r2)
// holds only for rows of the left side with l1 OR l2. The condition itself is still to be checked. The side is that of the
// columns in [from, to).
func implied(c expr.Expr, from, to int) expr.Expr {
	or, ok := c.(*expr.Logic)
	if !ok || !or.Or {
		return nil
	}
	var alternatives []expr.Expr
	for _, a := range or.Args {
		own := slices.DeleteFunc(expr.Conjuncts(a), func(c expr.Expr) bool { return !within(c, from, to) })
		if len(own) == 0 {
			return nil
		}
		alternatives = append(alternatives, expr.And(own...))
	}
	return expr.Or(alternatives...)
}

// within reports whether a condition is about columns in [from, to), and may be checked once more for other rows.
func within(c expr.Expr, from, to int) bool {
	cols := expr.Columns(c)
	return len(cols) > 0 && expr.VolatilityOf(c) == expr.Immutable && !expr.CouldFail(c) &&
		!slices.ContainsFunc(cols, func(i int) bool { return i < from || i >= to })
}
