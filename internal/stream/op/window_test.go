package op

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/script"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
)

func windowSpec(c WindowConfig) script.Spec {
	c.Dist = c.Partition
	probe := NewWindow(c)
	return script.Spec{
		Ports: []script.Port{{Types: c.Types, Keys: c.Partition}}, Out: probe.outTypes(), Tables: 1,
		Build: func(e script.Env) stream.Operator {
			c := c
			c.State, c.Vnodes = e.Tables[0], e.Vnodes
			return NewWindow(c)
		},
	}
}

var defaultFrame = plan.Frame{End: plan.Bound{Kind: plan.CurrentRow}}

func offset(k plan.BoundKind, n int64) plan.Bound {
	return plan.Bound{Kind: k, Offset: types.NewInt(n), T: types.Int8}
}

func aggPtr(c agg.Call) *agg.Call { return &c }

func TestWindowIncremental(t *testing.T) {
	ts := []types.T{types.Int4, types.Int4, types.Int8}
	ranking := []plan.WindowCall{{Name: "row_number", T: types.Int8}, {Name: "rank", T: types.Int8}, {Name: "dense_rank", T: types.Int8},
		{Name: "percent_rank", T: types.Float8}, {Name: "cume_dist", T: types.Float8}, {Name: "lag", Args: []int{2}, T: types.Int8},
		{Name: "lead", Args: []int{2}, T: types.Int8}, {Name: "first_value", Args: []int{2}, Frame: defaultFrame, T: types.Int8}}
	c := WindowConfig{Types: ts, Partition: []int{0}, Order: []plan.Order{{Col: 1}}, Calls: ranking}
	script.Check(t, script.Random{Spec: windowSpec(c), Row: rowsOf(4, ts)})
}

// Every kind of frame against a direct reading of its definition.
func TestWindowFrames(t *testing.T) {
	ts := []types.T{types.Int4, types.Int4, types.Int8}
	sum, count, smallest, list := aggCallOf(t, ts, "sum", 1), aggCallOf(t, ts, "count"), aggCallOf(t, ts, "min", 2), aggCallOf(t, ts, "array_agg", 2)
	bounds := []plan.Bound{{Kind: plan.UnboundedPreceding}, offset(plan.Preceding, 2), offset(plan.Preceding, 0), {Kind: plan.CurrentRow},
		offset(plan.Following, 1), {Kind: plan.UnboundedFollowing}}
	for mode := plan.FrameRange; mode <= plan.FrameGroups; mode++ {
		for ex := plan.ExcludeNone; ex <= plan.ExcludeTies; ex++ {
			for desc := range 2 {
				c := WindowConfig{Types: ts, Partition: []int{0}, Order: []plan.Order{{Col: 1, Desc: desc == 1, NullsFirst: desc == 1}}}
				for i, s := range bounds[:5] {
					for _, e := range bounds[max(i, 1):] {
						f := plan.Frame{Mode: mode, Start: s, End: e, Exclude: ex}
						for _, a := range []agg.Call{sum, count, smallest, list} {
							c.Calls = append(c.Calls, plan.WindowCall{Agg: aggPtr(a), Frame: f, T: a.T})
						}
						c.Calls = append(c.Calls, plan.WindowCall{Name: "last_value", Args: []int{2}, Frame: f, T: types.Int8},
							plan.WindowCall{Name: "first_value", Args: []int{2}, Frame: f, T: types.Int8})
					}
				}
				t.Run(fmt.Sprintf("mode %d exclude %d desc %d", mode, ex, desc), func(t *testing.T) {
					script.Check(t, script.Random{Spec: windowSpec(c), Seeds: 1, Epochs: 3, Rows: 14, Row: rowsOf(4, ts),
						Oracle: func(in [][]types.Row) []types.Row { return naiveFrames(c, in[0]) }})
				})
			}
		}
	}
}

