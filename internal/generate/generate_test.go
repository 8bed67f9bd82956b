package generate

import (
	"slices"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func field(name string, t types.T) types.Field { return types.Field{Name: name, Type: t} }

func made(t *testing.T, connector string, o map[string]string, columns ...types.Field) *Rule {
	t.Helper()
	r, unused, err := New(connector, o, columns)
	if err != nil || len(unused) > 0 {
		t.Fatalf("unused %v, %v", unused, err)
	}
	return r
}

func TestSequencesEndTogether(t *testing.T) {
	r := made(t, Datagen, map[string]string{"fields.a.kind": "sequence", "fields.a.start": "5", "fields.a.end": "7",
		"fields.b.kind": "sequence", "fields.b.start": "-1", "datagen.rows.per.second": "3"}, field("A", types.Int4), field("b", types.Float8))
	if r.Rows != 3 || r.PerSecond != 3 {
		t.Fatalf("%d rows, %d a second", r.Rows, r.PerSecond)
	}
	for n, want := range []types.Row{{types.NewInt(5), types.NewFloat(-1)}, {types.NewInt(6), types.NewFloat(0)}, {types.NewInt(7), types.NewFloat(1)}} {
		if got := r.Row(int64(n), noon); !slices.Equal(got, want) {
			t.Errorf("row %d is %v", n, got)
		}
	}
}

// A sequence over half of bigint, or all of it, has more numbers than an int64 counts.
func TestEndlessSequence(t *testing.T) {
	for _, start := range []string{"0", "-9223372036854775808"} {
		r := made(t, Datagen, map[string]string{"fields.a.kind": "sequence", "fields.a.start": start}, field("a", types.Int8))
		if r.Rows != Endless {
			t.Errorf("%d rows from %s", r.Rows, start)
		}
	}
}

// The values of a list are the next ones of its sequence, none of which is above its end.
func TestSequenceOfListsEnds(t *testing.T) {
	r := made(t, Datagen, map[string]string{"fields.l.length": "3", "fields.l._.kind": "sequence", "fields.l._.start": "32758"}, field("l", types.ArrayOf(types.Int2)))
	if r.Rows != 3 {
		t.Fatalf("%d rows", r.Rows)
	}
	want := types.NewArray(types.Int2, []types.Datum{types.NewInt(32764), types.NewInt(32765), types.NewInt(32766)})
	if got := r.Row(2, noon); got[0] != want {
		t.Errorf("the last row is %v", got)
	}
}

// Values have as many digits as their column.
func TestValuesFitTheirTypes(t *testing.T) {
	money, second := types.Numeric, types.Timestamp
	money.Width, money.Scale, second.Scale = 4, 1, 1
	r := made(t, Datagen, nil, field("n", money), field("at", second))
	for n := range int64(100) {
		row := r.Row(n, noon)
		for i, c := range []types.T{money, second} {
			if fitted, err := types.Fit(c, row[i], false); err != nil || fitted != row[i] {
				t.Fatalf("row %d: column %d does not fit, %v", n, i, err)
			}
		}
	}
}

func TestRandomValuesStayWithinBounds(t *testing.T) {
	list := types.ArrayOf(types.Int2)
	r := made(t, Datagen, map[string]string{"fields.i.min": "-3", "fields.i.max": "3", "fields.f.min": "1", "fields.f.max": "2",
		"fields.s.length": "4", "fields.at.max_past": "1 hour", "fields.l.length": "2", "fields.l._.max": "9", "fields.i.seed": "7"},
		field("i", types.Int8), field("f", types.Numeric), field("s", types.Text), field("at", types.Timestamptz), field("l", list), field("b", types.Bool))
	low, high := types.NewNumeric(types.NumFromInt(1)), types.NewNumeric(types.NumFromInt(2))
	latest := types.TimestampFromTime(noon)
	ints, bools := map[int64]bool{}, map[bool]bool{}
	for n := range int64(500) {
		row := r.Row(n, noon)
		if !slices.Equal(row, r.Row(n, noon)) {
			t.Fatalf("row %d is not the same when it is made again", n)
		}
		ints[row[0].Int()], bools[row[5].Bool()] = true, true
		switch {
		case types.Compare(types.Numeric, row[1], low) < 0 || types.Compare(types.Numeric, row[1], high) > 0:
			t.Fatalf("row %d: f is out of bounds", n)
		case len(row[2].Bytes()) != 4:
			t.Fatalf("row %d: s is %q", n, row[2].Bytes())
		case row[3].Int() > latest || row[3].Int() < latest-int64(time.Hour/time.Microsecond):
			t.Fatalf("row %d: at is out of bounds", n)
		case types.ArrayLen(types.Int2, row[4].Bytes()) != 2:
			t.Fatalf("row %d: l has not two values", n)
		}
	}
	if len(ints) != 7 || len(bools) != 2 {
		t.Errorf("500 rows have %d of 7 integers and %d of 2 booleans", len(ints), len(bools))
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, c := range []struct {
		connector, option, value string
		column                   types.Field
	}{
		{Datagen, "fields.a.kind", "walk", field("a", types.Int4)},
		{Datagen, "fields.a.max", "40000", field("a", types.Int2)},
		{Datagen, "fields.a.max", "-1", field("a", types.Float8)},
		{Datagen, "fields.a.kind", "sequence", field("a", types.Text)},
		{Datagen, "fields.a.max_past", "soon", field("a", types.Timestamp)},
		{Datagen, "fields.a.basetime", "soon", field("a", types.Timestamp)},
		{Datagen, "fields.a.max_past", "1001 years", field("a", types.Timestamp)},
		{Datagen, "fields.a.max_past", "-1 second", field("a", types.Timestamp)},
		{Datagen, "fields.a.basetime", "infinity", field("a", types.Date)},
		{Datagen, "fields.a.max", "1e39", field("a", types.Float4)},
		{Datagen, "fields.a._._.length", "1025", field("a", types.ArrayOf(types.ArrayOf(types.ArrayOf(types.Text))))},
		{Datagen, "datagen.rows.per.second", "0", field("a", types.Int4)},
		{Datagen, "fields.a.seed", "1", field("a", types.JSONB)},
		{Nexmark, "nexmark.table.type", "Offer", field("id", types.Int8)},
		{Nexmark, "nexmark.table.type", "Person", field("price", types.Int8)},
		{Nexmark, "nexmark.table.type", "Bid", field("price", types.Text)},
		{Nexmark, "nexmark.event.num", "10", field("id", types.Int8)},
	} {
		_, _, err := New(c.connector, map[string]string{c.option: c.value}, []types.Field{c.column})
		if _, ok := errs.As(err); !ok {
			t.Errorf("%s = %s for %s: %v", c.option, c.value, types.SQLName(c.column.Type), err)
		}
	}
	_, unused, err := New(Datagen, map[string]string{"fields.b.kind": "random"}, []types.Field{field("a", types.Int4)})
	if err != nil || !slices.Equal(unused, []string{"fields.b.kind"}) {
		t.Errorf("unused %v, %v", unused, err)
	}
}
