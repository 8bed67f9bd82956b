package agg

import (
	"testing"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

func BenchmarkUpdate(b *testing.B) {
	const groups = 64
	slots := make([]int32, chunk.RowsMax)
	rows := make([]types.Row, chunk.RowsMax)
	for i := range rows {
		slots[i] = int32(i % groups)
		rows[i] = types.Row{types.NewInt(int64(i))}
	}
	floats := make([]types.Row, chunk.RowsMax)
	for i := range floats {
		floats[i] = types.Row{types.NewFloat(float64(i) * 0.1)}
	}
	r := NewRegistry()
	for _, c := range []struct {
		name string
		t    types.T
		rows []types.Row
	}{{"count", types.Int8, rows}, {"sum", types.Int4, rows}, {"sum", types.Int8, rows}, {"sum", types.Float8, floats}, {"stddev", types.Float8, floats}, {"max", types.Int8, rows}} {
		f, ts, err := r.Resolve(c.name, []types.T{c.t})
		if err != nil {
			b.Fatal(err)
		}
		make := f.Additive
		if make == nil {
			make = f.AppendOnly
		}
		a, args := make(ts), columns(ts, c.rows)
		a.Grow(groups)
		b.Run(f.ID(), func(b *testing.B) {
			for b.Loop() {
				if err := a.Update(slots, nil, nil, args); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/chunk.RowsMax, "ns/row")
		})
	}
}
