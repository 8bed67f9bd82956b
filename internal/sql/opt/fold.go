package opt

import (
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
)

// fold computes constant parts of expressions and drops conditions that are true.
func fold(n plan.Node, o Options) plan.Node {
	if o.Ctx == nil {
		return n
	}
	n = plan.MapExprs(n, func(e expr.Expr) expr.Expr { return expr.Fold(e, o.Ctx) })
	return dropTrue(n)
}

// dropTrue removes filters that keep everything, and what feeds those that keep nothing.
func dropTrue(n plan.Node) plan.Node {
	n = plan.MapInputs(n, dropTrue)
	f, ok := n.(*plan.Filter)
	if !ok {
		return n
	}
	var conds []expr.Expr
	for _, c := range expr.Conjuncts(f.Cond) {
		k, ok := c.(*expr.Const)
		switch {
		case !ok:
			conds = append(conds, c)
		case isTrue(k):
		default:
			return &plan.Values{Fields: f.Schema()}
		}
	}
	return filter(f.Input, conds)
}

func isTrue(c *expr.Const) bool {
	return c.T.Kind == types.KindBool && !c.Value.IsNull() && c.Value.Bool()
}
