package bind

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// outerCondition is ON of an outer join whose rows do not depend on what the condition's subqueries give: each subquery is
// applied to the side that it refers to, before the join, and the condition reads its columns there.
type outerCondition struct {
	b     *Binder
	sides [2]plan.Node
	// at has, for each column that the condition is bound over, its side and its place there.
	at []sidePlace
}

type sidePlace struct{ side, index int }

// outerJoin binds LEFT, RIGHT and FULL JOIN with ON.
func (b *Binder) outerJoin(j *ast.Join, kind plan.Kind, l, r plan.Node, s *scope, refersLeft bool) (plan.Node, error) {
	x := &selection{b: b, in: makeJoin(plan.Inner, l, r, nil, refersLeft), s: s}
	cond, err := context{b: b, s: s, sel: x, where: "JOIN conditions"}.expr(j.On)
	if err == nil {
		cond, err = b.boolean(cond, j.On, "JOIN/ON")
	}
	if err != nil {
		return nil, err
	}
	if len(x.subs) == 0 {
		return makeJoin(kind, l, r, conditions(cond), refersLeft), nil
	}
	if refersLeft {
		return nil, errs.Unsupported.New("feature", "a subquery in ON of a lateral outer join").At(int(j.Pos))
	}
	o := &outerCondition{b: b, sides: [2]plan.Node{l, r}}
	for side, n := range o.sides {
		for i := range n.Schema() {
			o.at = append(o.at, sidePlace{side, i})
		}
	}
	for _, u := range x.subs {
		if err := o.apply(u); err != nil {
			return nil, err
		}
	}
	return o.join(kind, cond, len(l.Schema()), len(r.Schema())), nil
}

// apply puts a subquery beside the rows of its side.
func (o *outerCondition) apply(u subUse) error {
	side, err := o.side(u)
	if err != nil {
		return err
	}
	u.n = plan.MapOuter(u.n, func(out *plan.Outer, level int) expr.Expr {
		if out.Depth != level+1 {
			return out
		}
		return &plan.Outer{Depth: out.Depth, Index: o.at[out.Index].index, T: out.T, Name: out.Name}
	})
	if u.match != nil {
		u.match = &matchUse{left: expr.MapColumns(u.match.left, func(c int) int { return o.at[c].index })}
	}
	width := len(o.sides[side].Schema())
	x := &selection{b: o.b, subs: []subUse{u}}
	if o.sides[side], err = x.applySub(o.sides[side], 0); err != nil {
		return err
	}
	for i := range u.n.Schema() {
		o.at = append(o.at, sidePlace{side, width + i})
	}
	return nil
}

// side is the one side that a subquery refers to; the left one if it refers to none.
func (o *outerCondition) side(u subUse) (int, error) {
	var seen [2]bool
	plan.MapOuter(u.n, func(out *plan.Outer, level int) expr.Expr {
		if out.Depth == level+1 {
			seen[o.at[out.Index].side] = true
		}
		return out
	})
	if u.match != nil {
		for _, c := range expr.Columns(u.match.left) {
			seen[o.at[c].side] = true
		}
	}
	if seen[0] && seen[1] {
		return 0, errs.Unsupported.New("feature", "a subquery in ON of an outer join that refers to both sides").At(int(u.pos))
	}
	if seen[1] {
		return 1, nil
	}
	return 0, nil
}

// join joins the sides and cuts off what the subqueries have added.
func (o *outerCondition) join(kind plan.Kind, cond expr.Expr, lw, rw int) plan.Node {
	width := len(o.sides[0].Schema())
	cond = expr.MapColumns(cond, func(c int) int { return o.at[c].side*width + o.at[c].index })
	all := identity(makeJoin(kind, o.sides[0], o.sides[1], conditions(cond), false))
	p := &plan.Project{Input: all.Input}
	for i := range lw + rw {
		at := i
		if i >= lw {
			at = width + i - lw
		}
		p.Exprs, p.Names = append(p.Exprs, all.Exprs[at]), append(p.Names, all.Names[at])
	}
	return p
}
