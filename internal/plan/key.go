package plan

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/expr"
)

// UniqueKey returns output columns of which no two rows share the values, nil when none are known: the output is a
// multiset. One row at most is the empty, non-nil key.
func UniqueKey(n Node) []int {
	switch n := n.(type) {
	case *Scan:
		if len(n.Rel.Key) == 0 {
			return nil
		}
		return mapKey(n.Rel.Key, func(c int) int { return slices.Index(n.Cols, c) })
	case *Values:
		if len(n.Rows) <= 1 {
			return []int{}
		}
		return nil
	case *Filter:
		return UniqueKey(n.Input)
	case *TimeFilter:
		return UniqueKey(n.Input)
	case *Sort:
		return UniqueKey(n.Input)
	case *Limit:
		if n.LimitExpr == nil && (n.Limit == 0 || n.Limit == 1) {
			return []int{}
		}
		return UniqueKey(n.Input)
	case *TopN:
		return topNKey(n)
	case *Window:
		return UniqueKey(n.Input)
	case *Project:
		return mapKey(UniqueKey(n.Input), func(c int) int {
			return slices.IndexFunc(n.Exprs, func(e expr.Expr) bool { x, ok := e.(*expr.Col); return ok && x.Index == c })
		})
	case *Agg:
		key := make([]int, len(n.Group))
		for i := range key {
			key[i] = i
		}
		return key
	case *SetOp:
		if n.All {
			return nil
		}
		return allColumns(n)
	case *LookupJoin:
		return lookupJoinKey(n)
	case *Join:
		return joinKey(n)
	}
	return nil
}

func allColumns(n Node) []int {
	key := make([]int, len(n.Schema()))
	for i := range key {
		key[i] = i
	}
	return key
}

// mapKey translates a key; it is lost when a column is.
func mapKey(key []int, to func(int) int) []int {
	if key == nil {
		return nil
	}
	out := make([]int, 0, len(key))
	for _, c := range key {
		o := to(c)
		if o < 0 {
			return nil
		}
		out = append(out, o)
	}
	return out
}

// topNKey: the first row of each partition has the partition's values to itself.
func topNKey(n *TopN) []int {
	if n.Limit == 1 && !n.WithTies {
		return append([]int{}, n.Partition...)
	}
	return UniqueKey(n.Input)
}

// joinKey: semi joins keep the left key; a side whose key is joined on adds nothing; else both keys together. A padded
// side has NULLs for its key, at most once a row of the other side; a full join pads both, so that there the key must not
// have NULLs of its own.
func joinKey(n *Join) []int {
	l := UniqueKey(n.Left)
	if n.Kind == Semi || n.Kind == Anti || n.Kind == NullAnti {
		return l
	}
	r := UniqueKey(n.Right)
	if l == nil || r == nil {
		return nil
	}
	if (n.Kind == Inner || n.Kind == Left) && covers(n.RightKeys, r) {
		return l
	}
	width := len(n.Left.Schema())
	shifted := mapKey(r, func(c int) int { return c + width })
	if (n.Kind == Inner || n.Kind == Right) && covers(n.LeftKeys, l) {
		return shifted
	}
	if n.Kind == Full && !(neverNull(n.Left, l) && neverNull(n.Right, r)) {
		return nil
	}
	return append(slices.Clone(l), shifted...)
}

// neverNull reports whether a key has columns, none of which can be NULL.
func neverNull(n Node, key []int) bool {
	return len(key) > 0 && !slices.ContainsFunc(key, func(c int) bool { return !NotNull(n, c) })
}

func covers(cols, key []int) bool {
	return !slices.ContainsFunc(key, func(k int) bool { return !slices.Contains(cols, k) })
}
