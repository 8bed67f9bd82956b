package bind

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
)

// correlated reports whether a plan refers to columns of an enclosing query.
func correlated(n plan.Node) bool {
	found := false
	each(n, func(e expr.Expr) { found = found || hasOuter(e) })
	for _, in := range n.Inputs() {
		found = found || correlated(in)
	}
	return found
}

// each visits the expressions of a node.
func each(n plan.Node, visit func(expr.Expr)) {
	switch n := n.(type) {
	case *plan.Filter:
		visit(n.Cond)
	case *plan.Project:
		for _, e := range n.Exprs {
			visit(e)
		}
	case *plan.Join:
		if n.Cond != nil {
			visit(n.Cond)
		}
	case *plan.ProjectSet:
		for _, c := range n.Calls {
			for _, a := range c.Args {
				visit(a)
			}
		}
	case *plan.Values:
		for _, row := range n.Rows {
			for _, e := range row {
				visit(e)
			}
		}
	}
}

// pull moves the conditions of a plan that refer to the enclosing query out of it. It returns the plan without them,
// perhaps with more columns behind its own, and the conditions over those columns; Outer of depth 1 stays in them.
func pull(n plan.Node) (plan.Node, []expr.Expr, error) {
	if !correlated(n) {
		return n, nil, nil
	}
	switch n := n.(type) {
	case *plan.Filter:
		return pullFilter(n)
	case *plan.Project:
		return pullProject(n)
	case *plan.Agg:
		return pullAgg(n)
	case *plan.Join:
		return pullJoin(n)
	case *plan.Sort:
		return pull(n.Input)
	case *plan.Limit:
		if n.Offset == 0 && n.Limit == 1 {
			return pullLimit(n)
		}
	}
	return nil, nil, errs.Unsupported.New("feature", "this form of correlated subquery")
}

func pullFilter(f *plan.Filter) (plan.Node, []expr.Expr, error) {
	in, pulled, err := pull(f.Input)
	if err != nil {
		return nil, nil, err
	}
	var own []expr.Expr
	for _, c := range expr.Conjuncts(f.Cond) {
		if hasOuter(c) {
			pulled = append(pulled, c)
		} else {
			own = append(own, c)
		}
	}
	if len(own) == 0 {
		return in, pulled, nil
	}
	return &plan.Filter{Input: in, Cond: expr.And(own...)}, pulled, nil
}

// pullProject keeps the columns that pulled conditions need behind its own.
func pullProject(p *plan.Project) (plan.Node, []expr.Expr, error) {
	in, pulled, err := pull(p.Input)
	if err != nil {
		return nil, nil, err
	}
	out := &plan.Project{Input: in, Exprs: append([]expr.Expr{}, p.Exprs...), Names: append([]string{}, p.Names...)}
	for _, e := range p.Exprs {
		if hasOuter(e) {
			return nil, nil, errs.Unsupported.New("feature", "a correlated column in the select list of a subquery")
		}
	}
	fields := in.Schema()
	at := map[int]int{}
	for i, c := range pulled {
		pulled[i] = expr.MapColumns(c, func(col int) int {
			if k, ok := at[col]; ok {
				return k
			}
			at[col] = len(out.Exprs)
			out.Exprs = append(out.Exprs, &expr.Col{Index: col, T: fields[col].Type, Name: fields[col].Name})
			out.Names = append(out.Names, fields[col].Name)
			return at[col]
		})
	}
	return out, pulled, nil
}

