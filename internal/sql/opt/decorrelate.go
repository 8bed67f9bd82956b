package opt

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/bind"
	"github.com/tidemark-db/tidemark/internal/types"
)

// decorrelate turns every Apply into joins, innermost first, after Neumann and Kemper ("Unnesting Arbitrary Queries",
// BTW 2015): the subquery is computed once for every value of the columns it refers to, its domain, and joined with
// the rows it belongs to. Where an equality ties such a column to one of the subquery's own, that one takes its place and
// the domain is not computed.
func decorrelate(n plan.Node) plan.Node {
	n = plan.MapInputs(n, decorrelate)
	if a, ok := n.(*plan.Apply); ok {
		return unnest(a)
	}
	return n
}

// unnest replaces one Apply whose sides have none.
func unnest(a *plan.Apply) plan.Node {
	d := &domain{left: a.Left}
	right := d.lift(a.Right)
	if !correlated(right) {
		if a.Scalar {
			right = atMostOne(right)
		}
		kind := a.Kind
		if kind == plan.Left && a.Cond == nil && exactlyOne(right) {
			kind = plan.Inner
		}
		return bind.MakeJoin(kind, a.Left, right, expr.Conjuncts(a.Cond))
	}
	if n, ok := d.inline(a, right); ok {
		return n
	}
	if n, ok := d.direct(a, right); ok {
		return n
	}
	var empty []types.Datum
	if a.Kind == plan.Inner || a.Kind == plan.Left && a.Cond == nil {
		d.bare, empty = d.globalAgg(right)
	}
	p := d.push(right)
	if a.Scalar && !coversKey(p) {
		p = d.onlyValue(p, right.Schema()[0])
	}
	return d.join(a, p, empty)
}

// onlyValue is only for every value of the domain, and for no other: that there are more rows must not be an error then.
func (d *domain) onlyValue(p pushed, f types.Field) pushed {
	items := p.items()
	j := &plan.Join{Kind: plan.Semi, Left: p.n, Right: d.values(items)}
	a := &plan.Agg{Input: j, Calls: []agg.Call{{Fn: agg.OnlyValue, Args: []int{0}, Filter: -1, T: f.Type}}, Names: []string{f.Name}}
	out := pushed{n: a, at: map[int]int{}, strict: p.strict}
	for k, i := range items {
		j.LeftKeys, j.RightKeys, j.NullSafe = append(j.LeftKeys, p.at[i]), append(j.RightKeys, k), append(j.NullSafe, p.strict[i] == nil)
		a.Group = append(a.Group, p.at[i])
		out.at[i] = k
	}
	return out.arrange([]int{len(items)})
}

// coversKey reports whether there is at most one row for each value of the domain.
func coversKey(p pushed) bool {
	key, at := plan.UniqueKey(p.n), p.positions()
	return key != nil && !slices.ContainsFunc(key, func(k int) bool { return !slices.Contains(at, k) })
}

// join joins the left side with the subquery's rows of the same domain values.
func (d *domain) join(a *plan.Apply, p pushed, empty []types.Datum) plan.Node {
	lw, rw := len(a.Left.Schema()), len(a.Right.Schema())
	left, keys := d.extended()
	right := p.n
	marker := -1
	if slices.ContainsFunc(empty, func(v types.Datum) bool { return !v.IsNull() }) {
		right, marker = marked(right)
	}
	j := &plan.Join{Kind: a.Kind, Left: left, Right: right}
	if empty != nil {
		j.Kind = plan.Left // a global aggregate has a row for every left one
	}
	for _, it := range p.items() {
		j.LeftKeys, j.RightKeys = append(j.LeftKeys, keys[it]), append(j.RightKeys, p.at[it])
		j.NullSafe = append(j.NullSafe, p.strict[it] == nil)
	}
	elw := len(left.Schema())
	cond := a.Cond
	if cond != nil {
		cond = expr.MapColumns(cond, func(c int) int {
			if c >= lw {
				return c - lw + elw
			}
			return c
		})
	}
	if a.Kind == plan.NullAnti { // with the domain as key it is an anti join in which NULL counts as a match
		j.Kind, cond = plan.Anti, &expr.Coalesce{Args: []expr.Expr{cond, expr.True()}, T: types.Bool}
	}
	var n plan.Node = j
	switch {
	case empty == nil:
		j.Cond = cond
	case marker >= 0:
		n = filled(j, elw, marker, empty)
	}
	if empty != nil && cond != nil {
		n = &plan.Filter{Input: n, Cond: cond}
	}
	if a.Kind == plan.Semi || a.Kind == plan.Anti || a.Kind == plan.NullAnti {
		return pick(n, span(0, lw))
	}
	return pick(n, append(span(0, lw), span(elw, elw+rw)...))
}

