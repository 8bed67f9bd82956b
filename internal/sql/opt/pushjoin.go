package opt

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
)

// pushJoin joins for all values of the domain: items that both sides depend on are join keys. A side that an outer join
// pads needs the other to have its items, so that rows without a match have them too.
func (d *domain) pushJoin(j *plan.Join) pushed {
	l, r := d.push(j.Left), d.push(j.Right)
	conds := expr.Conjuncts(j.Cond)
	switch j.Kind {
	case plan.Left, plan.Semi, plan.Anti, plan.NullAnti:
		l = d.with(l, r, conds)
	case plan.Right:
		r = d.with(r, l, conds)
	case plan.Full:
		l = d.with(l, r, conds)
		r = d.with(r, l, nil)
		l, r = l.withoutNulls(), r.withoutNulls()
	}
	if j.Kind == plan.NullAnti { // its keys count NULLs as matches: what is tied must not have any
		l, r = l.withoutNulls(), r.withoutNulls()
	}
	out := *j
	out.Left, out.Right = l.n, r.n
	out.LeftKeys, out.RightKeys, out.NullSafe = slices.Clone(j.LeftKeys), slices.Clone(j.RightKeys), slices.Clone(j.NullSafe)
	for len(out.NullSafe) < len(out.LeftKeys) {
		out.NullSafe = append(out.NullSafe, false)
	}
	for _, i := range l.items() {
		if c, ok := r.at[i]; ok {
			out.LeftKeys, out.RightKeys, out.NullSafe = append(out.LeftKeys, l.at[i]), append(out.RightKeys, c), append(out.NullSafe, l.strict[i] == nil && r.strict[i] == nil)
		}
	}
	lw, rw, nlw := len(j.Left.Schema()), len(j.Right.Schema()), len(l.n.Schema())
	for i, c := range conds {
		conds[i] = expr.MapColumns(c, func(c int) int {
			if c >= lw {
				return c - lw + nlw
			}
			return c
		})
	}
	if j.Kind == plan.Inner {
		return d.inner(&out, l, r, conds, append(span(0, lw), span(nlw, nlw+rw)...))
	}
	side := both(l, r, nlw, j.Kind)
	for i := range conds {
		conds[i] = side.resolve(conds[i])
	}
	out.Cond = expr.And(conds...)
	if len(j.Left.Schema()) == len(j.Schema()) && (j.Kind == plan.Semi || j.Kind == plan.Anti || j.Kind == plan.NullAnti) {
		l.n = &out
		return l
	}
	side.n = &out
	if j.Kind == plan.Full {
		side = coalesced(&out, l, r, nlw)
	}
	return side.arrange(append(span(0, lw), span(nlw, nlw+rw)...))
}

// with gives p all items of o and of the conditions.
func (d *domain) with(p, o pushed, conds []expr.Expr) pushed {
	items := p.missing(conds...)
	for i := range o.at {
		if _, ok := p.at[i]; !ok {
			items = append(items, i)
		}
	}
	slices.Sort(items)
	return d.cross(p, slices.Compact(items))
}

// inner applies conditions that refer to the domain above the join.
func (d *domain) inner(j *plan.Join, l, r pushed, conds []expr.Expr, own []int) pushed {
	var on, above []expr.Expr
	for _, c := range conds {
		if hasRefs(c) {
			above = append(above, c)
		} else {
			on = append(on, c)
		}
	}
	j.Cond = expr.And(on...)
	p := both(l, r, len(l.n.Schema()), plan.Inner)
	p.n = j
	if len(above) == 0 {
		return p.arrange(own)
	}
	return d.filter(p, above).arrange(own)
}

// both are the items of a join's output, as far as one side has them for every row.
func both(l, r pushed, width int, kind plan.Kind) pushed {
	out := pushed{at: map[int]int{}, strict: map[int]*expr.Func{}}
	if kind != plan.Left {
		for i, c := range r.at {
			out.at[i], out.strict[i] = width+c, r.strict[i]
		}
	}
	if kind != plan.Right {
		for i, c := range l.at {
			out.at[i] = c
			if l.strict[i] != nil || kind != plan.Inner {
				out.strict[i] = l.strict[i]
			}
		}
	}
	return out
}

