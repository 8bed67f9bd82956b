package expr

import (
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Watermark is the name of the function that tells how far the watermark of a table has come.
const Watermark = "tm_watermark"

// addWatermark registers it for the types that a watermark may have; the second argument says which one it is.
func addWatermark(b *builder) {
	for _, t := range []types.T{types.Int2, types.Int4, types.Int8, types.Date, types.Timestamp, types.Timestamptz} {
		b.fn(Watermark, in(types.Int8, t).out(t), impl{eval: watermark},
			"how far the watermark of the table with an object identifier has come, in the type of the second argument").nulls().momentary()
	}
}

func watermark(ctx *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
	for i := range rows(sel, out.Len()) {
		out.Set(i, markOf(ctx, args[0], i))
	}
	return nil
}

func markOf(ctx *Ctx, rel *chunk.Vec, row int) types.Datum {
	if ctx.Mark == nil || rel.IsNull(row) {
		return types.Null
	}
	at, ok := ctx.Mark(rel.Ints[row])
	if !ok {
		return types.Null
	}
	return types.NewInt(at)
}