// marked adds a column that is true, and NULL where an outer join pads.
func marked(n plan.Node) (plan.Node, int) {
	p := identity(n)
	p.Exprs, p.Names = append(p.Exprs, expr.True()), append(p.Names, "matched")
	return p, len(p.Exprs) - 1
}

// filled puts the values of an aggregate over no rows where the join has padded.
func filled(j *plan.Join, from, marker int, empty []types.Datum) plan.Node {
	p := identity(j)
	matched := &expr.Col{Index: from + marker, T: types.Bool, Name: "matched"}
	for i, v := range empty {
		if v.IsNull() {
			continue
		}
		e := p.Exprs[from+i]
		p.Exprs[from+i] = &expr.Case{Whens: []expr.When{{Cond: matched, Then: e}}, Else: &expr.Const{Value: v, T: e.Type()}, T: e.Type()}
	}
	return p
}

// globalAgg recognises projections of an aggregate without groups and returns it with the values of the output over no
// rows: then the domain need not be joined in below, padding does it.
func (d *domain) globalAgg(n plan.Node) (*plan.Agg, []types.Datum) {
	switch n := n.(type) {
	case *plan.Agg:
		if len(n.Group) > 0 {
			return nil, nil
		}
		vals, ok := emptyCalls(n)
		if !ok {
			return nil, nil
		}
		return n, vals
	case *plan.Project:
		a, in := d.globalAgg(n.Input)
		if a == nil {
			return nil, nil
		}
		fields := n.Input.Schema()
		out := make([]types.Datum, len(n.Exprs))
		for i, e := range n.Exprs {
			if hasRefs(e) || expr.VolatilityOf(e) != expr.Immutable {
				return nil, nil
			}
			v, err := expr.EvalConst(&expr.Ctx{}, expr.Rewrite(e, func(e expr.Expr) expr.Expr {
				if c, ok := e.(*expr.Col); ok {
					return &expr.Const{Value: in[c.Index], T: fields[c.Index].Type}
				}
				return e
			}))
			if err != nil {
				return nil, nil
			}
			out[i] = v
		}
		return a, out
	}
	return nil, nil
}

// emptyCalls are the results of the calls of an aggregation over no rows.
func emptyCalls(a *plan.Agg) ([]types.Datum, bool) {
	in := a.Input.Schema()
	out := make([]types.Datum, len(a.Calls))
	for i, c := range a.Calls {
		v, err := emptyCall(c, in)
		if err != nil {
			return nil, false
		}
		out[i] = v
	}
	return out, true
}

func emptyCall(c agg.Call, in []types.Field) (types.Datum, error) {
	args := make([]types.T, len(c.Args))
	for i, a := range c.Args {
		args[i] = in[a].Type
	}
	if c.Fn.Additive != nil {
		acc := c.Fn.Additive(args)
		acc.Grow(1)
		acc.Reset(0)
		return acc.Value(0)
	}
	return c.Fn.Ordered.Finish(&expr.Ctx{}, args, func() (types.Row, int64, bool) { return nil, 0, false })
}

// atMostOne makes sure that a subquery used as a value has no second row.
func atMostOne(n plan.Node) plan.Node {
	if key := plan.UniqueKey(n); key != nil && len(key) == 0 {
		return n
	}
	return only(n)
}

// only is the value of the one row, NULL without rows, an error with more.
func only(n plan.Node) plan.Node {
	f := n.Schema()[0]
	return &plan.Agg{Input: n, Calls: []agg.Call{{Fn: agg.OnlyValue, Args: []int{0}, Filter: -1, T: f.Type}}, Names: []string{f.Name}}
}

// exactlyOne reports whether a plan always has one row.
func exactlyOne(n plan.Node) bool {
	switch n := n.(type) {
	case *plan.Agg:
		return len(n.Group) == 0
	case *plan.Project:
		return exactlyOne(n.Input)
	case *plan.Values:
		return len(n.Rows) == 1
	case *plan.Join:
		return n.Kind == plan.Inner && len(n.LeftKeys) == 0 && n.Cond == nil && exactlyOne(n.Left) && exactlyOne(n.Right)
	}
	return false
}
