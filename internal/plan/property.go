package plan

import "github.com/tidemark-db/tidemark/internal/expr"

// NotNull reports whether an output column is known to have no NULL.
func NotNull(n Node, col int) bool {
	switch n := n.(type) {
	case *Scan:
		return n.Rel.Columns[n.Cols[col]].NotNull
	case *Filter:
		return NotNull(n.Input, col)
	case *TimeFilter:
		return NotNull(n.Input, col)
	case *Sort:
		return NotNull(n.Input, col)
	case *Limit:
		return NotNull(n.Input, col)
	case *TopN:
		return col >= len(n.Input.Schema()) || NotNull(n.Input, col)
	case *Window:
		return col < len(n.Input.Schema()) && NotNull(n.Input, col)
	case *ProjectSet:
		return !n.Outer && col < len(n.Input.Schema()) && NotNull(n.Input, col)
	case *Project:
		return exprNotNull(n.Exprs[col], n.Input)
	case *Agg:
		if col < len(n.Group) {
			return NotNull(n.Input, n.Group[col])
		}
		return n.Calls[col-len(n.Group)].Fn.Name == "count"
	case *Union:
		for _, in := range n.Ins {
			if !NotNull(in, col) {
				return false
			}
		}
		return true
	case *SetOp:
		return NotNull(n.Left, col)
	case *LookupJoin:
		return joinNotNull(&Join{Kind: n.Kind, Left: n.Input, Right: n.right()}, col)
	case *Join:
		return joinNotNull(n, col)
	}
	return false
}

func exprNotNull(e expr.Expr, in Node) bool {
	switch e := e.(type) {
	case *expr.Col:
		return NotNull(in, e.Index)
	case *expr.Const:
		return !e.Value.IsNull()
	case *expr.Coalesce:
		for _, a := range e.Args {
			if exprNotNull(a, in) {
				return true
			}
		}
	}
	return false
}

// joinNotNull: a side that the join may pad has NULLs.
func joinNotNull(n *Join, col int) bool {
	width := len(n.Left.Schema())
	if col < width {
		return n.Kind != Right && n.Kind != Full && NotNull(n.Left, col)
	}
	return n.Kind != Left && n.Kind != Full && NotNull(n.Right, col-width)
}

// AppendOnly reports whether the rows of a node's output are never taken back, given that those of append-only tables
// are not.
func AppendOnly(n Node) bool {
	switch n := n.(type) {
	case *Scan:
		return n.Rel.AppendOnly
	case *Values:
		return true
	case *Filter, *Project, *ProjectSet, *Union, *LookupJoin:
	case *Join:
		if n.Temporal {
			return AppendOnly(n.Left)
		}
		if n.Kind != Inner {
			return false
		}
	default:
		return false
	}
	for _, in := range n.Inputs() {
		if !AppendOnly(in) {
			return false
		}
	}
	return true
}

// CheckStreaming returns the first node that cannot be kept running, nil when all can: Sort and Limit end with their
// input, and an Apply must have become joins.
func CheckStreaming(n Node) Node {
	switch n.(type) {
	case *Sort, *Limit, *Apply, *Recursive, *Given:
		return n
	}
	for _, in := range n.Inputs() {
		if bad := CheckStreaming(in); bad != nil {
			return bad
		}
	}
	return nil
}
