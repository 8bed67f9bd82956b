package bind

import (
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
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
	case hypothetical(e):
		return c.hypothetical(e)
	case c.b.Aggs.Has(name) || e.Star:
		return c.aggregate(e)
	case spreads(e):
		return c.spread(e)
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
	return c.resolved(name, args, e.Pos)
}

// resolved is the call of a built-in function, or what else may be written like one.
func (c context) resolved(name string, args []expr.Expr, pos ast.Pos) (expr.Expr, error) {
	f, to, err := c.b.Funcs.Resolve(name, expr.Types(args))
	if err != nil {
		if x, ok := c.castCall(name, args); ok {
			return x, nil
		}
		if x, ok := c.catCall(name, args); ok {
			return x, nil
		}
		return nil, at(err, pos)
	}
	x, err := c.apply(f, to, args)
	return x, at(err, pos)
}

// args binds the arguments of a call.
func (b *Binder) args(e *ast.FuncCall, s *scope, c *context) ([]expr.Expr, error) {
	if c == nil {
		c = &context{b: b, s: s}
	}
	if spreads(e) {
		return nil, errs.Unsupported.New("feature", "VARIADIC here").At(int(e.Args[len(e.Args)-1].Pos))
	}
	values, err := c.positional(e)
	if err != nil {
		return nil, err
	}
	args, err := c.list(values)
	return slices.DeleteFunc(args, outParam), err
}

// outParam tells a parameter of type void: JDBC passes one for each OUT parameter of a function, as PostgreSQL's does.
func outParam(e expr.Expr) bool {
	p, ok := e.(*expr.Param)
	return ok && p.T.Kind == types.KindVoid
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
