package plan

import (
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Insert adds rows to a table.
type Insert struct {
	Rel        *catalog.Relation
	Source     Node // rows in the order of the table's columns, without the hidden row id
	OnConflict *OnConflict
	Returning  *Returning
}

// OnConflict says what to do with a row whose key is there.
type OnConflict struct {
	DoNothing bool
	Sets      []Assign  // over the row that is there, then the row proposed
	Where     expr.Expr // over the same; nil: always
}

// Assign is the new value of a column.
type Assign struct {
	Col   int
	Value expr.Expr
}

// Update changes rows of a table. The source has the old row's columns, then the new ones.
type Update struct {
	Rel       *catalog.Relation
	Source    Node
	Returning *Returning
}

// Delete removes rows of a table. The source has their columns.
type Delete struct {
	Rel       *catalog.Relation
	Source    Node
	Returning *Returning
}

// Returning computes output columns over the table's row.
type Returning struct {
	Exprs  []expr.Expr
	Fields []types.Field
}
