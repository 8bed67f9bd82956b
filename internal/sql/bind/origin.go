package bind

import (
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// origin is where an item of the select list comes from if it is nothing but a column, of FROM or of an enclosing query.
func (x *selection) origin(e ast.Expr) plan.Origin {
	ref, ok := e.(*ast.ColumnRef)
	if !ok {
		return plan.Origin{}
	}
	for s := x.s; s != nil; s = s.outer {
		if c, err := s.find(ref); c != nil && err == nil {
			return c.origin
		}
	}
	return plan.Origin{}
}

// from notes where the columns of a scope that was made of a query come from.
func (s *scope) from(origins []plan.Origin) *scope {
	for i := range origins {
		if s != nil {
			s.cols[i].origin = origins[i]
		}
	}
	return s
}
