package bind

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

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
