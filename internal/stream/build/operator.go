package build

import (
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/stream/op"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// OpEnv is what one operator needs. Views and queries differ only in it.
type OpEnv struct {
	Vnodes int
	Owned  vnode.Set                // of the actor; none in a query
	Unread bool                     // nobody has read the job's results yet
	Keys   []int                    // input columns that choose the vnode
	Table  func(i int) *state.Table // the operator's tables; nil in a query
	Ctx    *expr.Ctx
	// Lookups opens a relation as it is visible; nil in a query.
	Lookups func(rel *catalog.Relation, cols []int) (Lookups, error)
	// Bounded: the inputs end and have no deletes; ports are driven to their end one after the other.
	Bounded bool
}

// table opens a table, in memory for a query.
func (e OpEnv) table(i int) *state.Table {
	if e.Table == nil {
		return state.New(state.Options{})
	}
	return e.Table(i)
}

// stored is table for operators that keep everything in memory by themselves in a query.
func (e OpEnv) stored(i int) *state.Table {
	if e.Table == nil {
		return nil
	}
	return e.Table(i)
}

// Operator builds the operator of one plan node other than a scan.
func Operator(n plan.Node, e OpEnv) (stream.Operator, error) {
	switch n := n.(type) {
	case *plan.Values:
		rows, err := values(n, e.Ctx)
		return &op.Values{Rows: rows, State: e.stored(0)}, err
	case *plan.Filter:
		return &op.Filter{Cond: n.Cond, Ctx: e.Ctx}, nil
	case *plan.TimeFilter:
		return op.NewTimeFilter(op.TimeFilterConfig{Types: types.FieldTypes(n.Input.Schema()), Bounds: n.Bounds, Keys: n.Keys, Cond: n.Cond,
			Vnodes: e.Vnodes, Owned: e.Owned, Dist: e.Keys, State: e.table(0), Ctx: e.Ctx}), nil
	case *plan.Project:
		return &op.Project{Exprs: n.Exprs, Ctx: e.Ctx}, nil
	case *plan.ProjectSet:
		return op.NewProjectSet(n.Calls, n.Ordinality, n.Outer, types.FieldTypes(n.Schema()), e.Ctx), nil
	case *plan.Union:
		return &op.Union{}, nil
	case *plan.Agg:
		return op.NewHashAgg(op.AggConfig{Input: types.FieldTypes(n.Input.Schema()), Group: n.Group, Calls: n.Calls, Dist: e.Keys,
			Vnodes: e.Vnodes, Owned: e.Owned.IDs(), Unread: e.Unread, Groups: e.table(0), Inputs: e.table(1), Ctx: e.Ctx, Bounded: e.Bounded}), nil
	case *plan.Join:
		c := op.JoinConfig{Kind: n.Kind, Types: [2][]types.T{types.FieldTypes(n.Left.Schema()), types.FieldTypes(n.Right.Schema())},
			Keys: [2][]int{n.LeftKeys, n.RightKeys}, NullSafe: n.NullSafe, Cond: n.Cond, Ctx: e.Ctx, Vnodes: e.Vnodes,
			State: [2]*state.Table{e.stored(0), e.stored(1)}}
		if n.Kind == plan.NullAnti {
			return op.NewNullAnti(c), nil
		}
		return op.NewHashJoin(c), nil
	case *plan.LookupJoin:
		return op.NewLookupJoin(op.LookupJoinConfig{Outer: n.Kind == plan.Left, Right: types.FieldTypes((&plan.Scan{Rel: n.Rel, Cols: n.Cols}).Schema()),
			Keys: n.Keys, Cond: n.Cond, Ctx: e.Ctx, Open: func() (Lookups, error) { return e.Lookups(n.Rel, n.Cols) }}), nil
	case *plan.SetOp:
		return &op.SetOp{Intersect: n.Intersect, All: n.All, Types: types.FieldTypes(n.Schema()), Vnodes: e.Vnodes, State: e.stored(0)}, nil
	case *plan.TopN:
		return op.NewTopN(op.TopNConfig{Types: types.FieldTypes(n.Input.Schema()), Partition: n.Partition, Order: n.Order, Limit: n.Limit,
			Offset: n.Offset, WithTies: n.WithTies, Rank: n.RankCol, Vnodes: e.Vnodes, Dist: e.Keys, State: e.table(0)}), nil
	case *plan.Window:
		return op.NewWindow(op.WindowConfig{Types: types.FieldTypes(n.Input.Schema()), Partition: n.Partition, Order: n.Order, Calls: n.Calls,
			Vnodes: e.Vnodes, Dist: e.Keys, State: e.table(0), Ctx: e.Ctx}), nil
	}
	return nil, unsupported(n)
}

// values evaluates a constant relation.
func values(n *plan.Values, ctx *expr.Ctx) (*chunk.Chunk, error) {
	if len(n.Rows) == 0 {
		return nil, nil
	}
	one := chunk.New(nil, nil, 1)
	b := chunk.NewBuilder(types.FieldTypes(n.Fields), len(n.Rows))
	for _, exprs := range n.Rows {
		row := make(types.Row, len(exprs))
		for i, e := range exprs {
			v, err := e.Eval(ctx, one, nil)
			if err != nil {
				return nil, err
			}
			row[i] = v.Datum(0)
		}
		b.Append(chunk.Insert, row)
	}
	return b.Take(), nil
}
