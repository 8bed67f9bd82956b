package bind

import (
	"slices"

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
		if lok && rok && comparisons[op] && !slices.ContainsFunc(l.Elems, isStar) && !slices.ContainsFunc(r.Elems, isStar) {
			return c.rowPair(op, pos, l, r)
		}
		_, lq := es[0].(*ast.Subquery)
		_, rq := es[1].(*ast.Subquery)
		if (lok && rq || lq && rok) && comparisons[op] {
			return nil, errs.Unsupported.New("feature", "a row compared with the row of a query").At(int(pos))
		}
	}
	return c.list(es)
}

var comparisons = map[string]bool{"=": true, "<>": true, "!=": true, "<": true, "<=": true, ">": true, ">=": true}

func (c context) rowPair(op string, pos ast.Pos, l, r *ast.Row) ([]expr.Expr, error) {
	if len(l.Elems) != len(r.Elems) {
		return nil, errs.ColumnCount.New("what", "unequal number of entries in row expressions").At(int(pos))
	}
	var left, right []expr.Expr
	for i := range l.Elems {
		pair, err := c.operands(op, pos, []ast.Expr{l.Elems[i], r.Elems[i]})
		if err != nil {
			return nil, err
		}
		if _, _, err := c.b.Funcs.ResolveOperator(op, expr.Types(pair)); err != nil {
			return nil, at(err, pos)
		}
		if _, err := c.unify("ROW", pair, pos); err != nil {
			return nil, err
		}
		left, right = append(left, pair[0]), append(right, pair[1])
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
