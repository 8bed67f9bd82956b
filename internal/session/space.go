package session

import (
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// spaceOf returns what tells that a store has no room for new work; nil where a store never runs out.
func spaceOf(store kv.Store) func() error {
	if s, ok := store.(interface{ CheckSpace() error }); ok {
		return s.CheckSpace
	}
	return nil
}

// roomFor refuses statements that add rows or relations while the disk is nearly full. DELETE, TRUNCATE and DROP, which
// are the way out, go on.
func (s *Session) roomFor(st ast.Stmt) error {
	if s.d.space == nil {
		return nil
	}
	switch st := st.(type) {
	case *ast.Insert, *ast.Update, *ast.CreateTable, *ast.CreateView, *ast.CreateIndex, *ast.CreateSource:
		return s.d.space()
	case *ast.Copy:
		if !st.To {
			return s.d.space()
		}
	}
	return nil
}
