package bind

import (
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
)

// makeJoin joins two items of FROM; a lateral one that refers to the left is applied to each of its rows.
func makeJoin(kind plan.Kind, l, r plan.Node, conds []expr.Expr, refersLeft bool) plan.Node {
	if refersLeft {
		return &plan.Apply{Kind: kind, Left: l, Right: r, Cond: expr.And(conds...)}
	}
	return MakeJoin(kind, l, r, conds)
}

// MakeJoin joins on conditions over left then right columns. Equalities between the sides become keys; a side of one that
// is not a plain column is computed below the join and taken away above it.
func MakeJoin(kind plan.Kind, l, r plan.Node, conds []expr.Expr) plan.Node {
	lw, rw := len(l.Schema()), len(r.Schema())
	j := &plan.Join{Kind: kind}
	ls, rs := newSide(l), newSide(r)
	var rest []expr.Expr
	for _, c := range conds {
		le, re, nullSafe, ok := equality(c, lw)
		if !ok {
			rest = append(rest, c)
			continue
		}
		j.LeftKeys = append(j.LeftKeys, ls.column(le))
		j.RightKeys = append(j.RightKeys, rs.column(expr.Shift(re, -lw)))
		j.NullSafe = append(j.NullSafe, nullSafe)
	}
	j.Left, j.Right = ls.node(), rs.node()
	extra := len(j.Left.Schema()) - lw
	if len(rest) > 0 {
		j.Cond = expr.MapColumns(expr.And(rest...), func(i int) int {
			if i >= lw {
				return i + extra
			}
			return i
		})
	}
	if extra == 0 && len(j.Right.Schema()) == rw {
		return j
	}
	return dropExtra(j, lw, rw, extra)
}

// dropExtra projects the computed keys away.
func dropExtra(j *plan.Join, lw, rw, extra int) plan.Node {
	p := &plan.Project{Input: j}
	for i, f := range j.Schema() {
		if i < lw || i >= lw+extra && i < lw+extra+rw {
			p.Exprs, p.Names = append(p.Exprs, &expr.Col{Index: i, T: f.Type, Name: f.Name}), append(p.Names, f.Name)
		}
	}
	return p
}

// equality takes apart a condition left = right whose parts each read one side only.
func equality(c expr.Expr, lw int) (l, r expr.Expr, nullSafe, ok bool) {
	call, isCall := c.(*expr.Call)
	if !isCall || len(call.Args) != 2 {
		return nil, nil, false, false
	}
	switch call.Fn.Name {
	case "=":
	case "is not distinct from":
		nullSafe = true
	default:
		return nil, nil, false, false
	}
	x, y := call.Args[0], call.Args[1]
	if !x.Type().SameKind(y.Type()) {
		return nil, nil, false, false
	}
	switch {
	case within(x, 0, lw) && within(y, lw, 1<<30):
		return x, y, nullSafe, true
	case within(y, 0, lw) && within(x, lw, 1<<30):
		return y, x, nullSafe, true
	}
	return nil, nil, false, false
}

// within reports whether the expression reads columns, all of them in [from, to), and nothing from outside.
func within(e expr.Expr, from, to int) bool {
	cols := expr.Columns(e)
	for _, c := range cols {
		if c < from || c >= to {
			return false
		}
	}
	return len(cols) > 0 && !hasForeign(e)
}

// hasForeign reports whether an expression refers to something that is not a column of its input.
func hasForeign(e expr.Expr) bool {
	found := false
	expr.Walk(e, func(x expr.Expr) bool {
		if _, ok := x.(*plan.Outer); ok {
			found = true
		}
		return !found
	})
	return found
}

// side collects the computed columns of an input.
type side struct {
	n     plan.Node
	width int
	extra []expr.Expr
}

func newSide(n plan.Node) *side { return &side{n: n, width: len(n.Schema())} }

// column returns the position of an expression, which is added if it is not a column already.
func (s *side) column(e expr.Expr) int {
	if c, ok := e.(*expr.Col); ok {
		return c.Index
	}
	s.extra = append(s.extra, e)
	return s.width + len(s.extra) - 1
}

// shared is column for an expression that may be there already.
func (s *side) shared(e expr.Expr) int {
	for i, have := range s.extra {
		if expr.Equal(have, e) {
			return s.width + i
		}
	}
	return s.column(e)
}

func (s *side) node() plan.Node {
	if len(s.extra) == 0 {
		return s.n
	}
	p := identity(s.n)
	for _, e := range s.extra {
		p.Exprs, p.Names = append(p.Exprs, e), append(p.Names, expr.String(e))
	}
	return p
}

// identity is a projection of all columns, to be extended.
func identity(n plan.Node) *plan.Project {
	p := &plan.Project{Input: n}
	for i, f := range n.Schema() {
		p.Exprs, p.Names = append(p.Exprs, &expr.Col{Index: i, T: f.Type, Name: f.Name}), append(p.Names, f.Name)
	}
	return p
}
