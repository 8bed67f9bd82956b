package bind

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// A hypothetical-set aggregate, such as rank(v) WITHIN GROUP (ORDER BY x), is what a window function would give a row with v
// for x among those of the group. It is rewritten to counts of the rows before that one, which views can keep as any count:
//
//	rank          1 + rows before
//	dense_rank    1 + distinct keys before
//	percent_rank  rows before / rows
//	cume_dist     (1 + rows before or equal) / (1 + rows)

// hypothetical reports whether a call is of such an aggregate.
func hypothetical(e *ast.FuncCall) bool {
	if len(e.WithinGroup) == 0 || e.Over != nil {
		return false
	}
	switch e.Name.Last() {
	case "rank", "dense_rank", "percent_rank", "cume_dist":
		return true
	}
	return false
}

// hypotheticalRow makes the expressions over one call.
type hypotheticalRow struct{ call *ast.FuncCall }

// hypothetical binds the call.
func (c context) hypothetical(e *ast.FuncCall) (expr.Expr, error) {
	for _, a := range e.Args {
		x, err := c.expr(a.Value)
		switch {
		case err != nil:
			return nil, err
		case !steady(x):
			return nil, errs.Unsupported.New("feature", "a direct argument that is not a constant").At(int(a.Value.Position()))
		}
	}
	if len(e.Args) != len(e.WithinGroup) {
		args, err := c.b.args(e, c.s, &c)
		if err != nil {
			return nil, err
		}
		return nil, errs.UndefinedFunction.New("signature", signature(e.Name.Last(), args)).At(int(e.Pos)).
			WithHint("To use the hypothetical-set aggregate %s, the number of hypothetical direct arguments (here %d) must match the number of ordering columns (here %d).",
				e.Name.Last(), len(e.Args), len(e.WithinGroup))
	}
	h := hypotheticalRow{e}
	switch e.Name.Last() {
	case "rank":
		return c.expr(h.op("+", h.count(h.before(0)), h.number("1")))
	case "dense_rank":
		return c.expr(h.op("+", h.distinct(h.before(0)), h.number("1")))
	case "percent_rank":
		rows := h.function("nullif", h.count(nil), h.number("0"))
		return c.expr(h.function("coalesce", h.op("/", h.double(h.count(h.before(0))), rows), h.number("0")))
	}
	upTo := h.op("+", h.count(h.or(h.before(0), h.equal())), h.number("1"))
	return c.expr(h.op("/", h.double(upTo), h.op("+", h.count(nil), h.number("1"))))
}

// steady reports whether an expression is the same for all rows of a query: it may be a parameter, or read the row outside.
func steady(e expr.Expr) bool {
	ok := true
	expr.Walk(e, func(e expr.Expr) bool {
		switch e.(type) {
		case *expr.Col, *placeholder:
			ok = false
		}
		return ok
	})
	return ok
}

// before is the condition that a row comes before the hypothetical one, by the keys from i on.
func (h hypotheticalRow) before(i int) ast.Expr {
	key, value := h.call.WithinGroup[i], h.call.Args[i].Value
	op := "<"
	if key.Desc {
		op = ">"
	}
	if key.Using.Name != "" {
		op = key.Using.Name
	}
	nullsFirst := key.Nulls == ast.NullsFirst || key.Nulls == ast.NullsDefault && op == ">"
	null, other := value, key.Expr
	if nullsFirst {
		null, other = other, null
	}
	less := h.or(h.op(op, key.Expr, value), h.and(h.null(null, false), h.null(other, true)))
	if i+1 == len(h.call.WithinGroup) {
		return less
	}
	return h.or(less, h.and(h.same(i), h.before(i+1)))
}

// equal is the condition that a row has the keys of the hypothetical one.
func (h hypotheticalRow) equal() ast.Expr {
	var conds []ast.Expr
	for i := range h.call.WithinGroup {
		conds = append(conds, h.same(i))
	}
	return h.and(conds...)
}

func (h hypotheticalRow) same(i int) ast.Expr {
	return &ast.Distinct{Pos: h.call.Pos, Left: h.call.WithinGroup[i].Expr, Right: h.call.Args[i].Value, Not: true}
}

// count is count(*) of the rows under a condition, nil for all.
func (h hypotheticalRow) count(when ast.Expr) ast.Expr {
	return &ast.FuncCall{Pos: h.call.Pos, Name: h.named("count"), Star: true, Filter: h.filter(when)}
}

// distinct is the number of keys of the rows under a condition.
func (h hypotheticalRow) distinct(when ast.Expr) ast.Expr {
	row := &ast.Row{Pos: h.call.Pos, Explicit: true}
	for _, key := range h.call.WithinGroup {
		row.Elems = append(row.Elems, key.Expr)
	}
	return &ast.FuncCall{Pos: h.call.Pos, Name: h.named("count"), Args: []ast.Arg{{Pos: h.call.Pos, Value: row}}, Distinct: true, Filter: h.filter(when)}
}

// filter adds the call's own FILTER.
func (h hypotheticalRow) filter(when ast.Expr) ast.Expr {
	switch {
	case when == nil:
		return h.call.Filter
	case h.call.Filter == nil:
		return when
	}
	return h.and(h.call.Filter, when)
}

func (h hypotheticalRow) op(name string, l, r ast.Expr) ast.Expr {
	return &ast.Binary{Pos: h.call.Pos, Op: ast.Operator{Name: name}, Left: l, Right: r}
}

func (h hypotheticalRow) or(args ...ast.Expr) ast.Expr {
	return &ast.Logic{Pos: h.call.Pos, Op: ast.Or, Args: args}
}

func (h hypotheticalRow) and(args ...ast.Expr) ast.Expr {
	return &ast.Logic{Pos: h.call.Pos, Op: ast.And, Args: args}
}

func (h hypotheticalRow) null(x ast.Expr, not bool) ast.Expr {
	return &ast.Test{Pos: h.call.Pos, X: x, Kind: ast.IsNull, Not: not}
}

func (h hypotheticalRow) number(text string) ast.Expr {
	return &ast.NumberLit{Pos: h.call.Pos, Text: text}
}

func (h hypotheticalRow) function(name string, args ...ast.Expr) ast.Expr {
	e := &ast.FuncCall{Pos: h.call.Pos, Name: h.named(name)}
	for _, a := range args {
		e.Args = append(e.Args, ast.Arg{Pos: h.call.Pos, Value: a})
	}
	return e
}

func (h hypotheticalRow) double(x ast.Expr) ast.Expr { return h.function("float8", x) }

func (h hypotheticalRow) named(name string) ast.Name {
	return ast.Name{Pos: h.call.Pos, Parts: []string{name}}
}
