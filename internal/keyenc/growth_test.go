package keyenc

import (
	"bytes"
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
