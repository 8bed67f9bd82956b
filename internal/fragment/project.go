package fragment

import (
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
)

// projectMap maps the input columns that a projection passes on to where it puts them.
func projectMap(p *plan.Project) map[int]int {
	m := map[int]int{}
	for i, e := range p.Exprs {
		if c, ok := e.(*expr.Col); ok {
			if _, seen := m[c.Index]; !seen {
				m[c.Index] = i
			}
		}
	}
	return m
}
