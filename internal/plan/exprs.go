package plan

import "github.com/tidemark-db/tidemark/internal/expr"

// Exprs returns the expressions of a node, without those of its inputs.
func Exprs(n Node) []expr.Expr {
	var out []expr.Expr
	withExprs(n, func(e expr.Expr) expr.Expr {
		out = append(out, e)
		return e
	})
	return out
}

// MapExprs returns a copy of the tree with every expression replaced by what f makes of it.
func MapExprs(n Node, f func(expr.Expr) expr.Expr) Node {
	return mapExprs(n, 0, func(e expr.Expr, _ int) expr.Expr { return f(e) })
}

// MapOuter returns a copy of the tree with every Outer replaced by what f makes of it. Level is how many Applies of the
// tree the reference stands under: it leaves the tree when its depth is greater.
func MapOuter(n Node, f func(o *Outer, level int) expr.Expr) Node {
	return mapExprs(n, 0, func(e expr.Expr, level int) expr.Expr {
		return expr.Rewrite(e, func(e expr.Expr) expr.Expr {
			if o, ok := e.(*Outer); ok {
				return f(o, level)
			}
			return e
		})
	})
}

// Correlated reports whether a tree refers to columns of an enclosing query.
func Correlated(n Node) bool {
	found := false
	MapOuter(n, func(o *Outer, level int) expr.Expr {
		found = found || o.Depth > level
		return o
	})
	return found
}

func mapExprs(n Node, level int, f func(expr.Expr, int) expr.Expr) Node {
	if ins := n.Inputs(); len(ins) > 0 {
		out := make([]Node, len(ins))
		_, apply := n.(*Apply)
		for i, in := range ins {
			below := level
			if apply && i == 1 {
				below++
			}
			out[i] = mapExprs(in, below, f)
		}
		n = n.WithInputs(out)
	}
	return withExprs(n, func(e expr.Expr) expr.Expr { return f(e, level) })
}

// withExprs returns the node with other expressions; those that are absent are not shown to f.
func withExprs(n Node, f func(expr.Expr) expr.Expr) Node {
	list := func(es []expr.Expr) []expr.Expr {
		out := make([]expr.Expr, len(es))
		for i, e := range es {
			out[i] = f(e)
		}
		return out
	}
	one := func(e expr.Expr) expr.Expr {
		if e == nil {
			return nil
		}
		return f(e)
	}
	switch n := n.(type) {
	case *Filter:
		return &Filter{Input: n.Input, Cond: f(n.Cond)}
	case *TimeFilter:
		return &TimeFilter{Input: n.Input, Bounds: list(n.Bounds), Keys: list(n.Keys), Cond: f(n.Cond)}
	case *Project:
		return &Project{Input: n.Input, Exprs: list(n.Exprs), Names: n.Names}
	case *Join:
		c := *n
		c.Cond = one(n.Cond)
		return &c
	case *LookupJoin:
		c := *n
		c.Cond = one(n.Cond)
		return &c
	case *Apply:
		c := *n
		c.Cond = one(n.Cond)
		return &c
	case *Limit:
		c := *n
		c.LimitExpr, c.OffsetExpr = one(n.LimitExpr), one(n.OffsetExpr)
		return &c
	case *Lookup:
		return &Lookup{Rel: n.Rel, Cols: n.Cols, Key: list(n.Key)}
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
