package opt

import (
	"maps"
	"slices"
	"strconv"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
)

// domain is what a subquery refers to on the left of its Apply: expressions over the left columns, its items. Usually an
// item is a column.
type domain struct {
	left plan.Node
	list []expr.Expr
	bare *plan.Agg // a global aggregate whose missing rows are padded by the last join
	// work has the rows of the rounds before, of the recursions whose step is being pushed, with their items.
	work map[*plan.Given]pushed
}

// ref is item i of the domain within the subquery.
type ref struct {
	i    int
	t    types.T
	name string
}

func (r *ref) Type() types.T { return r.t }

// Eval implements expr.Expr; a ref never runs.
func (r *ref) Eval(*expr.Ctx, *chunk.Chunk, []int32) (*chunk.Vec, error) {
	return nil, errs.Internal.New("what", "a reference to a domain was not resolved")
}

// EqualExpr makes two references to the same item equal.
func (r *ref) EqualExpr(e expr.Expr) bool {
	o, ok := e.(*ref)
	return ok && o.i == r.i
}

// lift replaces references to the left side by refs, and lowers by one the depth of those that go further out.
func (d *domain) lift(n plan.Node) plan.Node {
	n = plan.MapOuter(n, func(o *plan.Outer, level int) expr.Expr {
		switch o.Depth - level {
		case 1:
			return d.ref(&expr.Col{Index: o.Index, T: o.T, Name: o.Name})
		default:
			return &plan.Outer{Depth: o.Depth - 1, Index: o.Index, T: o.T, Name: o.Name}
		}
	})
	return plan.MapExprs(n, d.split)
}

// ref returns the reference to an item, which is added if it is new.
func (d *domain) ref(e expr.Expr) *ref {
	i := slices.IndexFunc(d.list, func(o expr.Expr) bool { return expr.Equal(o, e) })
	if i < 0 {
		i = len(d.list)
		d.list = append(d.list, e)
	}
	return &ref{i, e.Type(), expr.String(e)}
}

// split gives each side of an equality that only reads the domain an item of its own, so that a cast of a column can be
// tied too. So is a column of a type whose equal values may look different: elsewhere it must stay as it is.
func (d *domain) split(e expr.Expr) expr.Expr {
	conds := expr.Conjuncts(e)
	changed := false
	for k, c := range conds {
		call, ok := c.(*expr.Call)
		if !ok || len(call.Args) != 2 || call.Fn.Name != "=" && call.Fn.Name != "is not distinct from" {
			continue
		}
		args := slices.Clone(call.Args)
		for i, a := range args {
			if !hasRefs(a) || len(expr.Columns(a)) > 0 || hasOuter(a) || expr.CouldFail(a) {
				continue
			}
			if r, ok := a.(*ref); ok && sameLooks(r.t) {
				continue
			}
			args[i] = d.addItem(a)
			changed = true
		}
		conds[k] = &expr.Call{Fn: call.Fn, Args: args, T: call.T}
	}
	if !changed {
		return e
	}
	return expr.And(conds...)
}

func (d *domain) addItem(e expr.Expr) *ref {
	over := expr.Rewrite(e, func(e expr.Expr) expr.Expr {
		if r, ok := e.(*ref); ok {
			return d.list[r.i]
		}
		return e
	})
	d.list = append(d.list, over)
	return &ref{len(d.list) - 1, e.Type(), expr.String(over)}
}

// sameLooks reports whether equal values of a type are the same value.
func sameLooks(t types.T) bool {
	switch t.Kind {
	case types.KindBool, types.KindInt2, types.KindInt4, types.KindInt8, types.KindDate, types.KindTime, types.KindTimestamp,
		types.KindTimestamptz, types.KindText, types.KindVarchar, types.KindBytea, types.KindUUID:
		return true
	}
	return false
}

func refsOf(e expr.Expr) []int {
	var out []int
	expr.Walk(e, func(e expr.Expr) bool {
		if r, ok := e.(*ref); ok {
			out = append(out, r.i)
		}
		return true
	})
	slices.Sort(out)
	return slices.Compact(out)
}

func hasRefs(e expr.Expr) bool { return len(refsOf(e)) > 0 }

func hasOuter(e expr.Expr) bool {
	found := false
	expr.Walk(e, func(e expr.Expr) bool {
		_, ok := e.(*plan.Outer)
		found = found || ok
		return !found
	})
	return found
}

// correlated reports whether a plan has refs.
func correlated(n plan.Node) bool {
	found := false
	plan.MapExprs(n, func(e expr.Expr) expr.Expr {
		found = found || hasRefs(e)
		return e
	})
	return found
}

