package op

import (
	"fmt"
	"testing"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/script"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
)

// benchRows is how many rows a benchmark feeds; run it with -benchtime 1x.
const benchRows = 10_000_000

// shuffledInts makes chunks of rows (i*7919 % groups, i % 1000), as the workload of B1 and B2 does.
func shuffledInts(rows, groups int, ts []types.T) func(at int) *chunk.Chunk {
	return func(at int) *chunk.Chunk {
		n := min(chunk.RowsMax, rows-at)
		g, v := chunk.MakeVec(ts[0], n), chunk.MakeVec(ts[1], n)
		for i := range n {
			g.Ints[i] = int64(at+i) * 7919 % int64(groups)
			v.Ints[i] = int64(at+i) % 1000
		}
		return chunk.New(nil, []*chunk.Vec{g, v}, n)
	}
}

func perRow(b *testing.B, rows int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/row")
}

// A bounded aggregation: count, sum and max by group, all included but the making of the chunks.
func BenchmarkHashAggBounded(b *testing.B) {
	for _, groups := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprint(groups), func(b *testing.B) {
			benchAgg(b, groups, func(c AggConfig) (stream.Operator, func() error) {
				c.Groups, c.Inputs, c.Bounded = state.New(state.Options{}), state.New(state.Options{}), true
				o := NewHashAgg(c)
				return o, func() error { return o.Barrier(stream.Barrier{}, stream.Discard{}) }
			}, benchRows)
		})
	}
}

// A running aggregation with a barrier every half million rows, staged and committed to a store in memory.
func BenchmarkHashAggStreaming(b *testing.B) {
	for _, groups := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprint(groups), func(b *testing.B) {
			benchAgg(b, groups, func(a AggConfig) (stream.Operator, func() error) {
				w, err := script.NewWorld(aggSpec(a), 1)
				if err != nil {
					b.Fatal(err)
				}
				return worldFeed{w: w}, func() error { _, err := w.Barrier(); return err }
			}, benchRows)
		})
	}
}

// worldFeed is a world seen as an operator.
type worldFeed struct {
	stream.NoWatermark
	w *script.World
}

func (f worldFeed) Chunk(port int, c *chunk.Chunk, _ stream.Out) error { return f.w.Input(port, c) }
func (worldFeed) Barrier(stream.Barrier, stream.Out) error             { return nil }

const rowsPerBarrier = 500_000

func benchAgg(b *testing.B, groups int, build func(AggConfig) (stream.Operator, func() error), rows int) {
	in := []types.T{types.Int4, types.Int8}
	calls := []agg.Call{aggCallOf(b, in, "count"), aggCallOf(b, in, "sum", 1), aggCallOf(b, in, "max", 1)}
	make := shuffledInts(rows, groups, in)
	for b.Loop() {
		o, barrier := build(AggConfig{Input: in, Group: []int{0}, Calls: calls})
		for at, since := 0, 0; at < rows; at += chunk.RowsMax {
			if err := o.Chunk(0, make(at), stream.Discard{}); err != nil {
				b.Fatal(err)
			}
			if since += chunk.RowsMax; since >= rowsPerBarrier {
				if _, streams := o.(worldFeed); streams {
					if err := barrier(); err != nil {
						b.Fatal(err)
					}
				}
				since = 0
			}
		}
		if err := barrier(); err != nil {
			b.Fatal(err)
		}
	}
	perRow(b, rows)
}

// Ten million rows meet a million: every probe finds one row.
func BenchmarkHashJoinBounded(b *testing.B) {
	const keys = 1_000_000
	ts := [2][]types.T{{types.Int4, types.Int8}, {types.Int4, types.Int8}}
	build, probe := shuffledInts(keys, keys, ts[1]), shuffledInts(benchRows, keys, ts[0])
	for b.Loop() {
		j := NewHashJoin(JoinConfig{Kind: plan.Inner, Types: ts, Keys: [2][]int{{0}, {0}}})
		for at := 0; at < keys; at += chunk.RowsMax {
			if err := j.Chunk(1, build(at), stream.Discard{}); err != nil {
				b.Fatal(err)
			}
		}
		for at := 0; at < benchRows; at += chunk.RowsMax {
			if err := j.Chunk(0, probe(at), stream.Discard{}); err != nil {
				b.Fatal(err)
			}
		}
	}
	perRow(b, benchRows)
}
