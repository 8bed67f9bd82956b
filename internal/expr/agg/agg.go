// Package agg has the aggregate functions and their states, kept so that a row can be taken back.
//
// There are two kinds. An additive aggregate (count, sum, avg, stddev, bool_and, bit_xor ...) keeps a state that a
// delete undoes. An ordered one (min, max, array_agg, string_agg, mode, percentiles, first_value ...) needs the multiset
// of its inputs, which the operator keeps; the function only says how to make the result from it, in order.
package agg

import (
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Func is one overload of an aggregate function.
type Func struct {
	Name string
	Args []types.T // as declared; may be polymorphic (expr.AnyElement and so on)
	Ret  func(args []types.T) types.T
	// Exactly one of the two is set.
	Additive func(args []types.T) Accum // makes the states of one call of the function
	Ordered  *Ordered
	// AppendOnly, when set, is a cheaper Accum for inputs without deletes (min, max); bounded queries use it.
	AppendOnly func(args []types.T) Accum
	NullsIn    bool // NULL arguments are passed to the function (array_agg, count(*)); otherwise such rows are skipped
	Variadic   bool
	Doc        string
	// Direct are the declared types of the direct arguments of an ordered-set aggregate; WithDirect gives them values.
	Direct     []types.T
	withDirect func(direct []types.Datum, ts []types.T) (*Ordered, error)
}

// Accum is the states of an additive aggregate for many groups, held in typed slabs that are indexed by slot. The
// operator owns the slots: it hands out small numbers and reuses those it has freed.
type Accum interface {
	// Grow makes slots 0..n-1 exist.
	Grow(n int)
	// Reset makes a slot the state of an empty group.
	Reset(slot int32)
	// Update applies row rows[i] of args with its op to slot slots[i]. ops nil means inserts. rows nil means 0..len(slots)-1.
	Update(slots []int32, ops []chunk.Op, rows []int32, args []*chunk.Vec) error
	// Value is the aggregate's result for the slot (NULL for an empty sum, 0 for an empty count).
	Value(slot int32) (types.Datum, error)
	// Encode appends the slot's state; Decode reads what Encode wrote and returns the rest.
	Encode(slot int32, dst []byte) []byte
	Decode(slot int32, b []byte) (rest []byte, err error)
}

// Ordered says how an aggregate's result is made of the multiset of its inputs. The operator keeps for each group the
// rows (order-by columns, then arguments) sorted by Order, each with its count.
type Ordered struct {
	// First: the result needs only the first row in order (min, max, first_value, last_value): the operator reads one.
	First bool
	// Finish makes the result; next yields the rows in order with their counts until ok is false.
	Finish func(ctx *expr.Ctx, args []types.T, next func() (row types.Row, count int64, ok bool)) (types.Datum, error)
	// Desc: without ORDER BY the arguments are sorted descending (max).
	Desc bool
}

// Call is one aggregate of a plan: the function, its arguments (columns of the input), and its modifiers.
type Call struct {
	Fn       *Func
	Args     []int         // input columns
	Direct   []types.Datum // direct arguments of ordered-set aggregates (percentile_cont(0.5) within group ...)
	DirectTs []types.T     // their types
	Distinct bool
	Filter   int // input column of the FILTER condition, -1 when none
	OrderBy  []Order
	T        types.T
}

// Order is one ORDER BY column of an aggregate's input.
type Order struct {
	Col        int
	Desc       bool
	NullsFirst bool
}
