package bind

import (
	"slices"
	"strconv"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// selection is a SELECT block while it is being bound.
type selection struct {
	b           *Binder
	in          plan.Node // what expressions are over; grows by the columns of subqueries
	s           *scope
	names       []string
	origins     []plan.Origin // of the select list
	exprs       []expr.Expr   // output columns, then the ORDER BY expressions that are none of them
	having      expr.Expr
	group       []expr.Expr
	groupSets   [][]int // positions in group of each grouping set; nil: all of them, once
	groupings   []groupingUse
	calls       []aggUse
	subs        []subUse
	sets        []setUse // set-returning functions of the select list
	wins        []windowUse
	windows     []ast.NamedWindow
	grouped     bool
	order       []plan.Order
	distinctOn  []int // output columns
	keepUnknown bool  // literals without a type stay so: the context gives them one
}

// aggUse is an aggregate met in an expression: it is replaced by a column once the input is grouped.
type aggUse struct {
	fn       *agg.Func
	args     []expr.Expr
	direct   []types.Datum
	directTs []types.T
	distinct bool
	filter   expr.Expr
	order    []aggOrder
	t        types.T
	name     string
}

type aggOrder struct {
	e                expr.Expr
	desc, nullsFirst bool
}

// placeholder stands for a column of a later stage: column col of subquery, function or aggregate i.
type placeholder struct {
	stage  stage
	i, col int
	t      types.T
}

type stage uint8

const (
	stageAgg stage = iota
	stageGrouping
	stageSub
	stageWindow
	stageSet
)

func (p *placeholder) Type() types.T { return p.t }

// EqualExpr makes two placeholders of the same column equal.
func (p *placeholder) EqualExpr(e expr.Expr) bool {
	o, ok := e.(*placeholder)
	return ok && p.stage == o.stage && p.i == o.i && p.col == o.col
}

// has reports whether an expression has a placeholder of the stage.
func has(e expr.Expr, st stage) bool {
	found := false
	expr.Walk(e, func(e expr.Expr) bool {
		p, ok := e.(*placeholder)
		found = found || ok && p.stage == st
		return !found
	})
	return found
}

// selectQuery binds SELECT with the ORDER BY and LIMIT of its query.
func (b *Binder) selectQuery(sel *ast.Select, q *ast.Query, outer *scope, keepUnknown bool) (plan.Node, []string, error) {
	in, s, err := b.from(sel.From, outer)
	if err != nil {
		return nil, nil, err
	}
	x := &selection{b: b, in: in, s: s, windows: sel.Windows}
	x.keepUnknown = keepUnknown && !sel.Distinct && len(q.OrderBy) == 0 && q.Limit == nil && q.Offset == nil
	if sel.Where != nil {
		if err := x.where(sel.Where); err != nil {
			return nil, nil, err
		}
	}
	if err := x.items(sel); err != nil {
		return nil, nil, err
	}
	if err := x.groupBy(sel); err != nil {
		return nil, nil, err
	}
	if sel.Having != nil {
		if x.having, err = x.condition(sel.Having, "HAVING"); err != nil {
			return nil, nil, err
		}
	}
	visible := len(x.exprs)
	if err := x.orderBy(q.OrderBy, sel, visible); err != nil {
		return nil, nil, err
	}
	if err := x.distinctColumns(sel, visible); err != nil {
		return nil, nil, err
	}
	n, err := x.assemble(sel)
	if err != nil {
		return nil, nil, err
	}
	if n, err = b.orderLimit(n, x.order, q, s); err != nil {
		return nil, nil, err
	}
	b.origins = x.origins
	return trim(n, visible, x.names), x.names[:visible], nil
}

// trim takes away the columns that only ORDER BY needed.
func trim(n plan.Node, visible int, names []string) plan.Node {
	if len(n.Schema()) == visible {
		return n
	}
	p := identity(n)
	p.Exprs, p.Names = p.Exprs[:visible], names[:visible]
	return p
}

// items binds the select list.
func (x *selection) items(sel *ast.Select) error {
	x.b.noteSelect(sel)
	for _, item := range sel.Items {
		if star, ok := item.Expr.(*ast.Star); ok {
			if err := x.star(star); err != nil {
				return err
			}
			continue
		}
		e, err := x.expr(item.Expr)
		if err != nil {
			return err
		}
		name := item.Alias
		if name == "" {
			name = outputName(item.Expr)
		}
		x.exprs, x.names, x.origins = append(x.exprs, e), append(x.names, name), append(x.origins, x.origin(item.Expr))
	}
	return nil
}

// star adds the columns of *, t.* or (struct).*.
func (x *selection) star(star *ast.Star) error {
	if star.Of != nil {
		return x.fields(star)
	}
	cols, err := x.s.star(star)
	if err != nil {
		return err
	}
	if len(x.s.cols) == 0 && len(star.Qualifier) == 0 {
		return errs.ColumnCount.New("what", "SELECT * with no tables specified is not valid").At(int(star.Pos))
	}
	x.b.noteStar(star, cols)
	for _, c := range cols {
		x.exprs = append(x.exprs, x.b.column(&expr.Col{Index: c.index, T: c.t, Name: c.name}, star.Pos))
		x.names, x.origins = append(x.names, c.name), append(x.origins, c.origin)
	}
	return nil
}

func (x *selection) fields(star *ast.Star) error {
	e, err := x.expr(star.Of)
	if err != nil {
		return err
	}
	if e.Type().Kind != types.KindStruct {
		return errs.WrongObject.New("what", "type "+types.SQLName(e.Type())+" is not composite").At(int(star.Pos))
	}
	for i, f := range e.Type().Fields {
		x.exprs, x.names = append(x.exprs, x.b.Funcs.Field(e, i)), append(x.names, f.Name)
		x.origins = append(x.origins, plan.Origin{})
	}
	return nil
}

// orderBy binds ORDER BY: positions, output names, or expressions over the input.
func (x *selection) orderBy(items []ast.OrderItem, sel *ast.Select, visible int) error {
	for _, item := range items {
		i, err := x.orderItem(item.Expr, visible)
		if err != nil {
			return err
		}
		if i >= visible && sel.Distinct && len(sel.DistinctOn) == 0 {
			return errs.InvalidColumnRef.New("what", "for SELECT DISTINCT, ORDER BY expressions must appear in select list").At(int(item.Expr.Position()))
		}
		x.order = append(x.order, orderOf(item, i))
	}
	return nil
}

// orderItem is the output column that an expression of ORDER BY or DISTINCT ON is, a new one if need be.
func (x *selection) orderItem(e ast.Expr, visible int) (int, error) {
	if num, ok := e.(*ast.NumberLit); ok {
		return ordinal(num, visible, "ORDER BY")
	}
	if ref, ok := e.(*ast.ColumnRef); ok && len(ref.Parts) == 1 {
		found := -1
		for i, name := range x.names[:visible] {
			if name != ref.Parts[0] {
				continue
			}
			if found >= 0 && !expr.Equal(x.exprs[i], x.exprs[found]) {
				return 0, errs.AmbiguousOutput.New("clause", "ORDER BY", "name", name).At(int(ref.Pos))
			}
			found = i
		}
		if found >= 0 {
			return found, nil
		}
	}
	o, err := x.expr(e)
	if err != nil {
		return 0, err
	}
	for i, have := range x.exprs {
		if expr.Equal(have, o) {
			return i, nil
		}
	}
	x.exprs, x.names = append(x.exprs, o), append(x.names, "order"+strconv.Itoa(len(x.exprs)))
	return len(x.exprs) - 1, nil
}

// distinctColumns binds DISTINCT ON, whose expressions must be the first ones of ORDER BY if there is one.
func (x *selection) distinctColumns(sel *ast.Select, visible int) error {
	for _, e := range sel.DistinctOn {
		i, err := x.orderItem(e, visible)
		if err != nil {
			return err
		}
		x.distinctOn = append(x.distinctOn, i)
	}
	for k, o := range x.order {
		if k < len(x.distinctOn) && !slices.Contains(x.distinctOn, o.Col) {
			return errs.InvalidColumnRef.New("what", "SELECT DISTINCT ON expressions must match initial ORDER BY expressions").At(int(sel.DistinctOn[k].Position()))
		}
	}
	return nil
}

// assemble puts the stages on top of each other: group, subqueries, having, windows, set-returning functions, projection,
// distinct.
func (x *selection) assemble(sel *ast.Select) (plan.Node, error) {
	n := x.in
	var err error
	if x.grouped || len(x.calls) > 0 || len(x.groupings) > 0 {
		x.grouped = true
		if n, err = x.groupStage(n); err != nil {
			return nil, err
		}
	}
	if n, err = x.subStage(n); err != nil {
		return nil, err
	}
	if x.having != nil {
		n = &plan.Filter{Input: n, Cond: x.having}
	}
	if len(x.wins) > 0 {
		if n, err = x.windowStage(n); err != nil {
			return nil, err
		}
	}
	if len(x.sets) > 0 {
		n = x.setStage(n)
	}
	p := &plan.Project{Input: n, Names: x.names}
	for _, e := range x.exprs {
		if !x.keepUnknown {
			if e, err = x.b.typed(e); err != nil {
				return nil, err
			}
		}
		p.Exprs = append(p.Exprs, e)
	}
	switch {
	case len(x.distinctOn) > 0:
		return &plan.TopN{Input: p, Limit: 1, Partition: x.distinctOn, Order: x.order}, nil
	case sel.Distinct:
		return distinct(p), nil
	}
	return p, nil
}

// typed makes a literal or parameter that nothing gives a type text.
func (b *Binder) typed(e expr.Expr) (expr.Expr, error) {
	if e.Type().Kind != types.KindUnknown {
		return e, nil
	}
	return b.cast(e, types.Text, expr.CastImplicit)
}

// subStage applies the subqueries. Over groups, what they refer to are group columns.
func (x *selection) subStage(n plan.Node) (plan.Node, error) {
	for i := range x.subs {
		u := &x.subs[i]
		if u.applied {
			continue
		}
		if x.grouped {
			if err := x.regroupSub(u); err != nil {
				return nil, err
			}
		}
		if u.match != nil {
			u.match.left = x.substituted(u.match.left, stageSub, x.subColumn)
		}
		var err error
		if n, err = x.applySub(n, i); err != nil {
			return nil, err
		}
	}
	x.replace(stageSub, x.subColumn)
	return n, nil
}

// subColumn is the column of a subquery that has been applied.
func (x *selection) subColumn(p *placeholder) expr.Expr {
	if !x.subs[p.i].applied {
		return p
	}
	return &expr.Col{Index: x.subs[p.i].at + p.col, T: p.t}
}

// replace puts columns in place of the placeholders of a stage, everywhere above it.
func (x *selection) replace(st stage, to func(*placeholder) expr.Expr) {
	x.each(func(e *expr.Expr) error {
		*e = x.substituted(*e, st, to)
		return nil
	})
}

func (x *selection) substituted(e expr.Expr, st stage, to func(*placeholder) expr.Expr) expr.Expr {
	return expr.Rewrite(e, func(e expr.Expr) expr.Expr {
		if p, ok := e.(*placeholder); ok && p.stage == st {
			return to(p)
		}
		return e
	})
}

// each visits the expressions that are over the input of the select list.
func (x *selection) each(f func(*expr.Expr) error) error {
	for i := range x.exprs {
		if err := f(&x.exprs[i]); err != nil {
			return err
		}
	}
	if x.having != nil {
		if err := f(&x.having); err != nil {
			return err
		}
	}
	for i := range x.wins {
		if err := x.wins[i].each(f); err != nil {
			return err
		}
	}
	for i := range x.sets {
		for j := range x.sets[i].call.Args {
			if err := f(&x.sets[i].call.Args[j]); err != nil {
				return err
			}
		}
	}
	return nil
}
