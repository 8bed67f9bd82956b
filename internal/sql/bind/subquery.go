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

// compare makes a comparison of bound operands.
func (c context) compare(op string, pos ast.Pos, l, r expr.Expr) (expr.Expr, error) {
	args := []expr.Expr{l, r}
	f, to, err := c.b.Funcs.ResolveOperator(op, expr.Types(args))
	if err != nil {
		return nil, at(err, pos)
	}
	if op == "=" && !to[0].SameKind(to[1]) {
		return c.equal(args, pos)
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

// setCall resolves a set-returning function; ok is false when there is none of the name.
func (b *Binder) setCall(e *ast.FuncCall, args []expr.Expr) (plan.SetCall, bool, error) {
	if !b.Funcs.IsSet(e.Name.Last()) {
		return plan.SetCall{}, false, nil
	}
	given := args
	fn, args, err := b.Funcs.ResolveSet(e.Name.Last(), slices.Clone(args))
	for i := range args {
		if p, ok := given[i].(*expr.Param); ok && p.T.Kind == types.KindUnknown { // it takes the type that the function wants
			args[i], err = b.cast(p, args[i].Type(), expr.CastImplicit)
		}
	}
	if err != nil {
		return plan.SetCall{}, false, at(err, e.Pos)
	}
	return plan.SetCall{Fn: fn, Args: args, Fields: fn.Fields(expr.Types(args))}, true, nil
}