// naiveFrames asks of every row of the partition whether it is in the frame.
func naiveFrames(c WindowConfig, rows []types.Row) []types.Row {
	var out []types.Row
	desc := c.Order[0].Desc
	for _, part := range groupRows(rows, c.Partition...) {
		part = sortedRows(c.Types, part, 1)
		if desc {
			part = descending(c.Types, part, 1)
		}
		for i, r := range part {
			row := append(types.Row{}, r...)
			for _, call := range c.Calls {
				var in []types.Row
				for k := range part {
					if inFrame(call.Frame, part, i, k, desc) {
						in = append(in, part[k])
					}
				}
				row = append(row, naiveCall(call, in))
			}
			out = append(out, row)
		}
	}
	return out
}

func peers(a, b types.Row) bool { return a[1] == b[1] }

// groupDistance is how many groups lie between two rows.
func groupDistance(part []types.Row, i, k int) int64 {
	n, sign := int64(0), int64(1)
	if k < i {
		i, k, sign = k, i, -1
	}
	for ; i < k; i++ {
		if !peers(part[i], part[i+1]) {
			n++
		}
	}
	return sign * n
}

// inFrame measures how far row k lies from row i and compares that with the bounds.
func inFrame(f plan.Frame, part []types.Row, i, k int, desc bool) bool {
	switch f.Exclude {
	case plan.ExcludeCurrentRow:
		if k == i {
			return false
		}
	case plan.ExcludeGroup:
		if peers(part[i], part[k]) {
			return false
		}
	case plan.ExcludeTies:
		if k != i && peers(part[i], part[k]) {
			return false
		}
	}
	if f.Mode == plan.FrameSession {
		return oneSession(part, i, k, f.Start.Offset.Int())
	}
	within := func(b plan.Bound, start bool) bool {
		var d int64
		switch {
		case b.Kind == plan.UnboundedPreceding:
			return true
		case b.Kind == plan.UnboundedFollowing:
			return true
		case f.Mode == plan.FrameRows:
			d = int64(k - i)
		case f.Mode == plan.FrameGroups || b.Kind == plan.CurrentRow || peers(part[i], part[k]):
			d = groupDistance(part, i, k)
			if f.Mode == plan.FrameRange && d == 0 && (part[i][1].IsNull() || b.Kind == plan.CurrentRow) {
				return true
			}
		case part[i][1].IsNull() || part[k][1].IsNull():
			// NULLs lie beyond every distance, on their side of the partition.
			if start {
				return k > i
			}
			return k < i
		default:
			d = part[k][1].Int() - part[i][1].Int()
			if desc {
				d = -d
			}
		}
		at := int64(0)
		if b.Kind == plan.Preceding {
			at = -b.Offset.Int()
		} else if b.Kind == plan.Following {
			at = b.Offset.Int()
		}
		if start {
			return d >= at
		}
		return d <= at
	}
	return within(f.Start, true) && within(f.End, false)
}

func naiveCall(call plan.WindowCall, in []types.Row) types.Datum {
	name := call.Name
	if call.Agg != nil {
		name = call.Agg.Fn.Name
	}
	switch name {
	case "count":
		return types.NewInt(int64(len(in)))
	case "sum":
		sum := types.Null
		for _, r := range in {
			if !r[1].IsNull() {
				if sum.IsNull() {
					sum = types.NewInt(0)
				}
				sum = types.NewInt(sum.Int() + r[1].Int())
			}
		}
		return sum
	case "min":
		low := types.Null
		for _, r := range in {
			if !r[2].IsNull() && (low.IsNull() || r[2].Int() < low.Int()) {
				low = r[2]
			}
		}
		return low
	case "array_agg":
		if len(in) == 0 {
			return types.Null
		}
		var list []types.Datum
		for _, r := range in {
			list = append(list, r[2])
		}
		return types.NewArray(types.Int8, list)
	}
	if call.IgnoreNulls {
		in = slices.DeleteFunc(in, func(r types.Row) bool { return r[2].IsNull() })
	}
	if len(in) == 0 {
		return types.Null
	}
	if name == "first_value" {
		return in[0][2]
	}
	return in[len(in)-1][2]
}
