package opt

import (
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
)

// rankToTopN recognises row_number() <= n and rank() <= n over a window: only those rows are kept in order and emitted.
func rankToTopN(n plan.Node) plan.Node {
	n = plan.MapInputs(n, rankToTopN)
	f, ok := n.(*plan.Filter)
	if !ok {
		return n
	}
	w, back := windowBelow(f.Input)
	if w == nil {
		return n
	}
	kind, ties := rankOf(w)
	if kind == plan.None {
		return n
	}
	col := len(w.Input.Schema())
	limit := int64(-1)
	var rest []expr.Expr
	for _, c := range expr.Conjuncts(f.Cond) {
		if m, exact, ok := bound(c, back, col); ok && (limit < 0 || m < limit) {
			limit = m
			if exact {
				continue
			}
		}
		rest = append(rest, c)
	}
	if limit < 0 {
		return n
	}
	t := plan.Node(&plan.TopN{Input: w.Input, Partition: w.Partition, Order: w.Order, Limit: limit, WithTies: ties, RankCol: kind})
	if p, ok := f.Input.(*plan.Project); ok {
		t = p.WithInputs([]plan.Node{t})
	}
	return filter(t, rest)
}

// windowBelow finds a window under at most one projection; back maps the filter's columns to the window's.
func windowBelow(n plan.Node) (*plan.Window, func(int) int) {
	switch n := n.(type) {
	case *plan.Window:
		return n, func(c int) int { return c }
	case *plan.Project:
		if w, ok := n.Input.(*plan.Window); ok {
			return w, func(c int) int {
				if x, ok := n.Exprs[c].(*expr.Col); ok {
					return x.Index
				}
				return -1
			}
		}
	}
	return nil, nil
}

// rankOf tells which numbering a window computes, when that is all it does.
func rankOf(w *plan.Window) (kind plan.Rank, ties bool) {
	if len(w.Calls) != 1 {
		return plan.None, false
	}
	switch w.Calls[0].Name {
	case "row_number":
		return plan.RowNumber, false
	case "rank":
		return plan.RankWithGaps, true
	}
	return plan.None, false
}

// bound reads rank <= n, rank < n, rank = n and their mirror images; exact tells that the limit says all.
func bound(c expr.Expr, back func(int) int, rank int) (limit int64, exact, ok bool) {
	call, isCall := c.(*expr.Call)
	if !isCall || len(call.Args) != 2 {
		return 0, false, false
	}
	op, l, r := call.Fn.Name, uncast(call.Args[0]), uncast(call.Args[1])
	if _, isConst := l.(*expr.Const); isConst {
		l, r = r, l
		op = map[string]string{">=": "<=", ">": "<", "=": "="}[op]
	}
	col, isCol := l.(*expr.Col)
	k, isConst := r.(*expr.Const)
	if !isCol || !isConst || back(col.Index) != rank || k.Value.IsNull() || k.T.Phys() != types.PhysInt {
		return 0, false, false
	}
	v := k.Value.Int()
	switch op {
	case "<=":
		return max(v, 0), true, true
	case "<":
		return max(v-1, 0), true, true
	case "=":
		return max(v, 0), v == 1, true
	}
	return 0, false, false
}

// uncast looks through a cast between integers.
func uncast(e expr.Expr) expr.Expr {
	if c, ok := e.(*expr.Call); ok && c.Fn.Kind == expr.KindCast && len(c.Args) > 0 && c.T.Phys() == types.PhysInt && c.Args[0].Type().Phys() == types.PhysInt {
		return c.Args[0]
	}
	return e
}
