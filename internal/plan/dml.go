package plan

import (
	"slices"

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

// Update changes rows of a table. The source has the old row's columns, then the new ones, then those of FROM if
// RETURNING may want them.
type Update struct {
	Rel       *catalog.Relation
	Source    Node
	Returning *Returning
}

// Delete removes rows of a table. The source has their columns, then those of USING if RETURNING may want them.
type Delete struct {
	Rel       *catalog.Relation
	Source    Node
	Returning *Returning
}

// Returning computes output columns over the changed rows: the table's columns, then those of FROM or USING.
type Returning struct {
	Over    []types.T // of the changed row
	Fields  []types.Field
	Origins []Origin    // of Fields
	Exprs   []expr.Expr // nil with subqueries
	// With subqueries, Query has the output columns and the number of the row, over Rows: a leaf in whose place the changed
	// rows go, each with its number.
	Query Node
	Rows  *Given
}

// Map returns a copy with every expression replaced by what f makes of it; nil stays nil.
func (c *OnConflict) Map(f func(expr.Expr) expr.Expr) *OnConflict {
	if c == nil {
		return nil
	}
	out := *c
	out.Sets = slices.Clone(c.Sets)
	for i := range out.Sets {
		out.Sets[i].Value = f(out.Sets[i].Value)
	}
	if c.Where != nil {
		out.Where = f(c.Where)
	}
	return &out
}

// Map returns a copy with every expression replaced by what f makes of it; nil stays nil.
func (r *Returning) Map(f func(expr.Expr) expr.Expr) *Returning {
	if r == nil {
		return nil
	}
	out := *r
	out.Exprs = nil
	for _, e := range r.Exprs {
		out.Exprs = append(out.Exprs, f(e))
	}
	if r.Query != nil {
		out.Query = MapExprs(r.Query, f) // the leaf stays the same
	}
	return &out
}

// Of returns the query over the changed rows.
func (r *Returning) Of(rows *Given) Node { return Replaced(r.Query, r.Rows, rows) }
