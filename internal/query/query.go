// Package query runs a plan once: the operators of the streams over a bounded input, and two that need one, sort and limit.
// What sorts, groups, joins, set operations and partitions do not find room for in memory goes to files.
//
// Every port of an operator is driven to its end before the next, build sides of joins first; then one barrier makes the
// operator emit its result.
package query

import (
	"context"
	"errors"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/spill"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/stream/build"
)

// Env is what a query reads.
type Env struct {
	Reader kv.Reader // stored relations
	Ctx    *expr.Ctx
	// System makes the rows of a system relation.
	System func(rel *catalog.Relation, cols []int) (*chunk.Chunk, error)
	// Current gives a relation as it is to be read, where that may not be as the plan names it; nil: it always is.
	Current func(*catalog.Relation) (*catalog.Relation, error)
	Formats Formats     // of what was read before; nil: they are not kept
	Memory  *mem.Budget // account of what operators hold; nil: nothing bounds it
	Spill   *spill.Dir  // for what does not fit; nil: it is refused
	Measure *Measure    // nil: nobody asks what operators take
}

// Formats are the stored forms of relations, which a statement that runs again and again need not find again.
type Formats map[*catalog.Relation]*state.RelationFormat

// errEnough ends a query whose LIMIT is reached.
var errEnough = errors.New("enough rows")

// Run gives the rows of the plan to emit, in chunks.
func Run(ctx context.Context, n plan.Node, env Env, emit func(*chunk.Chunk) error) error {
	x := &executor{Env: env, cancel: ctx}
	err := x.run(n, sink(emit))
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

type executor struct {
	Env
	cancel context.Context
}

// current is the stored form of a relation that the plan names.
func (x *executor) current(rel *catalog.Relation) (*state.RelationFormat, error) {
	if x.Current != nil {
		var err error
		if rel, err = x.Current(rel); err != nil {
			return nil, err
		}
	}
	f, ok := x.Formats[rel]
	if !ok {
		f = state.FormatOf(rel)
		if x.Formats != nil {
			x.Formats[rel] = f
		}
	}
	return f, nil
}

// sink is an Out that hands chunks to a function.
type sink func(*chunk.Chunk) error

func (s sink) Chunk(c *chunk.Chunk) error     { return s(c) }
func (sink) Watermark(stream.Watermark) error { return nil }

// guard is an Out that ends with the query: between two chunks an operator may make very many.
type guard struct {
	ctx context.Context
	stream.Out
}

func (g guard) Chunk(c *chunk.Chunk) error {
	if err := g.ctx.Err(); err != nil {
		return err
	}
	return g.Out.Chunk(c)
}

// feed is an Out that is a port of an operator.
type feed struct {
	op   stream.Operator
	port int
	out  stream.Out
	held *held
}

func (f feed) Chunk(c *chunk.Chunk) error {
	if err := f.op.Chunk(f.port, c, f.out); err != nil {
		return err
	}
	return f.held.grown()
}

func (feed) Watermark(stream.Watermark) error { return nil }

// run drives the tree below n to its end.
func (x *executor) run(n plan.Node, out stream.Out) error {
	if err := x.cancel.Err(); err != nil {
		return err
	}
	if m := x.Measure; m != nil {
		taker := m.enter(n)
		defer m.enter(taker)
		out = measured{m, m.of(n), taker, out}
	}
	switch n := n.(type) {
	case *plan.Scan:
		return x.scan(n, out)
	case *plan.Lookup:
		return x.lookup(n, out)
	case *plan.Given:
		return x.given(n, out)
	case *plan.Recursive:
		return x.recursive(n, out)
	case *plan.Sort:
		return x.sort(n, -1, 0, out)
	case *plan.Limit:
		return x.limit(n, out)
	case *plan.Agg:
		if x.Spill != nil && len(n.Group) > 0 {
			return x.aggregate(n, out)
		}
	}
	if k, ok := keyedOf(n); ok && x.Spill != nil {
		return x.keyed(k, out)
	}
	op, err := x.operator(n)
	if err != nil {
		return err
	}
	out = guard{x.cancel, out}
	held := x.hold(op)
	defer held.meter.Close()
	ins := n.Inputs()
	for i := range ins {
		port := i
		if _, ok := n.(*plan.Join); ok {
			port = 1 - i // the build side is the right one
		}
		if err := x.run(ins[port], feed{op, port, out, held}); err != nil {
			return err
		}
	}
	return op.Barrier(stream.Barrier{}, out)
}

// operator builds the operator of a node.
func (x *executor) operator(n plan.Node) (stream.Operator, error) {
	return build.Operator(n, build.OpEnv{Vnodes: 1, Ctx: x.Ctx, Bounded: true})
}

// limit passes a part of the rows; over a sort only the rows needed are kept.
func (x *executor) limit(n *plan.Limit, out stream.Out) error {
	if s, ok := n.Input.(*plan.Sort); ok {
		return x.sort(s, n.Limit, n.Offset, out)
	}
	if n.Limit == 0 {
		return nil
	}
	skip, left := n.Offset, n.Limit
	err := x.run(n.Input, sink(func(c *chunk.Chunk) error {
		if skip >= int64(c.Rows()) {
			skip -= int64(c.Rows())
			return nil
		}
		c = c.Slice(int(skip), c.Rows())
		skip = 0
		if left < 0 {
			return out.Chunk(c)
		}
		if int64(c.Rows()) < left {
			left -= int64(c.Rows())
			return out.Chunk(c)
		}
		if err := out.Chunk(c.Slice(0, int(left))); err != nil {
			return err
		}
		return errEnough
	}))
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}
