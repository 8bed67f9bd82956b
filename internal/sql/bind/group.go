package bind

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Eval implements expr.Expr; a placeholder never runs.
func (p *placeholder) Eval(*expr.Ctx, *chunk.Chunk, []int32) (*chunk.Vec, error) {
	return nil, errs.Internal.New("what", "a placeholder was not replaced")
}

// groupStage computes group columns and arguments, aggregates, and rewrites everything above to the result's columns: the
// groups, the number of the grouping set if there are several, the calls.
func (x *selection) groupStage(n plan.Node) (plan.Node, error) {
	if x.groupSets == nil {
		x.addDependent()
	}
	pre := &plan.Project{Input: n}
	for _, g := range x.group {
		pre.Exprs, pre.Names = append(pre.Exprs, g), append(pre.Names, expr.String(g))
	}
	calls, names := x.aggCalls(pre)
	out := plan.Node(&plan.Agg{Input: pre, Group: span(0, len(x.group)), Calls: calls, Names: names})
	if x.groupSets != nil {
		var err error
		if out, err = x.b.groupedBySets(pre, len(x.group), x.groupSets, calls, names); err != nil {
			return nil, err
		}
	}
	return out, x.each(x.regroup)
}

// aggCalls makes the calls; their arguments become columns of the projection.
func (x *selection) aggCalls(pre *plan.Project) ([]agg.Call, []string) {
	column := func(e expr.Expr) int {
		i := slices.IndexFunc(pre.Exprs, func(have expr.Expr) bool { return expr.Equal(have, e) })
		if i < 0 {
			i = len(pre.Exprs)
			pre.Exprs, pre.Names = append(pre.Exprs, e), append(pre.Names, expr.String(e))
		}
		return i
	}
	var calls []agg.Call
	var names []string
	for _, c := range x.calls {
		calls, names = append(calls, c.call(column)), append(names, c.name)
	}
	return calls, names
}

// call is the plan's form of an aggregate whose expressions column finds.
func (c *aggUse) call(column func(expr.Expr) int) agg.Call {
	out := agg.Call{Fn: c.fn, Direct: c.direct, DirectTs: c.directTs, Distinct: c.distinct, Filter: -1, T: c.t}
	for _, e := range c.args {
		out.Args = append(out.Args, column(e))
	}
	if c.filter != nil {
		out.Filter = column(c.filter)
	}
	for _, o := range c.order {
		out.OrderBy = append(out.OrderBy, agg.Order{Col: column(o.e), Desc: o.desc, NullsFirst: o.nullsFirst})
	}
	return out
}

// groupedBySets aggregates once for each grouping set. Rows are repeated for the sets, with NULL for the groups that a set
// does not have; the empty set, which has a row even when there are none, is an aggregation of its own.
func (b *Binder) groupedBySets(pre *plan.Project, groups int, sets [][]int, calls []agg.Call, names []string) (plan.Node, error) {
	full := slices.DeleteFunc(slices.Clone(sets), func(s []int) bool { return len(s) == 0 })
	u := &plan.Union{}
	if len(full) > 0 {
		n, err := b.repeated(pre, groups, full)
		if err != nil {
			return nil, err
		}
		a := &plan.Agg{Input: n, Group: span(0, groups+1), Names: names, Calls: slices.Clone(calls)}
		for i := range a.Calls {
			a.Calls[i] = shifted(a.Calls[i], groups+1)
		}
		u.Ins = append(u.Ins, a)
	}
	fields := pre.Schema()
	for k := len(full); k < len(sets); k++ {
		a := &plan.Agg{Input: pre, Calls: calls, Names: names}
		p := &plan.Project{Input: a}
		for i := range groups {
			p.Exprs, p.Names = append(p.Exprs, expr.Null(fields[i].Type)), append(p.Names, fields[i].Name)
		}
		p.Exprs, p.Names = append(p.Exprs, number4(k)), append(p.Names, "set")
		for i := range calls {
			p.Exprs, p.Names = append(p.Exprs, outputOf(a, i)), append(p.Names, names[i])
		}
		u.Ins = append(u.Ins, p)
	}
	if len(u.Ins) == 1 {
		return u.Ins[0], nil
	}
	return u, nil
}

