package vnode

import (
	"slices"
	"testing"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
	"pgregory.net/rapid"
)

func TestSetText(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := NewSet(rapid.SliceOfN(rapid.Map(rapid.Uint16Range(0, 300), func(v uint16) ID { return ID(v) }), 0, 40).Draw(r, "ids")...)
		got, err := ParseSet(s.String())
		if err != nil || !got.Equal(s) {
			r.Fatalf("%s reads back as %s: %v", s, got, err)
		}
		if ids := slices.Collect(s.Each()); !slices.Equal(ids, s.IDs()) || len(ids) != s.Len() {
			r.Fatalf("Each %v, IDs %v, Len %d", ids, s.IDs(), s.Len())
		}
	})
	for _, bad := range []string{"x", "3-1", "1,", "-", "40000", "1-2-3"} {
		if s, err := ParseSet(bad); err == nil {
			t.Errorf("%q reads as %s", bad, s)
		}
	}
}

// Each vnode has one owner, and no two actors differ by more than one vnode.
func TestAssign(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		count := rapid.IntRange(1, 300).Draw(r, "count")
		actors := rapid.IntRange(1, count).Draw(r, "actors")
		var all Set
		total, least, most := 0, count, 0
		for _, s := range Assign(count, actors) {
			all = all.Union(s)
			total += s.Len()
			least, most = min(least, s.Len()), max(most, s.Len())
		}
		if total != count || all.Len() != count || most-least > 1 {
			r.Fatalf("%d vnodes for %d actors: %d owned, %d apart, %d to %d each", count, actors, total, all.Len(), least, most)
		}
	})
}

// Equal values hash alike, and a column hashes as its rows do.
func TestHashEqualValues(t *testing.T) {
	for _, c := range []struct{ typ, a, b string }{
		{"numeric", "1.0", "1.00"}, {"numeric", "0", "0.000"}, {"numeric", "1e30", "1e30"}, {"float8", "0", "-0"}, {"float8", "NaN", "nan"},
		{"char(3)", "a", "a  "}, {"interval", "1 mon", "30 days"}, {"jsonb", "[1.0]", "[1]"}, {"numeric[]", "{1.0,NULL}", "{1,NULL}"},
		{"text", "a", "a"}, {"boolean", "t", "true"}, {"timestamptz", "2000-01-01 00:00+00", "2000-01-01 01:00+01"},
	} {
		typ, err := types.Lookup(c.typ)
		if err != nil {
			t.Fatal(err)
		}
		v := chunk.NewVec(typ, 3)
		for _, text := range []string{c.a, c.b} {
			d, err := types.Parse(typ, text, types.Ctx{})
			if err != nil {
				t.Fatal(err)
			}
			v.Append(d)
		}
		v.Append(types.Null)
		hashes := make([]uint64, 3)
		Hash([]*chunk.Vec{v, v}, hashes)
		if hashes[0] != hashes[1] || hashes[0] == hashes[2] {
			t.Errorf("%s: %s and %s hash to %x", c.typ, c.a, c.b, hashes)
		}
		for i, h := range hashes {
			d := v.Datum(i)
			if one := HashDatums([]types.T{typ, typ}, types.Row{d, d}); one != h {
				t.Errorf("%s: row %d hashes to %x, in a column to %x", c.typ, i, one, h)
			}
		}
	}
}

// Sequential keys spread over the vnodes: no vnode has twice its share or less than half.
func TestSpread(t *testing.T) {
	const rows = 64 * 1000
	ints, texts := chunk.NewVec(types.Int8, rows), chunk.NewVec(types.Text, rows)
	for i := range int64(rows) {
		ints.Append(types.NewInt(i))
		texts.Append(types.NewBytes(types.Format(types.Int8, types.NewInt(i), types.Ctx{})))
	}
	for _, v := range []*chunk.Vec{ints, texts} {
		hashes := make([]uint64, rows)
		Hash([]*chunk.Vec{v}, hashes)
		var counts [CountDefault]int
		for _, h := range hashes {
			counts[Of(h, CountDefault)]++
		}
		if least, most := slices.Min(counts[:]), slices.Max(counts[:]); least < 500 || most > 2000 {
			t.Errorf("%s: vnodes have %d to %d of 1000 rows", v.Type, least, most)
		}
	}
}

// The placement of rows is stored for good: these hashes must never change under one HashVersion.
func TestHashVersion(t *testing.T) {
	if HashVersion != 1 {
		t.Fatal("record the hashes of the new version")
	}
	for _, c := range []struct {
		t    types.T
		d    types.Datum
		want uint64
	}{
		{types.Int8, types.NewInt(42), 0x98ec54fbdd8b3b4a},
		{types.Text, types.NewBytes("tide"), 0xbd8295d2f5b90f89},
		{types.Float8, types.NewFloat(1.5), 0xb4d7096f46405e65},
		{types.Numeric, types.NumericFromInt(42), 0x7cd235a2d6a222fe},
		{types.Bool, types.Null, 0x5a124a3b9d205c05},
	} {
		if got := HashDatums([]types.T{c.t}, types.Row{c.d}); got != c.want {
			t.Errorf("%s: %#x, recorded %#x", c.t, got, c.want)
		}
	}
}

func BenchmarkHash(b *testing.B) {
	ints, texts := chunk.NewVec(types.Int8, chunk.RowsMax), chunk.NewVec(types.Text, chunk.RowsMax)
	nums := chunk.NewVec(types.Numeric, chunk.RowsMax)
	for i := range int64(chunk.RowsMax) {
		ints.Append(types.NewInt(i))
		texts.Append(types.NewBytes("customer#" + types.Format(types.Int8, types.NewInt(i), types.Ctx{})))
		nums.Append(types.NumericFromInt(i))
	}
	for _, v := range []*chunk.Vec{ints, texts, nums} {
		b.Run(v.Type.String(), func(b *testing.B) {
			hashes := make([]uint64, chunk.RowsMax)
			for b.Loop() {
				Hash([]*chunk.Vec{v}, hashes)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/chunk.RowsMax, "ns/row")
		})
	}
}
