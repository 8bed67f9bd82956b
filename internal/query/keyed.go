package query

import (
	"errors"
	"slices"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/stream"
)

// keyed is a node that can be run for the rows of each key alone: a join, a set operation, functions over partitions. What
// its operator keeps is gathered first. When that does not fit, the rows of all inputs go to files by the hash of their key,
// and the node is run for each file of its inputs alone, in the same way.
type keyed struct {
	node plan.Node
	keys [][]int // columns, of each input
	kept []int   // inputs that are gathered; the others stream by
	// share is how many times the gathered rows the operator is expected to take: it has them twice while it takes them over,
	// and some operators say that they need more at their end.
	share int
}

// keyedOf describes a node; ok is false for one that needs all rows at once.
func keyedOf(n plan.Node) (k keyed, ok bool) {
	switch n := n.(type) {
	case *plan.Join:
		const build = 1
		return keyed{n, [][]int{n.LeftKeys, n.RightKeys}, []int{build}, 2}, n.Kind != plan.NullAnti && len(n.RightKeys) > 0
	case *plan.SetOp:
		whole := make([]int, len(n.Left.Schema()))
		for i := range whole {
			whole[i] = i
		}
		return keyed{n, [][]int{whole, whole}, []int{0, 1}, 2}, len(whole) > 0
	case *plan.Window:
		return keyed{n, [][]int{n.Partition}, []int{0}, 5}, len(n.Partition) > 0
	case *plan.TopN:
		return keyed{n, [][]int{n.Partition}, []int{0}, 3}, len(n.Partition) > 0
	}
	return k, false
}

// takenRowSize is what an operator has of a row beside its values, with slices that have just doubled.
const takenRowSize = 100

// keyed runs a node over its inputs.
func (x *executor) keyed(k keyed, out stream.Out) error {
	var inputs []input
	for _, n := range k.node.Inputs() {
		inputs = append(inputs, func(to stream.Out) error { return x.run(n, to) })
	}
	return x.parts(k, 0, inputs, guard{x.cancel, out})
}

// input gives rows.
type input func(stream.Out) error

// parts runs a node over the rows that the inputs give, which were parted so often already.
func (x *executor) parts(k keyed, parted int, inputs []input, out stream.Out) error {
	if err := x.cancel.Err(); err != nil {
		return err
	}
	if parted == partedMax {
		// What is left is of few keys. For many equal rows an operator may need less than what gathers them.
		return x.whole(k, inputs, out)
	}
	g := &gathering{x: x, keyed: k, rows: make([][]*chunk.Chunk, len(inputs)), meter: mem.NewMeter(x.Memory)}
	for i, n := range k.node.Inputs() {
		g.files = append(g.files, x.parting(n.Schema(), k.keys[i], parted))
	}
	defer g.meter.Close()
	var err error
	for _, port := range k.kept {
		if err = inputs[port](sink(func(c *chunk.Chunk) error { return g.add(port, c) })); err != nil {
			break
		}
	}
	switch {
	case err == nil && !g.filed:
		err = g.inMemory(inputs, out)
	case err == nil:
		err = g.inFiles(inputs, parted, out)
	}
	for i := range g.files {
		err = errors.Join(err, g.files[i].close())
	}
	return err
}

// gathering is what the operator of a node will keep.
type gathering struct {
	x *executor
	keyed
	rows  [][]*chunk.Chunk // of each input
	bytes int64            // that the operator will take for them
	meter mem.Meter
	filed bool // they did not fit
	files []parting
}

func (g *gathering) add(port int, c *chunk.Chunk) error {
	if g.filed {
		return g.files[port].addAll(c)
	}
	g.rows[port] = append(g.rows[port], c)
	g.bytes += int64(g.share * (c.Size() + takenRowSize*c.Rows()))
	if fits(&g.meter, g.bytes) == nil || g.bytes <= heldLeast {
		return nil
	}
	g.filed = true
	for port, rows := range g.rows {
		for _, c := range rows {
			if err := g.files[port].addAll(c); err != nil {
				return err
			}
		}
		g.rows[port] = nil
	}
	g.meter.Close()
	return nil
}

// inMemory runs the node over the rows that were gathered and what streams by.
func (g *gathering) inMemory(inputs []input, out stream.Out) error {
	g.meter.Close() // it becomes what the operator holds
	for _, port := range g.kept {
		inputs[port] = g.gathered(port)
	}
	return g.x.whole(g.keyed, inputs, out)
}

// gathered gives the rows of an input, and each chunk back as it is taken.
func (g *gathering) gathered(port int) input {
	return func(to stream.Out) error {
		for i, c := range g.rows[port] {
			if err := to.Chunk(c); err != nil {
				return err
			}
			g.rows[port][i] = nil
		}
		return nil
	}
}

// whole runs the operator of a node over all rows of its inputs, first of those that it keeps. They must fit.
func (x *executor) whole(k keyed, inputs []input, out stream.Out) error {
	op, err := x.operator(k.node)
	if err != nil {
		return err
	}
	held := x.hold(op)
	defer held.meter.Close()
	for _, port := range k.kept {
		if err := inputs[port](feed{op, port, out, held}); err != nil {
			return err
		}
	}
	for port, in := range inputs {
		if slices.Contains(k.kept, port) {
			continue
		}
		if err := in(feed{op, port, out, held}); err != nil {
			return err
		}
	}
	return op.Barrier(stream.Barrier{}, out)
}

// inFiles files the other inputs, too, and runs the node for each file.
func (g *gathering) inFiles(inputs []input, parted int, out stream.Out) error {
	for port, in := range inputs {
		if slices.Contains(g.kept, port) {
			continue
		}
		if err := in(sink(g.files[port].addAll)); err != nil {
			return err
		}
	}
	for port := range g.files {
		if err := g.files[port].seal(); err != nil {
			return err
		}
	}
	for at := range partitions {
		if err := g.part(at, parted+1, out); err != nil {
			return err
		}
	}
	return nil
}

// part runs the node for the rows of one file of each input.
func (g *gathering) part(at, parted int, out stream.Out) error {
	inputs, rows := make([]input, len(g.files)), false
	for port := range g.files {
		rows = rows || g.files[port].files[at] != nil
		inputs[port] = func(to stream.Out) error { return g.files[port].read(at, to) }
	}
	if !rows {
		return nil
	}
	if err := g.x.parts(g.keyed, parted, inputs, out); err != nil {
		return err
	}
	for port := range g.files {
		if err := g.files[port].drop(at); err != nil {
			return err
		}
	}
	return nil
}
