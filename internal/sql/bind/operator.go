package bind

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// apply finishes a call whose arguments are bound, and lets parameters take the types that it wants.
func (c context) apply(f *expr.Func, to []types.T, args []expr.Expr) (expr.Expr, error) {
	for i, a := range args {
		if p, ok := a.(*expr.Param); ok && p.T.Kind == types.KindUnknown {
			var err error
			if args[i], err = c.b.cast(p, to[i], expr.CastImplicit); err != nil {
				return nil, err
			}
		}
	}
	return c.b.Funcs.Apply(f, to, args)
}

// operator binds an operator; rows are compared element by element.
func (c context) operator(name string, pos ast.Pos, es ...ast.Expr) (expr.Expr, error) {
	args, err := c.operands(name, pos, es)
	if err != nil {
		return nil, err
	}
	if len(args) == 1 && name == "-" {
		if k, ok := args[0].(*expr.Const); ok && k.T.Kind == types.KindNumeric {
			if d, err := types.Parse(types.Int8, "-"+types.Format(k.T, k.Value, types.Ctx{}), types.Ctx{}); err == nil {
				return &expr.Const{Value: d, T: types.Int8}, nil // -9223372036854775808
			}
		}
	}
	f, to, err := c.b.Funcs.ResolveOperator(name, expr.Types(args))
	if err != nil {
		return nil, at(err, pos)
	}
	if name == "=" && !to[0].SameKind(to[1]) {
		return c.equal(args, pos)
	}
	x, err := c.apply(f, to, args)
	return x, at(err, es[len(es)-1].Position())
}

// equal compares values of two types, such as integer and bigint, as values of their common type: joins hash by it.
func (c context) equal(args []expr.Expr, pos ast.Pos) (expr.Expr, error) {
	t, err := expr.CommonType("=", expr.Types(args))
	if err != nil || !c.b.Funcs.CanCast(args[0].Type(), t, expr.CastImplicit) || !c.b.Funcs.CanCast(args[1].Type(), t, expr.CastImplicit) {
		x, err := c.b.Funcs.Operator("=", args...)
		return x, at(err, pos)
	}
	for i := range args {
		if args[i], err = c.b.cast(args[i], t, expr.CastImplicit); err != nil {
			return nil, at(err, pos)
		}
	}
	x, err := c.b.Funcs.Operator("=", args...)
	return x, at(err, pos)
}

// compared binds a special comparison whose sides get their common type.
func (c context) compared(name string, pos ast.Pos, l, r ast.Expr) (expr.Expr, error) {
	args, err := c.operands("=", pos, []ast.Expr{l, r})
	if err != nil {
		return nil, err
	}
	t, err := expr.CommonType("IS DISTINCT FROM", expr.Types(args))
	if err != nil {
		return nil, at(err, pos)
	}
	for i := range args {
		if args[i], err = c.b.cast(args[i], t, expr.CastImplicit); err != nil {
			return nil, at(err, pos)
		}
	}
	x, err := c.b.Funcs.Syntax(name, args...)
	return x, at(err, pos)
}

func (c context) logic(e *ast.Logic) (expr.Expr, error) {
	out := &expr.Logic{Or: e.Op == ast.Or}
	for _, a := range e.Args {
		x, err := c.expr(a)
		if err == nil {
			x, err = c.b.boolean(x, a, string(e.Op))
		}
		if err != nil {
			return nil, err
		}
		out.Args = append(out.Args, x)
	}
	return out, nil
}

func (c context) not(e *ast.Not) (expr.Expr, error) {
	x, err := c.expr(e.X)
	if err == nil {
		x, err = c.b.boolean(x, e.X, "NOT")
	}
	if err != nil {
		return nil, err
	}
	return c.b.Funcs.Syntax("not", x)
}

func (c context) test(e *ast.Test) (expr.Expr, error) {
	x, err := c.expr(e.X)
	if err != nil {
		return nil, err
	}
	name := "is " + strings.ToLower(string(e.Kind))
	if e.Not {
		name = "is not " + strings.ToLower(string(e.Kind))
	}
	if e.Kind != ast.IsNull {
		if x, err = c.b.boolean(x, e.X, "IS "+string(e.Kind)); err != nil {
			return nil, err
		}
	} else if x.Type().Kind == types.KindUnknown {
		if x, err = c.b.cast(x, types.Text, expr.CastImplicit); err != nil {
			return nil, err
		}
	}
	out, err := c.b.Funcs.Syntax(name, x)
	return out, at(err, e.Pos)
}

func (c context) match(e *ast.Match) (expr.Expr, error) {
	op := map[ast.LikeKind]string{ast.Like: "~~", ast.ILike: "~~*"}[e.Kind]
	var x expr.Expr
	var err error
	pattern := e.Pattern
	if e.Escape != nil && e.Kind != ast.SimilarTo {
		pattern = &ast.FuncCall{Pos: e.Pos, Name: ast.Name{Pos: e.Pos, Parts: []string{"like_escape"}}, Args: []ast.Arg{{Value: pattern}, {Value: e.Escape}}}
	}
	if e.Kind == ast.SimilarTo {
		op = "~"
		args := []ast.Arg{{Value: pattern}}
		if e.Escape != nil {
			args = append(args, ast.Arg{Value: e.Escape})
		}
		pattern = &ast.FuncCall{Pos: e.Pos, Name: ast.Name{Pos: e.Pos, Parts: []string{"similar_to_escape"}}, Args: args}
	}
	if x, err = c.operator(op, e.Pos, e.X, pattern); err != nil || !e.Not {
		return x, err
	}
	return c.b.Funcs.Syntax("not", x)
}

// between is two comparisons.
func (c context) between(e *ast.Between) (expr.Expr, error) {
	within := func(low, high ast.Expr) ast.Expr {
		return &ast.Logic{Pos: e.Pos, Op: ast.And, Args: []ast.Expr{
			&ast.Binary{Pos: e.Pos, Op: ast.Operator{Name: ">="}, Left: e.X, Right: low},
			&ast.Binary{Pos: e.Pos, Op: ast.Operator{Name: "<="}, Left: e.X, Right: high}}}
	}
	x := within(e.Low, e.High)
	if e.Symmetric {
		x = &ast.Logic{Pos: e.Pos, Op: ast.Or, Args: []ast.Expr{x, within(e.High, e.Low)}}
	}
	if e.Not {
		x = &ast.Not{Pos: e.Pos, X: x}
	}
	return c.expr(x)
}

// in is a disjunction of equalities; IN with a query is in subquery.go.
func (c context) in(e *ast.In) (expr.Expr, error) {
	if e.Query != nil {
		return c.inQuery(e)
	}
	if _, ok := e.X.(*ast.Row); ok {
		return c.rowIn(e)
	}
	args, err := c.list(append([]ast.Expr{e.X}, e.List...))
	if err != nil {
		return nil, err
	}
	out := &expr.Logic{Or: true}
	for i, a := range args[1:] {
		f, to, err := c.b.Funcs.ResolveOperator("=", expr.Types([]expr.Expr{args[0], a}))
		if err != nil {
			return nil, at(err, e.Pos)
		}
		x, err := c.apply(f, to, []expr.Expr{args[0], a})
		if err != nil {
			return nil, at(err, e.List[i].Position())
		}
		out.Args = append(out.Args, x)
	}
	x := expr.Expr(out)
	if len(out.Args) == 1 {
		x = out.Args[0]
	}
	if e.Not {
		return c.b.Funcs.Syntax("not", x)
	}
	return x, nil
}
