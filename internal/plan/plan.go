// Package plan has the one logical algebra for streams and queries. A node transforms signed multisets of rows; the same
// tree is run once for a SELECT and kept running for a materialized view.
//
// Nodes are immutable plain data: rules build new ones. After optimisation a tree holds no Apply, and Sort and Limit only
// at the root of a query (a view's ORDER BY is dropped, its LIMIT is a TopN).
package plan

import (
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Node is an operator of the algebra.
type Node interface {
	Schema() []types.Field // columns of the output
	Inputs() []Node
	WithInputs(inputs []Node) Node // a copy over other inputs of the same schemas
}

// Scan reads a stored relation, or a system relation in a query.
type Scan struct {
	Rel  *catalog.Relation
	Cols []int // columns read, by position in Rel.Columns
}

// Values is a constant relation; the expressions refer to no column.
type Values struct {
	Rows   [][]expr.Expr
	Fields []types.Field
}

// Filter keeps the rows whose condition is true.
type Filter struct {
	Input Node
	Cond  expr.Expr
}

// Project computes columns.
type Project struct {
	Input Node
	Exprs []expr.Expr
	Names []string
}

// ProjectSet appends to each input row the rows of set-returning functions run in lock step (short ones padded with
// NULL), as PostgreSQL does. With Outer an input row without result rows is kept once.
type ProjectSet struct {
	Input      Node
	Calls      []SetCall
	Ordinality bool // a last column counts 1, 2, ...
	Outer      bool
}

// SetCall is one call of a set-returning function.
type SetCall struct {
	Fn     *expr.SetFunc
	Args   []expr.Expr
	Fields []types.Field
}

// JoinKind says which rows a join emits.
type JoinKind uint8

const (
	Inner JoinKind = iota
	Left
	Right
	Full
	Semi     // left rows with a match
	Anti     // left rows without a match
	NullAnti // NOT IN: left rows for which the condition is false for every right row, NULLs included
)

// Join joins on equality of key columns and a condition over the columns of both. Semi and anti joins emit left columns.
type Join struct {
	Kind                Kind
	Left, Right         Node
	LeftKeys, RightKeys []int
	NullSafe            []bool    // key i matches NULL with NULL (IS NOT DISTINCT FROM)
	Cond                expr.Expr // over left then right columns, nil when none
	// Temporal: in a plan that keeps running, a left row meets the right rows of when it comes, and none that come later.
	Temporal bool
}

// Kind is short for JoinKind in Join.
type Kind = JoinKind

// Agg groups by columns. Its output is the group columns, then one column a call. Without group columns there is always
// one row.
type Agg struct {
	Input Node
	Group []int
	Calls []agg.Call
	Names []string // of the calls
}

// Union is UNION ALL.
type Union struct{ Ins []Node }

// SetOp is EXCEPT or INTERSECT; without All the output is a set.
type SetOp struct {
	Intersect   bool
	All         bool
	Left, Right Node
}

// TopN keeps, for each value of the partition columns, the rows from Offset on in Order, Limit of them (-1: all). Ties
// are broken by the remaining columns, so that the result depends on the multiset alone.
type TopN struct {
	Input         Node
	Partition     []int
	Order         []Order
	Limit, Offset int64
	WithTies      bool
	RankCol       Rank // adds a last column with the row's number or rank; None: no column
}

// Rank is the numbering that a TopN adds.
type Rank uint8

const (
	None Rank = iota
	RowNumber
	RankWithGaps
	DenseRank
)

// Order is one ORDER BY column.
type Order struct {
	Col        int
	Desc       bool
	NullsFirst bool
}

// Window computes window functions over partitions.
type Window struct {
	Input     Node
	Partition []int
	Order     []Order
	Calls     []WindowCall
}

// WindowCall is one window function: an aggregate with a frame, or a ranking or offset function by name.
type WindowCall struct {
	Name  string // row_number, rank, dense_rank, lag, lead, first_value, last_value, nth_value, ntile, percent_rank, cume_dist; "" when Agg is set
	Agg   *agg.Call
	Args  []int
	Frame Frame
	T     types.T
	Field string

	IgnoreNulls bool // lag, lead, first_value, last_value, nth_value: rows whose value is NULL do not count
}

// Frame bounds the rows of a window aggregate.
type Frame struct {
	Mode       FrameMode
	Start, End Bound
	Exclude    Exclusion
}

type FrameMode uint8

const (
	FrameRange FrameMode = iota
	FrameRows
	FrameGroups
	FrameSession // the rows around the current one without a gap of Start's offset between them
)

// Bound is one end of a frame. Offset is rows, groups or a value of the order column's difference type.
type Bound struct {
	Kind   BoundKind
	Offset types.Datum
	T      types.T
}

type BoundKind uint8

const (
	UnboundedPreceding BoundKind = iota
	Preceding
	CurrentRow
	Following
	UnboundedFollowing
)

type Exclusion uint8

const (
	ExcludeNone Exclusion = iota
	ExcludeCurrentRow
	ExcludeGroup
	ExcludeTies
)

// Sort orders the rows of a query. Only at the root.
type Sort struct {
	Input Node
	Order []Order
}

// Limit cuts the rows of a query; -1 is no limit. Only at the root. The expressions, nil but for parameters of a prepared
// statement, take the place of the numbers when the parameters have values.
type Limit struct {
	Input                 Node
	Limit, Offset         int64
	LimitExpr, OffsetExpr expr.Expr
}

// Apply is a correlated subquery as the binder finds it: Right is evaluated for each left row, its Outer expressions
// refer to left columns. The optimiser turns every Apply into joins.
type Apply struct {
	Kind        Kind // Left for scalar subqueries and LATERAL LEFT, Inner for LATERAL, Semi and Anti for EXISTS and IN
	Left, Right Node
	Cond        expr.Expr // over left then right columns, nil when none
	Scalar      bool      // more than one right row is an error (21000)
}

// Outer is a reference to a column of an enclosing query; Depth 1 is the directly enclosing Apply's left side.
type Outer struct {
	Depth, Index int
	T            types.T
	Name         string
}

// EqualExpr makes two references to the same column equal.
func (o *Outer) EqualExpr(e expr.Expr) bool {
	p, ok := e.(*Outer)
	return ok && o.Depth == p.Depth && o.Index == p.Index
}

// String prints the reference for EXPLAIN.
func (o *Outer) String() string { return "outer." + o.Name }

// Type implements expr.Expr.
func (o *Outer) Type() types.T { return o.T }

// Eval implements expr.Expr; an Outer never runs.
func (o *Outer) Eval(*expr.Ctx, *chunk.Chunk, []int32) (*chunk.Vec, error) {
	return nil, errs.Internal.New("what", "a correlated column was not resolved")
}
