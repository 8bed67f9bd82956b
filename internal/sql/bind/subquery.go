package bind

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// subUse is a subquery met in an expression after WHERE. It is applied to the rows that the expression is over, which are
// groups when the block groups.
type subUse struct {
	n      plan.Node
	scalar bool
	pos    ast.Pos
	match  *matchUse
	// Once applied, the subquery's columns begin here.
	at      int
	applied bool
}

// matchUse joins by left = column 0 of the subquery.
type matchUse struct{ left expr.Expr }

// where binds WHERE. EXISTS and IN at its top level become semi and anti joins.
func (x *selection) where(e ast.Expr) error {
	for _, part := range conjuncts(e) {
		done, err := x.semiJoin(part)
		if err != nil {
			return err
		}
		if done {
			continue
		}
		c, err := context{b: x.b, s: x.s, sel: x, where: "WHERE"}.expr(part)
		if err == nil {
			c, err = x.b.boolean(c, part, "WHERE")
		}
		if err != nil {
			return err
		}
		x.in = &plan.Filter{Input: x.in, Cond: c}
	}
	return nil
}

func conjuncts(e ast.Expr) []ast.Expr {
	l, ok := e.(*ast.Logic)
	if !ok || l.Op != ast.And {
		return []ast.Expr{e}
	}
	var out []ast.Expr
	for _, a := range l.Args {
		out = append(out, conjuncts(a)...)
	}
	return out
}

// semiJoin turns [NOT] EXISTS and [NOT] IN (query) into an Apply; done is false for any other condition.
func (x *selection) semiJoin(e ast.Expr) (done bool, err error) {
	not := false
	for n, ok := e.(*ast.Not); ok; n, ok = e.(*ast.Not) {
		e, not = n.X, !not
	}
	switch e := e.(type) {
	case *ast.Exists:
		kind := plan.Semi
		if not {
			kind = plan.Anti
		}
		r, _, err := x.b.query(e.Query, x.s)
		if err != nil {
			return true, err
		}
		x.in = &plan.Apply{Kind: kind, Left: x.in, Right: r}
		return true, nil
	case *ast.In:
		if e.Query == nil {
			return false, nil
		}
		kind := plan.Semi
		if e.Not != not {
			kind = plan.NullAnti
		}
		return true, x.inJoin(kind, e)
	}
	return false, nil
}

// inJoin is x [NOT] IN (query) as a join.
func (x *selection) inJoin(kind plan.Kind, e *ast.In) error {
	c := context{b: x.b, s: x.s, sel: x, where: "WHERE"}
	left, r, err := c.inSides(e.X, e.Query, e.Pos)
	if err != nil {
		return err
	}
	width := len(x.in.Schema())
	var conds []expr.Expr
	for i, l := range left {
		f := r.Schema()[i]
		eq, err := c.compare("=", e.Pos, l, &expr.Col{Index: width + i, T: f.Type, Name: f.Name})
		if err != nil {
			return err
		}
		conds = append(conds, eq)
	}
	x.in = &plan.Apply{Kind: kind, Left: x.in, Right: r, Cond: expr.And(conds...)}
	return nil
}

// inSides binds the value or row on the left of IN and the query on its right.
func (c context) inSides(x ast.Expr, q *ast.Query, pos ast.Pos) ([]expr.Expr, plan.Node, error) {
	elems := []ast.Expr{x}
	if row, ok := x.(*ast.Row); ok {
		elems = row.Elems
	}
	left, err := c.list(elems)
	if err != nil {
		return nil, nil, err
	}
	r, _, err := c.b.query(q, c.sel.s)
	if err != nil {
		return nil, nil, err
	}
	switch n := len(r.Schema()); {
	case n > len(left):
		return nil, nil, errs.SubqueryColumns.New("what", "has too many columns").At(int(pos))
	case n < len(left):
		return nil, nil, errs.SubqueryColumns.New("what", "has too few columns").At(int(pos))
	}
	return left, r, nil
}

