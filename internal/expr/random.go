package expr

import (
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Random numbers come from Ctx.Random, so that evaluation itself stays a function of its input.

func addRandom(b *builder) {
	b.fn("random", in().out(types.Float8), impl{fails: true, eval: func(ctx *Ctx, _ []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		return perRow(ctx, sel, out, func(i int) error {
			if ctx.Random == nil {
				return noRandom()
			}
			out.Floats[i] = float64(ctx.Random()>>11) / (1 << 53)
			return nil
		})
	}}, "random number from 0 to before 1").volatile()
	for _, name := range []string{"gen_random_uuid", "uuid_generate_v4"} {
		b.fn(name, in().out(types.UUID), impl{fails: true, eval: func(ctx *Ctx, _ []*chunk.Vec, sel []int32, out *chunk.Vec) error {
			return perRow(ctx, sel, out, func(i int) error {
				if ctx.Random == nil {
					return noRandom()
				}
				out.Strs[i] = randomUUID(ctx.Random)
				return nil
			})
		}}, "random UUID, version 4").volatile()
	}
	b.fn("setseed", in(types.Float8).out(types.Void), f1(func(float64) string { return "" }), "accepted without effect").volatile()
}

func noRandom() error {
	return errs.Unsupported.New("feature", "a random value in this place")
}

func randomUUID(random func() uint64) string {
	var out [16]byte
	for i, hi := 0, uint64(0); i < len(out); i++ {
		if i%8 == 0 {
			hi = random()
		}
		out[i] = byte(hi >> (8 * (i % 8)))
	}
	out[6] = out[6]&0x0f | 0x40
	out[8] = out[8]&0x3f | 0x80
	return string(out[:])
}
