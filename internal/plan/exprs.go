package plan

import "github.com/tidemark-db/tidemark/internal/expr"

// MapExprs returns a copy of the tree with every expression replaced by what f makes of it.
func MapExprs(n Node, f func(expr.Expr) expr.Expr) Node {
	if ins := n.Inputs(); len(ins) > 0 {
		out := make([]Node, len(ins))
		for i, in := range ins {
			out[i] = MapExprs(in, f)
		}
		n = n.WithInputs(out)
	}
	list := func(es []expr.Expr) []expr.Expr {
		out := make([]expr.Expr, len(es))
		for i, e := range es {
			out[i] = f(e)
		}
		return out
	}
	switch n := n.(type) {
	case *Filter:
		return &Filter{Input: n.Input, Cond: f(n.Cond)}
	case *Project:
		return &Project{Input: n.Input, Exprs: list(n.Exprs), Names: n.Names}
	case *Join:
		if n.Cond != nil {
			c := *n
			c.Cond = f(n.Cond)
			return &c
		}
	case *Values:
		rows := make([][]expr.Expr, len(n.Rows))
		for i, r := range n.Rows {
			rows[i] = list(r)
		}
		return &Values{Rows: rows, Fields: n.Fields}
	case *ProjectSet:
		c := *n
		c.Calls = append([]SetCall{}, n.Calls...)
		for i := range c.Calls {
			c.Calls[i].Args = list(c.Calls[i].Args)
		}
		return &c
	}
	return n
}
