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

// aggregate binds an aggregate and returns what stands for its result.
func (c context) aggregate(e *ast.FuncCall) (expr.Expr, error) {
	switch {
	case c.sel == nil || c.where != "":
		return nil, errs.AggregateMisplaced.New("where", c.where).At(int(e.Pos))
	case c.inAgg:
		return nil, errs.NestedAggregate.New().At(int(e.Pos))
	}
	c.inAgg = true
	u, err := c.aggUse(e)
	if err != nil {
		return nil, err
	}
	return c.sel.addAgg(u), nil
}

// aggUse binds the function of an aggregate with its arguments, order and filter.
func (c context) aggUse(e *ast.FuncCall) (aggUse, error) {
	u := aggUse{name: e.Name.Last(), distinct: e.Distinct}
	args, err := c.b.args(e, c.s, &c)
	if err != nil {
		return u, err
	}
	order := e.OrderBy
	var direct []expr.Expr
	if len(e.WithinGroup) > 0 {
		direct, args, order = args, nil, e.WithinGroup
		for _, o := range e.WithinGroup {
			x, err := c.expr(o.Expr)
			if err != nil {
				return u, err
			}
			args = append(args, x)
		}
	}
	fn, to, err := c.b.Aggs.Resolve(u.name, expr.Types(args))
	if err != nil {
		return u, at(err, e.Pos)
	}
	for i := range args {
		if !args[i].Type().SameKind(to[i]) {
			if args[i], err = c.b.cast(args[i], to[i], expr.CastImplicit); err != nil {
				return u, at(err, e.Pos)
			}
		}
	}
	if u.filter, err = c.aggFilter(e); err != nil {
		return u, err
	}
	if e.Over == nil && ofOuter(args, u.filter) {
		return u, errs.Unsupported.New("feature", "an aggregate of the enclosing query inside of a subquery").At(int(e.Pos))
	}
	if fn, err = c.withDirect(&u, fn, args, direct); err != nil {
		return u, at(err, e.Pos)
	}
	u.fn, u.args, u.t = fn, args, fn.Ret(expr.Types(args))
	if err := c.aggOrder(&u, order); err != nil {
		return u, err
	}
	if u.distinct {
		if err := distinctOrder(&u, e); err != nil {
			return u, err
		}
	}
	return u, nil
}

// aggFilter binds the FILTER of an aggregate, nil for none.
func (c context) aggFilter(e *ast.FuncCall) (expr.Expr, error) {
	if e.Filter == nil {
		return nil, nil
	}
	f, err := c.expr(e.Filter)
	if err != nil {
		return nil, err
	}
	return c.b.boolean(f, e.Filter, "FILTER")
}

// ofOuter reports whether an aggregate with a filter, nil for none, reads the enclosing query only, to which it then belongs.
func ofOuter(args []expr.Expr, filter expr.Expr) bool {
	if filter != nil {
		args = append(slices.Clone(args), filter)
	}
	outer := false
	for _, a := range args {
		if len(expr.Columns(a)) > 0 {
			return false
		}
		outer = outer || hasForeign(a)
	}
	return outer
}

// distinctOrder: with DISTINCT the order may only be by the arguments.
func distinctOrder(u *aggUse, e *ast.FuncCall) error {
	for i, o := range u.order {
		same := func(a expr.Expr) bool { return expr.Equal(a, o.e) || expr.Equal(uncast(a), o.e) }
		if k := slices.IndexFunc(u.args, same); k >= 0 {
			u.order[i].e = u.args[k]
		} else {
			return errs.InvalidColumnRef.New("what", "in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list").At(int(e.OrderBy[i].Expr.Position()))
		}
	}
	return nil
}

// uncast is an argument without the cast to text that a function wants of varchar: the order of both is the same.
func uncast(e expr.Expr) expr.Expr {
	if call, ok := e.(*expr.Call); ok && call.Fn.Kind == expr.KindCast && call.T.Kind == types.KindText && call.Args[0].Type().Kind == types.KindVarchar {
		return call.Args[0]
	}
	return e
}

