package bind

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// groupSetsMax bounds the grouping sets of a query, as PostgreSQL does.
const groupSetsMax = 4096

// groupingUse is GROUPING(a, b): which of its arguments are not grouped by in a row's grouping set, as bits.
type groupingUse struct {
	args []expr.Expr
	pos  []ast.Pos
}

// groupBy binds GROUP BY: positions, output names, or expressions, in grouping sets perhaps.
func (x *selection) groupBy(sel *ast.Select) error {
	x.grouped = len(sel.GroupBy) > 0 || sel.Having != nil || sel.GroupAll
	if sel.GroupAll {
		x.groupAll()
	}
	sets := [][]int{{}}
	plain := true
	for _, g := range sel.GroupBy {
		plain = plain && g.Kind == ast.GroupExpr
		item, err := x.groupingSets(g)
		if err != nil {
			return err
		}
		if sets, err = product(sets, item, g.Pos); err != nil {
			return err
		}
	}
	if len(sel.GroupBy) > 0 && !plain {
		x.groupSets = sets
		if sel.GroupDistinct {
			x.groupSets = distinctSets(sets)
		}
	}
	return x.groupSubs()
}

// groupAll groups by every item that has neither an aggregate nor a window function.
func (x *selection) groupAll() {
	for _, e := range x.exprs {
		if !has(e, stageAgg) && !has(e, stageWindow) {
			x.groupColumn(e)
		}
	}
}

// groupColumn is the position of a grouping expression.
func (x *selection) groupColumn(e expr.Expr) int {
	i := slices.IndexFunc(x.group, func(g expr.Expr) bool { return expr.Equal(g, e) })
	if i < 0 {
		i = len(x.group)
		x.group = append(x.group, e)
	}
	return i
}

// groupingSets are the sets that an item of GROUP BY stands for.
func (x *selection) groupingSets(g ast.GroupItem) ([][]int, error) {
	switch g.Kind {
	case ast.GroupEmpty:
		return [][]int{{}}, nil
	case ast.GroupExpr:
		set, err := x.groupExprs(g.Expr)
		return [][]int{set}, err
	}
	parts := make([][][]int, len(g.Items))
	for i, item := range g.Items {
		var err error
		if parts[i], err = x.groupingSets(item); err != nil {
			return nil, err
		}
	}
	switch g.Kind {
	case ast.GroupRollup:
		var out [][]int
		for n := len(parts); n >= 0; n-- {
			out = append(out, joined(parts[:n], -1))
		}
		return out, nil
	case ast.GroupCube:
		if len(parts) > 12 {
			return nil, errs.TooManyGroupingSets.New("max", groupSetsMax).At(int(g.Pos))
		}
		var out [][]int
		for mask := 1<<len(parts) - 1; mask >= 0; mask-- {
			out = append(out, joined(parts, mask))
		}
		return out, nil
	}
	return slices.Concat(parts...), nil
}

// joined puts the parts chosen by the bits of mask into one set, the first part by the highest bit.
func joined(parts [][][]int, mask int) []int {
	out := []int{}
	for i, p := range parts {
		if mask&(1<<(len(parts)-1-i)) != 0 {
			out = union(out, p[0])
		}
	}
	return out
}

func union(a, b []int) []int {
	out := slices.Clone(a)
	for _, c := range b {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// product combines the sets of two items of GROUP BY.
func product(a, b [][]int, pos ast.Pos) ([][]int, error) {
	if len(a)*len(b) > groupSetsMax {
		return nil, errs.TooManyGroupingSets.New("max", groupSetsMax).At(int(pos))
	}
	var out [][]int
	for _, x := range a {
		for _, y := range b {
			out = append(out, union(x, y))
		}
	}
	return out, nil
}

// distinctSets is GROUP BY DISTINCT.
func distinctSets(sets [][]int) [][]int {
	var out [][]int
	for _, s := range sets {
		sorted := slices.Sorted(slices.Values(s))
		if !slices.ContainsFunc(out, func(o []int) bool { return slices.Equal(slices.Sorted(slices.Values(o)), sorted) }) {
			out = append(out, s)
		}
	}
	return out
}

// groupExprs binds an expression of GROUP BY; (a, b) is two.
func (x *selection) groupExprs(e ast.Expr) ([]int, error) {
	items := []ast.Expr{e}
	if row, ok := e.(*ast.Row); ok && !row.Explicit {
		items = row.Elems
	}
	set := []int{}
	for _, item := range items {
		g, err := x.groupItem(item)
		if err != nil {
			return nil, err
		}
		set = union(set, []int{x.groupColumn(g)})
	}
	return set, nil
}

func (x *selection) groupItem(e ast.Expr) (expr.Expr, error) {
	g, err := x.groupRef(e)
	if err != nil {
		return nil, err
	}
	switch {
	case has(g, stageAgg):
		return nil, errs.AggregateMisplaced.New("where", "GROUP BY").At(int(e.Position()))
	case has(g, stageWindow):
		return nil, errs.WindowMisplaced.New("where", "GROUP BY").At(int(e.Position()))
	}
	return x.b.typed(g)
}

// groupRef binds an item: a position, a column of the input, an output name, or an expression.
func (x *selection) groupRef(e ast.Expr) (expr.Expr, error) {
	if num, ok := e.(*ast.NumberLit); ok {
		i, err := ordinal(num, len(x.exprs), "GROUP BY")
		if err != nil {
			return nil, err
		}
		return x.exprs[i], nil
	}
	if ref, ok := e.(*ast.ColumnRef); ok && len(ref.Parts) == 1 { // input columns come before output names
		if c, err := x.s.find(ref); err == nil && c == nil {
			for i, name := range x.names {
				if name == ref.Parts[0] {
					return x.exprs[i], nil
				}
			}
		}
	}
	return x.expr(e)
}

// groupSubs applies the subqueries of grouping expressions before the rows are grouped.
func (x *selection) groupSubs() error {
	for _, g := range x.group {
		var err error
		expr.Walk(g, func(e expr.Expr) bool {
			if p, ok := e.(*placeholder); ok && p.stage == stageSub && !x.subs[p.i].applied && err == nil {
				x.in, err = x.applySub(x.in, p.i)
			}
			return true
		})
		if err != nil {
			return err
		}
	}
	for i, g := range x.group {
		x.group[i] = x.substituted(g, stageSub, x.subColumn)
	}
	x.replace(stageSub, x.subColumn)
	return nil
}

// grouping binds GROUPING(...).
func (c context) grouping(e *ast.FuncCall) (expr.Expr, error) {
	if c.sel == nil || c.where != "" || c.inAgg {
		return nil, errs.AggregateMisplaced.New("where", c.where).At(int(e.Pos))
	}
	u := groupingUse{}
	for _, a := range e.Args {
		x, err := c.expr(a.Value)
		if err != nil {
			return nil, err
		}
		u.args, u.pos = append(u.args, x), append(u.pos, a.Value.Position())
	}
	c.sel.groupings = append(c.sel.groupings, u)
	return &placeholder{stage: stageGrouping, i: len(c.sel.groupings) - 1, t: types.Int4}, nil
}
