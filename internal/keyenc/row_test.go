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

// A row of any types reads back exactly, from datums and columns alike.
func TestRowRoundTrip(t *testing.T) {
	names, byName := sampleTypes(t)
	rapid.Check(t, func(r *rapid.T) {
		picked := rapid.SliceOfN(rapid.SampledFrom(names), 0, 6).Draw(r, "types")
		var ts []types.T
		var row types.Row
		var cols, out, alias []*chunk.Vec
		for _, name := range picked {
			typ := byName[name]
			d := drawDatum(r, name, typ)
			v := chunk.NewVec(typ, 1)
			v.Append(d)
			ts, row, cols = append(ts, typ), append(row, d), append(cols, v)
			out, alias = append(out, chunk.NewVec(typ, 1)), append(alias, chunk.NewVec(typ, 1))
		}
		enc := AppendRow(nil, cols, 0)
		if other := AppendDatums(nil, ts, row); !bytes.Equal(enc, other) {
			r.Fatalf("%x from columns, %x from datums", enc, other)
		}
		got, err := DecodeRow(ts, enc)
		if err != nil || !slices.Equal(got, row) {
			r.Fatalf("%v, want %v: %v", got, row, err)
		}
		if err := DecodeInto(out, enc); err != nil {
			r.Fatal(err)
		}
		if err := DecodeIntoAlias(alias, enc); err != nil {
			r.Fatal(err)
		}
		for i, d := range row {
			if out[i].Datum(0) != d || alias[i].Datum(0) != d {
				r.Fatalf("column %d: %v and %v, want %v", i, out[i].Datum(0), alias[i].Datum(0), d)
			}
		}
	})
}

// Every cut of a row is refused, never read as another row.
func TestRowCut(t *testing.T) {
	ts := []types.T{types.Int8, types.Text, types.Float8, types.Bool}
	enc := AppendDatums(nil, ts, types.Row{types.NewInt(-300), types.NewBytes("abc"), types.NewFloat(1), types.NewBool(true)})
	for n := range enc {
		if _, err := DecodeRow(ts, enc[:n]); !errs.Is(err, errs.Corruption) {
			t.Errorf("the first %d bytes: %v", n, err)
		}
	}
	if _, err := DecodeRow(ts, append(enc, 0)); !errs.Is(err, errs.Corruption) {
		t.Errorf("a byte too many: %v", err)
	}
}

func FuzzDecodeRow(f *testing.F) {
	ts := fuzzTypes()
	f.Add([]byte{})
	f.Add(AppendDatums(nil, ts, make(types.Row, len(ts))))
	f.Add([]byte{1, 1, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 'a', 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		row, err := DecodeRow(ts, b)
		cols := make([]*chunk.Vec, len(ts))
		for i, typ := range ts {
			cols[i] = chunk.NewVec(typ, 1)
		}
		if errInto := DecodeInto(cols, b); (err == nil) != (errInto == nil) {
			t.Fatalf("DecodeRow %v, DecodeInto %v", err, errInto)
		}
		if err != nil {
			if !errs.Of(err, errs.RowCorrupt) {
				t.Fatalf("not TM-ENC-001: %v", err)
			}
			return
		}
		for i, typ := range ts { // canonical bytes or not, a value can be printed and compared
			if d := row[i]; !d.IsNull() {
				types.Format(typ, d, types.Ctx{})
				types.Compare(typ, d, d)
				AppendKey(nil, typ, d, Order{})
			}
		}
	})
}

func BenchmarkDecodeInto(b *testing.B) {
	src := []*chunk.Vec{benchVec(b, "bigint"), benchVec(b, "text"), benchVec(b, "float8"), benchVec(b, "numeric")}
	var rows [][]byte
	for i := range chunk.RowsMax {
		rows = append(rows, AppendRow(nil, src, i))
	}
	for _, alias := range []bool{false, true} {
		b.Run(map[bool]string{false: "copy", true: "alias"}[alias], func(b *testing.B) {
			dst := make([]*chunk.Vec, len(src))
			for i := 0; b.Loop(); i++ {
				if i %= chunk.RowsMax; i == 0 {
					for j, v := range src {
						dst[j] = chunk.NewVec(v.Type, chunk.RowsMax)
					}
				}
				if err := decodeInto(dst, nil, rows[i], alias, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
