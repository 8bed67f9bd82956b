package opt

import (
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
)

// push computes a part of the subquery for all values of the domain. What does not depend on the domain stays as it is.
func (d *domain) push(n plan.Node) pushed {
	if d.independent(n) {
		return plain(n)
	}
	switch n := n.(type) {
	case *plan.Given:
		p := d.work[n]
		return pushed{n: p.n, at: maps.Clone(p.at), strict: map[int]*expr.Func{}}
	case *plan.Recursive:
		return d.pushRecursive(n)
	case *plan.Filter:
		return d.filter(d.push(n.Input), expr.Conjuncts(n.Cond))
	case *plan.Project:
		return d.project(n)
	case *plan.Join:
		return d.pushJoin(n)
	case *plan.Agg:
		return d.pushAgg(n)
	case *plan.TopN:
		return d.pushTopN(n)
	case *plan.Sort:
		return d.push(n.Input)
	case *plan.Limit:
		return d.pushTopN(topN(n))
	case *plan.Window:
		p := d.push(n.Input)
		w := *n
		w.Input, w.Partition = p.n, append(slices.Clone(n.Partition), p.positions()...)
		own, width := len(n.Input.Schema()), len(p.n.Schema())
		p.n = &w
		return p.arrange(append(span(0, own), span(width, width+len(n.Calls))...))
	case *plan.ProjectSet:
		return d.pushSet(n)
	case *plan.Union:
		return d.align(n, n.Ins)
	case *plan.SetOp:
		return d.align(n, []plan.Node{n.Left, n.Right})
	case *plan.Values:
		return d.push(unionOf(n))
	}
	return plain(n) // a scan has no expressions, and every other node is above
}

// filter applies conditions. An equality of an item that is not there yet with an expression of the part's own makes the
// item: only rows with its value remain.
func (d *domain) filter(p pushed, conds []expr.Expr) pushed {
	own := len(p.n.Schema())
	ext := identity(p.n)
	out := pushed{at: maps.Clone(p.at), strict: maps.Clone(p.strict)}
	var rest []expr.Expr
	for _, c := range conds {
		item, e, call := tie(c, out)
		if call == nil {
			rest = append(rest, c)
			continue
		}
		e = out.resolve(e)
		if col, ok := e.(*expr.Col); ok {
			out.at[item] = col.Index
		} else {
			out.at[item] = len(ext.Exprs)
			ext.Exprs, ext.Names = append(ext.Exprs, e), append(ext.Names, expr.String(d.list[item]))
		}
		if call.Fn.Name == "=" {
			out.strict[item] = call.Fn
		}
	}
	out.n = p.n
	if len(ext.Exprs) > own {
		out.n = ext
	}
	out = d.cross(out, out.missing(rest...))
	for i := range rest {
		rest[i] = out.resolve(rest[i])
	}
	if len(rest) > 0 {
		out.n = &plan.Filter{Input: out.n, Cond: expr.And(rest...)}
	}
	return out
}

// tie takes apart item = expression; call is nil for any other condition.
func tie(c expr.Expr, p pushed) (item int, e expr.Expr, call *expr.Call) {
	call, ok := c.(*expr.Call)
	if !ok || len(call.Args) != 2 || call.Fn.Name != "=" && call.Fn.Name != "is not distinct from" {
		return 0, nil, nil
	}
	for i, a := range call.Args {
		r, ok := a.(*ref)
		other := call.Args[1-i]
		if !ok || !other.Type().SameKind(r.t) || len(expr.Columns(other)) == 0 || len(p.missing(other)) > 0 || expr.CouldFail(other) {
			continue
		}
		if _, known := p.at[r.i]; !known {
			return r.i, other, call
		}
	}
	return 0, nil, nil
}

func (d *domain) project(n *plan.Project) pushed {
	p := d.push(n.Input)
	p = d.cross(p, p.missing(n.Exprs...))
	out := pushed{at: map[int]int{}, strict: p.strict}
	proj := &plan.Project{Input: p.n, Names: slices.Clone(n.Names)}
	for _, e := range n.Exprs {
		proj.Exprs = append(proj.Exprs, p.resolve(e))
	}
	fields := p.n.Schema()
	for _, i := range p.items() {
		c := p.at[i]
		k := slices.IndexFunc(proj.Exprs, func(e expr.Expr) bool { x, ok := e.(*expr.Col); return ok && x.Index == c })
		if k < 0 {
			k = len(proj.Exprs)
			proj.Exprs = append(proj.Exprs, &expr.Col{Index: c, T: fields[c].Type, Name: fields[c].Name})
			proj.Names = append(proj.Names, fields[c].Name)
		}
		out.at[i] = k
	}
	out.n = proj
	return out
}

