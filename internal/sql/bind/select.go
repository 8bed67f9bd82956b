package bind

import (
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
	b       *Binder
	in      plan.Node // what expressions are over; grows by the columns of subqueries
	s       *scope
	names   []string
	exprs   []expr.Expr // output columns, then the ORDER BY expressions that are none of them
	group   []expr.Expr
	calls   []aggUse
	sets    []plan.SetCall // set-returning functions of the select list
	wins    []windowUse
	grouped bool
	order   []plan.Order
}

// aggUse is an aggregate met in an expression: it is replaced by a column once the input is grouped.
type aggUse struct {
	fn       *agg.Func
	args     []expr.Expr
	direct   []types.Datum
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

// placeholder stands for column i of a later stage: a group's aggregate, a set-returning or window function.
type placeholder struct {
	stage stage
	i     int
	t     types.T
}

type stage uint8

const (
	stageAgg stage = iota
	stageWindow
	stageSet
)

func (p *placeholder) Type() types.T { return p.t }

// selectQuery binds SELECT with the ORDER BY and LIMIT of its query.
func (b *Binder) selectQuery(sel *ast.Select, q *ast.Query, outer *scope) (plan.Node, []string, error) {
	in, s, err := b.from(sel.From, outer)
	if err != nil {
		return nil, nil, err
	}
	x := &selection{b: b, in: in, s: s}
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
	var having expr.Expr
	if sel.Having != nil {
		if having, err = x.condition(sel.Having, "HAVING"); err != nil {
			return nil, nil, err
		}
	}
	visible := len(x.exprs)
	if err := x.orderBy(q.OrderBy, sel, visible); err != nil {
		return nil, nil, err
	}
	n, err := x.assemble(sel, having, visible)
	if err != nil {
		return nil, nil, err
	}
	if n, err = b.orderLimit(n, x.order, q, s); err != nil {
		return nil, nil, err
	}
	return trim(n, visible, x.names), x.names, nil
}

// trim takes away the columns that only ORDER BY needed.
func trim(n plan.Node, visible int, names []string) plan.Node {
	if len(n.Schema()) == visible {
		return n
	}
	p := identity(n)
	p.Exprs, p.Names = p.Exprs[:visible], names
	return p
}

// items binds the select list.
func (x *selection) items(sel *ast.Select) error {
	for _, item := range sel.Items {
		if star, ok := item.Expr.(*ast.Star); ok && star.Of == nil {
			cols, err := x.s.star(star)
			if err != nil {
				return err
			}
			for _, c := range cols {
				x.exprs = append(x.exprs, &expr.Col{Index: c.index, T: c.t, Name: c.name})
				x.names = append(x.names, c.name)
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
		x.exprs, x.names = append(x.exprs, e), append(x.names, name)
	}
	return nil
}

// groupBy binds GROUP BY: positions, output names, or expressions.
func (x *selection) groupBy(sel *ast.Select) error {
	x.grouped = len(sel.GroupBy) > 0 || sel.Having != nil
	for _, g := range sel.GroupBy {
		if g.Kind != ast.GroupExpr && g.Kind != ast.GroupEmpty {
			return errs.Unsupported.New("feature", string(g.Kind)).At(int(g.Pos))
		}
		if g.Kind == ast.GroupEmpty {
			continue
		}
		items := []ast.Expr{g.Expr}
		if row, ok := g.Expr.(*ast.Row); ok && !row.Explicit {
			items = row.Elems
		}
		for _, item := range items {
			e, err := x.groupItem(item)
			if err != nil {
				return err
			}
			x.group = append(x.group, e)
		}
	}
	return nil
}

func (x *selection) groupItem(e ast.Expr) (expr.Expr, error) {
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
	before := len(x.calls)
	g, err := x.expr(e)
	if err == nil && len(x.calls) > before {
		err = errs.AggregateMisplaced.New("where", "GROUP BY").At(int(e.Position()))
	}
	return g, err
}

// orderBy binds ORDER BY: positions, output names, or expressions over the input.
func (x *selection) orderBy(items []ast.OrderItem, sel *ast.Select, visible int) error {
	for _, item := range items {
		i, err := x.orderItem(item.Expr, sel, visible)
		if err != nil {
			return err
		}
		x.order = append(x.order, orderOf(item, i))
	}
	return nil
}

func (x *selection) orderItem(e ast.Expr, sel *ast.Select, visible int) (int, error) {
	if num, ok := e.(*ast.NumberLit); ok {
		return ordinal(num, visible, "ORDER BY")
	}
	if ref, ok := e.(*ast.ColumnRef); ok && len(ref.Parts) == 1 {
		for i, name := range x.names[:visible] {
			if name == ref.Parts[0] {
				return i, nil
			}
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
	if sel.Distinct && len(sel.DistinctOn) == 0 {
		return 0, errs.InvalidColumnRef.New("what", "for SELECT DISTINCT, ORDER BY expressions must appear in select list").At(int(e.Position()))
	}
	x.exprs, x.names = append(x.exprs, o), append(x.names, "order"+strconv.Itoa(len(x.exprs)))
	return len(x.exprs) - 1, nil
}

// assemble puts the stages on top of each other: group, having, windows, set-returning functions, projection, distinct.
func (x *selection) assemble(sel *ast.Select, having expr.Expr, visible int) (plan.Node, error) {
	n := x.in
	var err error
	if x.grouped || len(x.calls) > 0 {
		if n, err = x.groupStage(n, &having); err != nil {
			return nil, err
		}
		if having != nil {
			n = &plan.Filter{Input: n, Cond: having}
		}
	}
	if len(x.wins) > 0 {
		if n, err = x.windowStage(n); err != nil {
			return nil, err
		}
	}
	if len(x.sets) > 0 {
		n = x.setStage(n)
	}
	for _, e := range x.exprs {
		if e.Type().Kind == types.KindUnknown {
			continue
		}
	}
	p := &plan.Project{Input: n, Names: x.names}
	for _, e := range x.exprs {
		if c, ok := e.(*expr.Const); ok && c.T.Kind == types.KindUnknown {
			if e, err = x.b.Funcs.Cast(c, types.Text, expr.CastImplicit); err != nil {
				return nil, err
			}
		}
		p.Exprs = append(p.Exprs, e)
	}
	switch {
	case len(sel.DistinctOn) > 0:
		return x.distinctOn(p, sel)
	case sel.Distinct:
		return distinct(p), nil
	}
	return p, nil
}

// distinctOn keeps the first row, in the query's order, of each value of the expressions.
func (x *selection) distinctOn(p *plan.Project, sel *ast.Select) (plan.Node, error) {
	t := &plan.TopN{Input: p, Limit: 1, Order: x.order}
	for _, e := range sel.DistinctOn {
		i, err := x.orderItem(e, &ast.Select{}, len(x.names))
		if err != nil {
			return nil, err
		}
		if i >= len(p.Exprs) {
			p.Exprs, p.Names = x.exprs, x.names
		}
		t.Partition = append(t.Partition, i)
	}
	return t, nil
}

// setStage runs the set-returning functions of the select list; their columns follow those of the input.
func (x *selection) setStage(n plan.Node) plan.Node {
	width := len(n.Schema())
	ps := &plan.ProjectSet{Input: n, Calls: x.sets}
	at := make([]int, len(x.sets))
	for i, c := range x.sets {
		at[i] = width
		width += len(c.Fields)
	}
	x.replace(stageSet, func(i int, t types.T) expr.Expr { return &expr.Col{Index: at[i], T: t} })
	return ps
}

// replace puts columns in place of the placeholders of a stage.
func (x *selection) replace(st stage, to func(i int, t types.T) expr.Expr) {
	for i, e := range x.exprs {
		x.exprs[i] = expr.Rewrite(e, func(e expr.Expr) expr.Expr {
			if p, ok := e.(*placeholder); ok && p.stage == st {
				return to(p.i, p.t)
			}
			return e
		})
	}
}
