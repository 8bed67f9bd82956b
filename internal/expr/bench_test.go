package expr

import (
	"testing"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// benchChunk has a chunk of two integers, a text and a double.
func benchChunk() (*chunk.Chunk, []types.Field) {
	fields := []types.Field{{Name: "a", Type: types.Int8}, {Name: "b", Type: types.Int8}, {Name: "s", Type: types.Text}, {Name: "f", Type: types.Float8}, {Name: "n", Type: types.Numeric}}
	ts := make([]types.T, len(fields))
	for i, f := range fields {
		ts[i] = f.Type
	}
	b := chunk.NewBuilder(ts, chunk.RowsMax)
	for i := range int64(chunk.RowsMax) {
		b.Append(chunk.Insert, types.Row{types.NewInt(i), types.NewInt(i * 7 % 1000), types.NewBytes("some words and more of them"), types.NewFloat(float64(i)),
			types.NewNumeric(types.NumFromScaled(i, 2))})
	}
	return b.Take(), fields
}

func BenchmarkEval(b *testing.B) {
	r := NewRegistry()
	c, fields := benchChunk()
	for _, e := range []string{
		"a < b", "a = 500", "a + b", "a * 3", "f + f", "n + n", "s ~~ '%words%'", "s ~~ 'some%'", "s ~ 'w.rds'", "lower(s)", "a < b and b < 500", "a::integer",
	} {
		x := mustParse(b, r, e, fields...)
		x = Fold(x, scriptCtx())
		b.Run(e, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := x.Eval(&Ctx{}, c, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/chunk.RowsMax, "ns/row")
		})
	}
}
