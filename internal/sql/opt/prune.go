package opt

import (
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
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

// keep returns a plan that has at least the wanted columns of n, and where they are in it. Where only the number of rows
// matters one column stays: rows without columns are a case that operators should not have to think of.
func keep(n plan.Node, want []int) (plan.Node, map[int]int) {
	if len(want) == 0 && len(n.Schema()) > 0 {
		want = []int{0}
	}
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
	case *plan.Union:
		return keepUnion(n, want)
	case *plan.ProjectSet:
		return keepSet(n, want)
	case *plan.Window:
		return keepWindow(n, want)
	}
	return plan.MapInputs(n, prune), identityMap(len(n.Schema()))
}

// keepUnion gives all inputs the same columns.
func keepUnion(u *plan.Union, want []int) (plan.Node, map[int]int) {
	cols := sortedSet(want)
	out := &plan.Union{}
	for _, in := range u.Ins {
		k, at := keep(in, cols)
		out.Ins = append(out.Ins, restore(k, cols, at))
	}
	at := map[int]int{}
	for i, c := range cols {
		at[c] = i
	}
	return out, at
}

// keepSet keeps all calls: they make the rows.
func keepSet(n *plan.ProjectSet, want []int) (plan.Node, map[int]int) {
	width := len(n.Input.Schema())
	var need []int
	for _, c := range want {
		if c < width {
			need = append(need, c)
		}
	}
	for _, c := range n.Calls {
		for _, a := range c.Args {
			need = append(need, expr.Columns(a)...)
		}
	}
	in, at := keep(n.Input, need)
	out := *n
	out.Input, out.Calls = in, slices.Clone(n.Calls)
	for i, c := range out.Calls {
		args := make([]expr.Expr, len(c.Args))
		for k, a := range c.Args {
			args[k] = moved(a, at)
		}
		out.Calls[i].Args = args
	}
	return &out, behind(at, width, len(in.Schema()), len(n.Schema()))
}

// behind adds the columns that a node appends to its input's.
func behind(at map[int]int, from, to, end int) map[int]int {
	out := maps.Clone(at)
	for i := from; i < end; i++ {
		out[i] = to + i - from
	}
	return out
}

// keepWindow keeps the calls that are wanted, none perhaps.
func keepWindow(w *plan.Window, want []int) (plan.Node, map[int]int) {
	width := len(w.Input.Schema())
	var need []int
	out := *w
	out.Calls = nil
	to := map[int]int{}
	for _, c := range want {
		if c < width {
			need = append(need, c)
		}
	}
	for i, c := range w.Calls {
		if slices.Contains(want, width+i) {
			to[width+i] = len(out.Calls)
			out.Calls = append(out.Calls, c)
			need = append(need, windowColumns(c)...)
		}
	}
	if len(out.Calls) == 0 {
		return keep(w.Input, need)
	}
	need = append(need, w.Partition...)
	for _, o := range w.Order {
		need = append(need, o.Col)
	}
	in, at := keep(w.Input, need)
	out.Input, out.Partition = in, mapped(w.Partition, at)
	out.Order = slices.Clone(w.Order)
	for i := range out.Order {
		out.Order[i].Col = at[out.Order[i].Col]
	}
	for i, c := range out.Calls {
		out.Calls[i].Args = mapped(c.Args, at)
		if c.Agg != nil {
			a := movedCall(*c.Agg, at)
			out.Calls[i].Agg = &a
		}
	}
	at = maps.Clone(at)
	for c, k := range to {
		at[c] = len(in.Schema()) + k
	}
	return &out, at
}

func windowColumns(c plan.WindowCall) []int {
	if c.Agg == nil {
		return c.Args
	}
	return append(slices.Clone(c.Args), callColumns(*c.Agg)...)
}

// callColumns are the columns that an aggregate reads.
func callColumns(c agg.Call) []int {
	out := slices.Clone(c.Args)
	if c.Filter >= 0 {
		out = append(out, c.Filter)
	}
	for _, o := range c.OrderBy {
		out = append(out, o.Col)
	}
	return out
}

func movedCall(c agg.Call, at map[int]int) agg.Call {
	c.Args = mapped(c.Args, at)
	if c.Filter >= 0 {
		c.Filter = at[c.Filter]
	}
	c.OrderBy = slices.Clone(c.OrderBy)
	for k := range c.OrderBy {
		c.OrderBy[k].Col = at[c.OrderBy[k].Col]
	}
	return c
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
		need = append(need, callColumns(c)...)
		out.Calls, out.Names = append(out.Calls, c), append(out.Names, a.Names[i])
	}
	in, inAt := keep(a.Input, need)
	out.Input = in
	for _, g := range a.Group {
		out.Group = append(out.Group, inAt[g])
	}
	for i, c := range out.Calls {
		out.Calls[i] = movedCall(c, inAt)
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