func number4(k int) expr.Expr { return &expr.Const{Value: types.NewInt(int64(k)), T: types.Int4} }

// shifted moves the columns of a call.
func shifted(c agg.Call, by int) agg.Call {
	c.Args, c.OrderBy = slices.Clone(c.Args), slices.Clone(c.OrderBy)
	for i := range c.Args {
		c.Args[i] += by
	}
	if c.Filter >= 0 {
		c.Filter += by
	}
	for i := range c.OrderBy {
		c.OrderBy[i].Col += by
	}
	return c
}

// repeated has the groups of each set, the number of the set, and all columns of the input as they were.
func (b *Binder) repeated(pre *plan.Project, groups int, sets [][]int) (plan.Node, error) {
	width := len(pre.Exprs)
	in, set := plan.Node(pre), number4(0)
	if len(sets) > 1 {
		fn, args, err := b.Funcs.ResolveSet("generate_series", []expr.Expr{number4(0), number4(len(sets) - 1)})
		if err != nil {
			return nil, err
		}
		in = &plan.ProjectSet{Input: pre, Calls: []plan.SetCall{{Fn: fn, Args: args, Fields: fn.Fields(expr.Types(args))}}}
		set = outputOf(in, width)
	}
	out := &plan.Project{Input: in}
	for g := range groups {
		e := expr.Expr(outputOf(pre, g))
		cond, err := b.inSets(sets, g, set)
		if err != nil {
			return nil, err
		}
		if cond != nil {
			e = &expr.Case{Whens: []expr.When{{Cond: cond, Then: e}}, T: e.Type()}
		}
		out.Exprs, out.Names = append(out.Exprs, e), append(out.Names, pre.Names[g])
	}
	out.Exprs, out.Names = append(out.Exprs, set), append(out.Names, "set")
	for i := range width {
		out.Exprs, out.Names = append(out.Exprs, outputOf(pre, i)), append(out.Names, pre.Names[i])
	}
	return out, nil
}

// inSets is the condition that a row's set has the group; nil when all have.
func (b *Binder) inSets(sets [][]int, g int, set expr.Expr) (expr.Expr, error) {
	var any []expr.Expr
	for k, s := range sets {
		if !slices.Contains(s, g) {
			continue
		}
		eq, err := b.Funcs.Operator("=", set, number4(k))
		if err != nil {
			return nil, err
		}
		any = append(any, eq)
	}
	if len(any) == len(sets) {
		return nil, nil
	}
	return expr.Or(any...), nil
}

// addDependent groups by columns, too, that expressions use and the primary key among the groups determines.
func (x *selection) addDependent() {
	x.each(func(e *expr.Expr) error {
		expr.Walk(*e, func(e expr.Expr) bool {
			if c, ok := e.(*expr.Col); ok && x.dependent(c.Index) {
				x.groupColumn(c)
			}
			return !slices.ContainsFunc(x.group, func(g expr.Expr) bool { return expr.Equal(g, e) })
		})
		return nil
	})
}

// dependent reports whether a column is of a table whose whole key is grouped by.
func (x *selection) dependent(col int) bool {
	i := slices.IndexFunc(x.s.cols, func(c scopeCol) bool { return c.index == col && c.rel != nil })
	if i < 0 {
		return false
	}
	c := x.s.cols[i]
	if c.rel.RowID || len(c.rel.Key) == 0 {
		return false
	}
	for _, k := range c.rel.Key {
		key := &expr.Col{Index: col - c.attr + k}
		if !slices.ContainsFunc(x.group, func(g expr.Expr) bool { return expr.Equal(g, key) }) {
			return false
		}
	}
	return true
}

