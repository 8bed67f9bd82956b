package opt

import (
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
)

// merge makes one projection of two, one filter of two, and one union of nested ones; a projection of everything goes.
func merge(n plan.Node) plan.Node {
	n = plan.MapInputs(n, merge)
	switch n := n.(type) {
	case *plan.Project:
		if in, ok := n.Input.(*plan.Project); ok && mergeable(n, in) {
			return dropIdentity(&plan.Project{Input: in.Input, Names: n.Names, Exprs: over(n.Exprs, in)})
		}
		return dropIdentity(n)
	case *plan.Filter:
		if in, ok := n.Input.(*plan.Filter); ok {
			return &plan.Filter{Input: in.Input, Cond: expr.And(append(expr.Conjuncts(in.Cond), expr.Conjuncts(n.Cond)...)...)}
		}
	case *plan.Union:
		var ins []plan.Node
		for _, in := range n.Ins {
			if u, ok := in.(*plan.Union); ok {
				ins = append(ins, u.Ins...)
			} else {
				ins = append(ins, in)
			}
		}
		return &plan.Union{Ins: ins}
	}
	return n
}

// over states expressions over the input of a projection.
func over(es []expr.Expr, in *plan.Project) []expr.Expr {
	out := make([]expr.Expr, len(es))
	for i, e := range es {
		out[i] = expr.Rewrite(e, func(e expr.Expr) expr.Expr {
			if c, ok := e.(*expr.Col); ok {
				return in.Exprs[c.Index]
			}
			return e
		})
	}
	return out
}

// mergeable: what is more than a column or a constant must not be computed twice, and a failing part not moved to where
// fewer rows would reach it.
func mergeable(p, in *plan.Project) bool {
	uses := make([]int, len(in.Exprs))
	for _, e := range p.Exprs {
		expr.Walk(e, func(e expr.Expr) bool {
			if c, ok := e.(*expr.Col); ok {
				uses[c.Index]++
			}
			return true
		})
	}
	for i, e := range in.Exprs {
		switch e.(type) {
		case *expr.Col, *expr.Const:
			continue
		}
		if uses[i] > 1 || uses[i] == 1 && expr.VolatilityOf(e) == expr.Volatile {
			return false
		}
	}
	return true
}

// dropIdentity removes a projection that changes nothing but names inside of a plan; at the root names do not matter
// either, since the statement knows them.
func dropIdentity(p *plan.Project) plan.Node {
	fields := p.Input.Schema()
	if len(fields) != len(p.Exprs) {
		return p
	}
	for i, e := range p.Exprs {
		if c, ok := e.(*expr.Col); !ok || c.Index != i || p.Names[i] != fields[i].Name {
			return p
		}
	}
	return p.Input
}
