package bind

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

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

// castCall is a cast written as a call, such as date('2024-02-29'), where no function of the name takes the argument.
func (c context) castCall(name string, args []expr.Expr) (expr.Expr, bool) {
	t, err := types.Lookup(name)
	if err != nil || len(args) != 1 || strings.ContainsAny(name, " []()\"") {
		return nil, false
	}
	x, err := c.b.cast(args[0], t, expr.CastExplicit)
	return x, err == nil
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
