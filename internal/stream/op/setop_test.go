package op

import (
	"fmt"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/script"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
)

func setOpSpec(ts []types.T, intersect, all bool) script.Spec {
	keys := make([]int, len(ts))
	for i := range keys {
		keys[i] = i
	}
	port := script.Port{Types: ts, Keys: keys}
	return script.Spec{Ports: []script.Port{port, port}, Out: ts, Tables: 1, Build: func(e script.Env) stream.Operator {
		o := &SetOp{Intersect: intersect, All: all, Types: ts, Vnodes: e.Vnodes, State: e.Tables[0]}
		if e.Bounded {
			o.State = nil
		}
		return o
	}}
}

func TestSetOpScript(t *testing.T) {
	script.RunScript(t, "testdata/setop", func(d *datadriven.TestData) script.Spec {
		return setOpSpec(parseTypes(t, arg(d, "types")), d.HasArg("intersect"), d.HasArg("all"))
	})
}

func TestSetOp(t *testing.T) {
	ts := []types.T{types.Int4, types.Text}
	for _, intersect := range []bool{false, true} {
		for _, all := range []bool{false, true} {
			t.Run(fmt.Sprintf("intersect=%v all=%v", intersect, all), func(t *testing.T) {
				script.Check(t, script.Random{Spec: setOpSpec(ts, intersect, all), Row: rowsOf(3, ts, ts),
					Oracle: func(in [][]types.Row) []types.Row { return naiveSetOp(in, intersect, all) }})
			})
		}
	}
}

// Equal rows in several forms are shown in one that is there, whatever the order in which they came and went.
func TestSetOpForms(t *testing.T) {
	ts := []types.T{types.Numeric}
	for _, intersect := range []bool{false, true} {
		for _, all := range []bool{false, true} {
			t.Run(fmt.Sprintf("intersect=%v all=%v", intersect, all), func(t *testing.T) {
				script.Check(t, script.Random{Spec: setOpSpec(ts, intersect, all), Row: rowsOf(3, ts, ts)})
			})
		}
	}
}

func naiveSetOp(in [][]types.Row, intersect, all bool) (out []types.Row) {
	for _, rows := range groupRows(append(append([]types.Row{}, in[0]...), in[1]...), 0, 1) {
		var n [2]int
		for side := range in {
			for _, r := range in[side] {
				if datumKey(r[0]) == datumKey(rows[0][0]) && datumKey(r[1]) == datumKey(rows[0][1]) {
					n[side]++
				}
			}
		}
		if !all {
			n[0], n[1] = min(n[0], 1), min(n[1], 1)
		}
		times := n[0] - n[1]
		if intersect {
			times = min(n[0], n[1])
		}
		for range times {
			out = append(out, rows[0])
		}
	}
	return out
}