// regroup rewrites an expression over the input to one over groups: what equals a GROUP BY expression is its column,
// aggregates are theirs, and any other column of the input has no single value.
func (x *selection) regroup(e *expr.Expr) error {
	out, err := x.overGroups(*e)
	*e = out
	return err
}

func (x *selection) overGroups(e expr.Expr) (expr.Expr, error) {
	for i, g := range x.group {
		if expr.Equal(g, e) {
			return &expr.Col{Index: i, T: g.Type(), Name: expr.String(g)}, nil
		}
	}
	switch c := e.(type) {
	case *placeholder:
		switch c.stage {
		case stageAgg:
			return &expr.Col{Index: x.firstCall() + c.i, T: c.t, Name: x.calls[c.i].name}, nil
		case stageGrouping:
			return x.groupingValue(x.groupings[c.i])
		}
		return e, nil
	case *expr.Col:
		return nil, errs.NotGrouped.New("name", x.qualified(c)).At(int(x.b.positions[c]))
	}
	parts := expr.Children(e)
	if len(parts) == 0 {
		return e, nil
	}
	out := make([]expr.Expr, len(parts))
	for i, p := range parts {
		var err error
		if out[i], err = x.overGroups(p); err != nil {
			return nil, err
		}
	}
	return expr.WithChildren(e, out), nil
}

// firstCall is the column of the first aggregate after grouping.
func (x *selection) firstCall() int {
	if x.groupSets != nil {
		return len(x.group) + 1
	}
	return len(x.group)
}

// groupingValue is the number that GROUPING has in each set.
func (x *selection) groupingValue(u groupingUse) (expr.Expr, error) {
	cols := make([]int, len(u.args))
	for i, a := range u.args {
		if cols[i] = slices.IndexFunc(x.group, func(g expr.Expr) bool { return expr.Equal(g, a) }); cols[i] < 0 {
			return nil, errs.GroupingArgument.New().At(int(u.pos[i]))
		}
	}
	if x.groupSets == nil {
		return number4(0), nil
	}
	out := &expr.Case{T: types.Int4}
	set := &expr.Col{Index: len(x.group), T: types.Int4, Name: "set"}
	k := 0
	for _, empty := range []bool{false, true} { // numbered as groupedBySets does
		for _, s := range x.groupSets {
			if (len(s) == 0) != empty {
				continue
			}
			bits := 0
			for _, c := range cols {
				bits <<= 1
				if !slices.Contains(s, c) {
					bits |= 1
				}
			}
			eq, err := x.b.Funcs.Operator("=", set, number4(k))
			if err != nil {
				return nil, err
			}
			out.Whens = append(out.Whens, expr.When{Cond: eq, Then: number4(bits)})
			k++
		}
	}
	return out, nil
}

// regroupSub rewrites what a subquery refers to in its block.
func (x *selection) regroupSub(u *subUse) error {
	var failed error
	u.n = plan.MapOuter(u.n, func(o *plan.Outer, level int) expr.Expr {
		if o.Depth != level+1 {
			return o
		}
		e, err := x.overGroups(&expr.Col{Index: o.Index, T: o.T, Name: o.Name})
		if c, ok := e.(*expr.Col); ok && err == nil {
			return &plan.Outer{Depth: o.Depth, Index: c.Index, T: c.T, Name: c.Name}
		}
		failed = errs.UngroupedOuter.New("name", x.qualified(&expr.Col{Index: o.Index, Name: o.Name})).At(int(u.pos))
		return o
	})
	if failed != nil || u.match == nil {
		return failed
	}
	return x.regroup(&u.match.left)
}

// qualified names a column of the input as PostgreSQL's message does.
func (x *selection) qualified(c *expr.Col) string {
	for _, s := range x.s.cols {
		if s.index == c.Index && !s.merged {
			if s.table != "" {
				return s.table + "." + s.name
			}
			return s.name
		}
	}
	return c.Name
}

func span(from, to int) []int {
	var out []int
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}
