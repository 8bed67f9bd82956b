package bind

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// operands binds what an operator stands between. Two ROW(...) that are compared are compared field by field, so each pair
// of fields takes a type that both have.
func (c context) operands(op string, pos ast.Pos, es []ast.Expr) ([]expr.Expr, error) {
	if len(es) == 2 {
		l, lok := es[0].(*ast.Row)
		r, rok := es[1].(*ast.Row)
		if lok && rok && comparisons[op] {
			return c.rowPair(op, pos, l, r)
		}
	}
	return c.list(es)
}

var comparisons = map[string]bool{"=": true, "<>": true, "!=": true, "<": true, "<=": true, ">": true, ">=": true}

func (c context) rowPair(op string, pos ast.Pos, l, r *ast.Row) ([]expr.Expr, error) {
	left, err := c.rowFields(l)
	if err != nil {
		return nil, err
	}
	right, err := c.rowFields(r)
	if err != nil {
		return nil, err
	}
	if len(left) != len(right) {
		return nil, errs.ColumnCount.New("what", "unequal number of entries in row expressions").At(int(pos))
	}
	for i := range left {
		if _, _, err := c.b.Funcs.ResolveOperator(op, expr.Types([]expr.Expr{left[i], right[i]})); err != nil {
			return nil, at(err, pos)
		}
		pair := []expr.Expr{left[i], right[i]}
		if _, err := c.unify("ROW", pair, pos); err != nil {
			return nil, err
		}
		left[i], right[i] = pair[0], pair[1]
	}
	return []expr.Expr{c.b.Funcs.Row(nil, left), c.b.Funcs.Row(nil, right)}, nil
}

// rowIn is ROW(...) IN (list): it is compared with each item on its own.
func (c context) rowIn(e *ast.In) (expr.Expr, error) {
	any := &ast.Logic{Pos: e.Pos, Op: ast.Or}
	for _, item := range e.List {
		any.Args = append(any.Args, &ast.Binary{Pos: e.Pos, Op: ast.Operator{Name: "="}, Left: e.X, Right: item})
	}
	x := ast.Expr(any)
	if len(any.Args) == 1 {
		x = any.Args[0]
	}
	if e.Not {
		x = &ast.Not{Pos: e.Pos, X: x}
	}
	return c.expr(x)
}
