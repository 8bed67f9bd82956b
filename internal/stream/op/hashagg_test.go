package op

import (
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/script"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
)

func aggSpec(c AggConfig) script.Spec {
	c.Dist = c.Group
	out := make([]types.T, 0, len(c.Group)+len(c.Calls))
	for _, g := range c.Group {
		out = append(out, c.Input[g])
	}
	for _, call := range c.Calls {
		out = append(out, call.T)
	}
	return script.Spec{
		Ports: []script.Port{{Types: c.Input, Keys: c.Group}}, Out: out, Tables: 2, Single: len(c.Group) == 0,
		Build: func(e script.Env) stream.Operator {
			c := c
			c.Groups, c.Inputs, c.Vnodes, c.Owned, c.Bounded, c.CacheMax = e.Tables[0], e.Tables[1], e.Vnodes, e.Owned.IDs(), e.Bounded, e.CacheMax
			c.Unread = !e.Bounded
			return NewHashAgg(c)
		},
	}
}

// parseCalls reads name:column or name:column:distinct.
func parseCalls(t testing.TB, in []types.T, vals []string) []agg.Call {
	var out []agg.Call
	for _, v := range vals {
		parts := strings.Split(v, ":")
		var args []int
		if len(parts) > 1 && parts[1] != "" {
			args = []int{int(parts[1][0] - '0')}
		}
		c := aggCallOf(t, in, parts[0], args...)
		c.Distinct = len(parts) > 2 && parts[2] == "distinct"
		if len(parts) > 2 && strings.HasPrefix(parts[2], "filter") {
			c.Filter = int(parts[2][len("filter")] - '0')
		}
		out = append(out, c)
	}
	return out
}

func TestHashAggScript(t *testing.T) {
	script.RunScript(t, "testdata/hashagg", func(d *datadriven.TestData) script.Spec {
		in := parseTypes(t, arg(d, "types"))
		return aggSpec(AggConfig{Input: in, Group: ints(t, d, "group"), Calls: parseCalls(t, in, arg(d, "calls"))})
	})
}

func TestHashAgg(t *testing.T) {
	in := []types.T{types.Int4, types.Text, types.Int8, types.Numeric, types.Float8, types.Bool}
	calls := []string{"count", "count:2", "sum:2", "sum:3", "sum:4", "avg:2", "min:2", "max:1", "min:3", "max:4", "count:2:distinct",
		"sum:2:distinct", "array_agg:2", "array_agg:1:distinct", "sum:2:filter5", "max:2:filter5", "bool_and:5", "stddev:4"}
	for name, group := range map[string][]int{"one column": {0}, "two columns": {0, 1}, "numeric": {3}, "global": nil} {
		t.Run(name, func(t *testing.T) {
			c := AggConfig{Input: in, Group: group, Calls: parseCalls(t, in, calls)}
			script.Check(t, script.Random{Spec: aggSpec(c), Row: rowsOf(4, in)})
		})
	}
}

// One owner may hold back what another has let go, for want of memory; whoever takes over from both gives each result once.
func TestHeldBackByOneOwner(t *testing.T) {
	in := []types.T{types.Int4, types.Int4}
	spec := aggSpec(AggConfig{Input: in, Group: []int{0}, Calls: parseCalls(t, in, []string{"count", "max:1"})})
	spec.Vnodes, spec.CacheMax = 4, 46_000
	w, err := script.NewWorld(spec, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	sum, all := script.Bag{}, []*chunk.Chunk{}
	for step, parallel := range []int{1, 2, 1} {
		b := chunk.NewBuilder(in, 600)
		for i := range 534 {
			b.Append(chunk.Insert, types.Row{types.NewInt(int64(i)), types.NewInt(int64(step))})
		}
		c := b.Take()
		all = append(all, c)
		if err := w.Input(0, c); err != nil {
			t.Fatal(err)
		}
		w.Hold = step == 0
		out, err := w.Barrier()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range out {
			sum.Add(c)
		}
		if step == 0 && (len(sum) == 0 || len(sum) == 534) {
			t.Fatalf("%d results: want some held back and some not", len(sum))
		}
		if err := w.Rescale(parallel); err != nil {
			t.Fatal(err)
		}
	}
	want := script.Bag{}
	out, err := script.Bounded(w.Spec, [][]*chunk.Chunk{all})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range out {
		want.Add(c)
	}
	if d := sum.Diff(want); d != "" {
		t.Error(d)
	}
}

// The sums and extremes themselves, against plain loops.
func TestHashAggValues(t *testing.T) {
	in := []types.T{types.Int4, types.Int4}
	c := AggConfig{Input: in, Group: []int{0}, Calls: parseCalls(t, in, []string{"count", "sum:1", "min:1", "max:1", "count:1:distinct"})}
	script.Check(t, script.Random{Spec: aggSpec(c), Row: rowsOf(5, in), Oracle: func(in [][]types.Row) (out []types.Row) {
		for _, rows := range groupRows(in[0], 0) {
			var values []int64
			for _, r := range rows {
				if !r[1].IsNull() {
					values = append(values, r[1].Int())
				}
			}
			row := types.Row{rows[0][0], types.NewInt(int64(len(rows))), types.Null, types.Null, types.Null, types.NewInt(0)}
			if len(values) > 0 {
				sum := int64(0)
				for _, v := range values {
					sum += v
				}
				slices.Sort(values)
				row[2], row[3], row[4] = types.NewInt(sum), types.NewInt(values[0]), types.NewInt(values[len(values)-1])
				row[5] = types.NewInt(int64(len(slices.Compact(values))))
			}
			out = append(out, row)
		}
		return out
	}})
}
