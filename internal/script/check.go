package script

import (
	"fmt"
	"math/rand"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Random describes a check of an operator against recomputation.
type Random struct {
	Spec
	Seeds  int // 0: seedsDefault
	Epochs int // 0: epochsDefault
	Rows   int // changes of a port in an epoch; 0: rowsDefault
	// Row makes a row of a port. Few distinct values make keys meet.
	Row func(r *rand.Rand, port int) types.Row
	// Clock tells the time of the barrier that ends an epoch; nil: there is no time.
	Clock func(epoch int) time.Time
	// Oracle computes the answer from the rows of each port; nil: a bounded run of the operator itself.
	Oracle func(inputs [][]types.Row) []types.Row
}

// What a check does in a quick test run.
const (
	seedsDefault  = 6
	epochsDefault = 8
	rowsDefault   = 24
)

// mode is what happens to a world beside its input.
type mode struct {
	name             string
	crash, rescale   bool
	held             bool // results may be held back in the first epochs
	cacheMax         int
	chunkMax, vnodes int
}

var modes = []mode{
	{name: "steady", chunkMax: 64},
	{name: "crash", crash: true, chunkMax: 5},
	{name: "rescale", rescale: true, chunkMax: 9, vnodes: 16},
	{name: "evict", cacheMax: 1, chunkMax: 7},
	{name: "held", held: true, crash: true, chunkMax: 8},
	{name: "held and rescaled", held: true, rescale: true, chunkMax: 9, vnodes: 16},
	{name: "uncached", cacheMax: -1, chunkMax: 3, vnodes: 4},
}

// Check feeds random changes, deletions before the insertions that they cancel included, and compares at each barrier
// the sum of what was emitted with the answer computed from scratch: steadily, with a crash in every epoch, with a
// change of parallelism at every barrier, with results held back at first, and with nothing left in the caches.
func Check(t *testing.T, c Random) {
	t.Helper()
	c.Seeds, c.Epochs, c.Rows = or(c.Seeds, seedsDefault), or(c.Epochs, epochsDefault), or(c.Rows, rowsDefault)
	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			for seed := range c.Seeds {
				if err := c.run(m, int64(seed)); err != nil {
					t.Fatalf("mode %s, seed %d: %v", m.name, seed, err)
				}
			}
		})
	}
}

func or(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

// trial is one run.
type trial struct {
	Random
	mode
	rand  *rand.Rand
	world *World
	live  [][]types.Row // by port
	sum   Bag
}

func (c Random) run(m mode, seed int64) (err error) {
	s := c.Spec
	s.CacheMax = m.cacheMax
	if m.vnodes > 0 && !s.Single {
		s.Vnodes = m.vnodes
	}
	x := &trial{Random: c, mode: m, rand: rand.New(rand.NewSource(seed)), live: make([][]types.Row, len(s.Ports)), sum: Bag{}}
	if x.world, err = NewWorld(s, 1); err != nil {
		return err
	}
	defer x.world.Close()
	held := 0
	if m.held {
		held = 1 + x.rand.Intn(x.Epochs-1)
	}
	for e := range x.Epochs {
		x.world.Hold = e < held
		if x.Clock != nil {
			x.world.Time = x.Clock(e)
		}
		if err := x.epoch(); err != nil {
			return fmt.Errorf("epoch %d: %w", e, err)
		}
	}
	return nil
}

// portChunk is a message.
type portChunk struct {
	port  int
	chunk *chunk.Chunk
}

func (x *trial) epoch() error {
	msgs := x.messages()
	if x.crash { // the epoch begins, is lost, and is sent again
		for _, m := range msgs[:x.rand.Intn(len(msgs)+1)] {
			if err := x.world.Input(m.port, m.chunk); err != nil {
				return err
			}
		}
		if err := x.world.Crash(); err != nil {
			return err
		}
	}
	for _, m := range msgs {
		if err := x.world.Input(m.port, m.chunk); err != nil {
			return err
		}
	}
	out, err := x.world.Barrier()
	if err != nil {
		return err
	}
	if x.rescale {
		if err := x.world.Rescale(1 + x.rand.Intn(4)); err != nil {
			return err
		}
	}
	for _, c := range out {
		x.sum.Add(c)
	}
	if x.world.Hold {
		return nil
	}
	return x.compare()
}

// messages makes the changes of an epoch, in any order, cut into chunks.
func (x *trial) messages() []portChunk {
	var msgs []portChunk
	for p, port := range x.world.Ports {
		var ops []chunk.Op
		var rows []types.Row
		for range x.rand.Intn(x.Rows + 1) {
			if n := len(x.live[p]); n > 0 && x.rand.Intn(5) < 2 {
				i := x.rand.Intn(n)
				ops, rows = append(ops, chunk.Delete), append(rows, x.live[p][i])
				x.live[p][i] = x.live[p][n-1]
				x.live[p] = x.live[p][:n-1]
				continue
			}
			row := x.Row(x.rand, p)
			ops, rows = append(ops, chunk.Insert), append(rows, row)
			x.live[p] = append(x.live[p], row)
		}
		x.rand.Shuffle(len(rows), func(i, j int) { ops[i], ops[j], rows[i], rows[j] = ops[j], ops[i], rows[j], rows[i] })
		for len(rows) > 0 {
			n := 1 + x.rand.Intn(min(len(rows), x.chunkMax))
			msgs = append(msgs, portChunk{p, makeChunk(port.Types, ops[:n], rows[:n])})
			ops, rows = ops[n:], rows[n:]
		}
	}
	x.rand.Shuffle(len(msgs), func(i, j int) { msgs[i], msgs[j] = msgs[j], msgs[i] })
	return msgs
}

func makeChunk(ts []types.T, ops []chunk.Op, rows []types.Row) *chunk.Chunk {
	b := chunk.NewBuilder(ts, len(rows)+1)
	for i, r := range rows {
		b.Append(ops[i], r)
	}
	return b.Take()
}

// compare checks the sum of all that was emitted.
func (x *trial) compare() error {
	bounded := Bag{}
	inputs := make([][]*chunk.Chunk, len(x.live))
	for p, rows := range x.live {
		if len(rows) > 0 {
			inputs[p] = []*chunk.Chunk{makeChunk(x.world.Ports[p].Types, inserts(len(rows)), rows)}
		}
	}
	out, err := Bounded(x.world.Spec, inputs)
	if err != nil {
		return err
	}
	for _, c := range out {
		bounded.Add(c)
	}
	if d := x.sum.Diff(bounded); d != "" {
		return fmt.Errorf("the sum of the changes differs from a bounded run\n%s", d)
	}
	if x.Oracle == nil {
		return nil
	}
	want := Bag{}
	for _, row := range x.Oracle(x.live) {
		want.AddRow(x.world.Out, row, 1)
	}
	if d := x.sum.Diff(want); d != "" {
		return fmt.Errorf("the answer differs from the oracle's\n%s", d)
	}
	return nil
}

func inserts(n int) []chunk.Op {
	ops := make([]chunk.Op, n)
	for i := range ops {
		ops[i] = chunk.Insert
	}
	return ops
}
