package opt

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
)

// prune reads only the columns that somebody above needs.
func prune(n plan.Node) plan.Node {
	all := make([]int, len(n.Schema()))
	for i := range all {
		all[i] = i
	}
	out, at := keep(n, all)
	return restore(out, all, at)
}

// restore projects a pruned plan to exactly the wanted columns, in order.
func restore(n plan.Node, want []int, at map[int]int) plan.Node {
	fields := n.Schema()
	same := len(want) == len(fields)
	for i, c := range want {
		same = same && at[c] == i
	}
	if same {
		return n
	}
	p := &plan.Project{Input: n}
	for _, c := range want {
		f := fields[at[c]]
		p.Exprs, p.Names = append(p.Exprs, &expr.Col{Index: at[c], T: f.Type, Name: f.Name}), append(p.Names, f.Name)
	}
	return p
}

// keep returns a plan that has at least the wanted columns of n, and where they are in it.
func keep(n plan.Node, want []int) (plan.Node, map[int]int) {
	switch n := n.(type) {
	case *plan.Scan:
		cols := sortedSet(want)
		out := &plan.Scan{Rel: n.Rel}
		at := map[int]int{}
		for _, c := range cols {
			at[c] = len(out.Cols)
			out.Cols = append(out.Cols, n.Cols[c])
		}
		return out, at
	case *plan.Filter:
		in, at := keep(n.Input, append(slices.Clone(want), expr.Columns(n.Cond)...))
		return &plan.Filter{Input: in, Cond: moved(n.Cond, at)}, at
	case *plan.Project:
		return keepProject(n, want)
	case *plan.Agg:
		return keepAgg(n, want)
	case *plan.Join:
		return keepJoin(n, want)
	}
	ins := n.Inputs()
	if len(ins) == 0 {
		return n, identityMap(len(n.Schema()))
	}
	out := make([]plan.Node, len(ins))
	for i, in := range ins {
		out[i] = prune(in)
	}
	return n.WithInputs(out), identityMap(len(n.Schema()))
}

func sortedSet(cols []int) []int { return slices.Compact(slices.Sorted(slices.Values(cols))) }

func identityMap(n int) map[int]int {
	at := map[int]int{}
	for i := range n {
		at[i] = i
	}
	return at
}

func moved(e expr.Expr, at map[int]int) expr.Expr {
	return expr.MapColumns(e, func(i int) int { return at[i] })
}

func keepProject(p *plan.Project, want []int) (plan.Node, map[int]int) {
	cols := sortedSet(want)
	var need []int
	for _, c := range cols {
		need = append(need, expr.Columns(p.Exprs[c])...)
	}
	in, inAt := keep(p.Input, need)
	out := &plan.Project{Input: in}
	at := map[int]int{}
	for _, c := range cols {
		at[c] = len(out.Exprs)
		out.Exprs, out.Names = append(out.Exprs, moved(p.Exprs[c], inAt)), append(out.Names, p.Names[c])
	}
	return out, at
}

// keepAgg keeps all group columns, because they make the groups, and the calls that are wanted.
func keepAgg(a *plan.Agg, want []int) (plan.Node, map[int]int) {
	need := slices.Clone(a.Group)
	out := *a
	out.Calls, out.Names, out.Group = nil, nil, nil
	at := map[int]int{}
	for i := range a.Group {
		at[i] = i
	}
	for i, c := range a.Calls {
		if !slices.Contains(want, len(a.Group)+i) {
			continue
		}
		at[len(a.Group)+i] = len(a.Group) + len(out.Calls)
		need = append(need, c.Args...)
		if c.Filter >= 0 {
			need = append(need, c.Filter)
		}
		for _, o := range c.OrderBy {
			need = append(need, o.Col)
		}
		out.Calls, out.Names = append(out.Calls, c), append(out.Names, a.Names[i])
	}
	in, inAt := keep(a.Input, need)
	out.Input = in
	for _, g := range a.Group {
		out.Group = append(out.Group, inAt[g])
	}
	for i, c := range out.Calls {
		c.Args = mapped(c.Args, inAt)
		if c.Filter >= 0 {
			c.Filter = inAt[c.Filter]
		}
		c.OrderBy = slices.Clone(c.OrderBy)
		for k := range c.OrderBy {
			c.OrderBy[k].Col = inAt[c.OrderBy[k].Col]
		}
		out.Calls[i] = c
	}
	return &out, at
}

func mapped(cols []int, at map[int]int) []int {
	out := make([]int, len(cols))
	for i, c := range cols {
		out[i] = at[c]
	}
	return out
}

func keepJoin(j *plan.Join, want []int) (plan.Node, map[int]int) {
	lw := len(j.Left.Schema())
	var left, right []int
	side := func(c int) {
		if c < lw {
			left = append(left, c)
		} else {
			right = append(right, c-lw)
		}
	}
	for _, c := range want {
		side(c)
	}
	if j.Cond != nil {
		for _, c := range expr.Columns(j.Cond) {
			side(c)
		}
	}
	left, right = append(left, j.LeftKeys...), append(right, j.RightKeys...)
	l, lat := keep(j.Left, left)
	r, rat := keep(j.Right, right)
	nlw := len(l.Schema())
	at := map[int]int{}
	for c, k := range lat {
		at[c] = k
	}
	for c, k := range rat {
		at[lw+c] = nlw + k
	}
	out := *j
	out.Left, out.Right, out.LeftKeys, out.RightKeys = l, r, mapped(j.LeftKeys, lat), mapped(j.RightKeys, rat)
	if j.Cond != nil {
		out.Cond = moved(j.Cond, at)
	}
	return &out, at
}
