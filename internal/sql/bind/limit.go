package bind

import (
	"strconv"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

func ordinal(e *ast.NumberLit, n int, clause string) (int, error) {
	k, err := strconv.Atoi(e.Text)
	if err != nil || k < 1 || k > n {
		return 0, errs.OrdinalRange.New("clause", clause, "n", e.Text).At(int(e.Pos))
	}
	return k - 1, nil
}

func orderOf(item ast.OrderItem, col int) plan.Order {
	o := plan.Order{Col: col, Desc: item.Desc || item.Using.Name == ">", NullsFirst: item.Desc || item.Using.Name == ">"}
	if item.Nulls != ast.NullsDefault {
		o.NullsFirst = item.Nulls == ast.NullsFirst
	}
	return o
}

// orderLimit adds ORDER BY and LIMIT.
func (b *Binder) orderLimit(n plan.Node, order []plan.Order, q *ast.Query, s *scope) (plan.Node, error) {
	if len(order) > 0 {
		n = &plan.Sort{Input: n, Order: order}
	}
	l := &plan.Limit{Input: n, Limit: -1}
	var err error
	if l.Limit, l.LimitExpr, err = b.count(q.Limit, "LIMIT", -1); err != nil {
		return nil, err
	}
	if l.Offset, l.OffsetExpr, err = b.count(q.Offset, "OFFSET", 0); err != nil {
		return nil, err
	}
	switch {
	case q.WithTies && len(order) == 0:
		return nil, errs.InvalidColumnRef.New("what", "WITH TIES cannot be specified without ORDER BY clause")
	case q.WithTies && (l.LimitExpr != nil || l.OffsetExpr != nil):
		return nil, errs.Unsupported.New("feature", "a parameter in FETCH ... WITH TIES").At(int(q.Limit.Position()))
	case q.WithTies:
		return &plan.Sort{Input: &plan.TopN{Input: unsort(n), Order: order, Limit: l.Limit, Offset: l.Offset, WithTies: true}, Order: order}, nil
	case l.Limit >= 0 || l.Offset > 0 || l.LimitExpr != nil || l.OffsetExpr != nil:
		return l, nil
	}
	return n, nil
}

func unsort(n plan.Node) plan.Node {
	if s, ok := n.(*plan.Sort); ok {
		return s.Input
	}
	return n
}

// count evaluates the number of LIMIT or OFFSET; what has parameters is returned as it is.
func (b *Binder) count(e ast.Expr, clause string, none int64) (int64, expr.Expr, error) {
	if e == nil {
		return none, nil, nil
	}
	x, err := context{b: b, s: &scope{}, where: clause}.expr(e)
	if err == nil {
		x, err = b.cast(x, types.Int8, expr.CastAssignment)
	}
	if err != nil {
		return 0, nil, at(err, e.Position())
	}
	if hasParam(x) {
		return none, x, nil
	}
	d, err := expr.EvalConst(b.Ctx, x)
	if err != nil {
		return 0, nil, at(err, e.Position())
	}
	if d.IsNull() {
		return none, nil, nil
	}
	if d.Int() < 0 {
		if clause == "OFFSET" {
			return 0, nil, errs.NegativeOffset.New()
		}
		return 0, nil, errs.NegativeCount.New("clause", clause)
	}
	return d.Int(), nil, nil
}

func hasParam(e expr.Expr) bool {
	found := false
	expr.Walk(e, func(e expr.Expr) bool {
		_, ok := e.(*expr.Param)
		found = found || ok
		return !found
	})
	return found
}