// coalesced takes each item of a full join from the side that has it.
func coalesced(j *plan.Join, l, r pushed, width int) pushed {
	p := identity(j)
	out := pushed{n: p, at: map[int]int{}, strict: map[int]*expr.Func{}}
	for _, i := range l.items() {
		a, b := p.Exprs[l.at[i]], p.Exprs[width+r.at[i]]
		out.at[i] = len(p.Exprs)
		p.Exprs = append(p.Exprs, &expr.Coalesce{Args: []expr.Expr{a, b}, T: a.Type()})
		p.Names = append(p.Names, j.Schema()[l.at[i]].Name)
	}
	return out
}

// inline handles subqueries that only compute from the left row, such as a SELECT without FROM or LATERAL unnest(t.a):
// they are computed over the left side itself.
func (d *domain) inline(a *plan.Apply, right plan.Node) (plan.Node, bool) {
	outer := a.Kind == plan.Left
	if a.Kind != plan.Inner && !outer || outer && a.Cond != nil || !inlinable(right, outer, a.Scalar) {
		return nil, false
	}
	n := d.replay(right, outer)
	if a.Cond != nil {
		n = &plan.Filter{Input: n, Cond: a.Cond}
	}
	lw := len(a.Left.Schema())
	total := len(n.Schema())
	return pick(n, append(span(0, lw), span(total-len(right.Schema()), total)...)), true
}

// inlinable: a chain over one row. When rows must be padded, only what gives one row for each, or pads by itself, will do.
func inlinable(n plan.Node, outer, scalar bool) bool {
	switch n := n.(type) {
	case *plan.Values:
		return len(n.Rows) == 1 && len(n.Fields) == 0
	case *plan.Project:
		if _, ok := n.Input.(*plan.ProjectSet); ok && outer && slices.ContainsFunc(n.Exprs, notColumn) {
			return false
		}
		return inlinable(n.Input, outer, scalar)
	case *plan.Filter:
		return !outer && inlinable(n.Input, outer, scalar)
	case *plan.ProjectSet:
		if _, ok := n.Input.(*plan.Values); outer && !ok {
			return false
		}
		return !scalar && !(outer && n.Ordinality) && inlinable(n.Input, outer, scalar)
	}
	return false
}

func notColumn(e expr.Expr) bool { _, ok := e.(*expr.Col); return !ok }

// replay builds the chain over the left side; its columns come behind the left ones.
func (d *domain) replay(n plan.Node, outer bool) plan.Node {
	lw := len(d.left.Schema())
	move := func(e expr.Expr) expr.Expr {
		return expr.Rewrite(expr.Shift(e, lw), func(e expr.Expr) expr.Expr {
			if r, ok := e.(*ref); ok {
				return d.list[r.i]
			}
			return e
		})
	}
	switch n := n.(type) {
	case *plan.Project:
		p := columns(d.replay(n.Input, outer), span(0, lw))
		for i, e := range n.Exprs {
			p.Exprs, p.Names = append(p.Exprs, move(e)), append(p.Names, n.Names[i])
		}
		return p
	case *plan.Filter:
		return &plan.Filter{Input: d.replay(n.Input, outer), Cond: move(n.Cond)}
	case *plan.ProjectSet:
		s := *n
		s.Input, s.Outer = d.replay(n.Input, outer), s.Outer || outer
		s.Calls = slices.Clone(n.Calls)
		for i, c := range s.Calls {
			s.Calls[i].Args = make([]expr.Expr, len(c.Args))
			for k, e := range c.Args {
				s.Calls[i].Args[k] = move(e)
			}
		}
		return &s
	}
	return d.left
}

// topN is LIMIT where rows keep coming: the first rows in the order of the Sort below.
func topN(l *plan.Limit) *plan.TopN {
	t := &plan.TopN{Input: l.Input, Limit: l.Limit, Offset: l.Offset}
	if s, ok := l.Input.(*plan.Sort); ok {
		t.Input, t.Order = s.Input, s.Order
	}
	return t
}
