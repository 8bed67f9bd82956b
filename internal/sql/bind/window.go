package bind

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// windowUse is a window function met in an expression.
type windowUse struct {
	name      string
	agg       *aggUse
	args      []expr.Expr
	partition []expr.Expr
	order     []aggOrder
	frame     plan.Frame
	t         types.T

	ignoreNulls bool
}

// each applies f to every expression of the use.
func (w *windowUse) each(f func(*expr.Expr) error) error {
	lists := [][]expr.Expr{w.args, w.partition}
	if w.agg != nil {
		lists = append(lists, w.agg.args)
		if w.agg.filter != nil {
			if err := f(&w.agg.filter); err != nil {
				return err
			}
		}
	}
	for _, list := range lists {
		for i := range list {
			if err := f(&list[i]); err != nil {
				return err
			}
		}
	}
	for i := range w.order {
		if err := f(&w.order[i].e); err != nil {
			return err
		}
	}
	return nil
}

// windowFuncs are the functions that exist only with OVER, with the types of their arguments; the first argument of some
// is a value of any type.
var windowFuncs = map[string]struct {
	value    bool // the first argument is a value, of the result's type
	ret      types.T
	least    int // arguments
	most     int
	integers []int // positions of integer arguments
}{
	"row_number":   {ret: types.Int8},
	"rank":         {ret: types.Int8},
	"dense_rank":   {ret: types.Int8},
	"percent_rank": {ret: types.Float8},
	"cume_dist":    {ret: types.Float8},
	"ntile":        {ret: types.Int4, least: 1, most: 1, integers: []int{0}},
	"lag":          {value: true, least: 1, most: 3, integers: []int{1}},
	"lead":         {value: true, least: 1, most: 3, integers: []int{1}},
	"first_value":  {value: true, least: 1, most: 1},
	"last_value":   {value: true, least: 1, most: 1},
	"nth_value":    {value: true, least: 2, most: 2, integers: []int{1}},
}

// window binds a call with OVER.
func (x *selection) window(e *ast.FuncCall, c context) (expr.Expr, error) {
	switch {
	case c.where != "" || c.noWindow != "":
		return nil, errs.WindowMisplaced.New("where", c.where+c.noWindow).At(int(e.Pos))
	case c.inAgg:
		return nil, errs.WindowInAggregate.New().At(int(e.Pos))
	case c.inWindow:
		return nil, errs.NestedWindow.New().At(int(e.Pos))
	case e.Nulls != ast.NullsUnspecified && !windowFuncs[e.Name.Last()].value:
		return nil, errs.WindowOption.New("what", "function "+e.Name.Last()+" does not allow RESPECT/IGNORE NULLS").At(int(e.Pos))
	case e.Distinct:
		return nil, errs.WindowOption.New("what", "DISTINCT is not implemented for window functions").At(int(e.Pos))
	case len(e.OrderBy) > 0 || len(e.WithinGroup) > 0:
		return nil, errs.WindowOption.New("what", "aggregate ORDER BY is not implemented for window functions").At(int(e.Pos))
	}
	c.inWindow = true
	u := windowUse{name: e.Name.Last(), ignoreNulls: e.Nulls == ast.IgnoreNulls}
	if err := x.windowDef(&u, e.Over, c); err != nil {
		return nil, err
	}
	if err := x.windowCall(&u, e, c); err != nil {
		return nil, err
	}
	x.wins = append(x.wins, u)
	return &placeholder{stage: stageWindow, i: len(x.wins) - 1, t: u.t}, nil
}

// windowCall binds the function: one of windowFuncs, or an aggregate over the frame.
func (x *selection) windowCall(u *windowUse, e *ast.FuncCall, c context) error {
	f, ok := windowFuncs[u.name]
	if !ok && !x.b.Aggs.Has(u.name) {
		if x.b.Funcs.Has(u.name) {
			return errs.NotWindowFunction.New("name", u.name).At(int(e.Pos))
		}
		return errs.UndefinedFunction.New("signature", u.name+"()").At(int(e.Pos))
	}
	if !ok || len(e.Args) == 0 && f.least > 0 {
		a, err := c.aggUse(e)
		if err != nil {
			return err
		}
		u.agg, u.t = &a, a.t
		return nil
	}
	if e.Filter != nil {
		return errs.WindowOption.New("what", "FILTER is not implemented for non-aggregate window functions").At(int(e.Pos))
	}
	args, err := x.b.args(e, c.s, &c)
	if err != nil {
		return err
	}
	if len(args) < f.least || len(args) > f.most {
		return errs.UndefinedFunction.New("signature", signature(u.name, args)).At(int(e.Pos))
	}
	for _, i := range f.integers {
		if i < len(args) {
			integer, err := x.b.cast(args[i], types.Int4, expr.CastImplicit)
			if err != nil && args[i].Type().Kind == types.KindUnknown {
				return err
			}
			if err != nil {
				return at(errs.UndefinedFunction.New("signature", signature(u.name, args)), e.Pos)
			}
			args[i] = integer
		}
	}
	u.args, u.t = args, f.ret
	if !f.value {
		return nil
	}
	if len(args) == 3 { // the default is of the value's type
		pair := []expr.Expr{args[0], args[2]}
		if _, err := c.unify(u.name, pair, e.Pos); err != nil {
			return err
		}
		args[0], args[2] = pair[0], pair[1]
	}
	if args[0], err = x.b.typed(args[0]); err != nil {
		return err
	}
	u.t = args[0].Type()
	return nil
}

