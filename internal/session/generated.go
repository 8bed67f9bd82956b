package session

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
)

// generate computes generated columns anew in rows that were put together of several. Rows are copied where they change.
func (s *Session) generate(rel *catalog.Relation, sets []plan.Assign, rows []types.Row) error {
	if len(sets) == 0 || len(rows) == 0 {
		return nil
	}
	b := chunk.NewBuilder(rel.Types(), len(rows))
	for i, row := range rows {
		b.Append(chunk.Insert, row)
		rows[i] = slices.Clone(row)
	}
	c := b.Take()
	for _, a := range sets {
		v, err := a.Value.Eval(s.exprCtx(), c, nil)
		if err != nil {
			return err
		}
		for i := range rows {
			rows[i][a.Col] = v.Datum(i)
		}
	}
	return nil
}
