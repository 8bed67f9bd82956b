package opt

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
)

// View applies the rules to the plan of a view, makes look-ups of its temporal joins, and makes conditions on the time ones
// that can be kept true as it passes.
// What depends on the time in any other way is refused.
func View(n plan.Node, o Options) (plan.Node, error) {
	if plan.Recurs(n) {
		return nil, errs.RecursionStreaming.New()
	}
	n, err := lookupJoins(Run(n, o), o)
	if err != nil {
		return nil, err
	}
	n = timeFilters(n, o.Funcs)
	if f := timed(n); f != nil {
		return nil, errs.NotMaintainable.New("function", f.Fn.Name)
	}
	return n, nil
}

// timed returns a call that depends on the time outside of the bounds of a TimeFilter.
func timed(n plan.Node) *expr.Call {
	es := plan.Exprs(n)
	if t, ok := n.(*plan.TimeFilter); ok {
		es = append(slices.Clone(t.Keys), t.Cond)
	}
	for _, e := range es {
		if c := expr.CallOf(e, expr.Momentary); c != nil {
			return c
		}
	}
	for _, in := range n.Inputs() {
		if c := timed(in); c != nil {
			return c
		}
	}
	return nil
}

// timeFilters replaces filters, and conditions of inner joins, that compare with the time.
func timeFilters(n plan.Node, funcs *expr.Registry) plan.Node {
	n = plan.MapInputs(n, func(in plan.Node) plan.Node { return timeFilters(in, funcs) })
	switch n := n.(type) {
	case *plan.Filter:
		lasting, timed := splitTimed(n.Cond)
		return timeFilter(filter(n.Input, lasting), timed, funcs)
	case *plan.Join:
		if n.Kind != plan.Inner || n.Cond == nil {
			return n
		}
		lasting, timed := splitTimed(n.Cond)
		j := *n
		if j.Cond = nil; len(lasting) > 0 {
			j.Cond = expr.And(lasting...)
		}
		return timeFilter(&j, timed, funcs)
	}
	return n
}

// splitTimed takes the conditions apart that depend on the time.
func splitTimed(cond expr.Expr) (lasting, timed []expr.Expr) {
	for _, c := range expr.Conjuncts(cond) {
		if expr.CallOf(c, expr.Momentary) == nil {
			lasting = append(lasting, c)
		} else {
			timed = append(timed, c)
		}
	}
	return lasting, timed
}

func timeFilter(in plan.Node, conds []expr.Expr, funcs *expr.Registry) plan.Node {
	if len(conds) == 0 {
		return in
	}
	f := &timeFilterMaker{funcs: funcs, width: len(in.Schema())}
	f.out.Input, f.out.Cond = in, f.condition(expr.And(conds...))
	if len(f.out.Bounds) > timeKeysMax {
		return filter(in, conds)
	}
	return &f.out
}

// timeKeysMax bounds the comparisons of a condition with the time; each costs a stored row.
const timeKeysMax = 16

// timeFilterMaker finds the comparisons with the time in a condition.
type timeFilterMaker struct {
	funcs *expr.Registry
	width int // columns of the input
	out   plan.TimeFilter
}

// condition replaces what is compared of the time by columns for the bounds; what it cannot replace stays.
func (f *timeFilterMaker) condition(e expr.Expr) expr.Expr {
	if expr.CallOf(e, expr.Momentary) == nil {
		return e
	}
	if c, ok := e.(*expr.Call); ok && len(c.Args) == 2 && slices.Contains(orderings, c.Fn.Name) {
		for i, bound := range c.Args {
			if col := f.bound(bound, c.Args[1-i]); col != nil {
				args := slices.Clone(c.Args)
				args[i] = col
				return expr.WithChildren(c, args)
			}
		}
	}
	parts := slices.Clone(expr.Children(e))
	for i, p := range parts {
		parts[i] = f.condition(p)
	}
	return expr.WithChildren(e, parts)
}

// orderings are the comparisons whose value changes only where one side reaches or passes the other.
var orderings = []string{"<", "<=", "=", ">=", ">", "<>"}

// bound is the column of a bound, nil when the comparison is not one of a row with an instant that only grows.
func (f *timeFilterMaker) bound(bound, key expr.Expr) expr.Expr {
	if !grows(bound) || expr.CallOf(key, expr.Momentary) != nil {
		return nil
	}
	if !key.Type().SameKind(bound.Type()) {
		if f.funcs == nil {
			return nil
		}
		var err error
		if key, err = f.funcs.Cast(key, bound.Type(), expr.CastExplicit); err != nil {
			return nil
		}
	}
	i := 0
	for i < len(f.out.Bounds) && !(expr.Equal(f.out.Bounds[i], bound) && expr.Equal(f.out.Keys[i], key)) {
		i++
	}
	if i == len(f.out.Bounds) {
		f.out.Bounds, f.out.Keys = append(f.out.Bounds, bound), append(f.out.Keys, key)
	}
	return &expr.Col{Index: f.width + i, T: bound.Type(), Name: "now"}
}

// grows reports whether an expression is made of the time, or of a watermark, and constants so that it grows with it.
func grows(e expr.Expr) bool {
	c, ok := e.(*expr.Call)
	if !ok {
		return false
	}
	if c.Fn.Name == expr.Watermark || len(c.Args) == 0 && slices.Contains(clocks, c.Fn.Name) {
		return true
	}
	at := expr.Growing(c)
	return at >= 0 && grows(c.Args[at])
}

// clocks are the functions that tell the time of the statement, in a view that of the barrier.
var clocks = []string{"now", "current_timestamp", "transaction_timestamp", "statement_timestamp", "current_date", "localtimestamp"}
