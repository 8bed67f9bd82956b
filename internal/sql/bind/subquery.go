package bind

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

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

// semiJoin turns [NOT] EXISTS and [NOT] IN (query) into a join; done is false for any other condition.
func (x *selection) semiJoin(e ast.Expr) (done bool, err error) {
	not := false
	if n, ok := e.(*ast.Not); ok {
		e, not = n.X, true
	}
	switch e := e.(type) {
	case *ast.Exists:
		kind := plan.Semi
		if not {
			kind = plan.Anti
		}
		return true, x.apply(kind, e.Query, nil)
	case *ast.In:
		if e.Query == nil {
			return false, nil
		}
		kind := plan.Semi
		if e.Not != not {
			kind = plan.NullAnti
		}
		left, err := context{b: x.b, s: x.s, sel: x, where: "WHERE"}.expr(e.X)
		if err != nil {
			return true, err
		}
		return true, x.apply(kind, e.Query, &inTest{left, e})
	}
	return false, nil
}

// inTest is the value that IN compares with the query's column.
type inTest struct {
	left expr.Expr
	e    *ast.In
}

// apply joins the input with a query that may refer to its columns.
func (x *selection) apply(kind plan.Kind, q *ast.Query, in *inTest) error {
	r, _, err := x.b.query(q, x.s)
	if err != nil {
		return err
	}
	width := len(x.in.Schema())
	var conds []expr.Expr
	if in != nil {
		if len(r.Schema()) != 1 {
			return errs.SubqueryColumns.New("what", "has too many columns").At(int(in.e.Pos))
		}
		eq, err := x.b.Funcs.Operator("=", in.left, &expr.Col{Index: width, T: r.Schema()[0].Type})
		if err != nil {
			return at(err, in.e.Pos)
		}
		conds = append(conds, eq)
	}
	x.in, err = x.correlate(kind, r, conds, q.Pos)
	return err
}

// correlate joins with a plan whose references to this level's columns become join conditions.
func (x *selection) correlate(kind plan.Kind, r plan.Node, conds []expr.Expr, pos ast.Pos) (plan.Node, error) {
	r, pulled, err := pull(r)
	if err != nil {
		return nil, at(err, pos)
	}
	width := len(x.in.Schema())
	for _, c := range pulled {
		conds = append(conds, expr.Rewrite(expr.Shift(c, width), func(e expr.Expr) expr.Expr {
			if o, ok := e.(*plan.Outer); ok && o.Depth == 1 {
				return &expr.Col{Index: o.Index, T: o.T, Name: o.Name}
			}
			return e
		}))
	}
	if kind == plan.NullAnti {
		return nullAnti(x.b, x.in, r, conds)
	}
	return MakeJoin(kind, x.in, r, conds), nil
}

// nullAnti is NOT IN: an anti join on a condition that counts as a match unless it is false.
func nullAnti(b *Binder, l, r plan.Node, conds []expr.Expr) (plan.Node, error) {
	notFalse, err := b.Funcs.Syntax("is not false", expr.And(conds[0]))
	if err != nil {
		return nil, err
	}
	return &plan.Join{Kind: plan.Anti, Left: l, Right: r, Cond: expr.And(append([]expr.Expr{notFalse}, conds[1:]...)...)}, nil
}

// scalar joins with a query of one column and at most one row; its value is a new column of the input.
func (c context) scalar(e *ast.Subquery) (expr.Expr, error) {
	if c.sel == nil {
		return nil, errs.Unsupported.New("feature", "a subquery here").At(int(e.Pos))
	}
	if c.inAgg {
		return nil, errs.Unsupported.New("feature", "a subquery as an argument of an aggregate").At(int(e.Pos))
	}
	x := c.sel
	r, _, err := c.b.query(e.Query, x.s)
	if err != nil {
		return nil, err
	}
	if len(r.Schema()) != 1 {
		return nil, errs.SubqueryColumns.New("what", "must return only one column").At(int(e.Pos))
	}
	return x.scalarColumn(r, e.Pos)
}

// scalarColumn adds the column. A count over no rows is 0, not NULL: what a global aggregate gives for no rows is put in
// place of the join's padding.
func (x *selection) scalarColumn(r plan.Node, pos ast.Pos) (expr.Expr, error) {
	t := r.Schema()[0].Type
	width := len(x.in.Schema())
	var empty expr.Expr
	if correlated(r) {
		empty = x.emptyValue(r)
	}
	if !oneRow(r) {
		r = single(r)
	}
	n, err := x.correlate(plan.Left, r, nil, pos)
	if err != nil {
		return nil, err
	}
	// Correlation may have added columns behind the value.
	p := identity(n)
	p.Exprs, p.Names = p.Exprs[:width+1], p.Names[:width+1]
	if empty != nil {
		p.Exprs[width] = &expr.Coalesce{Args: []expr.Expr{p.Exprs[width], empty}, T: t}
	}
	x.in = p
	return &expr.Col{Index: width, T: t}, nil
}

