package plan

import (
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Lookup reads the rows of a stored relation whose leading key columns equal the given values; NULL equals nothing. Only
// in a plan that runs once: the optimiser's last rule makes it of a Scan.
type Lookup struct {
	Rel  *catalog.Relation
	Cols []int       // columns read, by position in Rel.Columns
	Key  []expr.Expr // the values of Rel.Key[:len(Key)]; they refer to no column
}

func (n *Lookup) Schema() []types.Field  { return (&Scan{n.Rel, n.Cols}).Schema() }
func (n *Lookup) Inputs() []Node         { return nil }
func (n *Lookup) WithInputs([]Node) Node { return n }

func lookupLine(n *Lookup) string {
	line := "Lookup " + n.Rel.Qualified() + " (" + names(n, allColumns(n)) + ")"
	for i, e := range n.Key {
		word := "and"
		if i == 0 {
			word = "where"
		}
		line = clause(line, word, n.Rel.Columns[n.Rel.Key[i]].Name+" = "+expr.String(e))
	}
	return line
}
