package opt

import (
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
)

// limitValues takes over the numbers of LIMIT and OFFSET that were parameters. NULL and what cannot be computed is no
// limit, as PostgreSQL has it for NULL.
func limitValues(n plan.Node) plan.Node {
	n = plan.MapInputs(n, limitValues)
	l, ok := n.(*plan.Limit)
	if !ok {
		return n
	}
	c := *l
	if v, ok := constant(l.LimitExpr); ok {
		c.Limit, c.LimitExpr = max(v, -1), nil
	}
	if v, ok := constant(l.OffsetExpr); ok {
		c.Offset, c.OffsetExpr = max(v, 0), nil
	}
	return &c
}

// constant evaluates a number; ok is false when there is none.
func constant(e expr.Expr) (int64, bool) {
	if e == nil {
		return 0, false
	}
	v, err := expr.EvalConst(&expr.Ctx{}, e)
	if err != nil {
		return 0, false // a parameter without a value: the statement is only described
	}
	if v.IsNull() {
		return -1, true
	}
	return v.Int(), true
}

// innerOrder leaves Sort and Limit only at the root: rows inside of a plan have no order, and a limit of some is a TopN.
func innerOrder(n plan.Node) plan.Node {
	switch n := n.(type) {
	case *plan.Limit:
		if s, ok := n.Input.(*plan.Sort); ok {
			return n.WithInputs([]plan.Node{s.WithInputs([]plan.Node{unordered(s.Input)})})
		}
		return n.WithInputs([]plan.Node{unordered(n.Input)})
	case *plan.Sort:
		return n.WithInputs([]plan.Node{unordered(n.Input)})
	case *plan.Project:
		return n.WithInputs([]plan.Node{innerOrder(n.Input)})
	}
	return unordered(n)
}

func unordered(n plan.Node) plan.Node {
	switch n := n.(type) {
	case *plan.Sort:
		return unordered(n.Input)
	case *plan.Limit:
		t := topN(n)
		if t.Limit < 0 && t.Offset == 0 {
			return unordered(t.Input)
		}
		return t.WithInputs([]plan.Node{unordered(t.Input)})
	}
	return plan.MapInputs(n, unordered)
}
