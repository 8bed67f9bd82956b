package keyenc

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
	"pgregory.net/rapid"
)

// A row that was stored when its table had fewer columns reads back with the initial values of the others, whole or in
// part, and Whole writes it as it would be stored now. One with more columns reads as far as they are known.
func TestGrowth(t *testing.T) {
	names, byName := sampleTypes(t)
	rapid.Check(t, func(r *rapid.T) {
		var ts []types.T
		var row types.Row
		for _, name := range rapid.SliceOfN(rapid.SampledFrom(names), 1, 6).Draw(r, "types") {
			ts, row = append(ts, byName[name]), append(row, drawDatum(r, name, byName[name]))
		}
		stored := rapid.IntRange(0, len(ts)).Draw(r, "columns when it was stored")
		first := rapid.IntRange(0, stored).Draw(r, "columns of the new table")
		g := &Growth{}
		for i := first; i < len(ts); i++ {
			g.Added = append(g.Added, AppendDatums([]byte{}, ts[i:i+1], row[i:i+1]))
		}
		short, whole := AppendDatums([]byte{}, ts[:stored], row[:stored]), AppendDatums([]byte{}, ts, row)

		if got, err := DecodeGrown(ts, short, g); err != nil || !slices.Equal(got, row) {
			r.Fatalf("%v, want %v: %v", got, row, err)
		}
		if got := g.Whole(ts, short); !bytes.Equal(got, whole) {
			r.Fatalf("whole is %x, want %x", got, whole)
		}
		some := rapid.IntRange(0, len(ts)-1).Draw(r, "chosen")
		cols := make([]*chunk.Vec, len(ts))
		cols[some] = chunk.NewVec(ts[some], 1)
		if err := DecodeSome(cols, ts, short, g); err != nil || cols[some].Datum(0) != row[some] {
			r.Fatalf("column %d is %v, want %v: %v", some, cols[some], row[some], err)
		}
		if got, err := DecodeGrown(ts[:stored], whole, &Growth{}); err != nil || !slices.Equal(got, row[:stored]) {
			r.Fatalf("%v, want %v: %v", got, row[:stored], err)
		}
	})
}

// Trim gives one form to all forms of a row, which reads back as it did, and other rows another.
func TestTrim(t *testing.T) {
	ts := []types.T{types.Int8, types.Text, types.Int8, types.Text}
	initial := types.Row{types.NewInt(7), types.Null}
	g := &Growth{}
	for i, d := range initial {
		g.Added = append(g.Added, AppendDatums([]byte{}, ts[2+i:3+i], types.Row{d}))
	}
	forms := map[string]string{}
	for _, row := range []types.Row{
		{types.NewInt(1), types.NewBytes("a"), types.NewInt(7), types.Null},
		{types.NewInt(1), types.NewBytes("a"), types.NewInt(7), types.NewBytes("b")},
		{types.NewInt(1), types.NewBytes("a"), types.NewInt(8), types.Null},
		{types.NewInt(1), types.Null, types.NewInt(7), types.Null},
		{types.NewInt(7), types.Null, types.NewInt(7), types.Null},
	} {
		whole := AppendDatums(nil, ts, row)
		trimmed := g.Trim(ts, whole)
		for n := 2; n <= len(ts); n++ {
			short := AppendDatums(nil, ts[:n], row[:n])
			if back, err := DecodeGrown(ts, short, g); err == nil && slices.Equal(back, row) && !bytes.Equal(g.Trim(ts, short), trimmed) {
				t.Errorf("%v: the form of %d columns is %x, not %x", row, n, g.Trim(ts, short), trimmed)
			}
		}
		if back, err := DecodeGrown(ts, trimmed, g); err != nil || !slices.Equal(back, row) {
			t.Errorf("%x reads as %v, want %v: %v", trimmed, back, row, err)
		}
		if other, there := forms[string(trimmed)]; there {
			t.Errorf("%v and %s have one form", row, other)
		}
		forms[string(trimmed)] = fmt.Sprint(row)
	}
	for _, odd := range [][]byte{nil, {9}, append(AppendDatums(nil, ts, types.Row{types.Null, types.Null, types.Null, types.Null}), 1)} {
		if got := g.Trim(ts, odd); !bytes.Equal(got, odd) {
			t.Errorf("%x, which is no row, becomes %x", odd, got)
		}
	}
}

// A row may not end among the columns that the table was made with.
func TestGrowthCut(t *testing.T) {
	ts := []types.T{types.Int4, types.Text, types.Int8}
	g := &Growth{Added: [][]byte{AppendDatums([]byte{}, ts[2:], types.Row{types.NewInt(5)})}}
	enc := AppendDatums([]byte{}, ts[:2], types.Row{types.NewInt(1), types.NewBytes("a")})
	for n := range enc {
		if row, err := DecodeGrown(ts, enc[:n], g); !errs.Is(err, errs.Corruption) {
			t.Errorf("the first %d bytes: %v, %v", n, row, err)
		}
	}
}
