package bind

import (
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

// groupStage computes group columns and arguments, aggregates, and rewrites everything above to the result's columns.
func (x *selection) groupStage(n plan.Node, having *expr.Expr) (plan.Node, error) {
	pre := &plan.Project{Input: n}
	column := func(e expr.Expr) int {
		for i, have := range pre.Exprs {
			if expr.Equal(have, e) {
				return i
			}
		}
		pre.Exprs, pre.Names = append(pre.Exprs, e), append(pre.Names, expr.String(e))
		return len(pre.Exprs) - 1
	}
	a := &plan.Agg{Input: pre}
	for i, g := range x.group {
		if c, ok := g.(*expr.Const); ok && c.T.Kind == types.KindUnknown {
			var err error
			if g, err = x.b.Funcs.Cast(c, types.Text, expr.CastImplicit); err != nil {
				return nil, err
			}
			x.group[i] = g
		}
		pre.Exprs, pre.Names = append(pre.Exprs, g), append(pre.Names, expr.String(g))
		a.Group = append(a.Group, i)
	}
	for _, c := range x.calls {
		call := agg.Call{Fn: c.fn, Direct: c.direct, Distinct: c.distinct, Filter: -1, T: c.t}
		for _, e := range c.args {
			call.Args = append(call.Args, column(e))
		}
		if c.filter != nil {
			call.Filter = column(c.filter)
		}
		for _, o := range c.order {
			call.OrderBy = append(call.OrderBy, agg.Order{Col: column(o.e), Desc: o.desc, NullsFirst: o.nullsFirst})
		}
		a.Calls, a.Names = append(a.Calls, call), append(a.Names, c.name)
	}
	for i := range x.exprs {
		if err := x.regroup(&x.exprs[i]); err != nil {
			return nil, err
		}
	}
	if *having != nil {
		if err := x.regroup(having); err != nil {
			return nil, err
		}
	}
	for i := range x.wins {
		if err := x.wins[i].each(x.regroup); err != nil {
			return nil, err
		}
	}
	for i := range x.sets {
		for j := range x.sets[i].Args {
			if err := x.regroup(&x.sets[i].Args[j]); err != nil {
				return nil, err
			}
		}
	}
	return a, nil
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
		if c.stage == stageAgg {
			return &expr.Col{Index: len(x.group) + c.i, T: c.t, Name: x.calls[c.i].name}, nil
		}
		return e, nil
	case *expr.Col:
		return nil, errs.NotGrouped.New("name", x.qualified(c))
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