func signature(name string, args []expr.Expr) string {
	s := name + "("
	for i, a := range args {
		if i > 0 {
			s += ", "
		}
		s += types.SQLName(a.Type())
	}
	return s + ")"
}

// windowDef binds the definition of a window.
func (x *selection) windowDef(u *windowUse, d *ast.WindowDef, c context) error {
	d, err := x.resolveWindow(d)
	if err != nil {
		return err
	}
	for _, e := range d.PartitionBy {
		p, err := c.expr(e)
		if err == nil {
			p, err = x.b.typed(p)
		}
		if err != nil {
			return err
		}
		u.partition = append(u.partition, p)
	}
	for _, o := range d.OrderBy {
		e, err := c.expr(o.Expr)
		if err == nil {
			e, err = x.b.typed(e)
		}
		if err != nil {
			return err
		}
		p := orderOf(o, 0)
		u.order = append(u.order, aggOrder{e, p.Desc, p.NullsFirst})
	}
	u.frame, err = x.b.frame(d, u.order)
	return err
}

// resolveWindow follows references to named windows.
func (x *selection) resolveWindow(d *ast.WindowDef) (*ast.WindowDef, error) {
	if d.Ref == "" {
		return d, nil
	}
	i := slices.IndexFunc(x.windows, func(w ast.NamedWindow) bool { return w.Name.Name == d.Ref })
	if i < 0 {
		return nil, errs.UndefinedWindow.New("name", d.Ref).At(int(d.Pos))
	}
	base := x.windows[i].Def
	if base.Ref != "" {
		earlier := &selection{windows: x.windows[:i]} // a window may only refer to those before it
		var err error
		if base, err = earlier.resolveWindow(base); err != nil {
			return nil, err
		}
	}
	if d.Bare {
		return base, nil
	}
	out := *base
	switch {
	case len(d.PartitionBy) > 0:
		return nil, errs.WindowOverride.New("what", "PARTITION BY clause", "name", d.Ref).At(int(d.Pos))
	case len(d.OrderBy) > 0 && len(base.OrderBy) > 0:
		return nil, errs.WindowOverride.New("what", "ORDER BY clause", "name", d.Ref).At(int(d.Pos))
	case len(d.OrderBy) > 0:
		out.OrderBy = d.OrderBy
	}
	if d.Frame != nil {
		out.Frame = d.Frame
	}
	return &out, nil
}

// windowStage computes the window functions, those of one definition together. Its columns follow those of the input.
func (x *selection) windowStage(n plan.Node) (plan.Node, error) {
	at := make([]int, len(x.wins))
	done := make([]bool, len(x.wins))
	for i := range x.wins {
		if done[i] {
			continue
		}
		var same []int
		for k := i; k < len(x.wins); k++ {
			if !done[k] && sameWindow(&x.wins[i], &x.wins[k]) {
				same, done[k] = append(same, k), true
			}
		}
		n = x.oneWindow(n, same, at)
	}
	x.replace(stageWindow, func(p *placeholder) expr.Expr { return &expr.Col{Index: at[p.i], T: p.t, Name: x.wins[p.i].name} })
	return n, nil
}

func sameWindow(a, b *windowUse) bool {
	return slices.EqualFunc(a.partition, b.partition, expr.Equal) && slices.EqualFunc(a.order, b.order, func(o, p aggOrder) bool {
		return o.desc == p.desc && o.nullsFirst == p.nullsFirst && expr.Equal(o.e, p.e)
	})
}

// oneWindow adds a Window for the uses, which have one definition but for their frames.
func (x *selection) oneWindow(n plan.Node, uses []int, at []int) plan.Node {
	s := newSide(n)
	w := &plan.Window{}
	first := &x.wins[uses[0]]
	for _, e := range first.partition {
		w.Partition = append(w.Partition, s.shared(e))
	}
	for _, o := range first.order {
		w.Order = append(w.Order, plan.Order{Col: s.shared(o.e), Desc: o.desc, NullsFirst: o.nullsFirst})
	}
	for _, i := range uses {
		u := &x.wins[i]
		c := plan.WindowCall{Name: u.name, Frame: u.frame, T: u.t, Field: u.name, IgnoreNulls: u.ignoreNulls}
		for _, e := range u.args {
			c.Args = append(c.Args, s.shared(e))
		}
		if u.agg != nil {
			a := u.agg.call(s.shared)
			c.Name, c.Agg = "", &a
		}
		w.Calls = append(w.Calls, c)
	}
	w.Input = s.node()
	for k, i := range uses {
		at[i] = len(w.Input.Schema()) + k
	}
	return w
}
