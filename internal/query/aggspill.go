package query

import (
	"errors"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/stream"
)

// growthShare is the part of what the groups took when they became too many that they may still grow by: a larger
// max(text), a value more of count(DISTINCT).
const growthShare = 8

// grouping is an aggregation that tells which rows belong to groups that it has.
type grouping interface {
	stream.Operator
	stream.Sized
	Known(c *chunk.Chunk) (known, others []int32)
}

// aggregate runs an aggregation with GROUP BY. When its groups do not fit it keeps those that it has. Rows of others go to files
// by the hash of their group; when the input has ended and the groups in memory are passed on, each file is aggregated alone, in
// the same way.
func (x *executor) aggregate(n *plan.Agg, out stream.Out) error {
	return x.groups(n, 0, func(to stream.Out) error { return x.run(n.Input, to) }, guard{x.cancel, out})
}

// groups aggregates the rows that input gives, which were parted so often already.
func (x *executor) groups(n *plan.Agg, parted int, input func(stream.Out) error, out stream.Out) error {
	if err := x.cancel.Err(); err != nil {
		return err
	}
	op, err := x.operator(n)
	if err != nil {
		return err
	}
	g := &grouper{x: x, n: n, op: op.(grouping), held: x.hold(op), out: out, others: x.parting(n.Input.Schema(), n.Group, parted)}
	defer g.held.meter.Close()
	if err = input(sink(g.add)); err == nil {
		err = op.Barrier(stream.Barrier{}, out)
	}
	if err == nil {
		err = g.rest()
	}
	return errors.Join(err, g.others.close())
}

// grouper feeds an aggregation, and files what it has no room for.
type grouper struct {
	x      *executor
	n      *plan.Agg
	op     grouping
	held   *held
	out    stream.Out
	most   int // bytes that the groups may take; 0 as long as there is room
	others parting
}

func (g *grouper) add(c *chunk.Chunk) error {
	if g.most > 0 {
		known, others := g.op.Known(c)
		if err := g.others.add(c, others); err != nil || len(known) == 0 {
			return err
		}
		c = c.Gather(known)
	}
	if err := g.op.Chunk(0, c, g.out); err != nil {
		return err
	}
	return g.grown()
}

// grown notes what the groups take, and when they begin to be too many.
func (g *grouper) grown() error {
	size := g.op.Size()
	err := fits(&g.held.meter, int64(size))
	if full, ok := errs.As(err); !ok || full.Entry != errs.OutOfMemory || g.others.parted == partedMax {
		return err
	}
	if g.most == 0 {
		g.most = size + size/growthShare
	}
	if size > g.most {
		return err
	}
	return nil
}

// rest aggregates what was filed. The groups that were in memory are gone by then.
func (g *grouper) rest() error {
	g.op, g.held.op = nil, nil
	g.held.meter.Close()
	if err := g.others.seal(); err != nil {
		return err
	}
	for at, f := range g.others.files {
		if f == nil {
			continue
		}
		rows := func(to stream.Out) error { return g.others.read(at, to) }
		if err := g.x.groups(g.n, g.others.parted+1, rows, g.out); err != nil {
			return err
		}
		if err := g.others.drop(at); err != nil {
			return err
		}
	}
	return nil
}
