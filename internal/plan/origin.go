package plan

import "github.com/tidemark-db/tidemark/internal/catalog"

// Origin is the column of a relation that an output column shows as it is; without Rel it is computed. Clients are told of it.
type Origin struct {
	Rel *catalog.Relation
	Col int
}
