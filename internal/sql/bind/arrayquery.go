package bind

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// arrayQuery is ARRAY(query): the values in the query's order, an empty array without rows.
func (c context) arrayQuery(e *ast.ArrayQuery) (expr.Expr, error) {
	if c.sel == nil {
		return nil, errs.Unsupported.New("feature", "ARRAY(query) here").At(int(e.Pos))
	}
	r, _, err := c.b.query(e.Query, c.sel.s)
	if err != nil {
		return nil, err
	}
	if len(r.Schema()) != 1 {
		return nil, errs.SubqueryColumns.New("what", "must return only one column").At(int(e.Pos))
	}
	in, col, order := ordered(r)
	calls, err := c.b.calls(in.Schema(), call{name: "array_agg", cols: []int{col}})
	if err != nil {
		return nil, at(err, e.Pos)
	}
	calls[0].OrderBy = order
	n := &plan.Agg{Input: in, Calls: calls, Names: []string{"array"}}
	t := calls[0].T
	empty, err := c.b.Funcs.Cast(&expr.Const{Value: types.NewBytes("{}"), T: types.Unknown}, t, expr.CastImplicit)
	if err != nil {
		return nil, err
	}
	all := &expr.Coalesce{Args: []expr.Expr{outputOf(n, 0), empty}, T: t}
	return c.value(&plan.Project{Input: n, Exprs: []expr.Expr{all}, Names: []string{"array"}}, e.Pos)
}

// ordered takes the ORDER BY off a query of one column, for an aggregate to use; with LIMIT the Sort stays below too. The
// projection that hides columns which are only ordered by is taken off with it.
func ordered(n plan.Node) (in plan.Node, col int, order []agg.Order) {
	if p, ok := n.(*plan.Project); ok && len(p.Exprs) == 1 {
		if c, ok := p.Exprs[0].(*expr.Col); ok {
			if in, order := unsorted(p.Input); order != nil {
				return in, c.Index, order
			}
		}
	}
	in, order = unsorted(n)
	return in, 0, order
}

func unsorted(n plan.Node) (in plan.Node, order []agg.Order) {
	var s *plan.Sort
	switch n := n.(type) {
	case *plan.Sort:
		s, in = n, n.Input
	case *plan.Limit:
		s, _ = n.Input.(*plan.Sort)
		in = n
	}
	if s == nil {
		return n, nil
	}
	for _, o := range s.Order {
		order = append(order, agg.Order(o))
	}
	return in, order
}
