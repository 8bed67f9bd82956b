package op

import (
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/script"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
)

func topNSpec(c TopNConfig) script.Spec {
	c.Dist = c.Partition
	probe := NewTopN(c)
	return script.Spec{
		Ports: []script.Port{{Types: c.Types, Keys: c.Partition}}, Out: probe.outTypes(), Tables: 1,
		Build: func(e script.Env) stream.Operator {
			c := c
			c.State, c.Vnodes = e.Tables[0], e.Vnodes
			return NewTopN(c)
		},
	}
}

// parseOrder reads columns with + or - in front: order=(+1,-0).
func parseOrder(t testing.TB, vals []string) []plan.Order {
	var out []plan.Order
	for _, v := range vals {
		n, err := strconv.Atoi(strings.TrimLeft(v, "+-"))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, plan.Order{Col: n, Desc: v[0] == '-', NullsFirst: v[0] == '-'})
	}
	return out
}

func topNConfig(t *testing.T, d *datadriven.TestData) TopNConfig {
	c := TopNConfig{Types: parseTypes(t, arg(d, "types")), Partition: ints(t, d, "partition"), Order: parseOrder(t, arg(d, "order")),
		Limit: -1, WithTies: d.HasArg("ties")}
	if l := ints(t, d, "limit"); l != nil {
		c.Limit = int64(l[0])
	}
	if o := ints(t, d, "offset"); o != nil {
		c.Offset = int64(o[0])
	}
	if r := arg(d, "rank"); r != nil {
		c.Rank = map[string]plan.Rank{"row_number": plan.RowNumber, "rank": plan.RankWithGaps, "dense_rank": plan.DenseRank}[r[0]]
	}
	return c
}

func TestTopNScript(t *testing.T) {
	script.RunScript(t, "testdata/topn", func(d *datadriven.TestData) script.Spec { return topNSpec(topNConfig(t, d)) })
}

func TestTopN(t *testing.T) {
	ts := []types.T{types.Int4, types.Text, types.Numeric}
	order := []plan.Order{{Col: 2, Desc: true, NullsFirst: true}}
	for name, c := range map[string]TopNConfig{
		"limit":     {Partition: []int{0}, Order: order, Limit: 2},
		"offset":    {Partition: []int{0}, Order: order, Limit: 2, Offset: 1, Rank: plan.RowNumber},
		"ties":      {Partition: []int{0}, Order: order, Limit: 1, WithTies: true, Rank: plan.RankWithGaps},
		"unlimited": {Order: order, Limit: -1, Rank: plan.DenseRank},
	} {
		c.Types = ts
		t.Run(name, func(t *testing.T) {
			script.Check(t, script.Random{Spec: topNSpec(c), Row: rowsOf(4, ts), Oracle: func(in [][]types.Row) []types.Row {
				return naiveTopN(c, in[0])
			}})
		})
	}
}

// naiveTopN sorts each partition descending by the last column and counts.
func naiveTopN(c TopNConfig, rows []types.Row) []types.Row {
	var out []types.Row
	for _, part := range groupRows(rows, c.Partition...) {
		part = descending(c.Types, part, c.Order[0].Col)
		rank, dense := 0, 0
		for i, r := range part {
			if i == 0 || types.CompareNull(types.Numeric, part[i-1][2], r[2]) != 0 {
				rank, dense = i+1, dense+1
			}
			n := i + 1
			if c.WithTies {
				n = rank
			}
			if int64(i) < c.Offset || c.Limit >= 0 && int64(n) > c.Offset+c.Limit {
				continue
			}
			switch c.Rank {
			case plan.RowNumber:
				r = append(append(types.Row{}, r...), types.NewInt(int64(i+1)))
			case plan.RankWithGaps:
				r = append(append(types.Row{}, r...), types.NewInt(int64(rank)))
			case plan.DenseRank:
				r = append(append(types.Row{}, r...), types.NewInt(int64(dense)))
			}
			out = append(out, r)
		}
	}
	return out
}

// descending sorts by one column downwards, NULLs first, ties upwards by all columns.
func descending(ts []types.T, rows []types.Row, col int) []types.Row {
	out := sortedRows(ts, rows)
	for i := 1; i < len(out); i++ { // a stable insertion sort
		for j := i; j > 0 && types.CompareNull(ts[col], out[j-1][col], out[j][col]) < 0; j-- {
			out[j-1], out[j] = out[j], out[j-1]
		}
	}
	return out
}
