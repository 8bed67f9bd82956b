package plan

import (
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/types"
)

// TimeFilter keeps the rows whose condition is true, a condition that looks at the time: rows come and go as it passes.
// Only in plans that keep running. What the condition reads of the time are the bounds, which only ever grow; its value for
// a row changes nowhere but where a bound reaches or passes the key it is compared with.
type TimeFilter struct {
	Input  Node
	Bounds []expr.Expr // of now() and constants alone
	Keys   []expr.Expr // over the input: what bound i is compared with, of its type
	Cond   expr.Expr   // over the input's columns, then the bounds
}

func (n *TimeFilter) Schema() []types.Field      { return n.Input.Schema() }
func (n *TimeFilter) Inputs() []Node             { return []Node{n.Input} }
func (n *TimeFilter) WithInputs(ins []Node) Node { c := *n; c.Input = ins[0]; return &c }

// LooksAtClock reports whether a tree has a filter by time, so that its rows depend on when they are asked for.
func LooksAtClock(n Node) bool {
	return Any(n, func(n Node) bool { _, ok := n.(*TimeFilter); return ok })
}

// FollowsClock reports whether a tree has a filter by the time itself, not by watermarks alone: rows of it come and go while
// nothing else does.
func FollowsClock(n Node) bool {
	return Any(n, func(n Node) bool {
		t, ok := n.(*TimeFilter)
		return ok && slices.ContainsFunc(t.Bounds, func(b expr.Expr) bool { return !ofWatermark(b) })
	})
}

func ofWatermark(e expr.Expr) bool {
	c, ok := e.(*expr.Call)
	return ok && (c.Fn.Name == expr.Watermark || slices.ContainsFunc(c.Args, ofWatermark))
}

// condition is the condition as it was written, with the bounds in their places.
func (n *TimeFilter) condition() expr.Expr {
	width := len(n.Input.Schema())
	return expr.Rewrite(n.Cond, func(e expr.Expr) expr.Expr {
		if c, ok := e.(*expr.Col); ok && c.Index >= width {
			return n.Bounds[c.Index-width]
		}
		return e
	})
}

func timeFilterLine(n *TimeFilter) string {
	keys := make([]string, len(n.Keys))
	for i, k := range n.Keys {
		keys[i] = expr.String(k)
	}
	return "TimeFilter " + expr.String(n.condition()) + " by " + strings.Join(keys, ", ")
}