// pushAgg groups by the items too. Without groups of its own there is a row for every value of the domain.
func (d *domain) pushAgg(n *plan.Agg) pushed {
	p := d.push(n.Input)
	a := *n
	a.Input, a.Group = p.n, slices.Clone(n.Group)
	out := pushed{at: map[int]int{}, strict: p.strict}
	for _, i := range p.items() {
		k := slices.Index(a.Group, p.at[i])
		if k < 0 {
			k = len(a.Group)
			a.Group = append(a.Group, p.at[i])
		}
		out.at[i] = k
	}
	out.n = &a
	own := append(span(0, len(n.Group)), span(len(a.Group), len(a.Group)+len(a.Calls))...)
	out = out.arrange(own)
	if len(n.Group) > 0 || n == d.bare {
		return out
	}
	return d.everyValue(n, out)
}

// everyValue gives a global aggregate its row for values of the domain without input rows.
func (d *domain) everyValue(n *plan.Agg, p pushed) pushed {
	items := p.items()
	vals := d.values(items)
	right, marker := marked(p.n)
	j := &plan.Join{Kind: plan.Left, Left: vals, Right: right}
	out := pushed{at: map[int]int{}, strict: map[int]*expr.Func{}}
	for k, i := range items {
		j.LeftKeys, j.RightKeys, j.NullSafe = append(j.LeftKeys, k), append(j.RightKeys, p.at[i]), append(j.NullSafe, p.strict[i] == nil)
		out.at[i] = k
	}
	empty, _ := emptyCalls(n)
	out.n = filled(j, len(items), marker, empty)
	return out.arrange(span(len(items), len(items)+len(n.Calls)))
}

func (d *domain) pushTopN(n *plan.TopN) pushed {
	p := d.push(n.Input)
	t := *n
	t.Input, t.Partition = p.n, append(slices.Clone(n.Partition), p.positions()...)
	own, width := len(n.Input.Schema()), len(p.n.Schema())
	p.n = &t
	cols := span(0, own)
	if n.RankCol != plan.None {
		cols = append(cols, width)
	}
	return p.arrange(cols)
}

func (d *domain) pushSet(n *plan.ProjectSet) pushed {
	var args []expr.Expr
	for _, c := range n.Calls {
		args = append(args, c.Args...)
	}
	p := d.push(n.Input)
	own := len(n.Input.Schema())
	p = d.cross(p, p.missing(args...))
	s := *n
	s.Input, s.Calls = p.n, slices.Clone(n.Calls)
	for i, c := range s.Calls {
		s.Calls[i].Args = make([]expr.Expr, len(c.Args))
		for k, a := range c.Args {
			s.Calls[i].Args[k] = p.resolve(a)
		}
	}
	width := len(p.n.Schema())
	p.n = &s
	return p.arrange(append(span(0, own), span(width, len(s.Schema()))...))
}

// align pushes into all inputs of a set operation; each gets all items that any of them depends on, in one order.
func (d *domain) align(n plan.Node, ins []plan.Node) pushed {
	parts := make([]pushed, len(ins))
	all := map[int]bool{}
	for i, in := range ins {
		parts[i] = d.push(in)
		for it := range parts[i].at {
			all[it] = true
		}
	}
	items := slices.Sorted(maps.Keys(all))
	own := len(n.Schema())
	out := pushed{at: map[int]int{}, strict: sharedStrict(parts, items)}
	next := make([]plan.Node, len(ins))
	for k, it := range items {
		out.at[it] = own + k
	}
	for i, p := range parts {
		if len(out.strict) < len(items) {
			p = p.withoutNulls()
		}
		next[i] = d.carry(p, items, own).n
	}
	out.n = n.WithInputs(next)
	return out
}

// sharedStrict are the items, all or none, that are strict in every part.
func sharedStrict(parts []pushed, items []int) map[int]*expr.Func {
	out := map[int]*expr.Func{}
	for _, it := range items {
		for _, p := range parts {
			if p.strict[it] == nil {
				return map[int]*expr.Func{}
			}
			out[it] = p.strict[it]
		}
	}
	return out
}

// unionOf turns rows with correlated values into projections of one row each.
func unionOf(v *plan.Values) plan.Node {
	u := &plan.Union{}
	names := make([]string, len(v.Fields))
	for i, f := range v.Fields {
		names[i] = f.Name
	}
	for _, row := range v.Rows {
		u.Ins = append(u.Ins, &plan.Project{Input: oneRow(), Exprs: row, Names: names})
	}
	if len(u.Ins) == 1 {
		return u.Ins[0]
	}
	return u
}

// oneRow is a row without columns.
func oneRow() plan.Node { return &plan.Values{Rows: [][]expr.Expr{{}}, Fields: []types.Field{}} }
