package bind

import (
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// funcCall binds a call: special forms, window functions, aggregates, set-returning functions, functions.
func (c context) funcCall(e *ast.FuncCall) (expr.Expr, error) {
	name := e.Name.Last()
	switch {
	case e.ScalarAggregate:
		return c.scalarAggregate(e)
	case name == "array_transform":
		return c.transform(e)
	case name == "map_filter":
		return c.mapFilter(e)
	case e.Over != nil:
		if c.sel == nil {
			return nil, errs.Unsupported.New("feature", "a window function here").At(int(e.Pos))
		}
		return c.sel.window(e, c)
	case name == "grouping":
		return c.grouping(e)
	case name == "greatest" || name == "least":
		return c.extreme(e)
	case name == "coalesce":
		return c.coalesce(e)
	case name == "nullif":
		return c.nullif(e)
	case c.b.Aggs.Has(name) || e.Star:
		return c.aggregate(e)
	}
	if _, ok := windowFuncs[name]; ok {
		return nil, errs.OverRequired.New("name", name).At(int(e.Pos))
	}
	args, err := c.b.args(e, c.s, &c)
	if err != nil {
		return nil, err
	}
	if f := c.b.function(e.Name, args); f != nil {
		return c.inline(f, args, e.Pos)
	}
	if !c.b.Funcs.Has(name) && c.b.Funcs.IsSet(name) {
		return c.setColumn(e, args)
	}
	if strings.HasPrefix(name, "map_") {
		if err := c.mapArgs(name, args); err != nil {
			return nil, at(err, e.Pos)
		}
	}
	if name == "pg_typeof" && len(args) == 1 && args[0].Type().Kind == types.KindUnknown {
		return &expr.Const{Value: types.NewInt(int64(types.OID(types.Unknown))), T: types.T{Kind: types.KindRegtype}}, nil
	}
	f, to, err := c.b.Funcs.Resolve(name, expr.Types(args))
	if err != nil {
		if x, ok := c.castCall(name, args); ok {
			return x, nil
		}
		if x, ok := c.catCall(name, args); ok {
			return x, nil
		}
		return nil, at(err, e.Pos)
	}
	x, err := c.apply(f, to, args)
	return x, at(err, e.Pos)
}

// catCall joins an array to one of arrays, of which it becomes an element.
func (c context) catCall(name string, args []expr.Expr) (expr.Expr, bool) {
	if name != "array_cat" && name != "array_concat" || len(args) != 2 || args[0].Type().Kind != types.KindArray || args[1].Type().Kind != types.KindArray {
		return nil, false
	}
	x, err := c.b.Funcs.Call("array_append", args...)
	if err != nil {
		x, err = c.b.Funcs.Call("array_prepend", args...)
	}
	return x, err == nil
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

// castCall is a cast written as a call, such as date('2024-02-29'), where no function of the name takes the argument.
func (c context) castCall(name string, args []expr.Expr) (expr.Expr, bool) {
	t, err := types.Lookup(name)
	if err != nil || len(args) != 1 || strings.ContainsAny(name, " []()\"") {
		return nil, false
	}
	x, err := c.b.cast(args[0], t, expr.CastExplicit)
	return x, err == nil
}

// args binds the arguments of a call.
func (b *Binder) args(e *ast.FuncCall, s *scope, c *context) ([]expr.Expr, error) {
	if c == nil {
		c = &context{b: b, s: s}
	}
	args := make([]expr.Expr, len(e.Args))
	for i, a := range e.Args {
		if a.Name != "" || a.Variadic {
			return nil, errs.Unsupported.New("feature", "named or VARIADIC arguments").At(int(a.Pos))
		}
		var err error
		if args[i], err = c.expr(a.Value); err != nil {
			return nil, err
		}
	}
	return args, nil
}

// call binds a function by name over syntax.
func (c context) call(name string, pos ast.Pos, es ...ast.Expr) (expr.Expr, error) {
	args, err := c.list(es)
	if err != nil {
		return nil, err
	}
	f, to, err := c.b.Funcs.Resolve(name, expr.Types(args))
	if err != nil {
		return nil, at(err, pos)
	}
	x, err := c.apply(f, to, args)
	return x, at(err, pos)
}

func (c context) coalesce(e *ast.FuncCall) (expr.Expr, error) {
	args, err := c.b.args(e, c.s, &c)
	if err != nil {
		return nil, err
	}
	t, err := c.unify("COALESCE", args, argPositions(e)...)
	if err != nil {
		return nil, err
	}
	return &expr.Coalesce{Args: args, T: t}, nil
}

func argPositions(e *ast.FuncCall) []ast.Pos {
	out := []ast.Pos{}
	for _, a := range e.Args {
		out = append(out, a.Value.Position())
	}
	return append(out, e.Pos)
}

// extreme is GREATEST or LEAST of arguments of one type.
func (c context) extreme(e *ast.FuncCall) (expr.Expr, error) {
	args, err := c.b.args(e, c.s, &c)
	if err != nil {
		return nil, err
	}
	if _, err := c.unify(strings.ToUpper(e.Name.Last()), args, argPositions(e)...); err != nil {
		return nil, err
	}
	x, err := c.b.Funcs.Call(e.Name.Last(), args...)
	return x, at(err, e.Pos)
}

// nullif is CASE WHEN a = b THEN NULL ELSE a END, with a as the comparison takes it: a varchar is a text there, an integer
// beside a numeric a numeric.
func (c context) nullif(e *ast.FuncCall) (expr.Expr, error) {
	if len(e.Args) != 2 {
		return nil, errs.UndefinedFunction.New("signature", "nullif").At(int(e.Pos))
	}
	a, b := e.Args[0].Value, e.Args[1].Value
	x, err := c.expr(&ast.Case{Pos: e.Pos, Whens: []ast.When{{Cond: &ast.Binary{Pos: e.Pos, Op: ast.Operator{Name: "="}, Left: a, Right: b},
		Result: &ast.NullLit{Pos: e.Pos}}}, Else: a})
	if err != nil {
		return nil, err
	}
	k, ok := x.(*expr.Case)
	if !ok {
		return x, nil
	}
	equal, ok := k.Whens[0].Cond.(*expr.Call)
	if !ok {
		return x, nil
	}
	switch t := equal.Args[0].Type(); t.Kind {
	case types.KindText, types.KindNumeric, types.KindFloat8:
		if k.T.Kind == t.Kind || k.T.Kind == types.KindFloat4 { // real has an equality of its own with double precision
			return x, nil
		}
		k.T = t
		k.Whens[0].Then = expr.Null(t)
		k.Else, err = c.b.cast(k.Else, t, expr.CastImplicit)
	}
	return k, at(err, e.Pos)
}

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
	if ofOuter(args) {
		return u, errs.Unsupported.New("feature", "an aggregate of the enclosing query inside of a subquery").At(int(e.Pos))
	}
	if fn, err = c.withDirect(&u, fn, direct); err != nil {
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
	if e.Filter == nil {
		return u, nil
	}
	f, err := c.expr(e.Filter)
	if err == nil {
		f, err = c.b.boolean(f, e.Filter, "FILTER")
	}
	u.filter = f
	return u, err
}

// ofOuter reports whether an aggregate reads the enclosing query only, to which it then belongs.
func ofOuter(args []expr.Expr) bool {
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
func (c context) withDirect(u *aggUse, fn *agg.Func, direct []expr.Expr) (*agg.Func, error) {
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

// place names where an expression stands, for messages.
func (c context) place() string {
	switch {
	case c.inAgg:
		return "aggregate function calls"
	case c.inWindow:
		return "window functions"
	case c.where != "":
		return c.where
	}
	return "this place"
}

// outputName is the name that PostgreSQL gives an output column without an alias.
func outputName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.ColumnRef:
		return e.Parts[len(e.Parts)-1]
	case *ast.FuncCall:
		return e.Name.Last()
	case *ast.Cast:
		if name := outputName(e.X); name != "?column?" {
			return name
		}
		return e.Type.Name
	case *ast.Case:
		if e.Else != nil {
			if name := outputName(e.Else); name != "?column?" {
				return name
			}
		}
		return "case"
	case *ast.Field:
		return e.Name
	case *ast.Array, *ast.ArrayQuery:
		return "array"
	case *ast.Row:
		return "row"
	case *ast.Exists:
		return "exists"
	case *ast.ValueKeyword:
		return e.Name
	case *ast.Collate:
		return outputName(e.X)
	case *ast.Subscript:
		return outputName(e.X)
	case *ast.AtTimeZone:
		return "timezone"
	case *ast.BoolLit:
		return "bool"
	case *ast.Subquery:
		if s, ok := e.Query.Body.(*ast.Select); ok && len(s.Items) == 1 {
			if s.Items[0].Alias != "" {
				return s.Items[0].Alias
			}
			return outputName(s.Items[0].Expr)
		}
	}
	return "?column?"
}
