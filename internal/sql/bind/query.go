package bind

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// query binds a query expression and returns its plan and the names of its columns.
func (b *Binder) query(q *ast.Query, outer *scope) (plan.Node, []string, error) {
	n, names, err := b.queryAs(q, outer, false)
	if err == nil && q.EmitOnClose {
		n, err = b.emitOnClose(n)
	}
	return n, names, err
}

// queryAs is query; with keepUnknown, literals without a type stay so where the query is nothing but them.
func (b *Binder) queryAs(q *ast.Query, outer *scope, keepUnknown bool) (plan.Node, []string, error) {
	if len(q.Locking) > 0 {
		return nil, nil, errs.Unsupported.New("feature", "a SELECT that locks rows").At(int(q.Locking[0].Pos))
	}
	s := outer
	if q.With != nil {
		var err error
		if s, err = b.with(q.With, outer); err != nil {
			return nil, nil, err
		}
	}
	if sel, ok := q.Body.(*ast.Select); ok {
		return b.selectQuery(sel, q, s, keepUnknown)
	}
	n, names, err := b.body(q.Body, s, false)
	if err != nil {
		return nil, nil, err
	}
	out := &scope{outer: s}
	for i, f := range n.Schema() {
		out.cols = append(out.cols, scopeCol{name: names[i], t: f.Type, index: i})
	}
	var order []plan.Order
	for _, item := range q.OrderBy {
		i, err := b.outputColumn(item, out)
		if err != nil {
			return nil, nil, err
		}
		order = append(order, orderOf(item, i))
	}
	n, err = b.orderLimit(n, order, q, s)
	b.origins = nil
	return n, names, err
}

// outputColumn finds the output column that an ORDER BY item of a set operation names.
func (b *Binder) outputColumn(item ast.OrderItem, out *scope) (int, error) {
	switch e := item.Expr.(type) {
	case *ast.NumberLit:
		return ordinal(e, len(out.cols), "ORDER BY")
	case *ast.ColumnRef:
		if c, err := out.find(e); err != nil || c != nil {
			if err != nil {
				return 0, err
			}
			return c.index, nil
		}
		return 0, out.undefined(e)
	}
	return 0, errs.InvalidColumnRef.New("what", "invalid UNION/INTERSECT/EXCEPT ORDER BY clause").At(int(item.Expr.Position()))
}

// with makes the common table expressions known.
func (b *Binder) with(w *ast.With, outer *scope) (*scope, error) {
	s := &scope{outer: outer, ctes: map[string]cte{}}
	for i, item := range w.Items {
		if slices.ContainsFunc(w.Items[:i], func(earlier *ast.CTE) bool { return earlier.Name.Name == item.Name.Name }) {
			return nil, errs.DuplicateCTE.New("name", item.Name.Name).At(int(item.Name.Pos))
		}
		q, ok := item.Stmt.(*ast.Query)
		if !ok {
			return nil, errs.Unsupported.New("feature", "a common table expression that is not a query").At(int(item.Pos))
		}
		// Each sees those before it, so every one gets a scope of its own.
		s = &scope{outer: s, ctes: map[string]cte{item.Name.Name: {query: q, columns: item.Columns, scope: s, pos: item.Name.Pos, recursive: w.Recursive}}}
	}
	return s, nil
}

// body binds what stands under ORDER BY.
func (b *Binder) body(body ast.Body, outer *scope, keepUnknown bool) (plan.Node, []string, error) {
	switch body := body.(type) {
	case *ast.Query:
		return b.queryAs(body, outer, keepUnknown)
	case *ast.Select:
		return b.selectQuery(body, &ast.Query{Pos: body.Pos}, outer, keepUnknown)
	case *ast.Values:
		return b.values(body, outer)
	case *ast.SetOp:
		return b.setOp(body, outer)
	}
	return nil, nil, errs.Unsupported.New("feature", "this form of query").At(int(body.Position()))
}