// compare makes a comparison of bound operands.
func (c context) compare(op string, pos ast.Pos, l, r expr.Expr) (expr.Expr, error) {
	args := []expr.Expr{l, r}
	f, to, err := c.b.Funcs.ResolveOperator(op, expr.Types(args))
	if err != nil {
		return nil, at(err, pos)
	}
	x, err := c.apply(f, to, args)
	return x, at(err, pos)
}

// subquery makes the columns of a query available to the expression: at once where rows are not grouped yet, else when
// the stage of the expression is built.
func (c context) subquery(u subUse) (func(col int, t types.T) expr.Expr, error) {
	x := c.sel
	if x == nil {
		return nil, errs.Unsupported.New("feature", "a subquery here").At(int(u.pos))
	}
	x.subs = append(x.subs, u)
	i := len(x.subs) - 1
	if c.where != "" || c.inAgg {
		var err error
		if x.in, err = x.applySub(x.in, i); err != nil {
			return nil, err
		}
		return func(col int, t types.T) expr.Expr { return &expr.Col{Index: x.subs[i].at + col, T: t} }, nil
	}
	return func(col int, t types.T) expr.Expr { return &placeholder{stage: stageSub, i: i, col: col, t: t} }, nil
}

// applySub puts a subquery beside the rows of n.
func (x *selection) applySub(n plan.Node, i int) (plan.Node, error) {
	u := &x.subs[i]
	u.at, u.applied = len(n.Schema()), true
	a := &plan.Apply{Kind: plan.Left, Left: n, Right: u.n, Scalar: u.scalar}
	if u.match != nil {
		f := u.n.Schema()[0]
		eq, err := context{b: x.b}.compare("=", u.pos, u.match.left, &expr.Col{Index: u.at, T: f.Type, Name: f.Name})
		if err != nil {
			return nil, err
		}
		a.Cond = eq
	}
	return a, nil
}

// scalar is a query of one column and at most one row as a value.
func (c context) scalar(e *ast.Subquery) (expr.Expr, error) {
	if c.sel == nil {
		return nil, errs.Unsupported.New("feature", "a subquery here").At(int(e.Pos))
	}
	r, _, err := c.b.query(e.Query, c.sel.s)
	if err != nil {
		return nil, err
	}
	if len(r.Schema()) != 1 {
		return nil, errs.SubqueryColumns.New("what", "must return only one column").At(int(e.Pos))
	}
	return c.value(r, e.Pos)
}

// value is the one value of a plan.
func (c context) value(n plan.Node, pos ast.Pos) (expr.Expr, error) {
	col, err := c.subquery(subUse{n: n, scalar: true, pos: pos})
	if err != nil {
		return nil, err
	}
	return col(0, n.Schema()[0].Type), nil
}

// exists as a value counts the rows.
func (c context) exists(e *ast.Exists) (expr.Expr, error) {
	if c.sel == nil {
		return nil, errs.Unsupported.New("feature", "EXISTS here").At(int(e.Pos))
	}
	r, _, err := c.b.query(e.Query, c.sel.s)
	if err != nil {
		return nil, err
	}
	calls, err := c.b.calls(nil, call{name: "count"})
	if err != nil {
		return nil, err
	}
	n := &plan.Agg{Input: r, Calls: calls, Names: []string{"count"}}
	some, err := c.b.Funcs.Operator(">", outputOf(n, 0), &expr.Const{Value: types.NewInt(0), T: types.Int8})
	if err != nil {
		return nil, err
	}
	return c.value(&plan.Project{Input: n, Exprs: []expr.Expr{some}, Names: []string{"exists"}}, e.Pos)
}

// call names an aggregate over columns.
type call struct {
	name string
	cols []int
}

// calls makes plain aggregate calls over the columns of a node.
func (b *Binder) calls(in []types.Field, cs ...call) ([]agg.Call, error) {
	var out []agg.Call
	for _, c := range cs {
		var ts []types.T
		for _, col := range c.cols {
			ts = append(ts, in[col].Type)
		}
		fn, _, err := b.Aggs.Resolve(c.name, ts)
		if err != nil {
			return nil, err
		}
		out = append(out, agg.Call{Fn: fn, Args: c.cols, Filter: -1, T: fn.Ret(ts)})
	}
	return out, nil
}

