package bind

import (
	"slices"
	"strconv"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// query binds a query expression and returns its plan and the names of its columns.
func (b *Binder) query(q *ast.Query, outer *scope) (plan.Node, []string, error) {
	return b.queryAs(q, outer, false)
}

// queryAs is query; with keepUnknown, literals without a type stay so where the query is nothing but them.
func (b *Binder) queryAs(q *ast.Query, outer *scope, keepUnknown bool) (plan.Node, []string, error) {
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
		s = &scope{outer: s, ctes: map[string]cte{item.Name.Name: {query: q, columns: item.Columns, scope: s, pos: item.Name.Pos}}}
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

// values binds VALUES: columns get the common type of their values.
func (b *Binder) values(v *ast.Values, outer *scope) (plan.Node, []string, error) {
	r := rowsOf{b: b, outer: outer}
	for _, row := range v.Rows {
		if len(row) != len(v.Rows[0]) {
			return nil, nil, errs.ColumnCount.New("what", "VALUES lists must all be the same length").At(int(row[0].Position()))
		}
		if err := r.add(row, func(c context, _ int, e ast.Expr) (expr.Expr, error) { return c.expr(e) }); err != nil {
			return nil, nil, err
		}
	}
	var names []string
	var fields []types.Field
	for j := range v.Rows[0] {
		col := make([]expr.Expr, len(v.Rows))
		pos := make([]ast.Pos, len(v.Rows))
		for i := range v.Rows {
			col[i], pos[i] = r.rows[i][j], v.Rows[i][j].Position()
		}
		t, err := context{b: b}.unify("VALUES", col, pos...)
		if err != nil {
			return nil, nil, err
		}
		for i := range v.Rows {
			r.rows[i][j] = col[i]
		}
		names = append(names, "column"+strconv.Itoa(j+1))
		fields = append(fields, types.Field{Name: names[j], Type: t})
	}
	return r.node(fields), names, nil
}

// rowsOf collects rows of expressions. Rows with subqueries are projections of what these give.
type rowsOf struct {
	b     *Binder
	outer *scope
	rows  [][]expr.Expr
	over  []plan.Node // what each row is computed from
	any   bool        // some row has a subquery
}

// add binds a row, each value by bind.
func (r *rowsOf) add(row []ast.Expr, bind func(c context, i int, e ast.Expr) (expr.Expr, error)) error {
	one := plan.Node(&plan.Values{Rows: [][]expr.Expr{{}}})
	x := &selection{b: r.b, in: one, s: &scope{outer: r.outer}}
	out := make([]expr.Expr, len(row))
	for i, e := range row {
		var err error
		if out[i], err = bind(context{b: r.b, s: x.s, sel: x, where: "VALUES"}, i, e); err != nil {
			return err
		}
	}
	r.rows, r.over, r.any = append(r.rows, out), append(r.over, x.in), r.any || x.in != one
	return nil
}

// node is the relation of the rows.
func (r *rowsOf) node(fields []types.Field) plan.Node {
	if !r.any {
		return &plan.Values{Rows: r.rows, Fields: fields}
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	u := &plan.Union{}
	for i, row := range r.rows {
		u.Ins = append(u.Ins, &plan.Project{Input: r.over[i], Exprs: row, Names: names})
	}
	if len(u.Ins) == 1 {
		return u.Ins[0]
	}
	return u
}

// setOp binds UNION, EXCEPT and INTERSECT.
func (b *Binder) setOp(o *ast.SetOp, outer *scope) (plan.Node, []string, error) {
	l, names, err := b.body(o.Left, outer, true)
	if err != nil {
		return nil, nil, err
	}
	r, rightNames, err := b.body(o.Right, outer, true)
	if err != nil {
		return nil, nil, err
	}
	if o.Corresponding {
		if l, r, names, err = corresponding(o, l, r, names, rightNames); err != nil {
			return nil, nil, err
		}
	}
	lf, rf := l.Schema(), r.Schema()
	if len(lf) != len(rf) {
		return nil, nil, errs.ColumnCount.New("what", "each "+string(o.Kind)+" query must have the same number of columns").At(int(itemPos(o.Right, 0)))
	}
	ts := make([]types.T, len(lf))
	for i := range lf {
		if ts[i], err = expr.CommonType(string(o.Kind), []types.T{lf[i].Type, rf[i].Type}); err != nil {
			return nil, nil, at(err, itemPos(o.Right, i))
		}
	}
	if l, err = b.coerceColumns(l, ts, o.Left); err != nil {
		return nil, nil, err
	}
	if r, err = b.coerceColumns(r, ts, o.Right); err != nil {
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

// corresponding keeps the columns that both sides have by name, in the order of the left, or those of BY.
func corresponding(o *ast.SetOp, l, r plan.Node, names, rightNames []string) (plan.Node, plan.Node, []string, error) {
	var want []string
	for _, id := range o.CorrespondingBy {
		want = append(want, id.Name)
	}
	if len(want) == 0 {
		for _, n := range names {
			if slices.Contains(rightNames, n) {
				want = append(want, n)
			}
		}
	}
	lp, rp := &plan.Project{Input: l, Names: want}, &plan.Project{Input: r, Names: want}
	for _, n := range want {
		i, k := slices.Index(names, n), slices.Index(rightNames, n)
		if i < 0 || k < 0 {
			return nil, nil, nil, errs.UndefinedColumn.New("name", "\""+n+"\"").At(int(o.Pos))
		}
		lp.Exprs, rp.Exprs = append(lp.Exprs, outputOf(l, i)), append(rp.Exprs, outputOf(r, k))
	}
	if len(want) == 0 {
		return nil, nil, nil, errs.ColumnCount.New("what", "the sides of "+string(o.Kind)+" CORRESPONDING have no column in common").At(int(o.Pos))
	}
	return lp, rp, want, nil
}

// itemPos is where the expression of an output column stands.
func itemPos(body ast.Body, i int) ast.Pos {
	switch body := body.(type) {
	case *ast.Select:
		if i < len(body.Items) {
			return body.Items[i].Expr.Position()
		}
	case *ast.Values:
		if i < len(body.Rows[0]) {
			return body.Rows[0][i].Position()
		}
	case *ast.SetOp:
		return itemPos(body.Left, i)
	case *ast.Query:
		return itemPos(body.Body, i)
	}
	return body.Position()
}

// coerceColumns casts columns where their types differ.
func (b *Binder) coerceColumns(n plan.Node, ts []types.T, body ast.Body) (plan.Node, error) {
	p := identity(n)
	changed := false
	for i, t := range ts {
		if p.Exprs[i].Type().Equal(t) {
			continue
		}
		e, err := b.cast(literalOf(n, i), t, expr.CastImplicit)
		if err != nil {
			return nil, at(err, itemPos(body, i))
		}
		p.Exprs[i], changed = e, true
	}
	if !changed {
		return n, nil
	}
	return p, nil
}

// literalOf is an output column, or the literal or parameter without a type that it is: that is cast where it stands.
func literalOf(n plan.Node, i int) expr.Expr {
	if p, ok := n.(*plan.Project); ok && p.Exprs[i].Type().Kind == types.KindUnknown {
		switch e := p.Exprs[i].(type) {
		case *expr.Const, *expr.Param:
			return e
		}
	}
	return outputOf(n, i)
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