// emptyValue is the constant that a global aggregate query gives without rows, when it is not NULL: count.
func (x *selection) emptyValue(r plan.Node) expr.Expr {
	p, ok := r.(*plan.Project)
	if !ok {
		return nil
	}
	a, ok := p.Input.(*plan.Agg)
	if !ok || len(a.Group) > 0 {
		return nil
	}
	e := expr.Rewrite(p.Exprs[0], func(e expr.Expr) expr.Expr {
		if c, ok := e.(*expr.Col); ok {
			if a.Calls[c.Index].Fn.Name == "count" {
				return &expr.Const{Value: types.NewInt(0), T: types.Int8}
			}
			return expr.Null(c.T)
		}
		return e
	})
	d, err := expr.EvalConst(x.b.Ctx, e)
	if err != nil || d.IsNull() {
		return nil
	}
	return &expr.Const{Value: d, T: e.Type()}
}

// oneRow reports whether a plan has at most one row for each row of the enclosing query.
func oneRow(n plan.Node) bool {
	switch n := n.(type) {
	case *plan.Agg:
		return len(n.Group) == 0
	case *plan.Project:
		return oneRow(n.Input)
	case *plan.Filter:
		return oneRow(n.Input)
	case *plan.Limit:
		return n.Limit >= 0 && n.Limit <= 1
	case *plan.Values:
		return len(n.Rows) <= 1
	}
	return false
}

// single makes sure of one row: more are an error.
func single(n plan.Node) plan.Node {
	f := n.Schema()[0]
	return &plan.Agg{Input: n, Calls: []agg.Call{{Fn: agg.OnlyValue, Args: []int{0}, Filter: -1, T: f.Type}}, Names: []string{f.Name}}
}

// exists and IN inside of a larger condition count the rows.
func (c context) exists(e *ast.Exists) (expr.Expr, error) {
	if c.sel == nil {
		return nil, errs.Unsupported.New("feature", "EXISTS here").At(int(e.Pos))
	}
	r, _, err := c.b.query(e.Query, c.sel.s)
	if err != nil {
		return nil, err
	}
	n, err := c.counted(r)
	if err != nil {
		return nil, err
	}
	col, err := c.sel.scalarColumn(n, e.Pos)
	if err != nil {
		return nil, err
	}
	return c.b.Funcs.Operator(">", col, &expr.Const{Value: types.NewInt(0), T: types.Int8})
}

// counted is SELECT count(*) over a plan.
func (c context) counted(n plan.Node) (plan.Node, error) {
	fn, _, err := c.b.Aggs.Resolve("count", nil)
	if err != nil {
		return nil, err
	}
	a := &plan.Agg{Input: n, Calls: []agg.Call{{Fn: fn, Filter: -1, T: types.Int8}}, Names: []string{"count"}}
	return identity(a), nil
}

func (c context) inQuery(e *ast.In) (expr.Expr, error) {
	return nil, errs.Unsupported.New("feature", "IN (query) inside of a larger expression").At(int(e.Pos))
}

// quantified is op ANY | ALL (array); with a query only = ANY and <> ALL, which are IN and NOT IN.
func (c context) quantified(e *ast.Quantified) (expr.Expr, error) {
	if e.Query != nil {
		if e.Op.Name == "=" && !e.All || e.Op.Name == "<>" && e.All {
			return c.in(&ast.In{Pos: e.Pos, X: e.X, Query: e.Query, Not: e.All})
		}
		return nil, errs.Unsupported.New("feature", "this comparison with a subquery").At(int(e.Pos))
	}
	args, err := c.list([]ast.Expr{e.X, e.Array})
	if err != nil {
		return nil, err
	}
	x, err := c.b.Funcs.Quantified(e.Op.Name, e.All, args[0], args[1])
	return x, at(err, e.Pos)
}

// setCall resolves a set-returning function; ok is false when there is none of the name.
func (b *Binder) setCall(e *ast.FuncCall, args []expr.Expr) (plan.SetCall, bool, error) {
	if !b.Funcs.IsSet(e.Name.Last()) {
		return plan.SetCall{}, false, nil
	}
	fn, args, err := b.Funcs.ResolveSet(e.Name.Last(), args)
	if err != nil {
		return plan.SetCall{}, false, at(err, e.Pos)
	}
	return plan.SetCall{Fn: fn, Args: args, Fields: fn.Fields(expr.Types(args))}, true, nil
}