// pullAgg groups by the columns that pulled equalities compare with the enclosing query; only such conditions can leave
// a group as it is.
func pullAgg(a *plan.Agg) (plan.Node, []expr.Expr, error) {
	in, pulled, err := pull(a.Input)
	if err != nil {
		return nil, nil, err
	}
	out := *a
	out.Input, out.Group = in, append([]int{}, a.Group...)
	own, calls := len(a.Group), len(a.Calls)
	at := map[int]int{} // column of the input -> its place among the added group columns
	for i, c := range pulled {
		call, ok := c.(*expr.Call)
		if !ok || call.Fn.Name != "=" && call.Fn.Name != "is not distinct from" || !splitSides(call) {
			return nil, nil, errs.Unsupported.New("feature", "a correlated subquery with an aggregate and a condition other than equality")
		}
		pulled[i] = expr.MapColumns(c, func(col int) int {
			if _, ok := at[col]; !ok {
				at[col] = len(out.Group) - own
				out.Group = append(out.Group, col)
			}
			return own + at[col]
		})
	}
	// Put the added group columns behind the node's own: group, added, calls -> group, calls, added.
	added := len(out.Group) - own
	p := &plan.Project{Input: &out}
	schema := out.Schema()
	for _, i := range append(append(span(0, own), span(own+added, own+added+calls)...), span(own, own+added)...) {
		p.Exprs, p.Names = append(p.Exprs, &expr.Col{Index: i, T: schema[i].Type, Name: schema[i].Name}), append(p.Names, schema[i].Name)
	}
	for i := range pulled {
		pulled[i] = expr.Shift(pulled[i], calls)
	}
	return p, pulled, nil
}

func span(from, to int) []int {
	var out []int
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// splitSides reports whether one side of a comparison reads only the enclosing query and the other only the input.
func splitSides(c *expr.Call) bool {
	l, r := c.Args[0], c.Args[1]
	lo, ro := hasOuter(l), hasOuter(r)
	return lo && !ro && len(expr.Columns(l)) == 0 || ro && !lo && len(expr.Columns(r)) == 0
}

func pullJoin(j *plan.Join) (plan.Node, []expr.Expr, error) {
	if j.Kind != plan.Inner {
		return nil, nil, errs.Unsupported.New("feature", "a correlated subquery over an outer join")
	}
	l, lp, err := pull(j.Left)
	if err != nil {
		return nil, nil, err
	}
	r, rp, err := pull(j.Right)
	if err != nil {
		return nil, nil, err
	}
	oldW, newW := len(j.Left.Schema()), len(l.Schema())
	out := *j
	out.Left, out.Right = l, r
	pulled := lp
	for _, c := range rp {
		pulled = append(pulled, expr.Shift(c, newW))
	}
	var own []expr.Expr
	for _, c := range expr.Conjuncts(j.Cond) {
		c = expr.MapColumns(c, func(i int) int {
			if i >= oldW {
				return i + newW - oldW
			}
			return i
		})
		if hasOuter(c) {
			pulled = append(pulled, c)
		} else {
			own = append(own, c)
		}
	}
	out.Cond = expr.And(own...)
	if newW == oldW {
		return &out, pulled, nil
	}
	// The columns added on the left go behind everything.
	p := &plan.Project{Input: &out}
	schema := out.Schema()
	to := make([]int, len(schema))
	for _, i := range append(append(span(0, oldW), span(newW, len(schema))...), span(oldW, newW)...) {
		to[i] = len(p.Exprs)
		p.Exprs, p.Names = append(p.Exprs, &expr.Col{Index: i, T: schema[i].Type, Name: schema[i].Name}), append(p.Names, schema[i].Name)
	}
	for i := range pulled {
		pulled[i] = expr.MapColumns(pulled[i], func(c int) int { return to[c] })
	}
	return p, pulled, nil
}

// pullLimit is ORDER BY ... LIMIT 1 of a correlated subquery: the first row of each value that is compared with.
func pullLimit(l *plan.Limit) (plan.Node, []expr.Expr, error) {
	t := &plan.TopN{Limit: 1}
	in := l.Input
	if s, ok := in.(*plan.Sort); ok {
		t.Order, in = s.Order, s.Input
	}
	in, pulled, err := pull(in)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range pulled {
		call, ok := c.(*expr.Call)
		if !ok || call.Fn.Name != "=" || !splitSides(call) {
			return nil, nil, errs.Unsupported.New("feature", "a correlated subquery with LIMIT and a condition other than equality")
		}
		t.Partition = append(t.Partition, expr.Columns(c)...)
	}
	t.Input = in
	return t, pulled, nil
}
