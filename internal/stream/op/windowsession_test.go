package op

import (
	"fmt"
	"testing"

	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/script"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Sessions, with NULLs that count and such that do not, against a direct reading of their definition.
func TestWindowSessions(t *testing.T) {
	ts := []types.T{types.Int4, types.Int4, types.Int8}
	for gap := range int64(3) {
		for desc := range 2 {
			f := plan.Frame{Mode: plan.FrameSession, Start: offset(plan.Following, gap)}
			c := WindowConfig{Types: ts, Partition: []int{0}, Order: []plan.Order{{Col: 1, Desc: desc == 1, NullsFirst: desc == 1}}}
			for _, name := range []string{"first_value", "last_value"} {
				for _, ignore := range []bool{false, true} {
					c.Calls = append(c.Calls, plan.WindowCall{Name: name, Args: []int{2}, Frame: f, T: types.Int8, IgnoreNulls: ignore})
				}
			}
			for _, a := range []agg.Call{aggCallOf(t, ts, "sum", 1), aggCallOf(t, ts, "count")} {
				c.Calls = append(c.Calls, plan.WindowCall{Agg: aggPtr(a), Frame: f, T: a.T})
			}
			t.Run(fmt.Sprintf("gap %d desc %d", gap, desc), func(t *testing.T) {
				script.Check(t, script.Random{Spec: windowSpec(c), Seeds: 1, Epochs: 3, Rows: 14, Row: rowsOf(4, ts),
					Oracle: func(in [][]types.Row) []types.Row { return naiveFrames(c, in[0]) }})
			})
		}
	}
}

// oneSession reports whether no two neighbours from row i to row k lie the gap apart.
func oneSession(part []types.Row, i, k int, gap int64) bool {
	for i, k := min(i, k), max(i, k); i < k; i++ {
		a, b := part[i][1], part[i+1][1]
		if a.IsNull() != b.IsNull() || !a.IsNull() && max(a.Int()-b.Int(), b.Int()-a.Int()) >= gap {
			return false
		}
	}
	return true
}

// lag and lead with IGNORE NULLS count values only.
func TestOffsetIgnoresNulls(t *testing.T) {
	ts := []types.T{types.Int4, types.Int4, types.Int8}
	var c WindowConfig
	c.Types, c.Partition, c.Order = ts, []int{0}, []plan.Order{{Col: 1}}
	for _, name := range []string{"lag", "lead"} {
		c.Calls = append(c.Calls, plan.WindowCall{Name: name, Args: []int{2}, T: types.Int8, IgnoreNulls: true})
	}
	script.Check(t, script.Random{Spec: windowSpec(c), Seeds: 3, Epochs: 3, Rows: 14, Row: rowsOf(4, ts),
		Oracle: func(in [][]types.Row) []types.Row { return naiveNeighbours(ts, in[0]) }})
}

func naiveNeighbours(ts []types.T, rows []types.Row) []types.Row {
	var out []types.Row
	for _, part := range groupRows(rows, 0) {
		part = sortedRows(ts, part, 1)
		for i, r := range part {
			before, after := types.Null, types.Null
			for _, p := range part[:i] {
				if !p[2].IsNull() {
					before = p[2]
				}
			}
			for _, p := range part[i+1:] {
				if after.IsNull() {
					after = p[2]
				}
			}
			out = append(out, append(append(types.Row{}, r...), before, after))
		}
	}
	return out
}