// outputOf is an output column of a node.
func outputOf(n plan.Node, i int) *expr.Col {
	f := n.Schema()[i]
	return &expr.Col{Index: i, T: f.Type, Name: f.Name}
}

// inQuery is IN inside of a larger condition.
func (c context) inQuery(e *ast.In) (expr.Expr, error) {
	if c.sel == nil {
		return nil, errs.Unsupported.New("feature", "IN (query) here").At(int(e.Pos))
	}
	left, r, err := c.inSides(e.X, e.Query, e.Pos)
	if err != nil {
		return nil, err
	}
	var x expr.Expr
	if len(left) == 1 && !plan.Correlated(r) {
		x, err = c.member(left[0], r, e.Pos)
	} else {
		x, err = c.anyOf("=", false, left, r, e.Pos)
	}
	if err != nil || !e.Not {
		return x, err
	}
	return c.b.Funcs.Syntax("not", x)
}

// member is left IN (values of r) for a query that is the same for every row: a look-up in its distinct values, and NULL
// instead of false where a NULL is compared.
func (c context) member(left expr.Expr, r plan.Node, pos ast.Pos) (expr.Expr, error) {
	if left.Type().Kind == types.KindUnknown {
		var err error
		if left, err = c.b.cast(left, r.Schema()[0].Type, expr.CastImplicit); err != nil {
			return nil, at(err, pos)
		}
	}
	known := identity(distinct(r))
	known.Exprs, known.Names = append(known.Exprs, expr.True()), append(known.Names, "found")
	found, err := c.subquery(subUse{n: known, pos: pos, match: &matchUse{left}})
	if err != nil {
		return nil, err
	}
	calls, err := c.b.calls(r.Schema(), call{name: "count"}, call{name: "count", cols: []int{0}})
	if err != nil {
		return nil, err
	}
	counts, err := c.subquery(subUse{n: &plan.Agg{Input: r, Calls: calls, Names: []string{"rows", "values"}}, pos: pos})
	if err != nil {
		return nil, err
	}
	all, values := counts(0, types.Int8), counts(1, types.Int8)
	isNull, err := c.b.Funcs.Syntax("is null", left)
	if err != nil {
		return nil, err
	}
	empty, err := c.b.Funcs.Operator("=", all, &expr.Const{Value: types.NewInt(0), T: types.Int8})
	if err != nil {
		return nil, err
	}
	less, err := c.b.Funcs.Operator("<", values, all)
	if err != nil {
		return nil, err
	}
	return &expr.Case{T: types.Bool, Else: expr.False(), Whens: []expr.When{
		{Cond: empty, Then: expr.False()},
		{Cond: found(1, types.Bool), Then: expr.True()},
		{Cond: expr.Or(isNull, less), Then: expr.Null(types.Bool)}}}, nil
}

// anyOf is left op ANY | ALL (rows of r): the comparisons are counted for each left row.
func (c context) anyOf(op string, all bool, left []expr.Expr, r plan.Node, pos ast.Pos) (expr.Expr, error) {
	var conds []expr.Expr
	for i, l := range left {
		l, err := outward(l)
		if err != nil {
			return nil, at(err, pos)
		}
		cmp, err := c.compare(op, pos, l, outputOf(r, i))
		if err != nil {
			return nil, err
		}
		conds = append(conds, cmp)
	}
	p := &plan.Project{Input: r, Exprs: []expr.Expr{expr.And(conds...)}, Names: []string{"holds"}}
	fold := "bool_or"
	if all {
		fold = "bool_and"
	}
	calls, err := c.b.calls(p.Schema(), call{name: fold, cols: []int{0}}, call{name: "count"}, call{name: "count", cols: []int{0}})
	if err != nil {
		return nil, err
	}
	a := &plan.Agg{Input: p, Calls: calls, Names: []string{fold, "rows", "known"}}
	decided := expr.Expr(outputOf(a, 0))
	if all {
		if decided, err = c.b.Funcs.Syntax("not", decided); err != nil {
			return nil, err
		}
	}
	unknown, err := c.b.Funcs.Operator("<", outputOf(a, 2), outputOf(a, 1))
	if err != nil {
		return nil, err
	}
	result := &expr.Case{T: types.Bool, Else: boolConst(all), Whens: []expr.When{
		{Cond: decided, Then: boolConst(!all)}, {Cond: unknown, Then: expr.Null(types.Bool)}}}
	return c.value(&plan.Project{Input: a, Exprs: []expr.Expr{result}, Names: []string{"holds"}}, pos)
}

