package session

import (
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// systemRelation finds a relation of the system schemas.
func (s *Session) systemRelation(schema, name string) (*catalog.Relation, bool) { return nil, false }

// systemRows makes the rows of a system relation.
func (s *Session) systemRows(rel *catalog.Relation, cols []int) (*chunk.Chunk, error) {
	return nil, errs.Internal.New("what", "no rows for a system relation")
}

// catalogCall answers functions over the catalog.
func (s *Session) catalogCall(fn string, args types.Row) (types.Datum, error) {
	return types.Null, errs.Unsupported.New("feature", fn)
}
