package bind

import (
	"strconv"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// query binds a query expression and returns its plan and the names of its columns.
func (b *Binder) query(q *ast.Query, outer *scope) (plan.Node, []string, error) {
	s := outer
	if q.With != nil {
		var err error
		if s, err = b.with(q.With, outer); err != nil {
			return nil, nil, err
		}
	}
	if sel, ok := q.Body.(*ast.Select); ok {
		return b.selectQuery(sel, q, s)
	}
	n, names, err := b.body(q.Body, s)
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

// with makes the common table expressions known.
func (b *Binder) with(w *ast.With, outer *scope) (*scope, error) {
	s := &scope{outer: outer, ctes: map[string]cte{}}
	if w.Recursive {
		for _, item := range w.Items {
			if q, ok := item.Stmt.(*ast.Query); ok && mentions(q, item.Name.Name) {
				return nil, errs.Unsupported.New("feature", "WITH RECURSIVE").At(int(w.Pos))
			}
		}
	}
	for _, item := range w.Items {
		q, ok := item.Stmt.(*ast.Query)
		if !ok {
			return nil, errs.Unsupported.New("feature", "a common table expression that is not a query").At(int(item.Pos))
		}
		// Each sees those before it, so every one gets a scope of its own.
		s = &scope{outer: s, ctes: map[string]cte{item.Name.Name: {query: q, columns: item.Columns, scope: s}}}
	}
	return s, nil
}

// mentions reports whether a query reads a relation of the name at its top level.
func mentions(q *ast.Query, name string) bool {
	var body func(ast.Body) bool
	var from func(ast.TableExpr) bool
	from = func(t ast.TableExpr) bool {
		switch t := t.(type) {
		case *ast.TableRef:
			return t.Name.Schema() == "" && t.Name.Last() == name
		case *ast.Join:
			return from(t.Left) || from(t.Right)
		}
		return false
	}
	body = func(x ast.Body) bool {
		switch x := x.(type) {
		case *ast.SetOp:
			return body(x.Left) || body(x.Right)
		case *ast.Select:
			for _, t := range x.From {
				if from(t) {
					return true
				}
			}
		}
		return false
	}
	return body(q.Body)
}

// body binds what stands under ORDER BY.
func (b *Binder) body(body ast.Body, outer *scope) (plan.Node, []string, error) {
	switch body := body.(type) {
	case *ast.Query:
		return b.query(body, outer)
	case *ast.Select:
		return b.selectQuery(body, &ast.Query{Pos: body.Pos}, outer)
	case *ast.Values:
		return b.values(body, outer)
	case *ast.SetOp:
		return b.setOp(body, outer)
	}
	return nil, nil, errs.Unsupported.New("feature", "this form of query").At(int(body.Position()))
}

// values binds VALUES: columns get the common type of their values.
func (b *Binder) values(v *ast.Values, outer *scope) (plan.Node, []string, error) {
	rows := make([][]expr.Expr, len(v.Rows))
	s := &scope{outer: outer}
	for i, row := range v.Rows {
		if len(row) != len(v.Rows[0]) {
			return nil, nil, errs.ColumnCount.New("what", "VALUES lists must all be the same length").At(int(row[0].Position()))
		}
		for _, e := range row {
			x, err := b.expr(e, s)
			if err != nil {
				return nil, nil, err
			}
			rows[i] = append(rows[i], x)
		}
	}
	n := &plan.Values{Rows: rows}
	var names []string
	for j := range v.Rows[0] {
		t, err := b.unify("VALUES", rows, j)
		if err != nil {
			return nil, nil, at(err, v.Rows[0][j].Position())
		}
		names = append(names, "column"+strconv.Itoa(j+1))
		n.Fields = append(n.Fields, types.Field{Name: names[j], Type: t})
	}
	return n, names, nil
}

// unify casts column j of all rows to their common type.
func (b *Binder) unify(what string, rows [][]expr.Expr, j int) (types.T, error) {
	ts := make([]types.T, len(rows))
	for i, r := range rows {
		ts[i] = r[j].Type()
	}
	t, err := expr.CommonType(what, ts)
	if err != nil {
		return t, err
	}
	for _, r := range rows {
		if r[j], err = b.cast(r[j], t, expr.CastImplicit); err != nil {
			return t, err
		}
	}
	return t, nil
}

// setOp binds UNION, EXCEPT and INTERSECT.
func (b *Binder) setOp(o *ast.SetOp, outer *scope) (plan.Node, []string, error) {
	l, names, err := b.body(o.Left, outer)
	if err != nil {
		return nil, nil, err
	}
	r, _, err := b.body(o.Right, outer)
	if err != nil {
		return nil, nil, err
	}
	lf, rf := l.Schema(), r.Schema()
	if len(lf) != len(rf) {
		return nil, nil, errs.ColumnCount.New("what", "each "+string(o.Kind)+" query must have the same number of columns").At(int(o.Right.Position()))
	}
	ts := make([]types.T, len(lf))
	for i := range lf {
		if ts[i], err = expr.CommonType(string(o.Kind), []types.T{lf[i].Type, rf[i].Type}); err != nil {
			return nil, nil, at(err, o.Right.Position())
		}
	}
	if l, err = b.coerceColumns(l, ts); err != nil {
		return nil, nil, err
	}
	if r, err = b.coerceColumns(r, ts); err != nil {
		return nil, nil, err
	}
	if o.Kind == ast.Union {
		u := plan.Node(&plan.Union{Ins: []plan.Node{l, r}})
		if !o.All {
			u = distinct(u)
		}
		return u, names, nil
	}
	return &plan.SetOp{Intersect: o.Kind == ast.Intersect, All: o.All, Left: l, Right: r}, names, nil
}

// coerceColumns casts columns where their types differ.
func (b *Binder) coerceColumns(n plan.Node, ts []types.T) (plan.Node, error) {
	p := identity(n)
	changed := false
	for i, t := range ts {
		if p.Exprs[i].Type().Equal(t) {
			continue
		}
		e, err := b.castColumn(n, p.Exprs[i], i, t)
		if err != nil {
			return nil, err
		}
		p.Exprs[i], changed = e, true
	}
	if !changed {
		return n, nil
	}
	return p, nil
}

// castColumn casts an output column; a literal without a type is cast where it stands.
func (b *Binder) castColumn(n plan.Node, e expr.Expr, i int, t types.T) (expr.Expr, error) {
	if p, ok := n.(*plan.Project); ok && e.Type().Kind == types.KindUnknown {
		if c, ok := p.Exprs[i].(*expr.Const); ok {
			return b.Funcs.Cast(c, t, expr.CastImplicit)
		}
	}
	return b.Funcs.Cast(e, t, expr.CastImplicit)
}

// distinct removes duplicates.
func distinct(n plan.Node) plan.Node {
	a := &plan.Agg{Input: n}
	for i := range n.Schema() {
		a.Group = append(a.Group, i)
	}
	return a
}

// orderLimit adds ORDER BY and LIMIT.
func (b *Binder) orderLimit(n plan.Node, order []plan.Order, q *ast.Query, s *scope) (plan.Node, error) {
	if len(order) > 0 {
		n = &plan.Sort{Input: n, Order: order}
	}
	limit, err := b.count(q.Limit, "LIMIT", -1)
	if err != nil {
		return nil, err
	}
	offset, err := b.count(q.Offset, "OFFSET", 0)
	if err != nil {
		return nil, err
	}
	switch {
	case q.WithTies:
		return &plan.TopN{Input: unsort(n), Order: order, Limit: limit, Offset: offset, WithTies: true}, nil
	case limit >= 0 || offset > 0:
		return &plan.Limit{Input: n, Limit: limit, Offset: offset}, nil
	}
	return n, nil
}

func unsort(n plan.Node) plan.Node {
	if s, ok := n.(*plan.Sort); ok {
		return s.Input
	}
	return n
}

// count evaluates the number of LIMIT or OFFSET.
func (b *Binder) count(e ast.Expr, clause string, none int64) (int64, error) {
	if e == nil {
		return none, nil
	}
	x, err := b.expr(e, &scope{})
	if err != nil {
		return 0, err
	}
	if x, err = b.cast(x, types.Int8, expr.CastAssignment); err != nil {
		return 0, at(err, e.Position())
	}
	if _, ok := x.(*expr.Param); ok {
		return 0, errs.Unsupported.New("feature", "a parameter in "+clause).At(int(e.Position()))
	}
	d, err := expr.EvalConst(b.Ctx, x)
	if err != nil {
		return 0, at(err, e.Position())
	}
	if d.IsNull() {
		return none, nil
	}
	if d.Int() < 0 {
		return 0, errs.NegativeCount.New("clause", clause)
	}
	return d.Int(), nil
}