// extended is the left side with a column for every item, and where the items are.
func (d *domain) extended() (plan.Node, []int) {
	at := make([]int, len(d.list))
	p := identity(d.left)
	width := len(p.Exprs)
	for i, e := range d.list {
		if c, ok := e.(*expr.Col); ok {
			at[i] = c.Index
			continue
		}
		at[i] = len(p.Exprs)
		p.Exprs, p.Names = append(p.Exprs, e), append(p.Names, "domain"+strconv.Itoa(i))
	}
	if len(p.Exprs) == width {
		return d.left, at
	}
	return p, at
}

// values are the distinct values of items.
func (d *domain) values(items []int) plan.Node {
	p := &plan.Project{Input: d.left}
	for _, i := range items {
		p.Exprs, p.Names = append(p.Exprs, d.list[i]), append(p.Names, expr.String(d.list[i]))
	}
	return &plan.Agg{Input: p, Group: span(0, len(items))}
}

// pushed is a part of the subquery computed for all values of the domain at once: its own columns, and behind them or
// among them the items that it depends on. It may have rows of more values than the domain's; the last join takes them
// away.
type pushed struct {
	n  plan.Node
	at map[int]int // item -> column
	// strict has the items whose column comes from an equality, with its function: rows in which the column is NULL are
	// not rows of the subquery. A join by the item that does not match NULLs leaves them behind.
	strict map[int]*expr.Func
}

func plain(n plan.Node) pushed { return pushed{n, map[int]int{}, map[int]*expr.Func{}} }

// withoutNulls removes the rows in which a strict item is NULL.
func (p pushed) withoutNulls() pushed {
	fields := p.n.Schema()
	var conds []expr.Expr
	for _, i := range p.items() {
		if fn := p.strict[i]; fn != nil && !plan.NotNull(p.n, p.at[i]) {
			c := &expr.Col{Index: p.at[i], T: fields[p.at[i]].Type, Name: fields[p.at[i]].Name}
			conds = append(conds, &expr.Call{Fn: fn, Args: []expr.Expr{c, c}, T: types.Bool})
		}
	}
	p.n, p.strict = filter(p.n, conds), map[int]*expr.Func{}
	return p
}

// items are those that the part depends on, in order.
func (p pushed) items() []int { return slices.Sorted(maps.Keys(p.at)) }

// positions are the columns of the items, sorted.
func (p pushed) positions() []int {
	return slices.Compact(slices.Sorted(maps.Values(p.at)))
}

// resolve puts columns in place of refs.
func (p pushed) resolve(e expr.Expr) expr.Expr {
	return expr.Rewrite(e, func(e expr.Expr) expr.Expr {
		if r, ok := e.(*ref); ok {
			if c, ok := p.at[r.i]; ok {
				return &expr.Col{Index: c, T: r.t, Name: r.name}
			}
		}
		return e
	})
}

// missing are the items of expressions that the part has no columns for.
func (p pushed) missing(es ...expr.Expr) []int {
	var out []int
	for _, e := range es {
		for _, i := range refsOf(e) {
			if _, ok := p.at[i]; !ok {
				out = append(out, i)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// cross pairs the rows with the values of items.
func (d *domain) cross(p pushed, items []int) pushed {
	if len(items) == 0 {
		return p
	}
	width := len(p.n.Schema())
	out := pushed{at: maps.Clone(p.at), strict: p.strict}
	for k, i := range items {
		out.at[i] = width + k
	}
	if v, ok := p.n.(*plan.Values); ok && width == 0 && len(v.Rows) == 1 {
		out.n = d.values(items)
		return out
	}
	out.n = &plan.Join{Kind: plan.Inner, Left: p.n, Right: d.values(items)}
	return out
}

// identity is a projection of all columns, to be changed.
func identity(n plan.Node) *plan.Project { return columns(n, span(0, len(n.Schema()))) }

func columns(n plan.Node, cols []int) *plan.Project {
	fields := n.Schema()
	p := &plan.Project{Input: n}
	for _, c := range cols {
		p.Exprs = append(p.Exprs, &expr.Col{Index: c, T: fields[c].Type, Name: fields[c].Name})
		p.Names = append(p.Names, fields[c].Name)
	}
	return p
}

// pick projects to the columns, unless they are all there are.
func pick(n plan.Node, cols []int) plan.Node {
	if slices.Equal(cols, span(0, len(n.Schema()))) {
		return n
	}
	return columns(n, cols)
}

func span(from, to int) []int {
	out := make([]int, 0, max(0, to-from))
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// arrange projects to own columns, then to those of the items that are not among them.
func (p pushed) arrange(own []int) pushed {
	cols := slices.Clone(own)
	out := pushed{at: map[int]int{}, strict: p.strict}
	for _, i := range p.items() {
		k := slices.Index(cols, p.at[i])
		if k < 0 {
			k = len(cols)
			cols = append(cols, p.at[i])
		}
		out.at[i] = k
	}
	out.n = pick(p.n, cols)
	return out
}
