package bind

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// transform binds array_transform(array, |x| body).
func (c context) transform(e *ast.FuncCall) (expr.Expr, error) {
	if len(e.Args) != 2 {
		return nil, errs.UndefinedFunction.New("signature", "array_transform()").At(int(e.Pos))
	}
	l, ok := e.Args[1].Value.(*ast.Lambda)
	if !ok || len(l.Params) != 1 {
		return nil, errs.LambdaExpected.New("function", "array_transform", "params", "|x|").At(int(e.Args[1].Value.Position()))
	}
	array, err := c.expr(e.Args[0].Value)
	if err != nil {
		return nil, err
	}
	if array.Type().Kind != types.KindArray {
		return nil, errs.WrongType.New("what", "the first argument of array_transform", "want", "array", "have", types.SQLName(array.Type())).At(int(e.Args[0].Value.Position()))
	}
	body, captured, err := c.lambda(l, *array.Type().Elem)
	if err != nil {
		return nil, err
	}
	return &expr.Transform{Array: array, Body: body, Captured: captured}, nil
}

// lambda binds the body over columns for the parameters, and behind them columns for what it reads of the row around it.
func (c context) lambda(l *ast.Lambda, params ...types.T) (body expr.Expr, captured []expr.Expr, err error) {
	s := &scope{outer: c.s}
	for i, p := range l.Params {
		s.cols = append(s.cols, scopeCol{name: p.Name, t: params[i], index: i})
	}
	if body, err = (context{b: c.b, s: s, where: "lambda expressions"}).expr(l.Body); err != nil {
		return nil, nil, err
	}
	if body, err = c.b.typed(body); err != nil {
		return nil, nil, at(err, l.Body.Position())
	}
	if expr.VolatilityOf(body) == expr.Volatile {
		return nil, nil, errs.Unsupported.New("feature", "a volatile function in a lambda expression").At(int(l.Body.Position()))
	}
	capture := func(x expr.Expr) expr.Expr {
		captured = append(captured, x)
		return &expr.Col{Index: len(params) + len(captured) - 1, T: x.Type(), Name: expr.String(x)}
	}
	body = expr.Rewrite(body, func(x expr.Expr) expr.Expr {
		switch x := x.(type) {
		case *plan.Outer:
			if x.Depth > 1 {
				return capture(&plan.Outer{Depth: x.Depth - 1, Index: x.Index, T: x.T, Name: x.Name})
			}
			return capture(&expr.Col{Index: x.Index, T: x.T, Name: x.Name})
		case *expr.Param:
			return capture(x)
		}
		return x
	})
	return body, captured, nil
}