func boolConst(b bool) expr.Expr { return &expr.Const{Value: types.NewBool(b), T: types.Bool} }

// outward states an expression of a block for use inside of a subquery of the block.
func outward(e expr.Expr) (out expr.Expr, err error) {
	out = expr.Rewrite(e, func(e expr.Expr) expr.Expr {
		switch e := e.(type) {
		case *expr.Col:
			return &plan.Outer{Depth: 1, Index: e.Index, T: e.T, Name: e.Name}
		case *plan.Outer:
			return &plan.Outer{Depth: e.Depth + 1, Index: e.Index, T: e.T, Name: e.Name}
		case *placeholder:
			err = errs.Unsupported.New("feature", "comparing an aggregate with all rows of a subquery")
		}
		return e
	})
	return out, err
}

// quantified is op ANY | ALL of an array or a query.
func (c context) quantified(e *ast.Quantified) (expr.Expr, error) {
	if e.Query != nil {
		return c.quantifiedQuery(e)
	}
	args, err := c.list([]ast.Expr{e.X, e.Array})
	if err != nil {
		return nil, err
	}
	if args, err = c.typedQuantified(args); err != nil {
		return nil, at(err, e.Pos)
	}
	x, err := c.b.Funcs.Quantified(e.Op.Name, e.All, args[0], args[1])
	return x, at(err, e.Pos)
}

// typedQuantified gives a parameter on one side the type that the other asks for.
func (c context) typedQuantified(args []expr.Expr) ([]expr.Expr, error) {
	var err error
	if p, ok := args[1].(*expr.Param); ok && p.T.Kind == types.KindUnknown && args[0].Type().Kind != types.KindUnknown {
		args[1], err = c.b.cast(p, types.ArrayOf(args[0].Type()), expr.CastImplicit)
	}
	if p, ok := args[0].(*expr.Param); ok && p.T.Kind == types.KindUnknown && args[1].Type().Kind == types.KindArray {
		args[0], err = c.b.cast(p, *args[1].Type().Elem, expr.CastImplicit)
	}
	return args, err
}

func (c context) quantifiedQuery(e *ast.Quantified) (expr.Expr, error) {
	if e.Op.Name == "=" && !e.All || e.Op.Name == "<>" && e.All {
		return c.in(&ast.In{Pos: e.Pos, X: e.X, Query: e.Query, Not: e.All})
	}
	if c.sel == nil {
		return nil, errs.Unsupported.New("feature", "a subquery here").At(int(e.Pos))
	}
	left, r, err := c.inSides(e.X, e.Query, e.Pos)
	if err != nil {
		return nil, err
	}
	if len(left) > 1 {
		return nil, errs.Unsupported.New("feature", "this comparison of rows with a subquery").At(int(e.Pos))
	}
	return c.anyOf(e.Op.Name, e.All, left, r, e.Pos)
}

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

// setCall resolves a set-returning function; ok is false when there is none of the name.
func (b *Binder) setCall(e *ast.FuncCall, args []expr.Expr) (plan.SetCall, bool, error) {
	if !b.Funcs.IsSet(e.Name.Last()) {
		return plan.SetCall{}, false, nil
	}
	fn, args, err := b.Funcs.ResolveSet(e.Name.Last(), slices.Clone(args))
	if err != nil {
		return plan.SetCall{}, false, at(err, e.Pos)
	}
	return plan.SetCall{Fn: fn, Args: args, Fields: fn.Fields(expr.Types(args))}, true, nil
}