// withDirect gives an ordered-set aggregate its direct arguments, which must be constants.
func (c context) withDirect(u *aggUse, fn *agg.Func, args, direct []expr.Expr) (*agg.Func, error) {
	for i, a := range direct {
		want := types.Float8
		if i < len(fn.Direct) {
			want = fn.Direct[i]
		}
		if a.Type().Kind == types.KindArray && want.Kind != types.KindArray { // an array of fractions
			want = types.ArrayOf(want)
		}
		x, err := c.b.cast(a, want, expr.CastAssignment)
		if err != nil {
			return nil, err
		}
		if !constant(x) {
			return nil, errs.Unsupported.New("feature", "a direct argument that is not a constant")
		}
		v, err := expr.EvalConst(c.b.Ctx, x)
		if err != nil {
			return nil, err
		}
		u.direct, u.directTs = append(u.direct, v), append(u.directTs, want)
	}
	if len(direct) == 0 && len(fn.Direct) > 0 {
		return nil, errs.UndefinedFunction.New("signature", signature(u.name, args))
	}
	if len(direct) == 0 {
		return fn, nil
	}
	return fn.WithDirect(u.direct, u.directTs)
}

// constant reports whether an expression can be computed while the statement is bound.
func constant(e expr.Expr) bool {
	ok := true
	expr.Walk(e, func(e expr.Expr) bool {
		switch e.(type) {
		case *expr.Col, *expr.Param, *plan.Outer, *placeholder:
			ok = false
		}
		return ok
	})
	return ok
}

func (c context) aggOrder(u *aggUse, items []ast.OrderItem) error {
	for _, o := range items {
		x, err := c.expr(o.Expr)
		if err != nil {
			return err
		}
		p := orderOf(o, 0)
		u.order = append(u.order, aggOrder{x, p.Desc, p.NullsFirst})
	}
	return nil
}

// addAgg records an aggregate once, however often it is written.
func (x *selection) addAgg(u aggUse) expr.Expr {
	for i, have := range x.calls {
		if sameAgg(have, u) {
			return &placeholder{stage: stageAgg, i: i, t: u.t}
		}
	}
	x.calls = append(x.calls, u)
	return &placeholder{stage: stageAgg, i: len(x.calls) - 1, t: u.t}
}

func sameAgg(a, b aggUse) bool {
	if a.name != b.name || len(a.direct) == 0 && a.fn != b.fn || a.distinct != b.distinct || len(a.args) != len(b.args) || len(a.order) != len(b.order) ||
		len(a.direct) != len(b.direct) || (a.filter == nil) != (b.filter == nil) {
		return false
	}
	for i := range a.direct {
		if a.direct[i] != b.direct[i] {
			return false
		}
	}
	for i := range a.args {
		if !expr.Equal(a.args[i], b.args[i]) {
			return false
		}
	}
	for i := range a.order {
		if !expr.Equal(a.order[i].e, b.order[i].e) || a.order[i].desc != b.order[i].desc || a.order[i].nullsFirst != b.order[i].nullsFirst {
			return false
		}
	}
	return a.filter == nil || expr.Equal(a.filter, b.filter)
}

// scalarAggregate is aggregate:f(x, ...): f of the array of all x and the other arguments.
func (c context) scalarAggregate(e *ast.FuncCall) (expr.Expr, error) {
	if len(e.Args) == 0 {
		return nil, errs.UndefinedFunction.New("signature", e.Name.Last()+"()").At(int(e.Pos))
	}
	gather := *e
	gather.Args = e.Args[:1]
	gather.ScalarAggregate, gather.Name = false, ast.Name{Pos: e.Name.Pos, Parts: []string{"array_agg"}}
	return c.funcCall(&ast.FuncCall{Pos: e.Pos, Name: e.Name, Args: append([]ast.Arg{{Pos: e.Pos, Value: &gather}}, e.Args[1:]...)})
}
