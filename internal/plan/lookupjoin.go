package plan

import (
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/types"
)

// LookupJoin joins each row, when it comes, with what a relation holds then; what the relation holds later changes nothing.
// Rows of the input are never taken back. Only in plans that keep running, where it is made of a temporal Join.
type LookupJoin struct {
	Input Node
	Kind  Kind // Inner or Left
	Rel   *catalog.Relation
	Cols  []int     // columns read, by position in Rel.Columns
	Keys  []int     // input columns that equal those of Rel.Key[:len(Keys)]
	Cond  expr.Expr // over the input's columns, then Cols; nil when none
}

func (n *LookupJoin) Schema() []types.Field {
	return append(append([]types.Field{}, n.Input.Schema()...), n.right().Schema()...)
}
func (n *LookupJoin) Inputs() []Node             { return []Node{n.Input} }
func (n *LookupJoin) WithInputs(ins []Node) Node { c := *n; c.Input = ins[0]; return &c }

func (n *LookupJoin) right() *Scan { return &Scan{n.Rel, n.Cols} }

// LooksUp reports whether a tree has a look-up, so that its rows depend on when those of its input came.
func LooksUp(n Node) bool {
	return Any(n, func(n Node) bool { _, ok := n.(*LookupJoin); return ok })
}

func lookupJoinLine(n *LookupJoin) string {
	line := "LookupJoin " + n.Kind.String() + " " + n.Rel.Qualified() + " (" + names(n.right(), allColumns(n.right())) + ")"
	fields := n.Input.Schema()
	for i, k := range n.Keys {
		word := "and"
		if i == 0 {
			word = "where"
		}
		line = clause(line, word, n.Rel.Columns[n.Rel.Key[i]].Name+" = "+fields[k].Name)
	}
	return clause(line, "if", exprOrEmpty(n.Cond))
}

// lookupJoinKey: a whole key finds one row at most.
func lookupJoinKey(n *LookupJoin) []int {
	if len(n.Keys) == len(n.Rel.Key) {
		return UniqueKey(n.Input)
	}
	return nil
}
