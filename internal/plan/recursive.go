package plan

import "github.com/tidemark-db/tidemark/internal/types"

// Recursive is WITH RECURSIVE: the rows of Base, then those of Step over the rows of the round before, until a round has
// none. Without All a row that was there before is none. Only in a plan that runs once.
type Recursive struct {
	Base, Step Node
	Work       *Given // the leaf of Step that stands for the rows of the round before
	All        bool
}

// Schema implements Node.
func (n *Recursive) Schema() []types.Field { return n.Base.Schema() }

// Inputs implements Node.
func (n *Recursive) Inputs() []Node { return []Node{n.Base, n.Step} }

// WithInputs implements Node.
func (n *Recursive) WithInputs(ins []Node) Node {
	return &Recursive{Base: ins[0], Step: ins[1], Work: n.Work, All: n.All}
}

// Round is the step over the rows of the round before.
func (n *Recursive) Round(rows *Given) Node { return Replaced(n.Step, n.Work, rows) }

// Replaced returns the tree with another node in the place of one.
func Replaced(n, old, by Node) Node {
	if n == old {
		return by
	}
	return MapInputs(n, func(in Node) Node { return Replaced(in, old, by) })
}

// Recurs reports whether a tree has a recursion.
func Recurs(n Node) bool {
	return Any(n, func(n Node) bool { _, ok := n.(*Recursive); return ok })
}
