package agg

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// drawDatum draws values that meet often, and some at the edges.
func drawDatum(t *rapid.T, typ types.T) types.Datum {
	switch typ.Kind {
	case types.KindBool:
		return types.NewBool(rapid.Bool().Draw(t, "bool"))
	case types.KindInt2:
		return types.NewInt(int64(rapid.Int16().Draw(t, "int2")))
	case types.KindInt4:
		return types.NewInt(int64(rapid.Int32().Draw(t, "int4")))
	case types.KindInt8:
		return types.NewInt(rapid.Int64().Draw(t, "int8"))
	case types.KindFloat4:
		return types.NewFloat(float64(rapid.Float32Range(-1e10, 1e10).Draw(t, "float4")))
	case types.KindFloat8:
		return types.NewFloat(rapid.OneOf(rapid.Float64Range(-1e100, 1e100), rapid.SampledFrom([]float64{
			0, 1, 0.1, 1e-300, 1e16, -1e16, math.MaxFloat64, -math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324,
		})).Draw(t, "float8"))
	case types.KindNumeric:
		return types.NewNumeric(rapid.SampledFrom([]types.Num{
			types.NumFromInt(1), types.NumFromScaled(150, 2), types.NumFromScaled(-1, 5), types.NumFromScaled(math.MaxInt64, 3),
			types.NumNaN, types.NumPosInf, types.NumNegInf, {},
		}).Draw(t, "numeric"))
	case types.KindInterval:
		return types.NewInterval(types.Iv{Months: rapid.Int32Range(-99, 99).Draw(t, "months"), Days: rapid.Int32Range(-99, 99).Draw(t, "days"),
			Micros: rapid.Int64Range(-1e12, 1e12).Draw(t, "micros")})
	}
	return types.NewBytes(rapid.StringOf(rapid.RuneFrom([]rune("ab"))).Draw(t, "text"))
}

// change is a row that is inserted or deleted in a group.
type change struct {
	slot int32
	op   chunk.Op
	row  types.Row
}

// drawChanges draws inserts, and deletes of rows that are there; it returns what is left in each group.
func drawChanges(t *rapid.T, ts []types.T, groups int) (changes []change, left [][]types.Row) {
	left = make([][]types.Row, groups)
	for range rapid.IntRange(0, 60).Draw(t, "changes") {
		g := rapid.IntRange(0, groups-1).Draw(t, "group")
		if n := len(left[g]); n > 0 && rapid.Bool().Draw(t, "delete") {
			k := rapid.IntRange(0, n-1).Draw(t, "row")
			changes = append(changes, change{int32(g), chunk.Delete, left[g][k]})
			left[g] = slices.Delete(left[g], k, k+1)
			continue
		}
		row := make(types.Row, len(ts))
		for i, typ := range ts {
			row[i] = drawDatum(t, typ)
		}
		changes = append(changes, change{int32(g), chunk.Insert, row})
		left[g] = append(left[g], row)
	}
	return changes, left
}

func apply(t *rapid.T, a Accum, ts []types.T, changes []change) {
	if len(changes) == 0 {
		return
	}
	var slots []int32
	var ops []chunk.Op
	var rows []types.Row
	for _, c := range changes {
		slots, ops, rows = append(slots, c.slot), append(ops, c.op), append(rows, c.row)
	}
	if err := a.Update(slots, ops, nil, columns(ts, rows)); err != nil {
		t.Fatal(err)
	}
}

// result is a value or its error, for comparison.
func result(a Accum, s int32) string {
	d, err := a.Value(s)
	return fmt.Sprintf("%#v %v", d, err)
}

// TestAdditiveRetraction: after any inserts and deletes a group has the result of the rows that are left, its state is
// written as that of a group that never saw the others, and a state that was written and read goes on as before.
func TestAdditiveRetraction(t *testing.T) {
	const groups = 3
	for _, f := range NewRegistry().Funcs() {
		if f.Additive == nil {
			continue
		}
		ts := f.Args
		if len(ts) == 1 && ts[0].Kind >= 240 {
			ts = []types.T{types.Text}
		}
		t.Run(f.ID(), rapid.MakeCheck(func(t *rapid.T) {
			changes, left := drawChanges(t, ts, groups)
			a, fresh, read := f.Additive(ts), f.Additive(ts), f.Additive(ts)
			for _, x := range []Accum{a, fresh, read} {
				x.Grow(groups)
			}
			cut := 0
			if len(changes) > 0 {
				cut = rapid.IntRange(0, len(changes)).Draw(t, "cut")
			}
			apply(t, a, ts, changes[:cut])
			for s := range int32(groups) {
				if rest, err := read.Decode(s, a.Encode(s, nil)); err != nil || len(rest) != 0 {
					t.Fatalf("decode: %v, %d bytes left", err, len(rest))
				}
			}
			apply(t, a, ts, changes[cut:])
			apply(t, read, ts, changes[cut:])
			for s := range int32(groups) {
				for _, row := range left[s] {
					apply(t, fresh, ts, []change{{s, chunk.Insert, row}})
				}
				if got, want, again := result(a, s), result(fresh, s), result(read, s); got != want || again != want {
					t.Fatalf("group %d: %s after deletes, %s recomputed, %s after a restart", s, got, want, again)
				}
				if !bytes.Equal(a.Encode(s, nil), fresh.Encode(s, nil)) {
					t.Fatalf("group %d: state %x after deletes, %x recomputed", s, a.Encode(s, nil), fresh.Encode(s, nil))
				}
			}
		}))
	}
}

// TestOrderIndependence: the result does not depend on the order of the rows, which exact sums are kept for.
func TestOrderIndependence(t *testing.T) {
	r := NewRegistry()
	for _, name := range []string{"sum", "avg", "stddev", "var_pop"} {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			f, ts, err := r.Resolve(name, []types.T{types.Float8})
			if err != nil {
				t.Fatal(err)
			}
			var rows []types.Row
			for range rapid.IntRange(0, 30).Draw(t, "n") {
				rows = append(rows, types.Row{drawDatum(t, types.Float8)})
			}
			shuffled := rapid.Permutation(rows).Draw(t, "shuffled")
			a, errA := compute(f, ts, rows)
			b, errB := compute(f, ts, shuffled)
			if a != b || (errA == nil) != (errB == nil) {
				t.Fatalf("%v %v and %v %v", a.Float(), errA, b.Float(), errB)
			}
		}))
	}
}

// TestAppendOnly: the cheaper states for inputs without deletes give what the ordered form gives.
func TestAppendOnly(t *testing.T) {
	r := NewRegistry()
	for _, name := range []string{"min", "max"} {
		for _, typ := range []types.T{types.Int4, types.Float8, types.Text, types.Numeric, types.Interval} {
			t.Run(name+"/"+typ.String(), rapid.MakeCheck(func(t *rapid.T) {
				f, ts, err := r.Resolve(name, []types.T{typ})
				if err != nil {
					t.Fatal(err)
				}
				var rows []types.Row
				for range rapid.IntRange(0, 10).Draw(t, "n") {
					rows = append(rows, types.Row{drawDatum(t, typ)})
				}
				a := f.AppendOnly(ts)
				a.Grow(1)
				if err := a.Update(make([]int32, len(rows)), nil, nil, columns(ts, rows)); err != nil {
					t.Fatal(err)
				}
				got, err := a.Value(0)
				if err != nil {
					t.Fatal(err)
				}
				want, err := compute(f, ts, rows)
				if err != nil || types.CompareNull(typ, got, want) != 0 {
					t.Fatalf("%v instead of %v, %v", got, want, err)
				}
			}))
		}
	}
}
