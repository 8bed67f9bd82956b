package expr

import (
	"math"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

func addFloatArithmetic(b *builder) {
	floats := []types.T{types.Float4, types.Float8}
	for _, l := range floats {
		for _, r := range floats {
			wide := types.Float8
			if l.Kind == types.KindFloat4 && r.Kind == types.KindFloat4 {
				wide = types.Float4
			}
			both, k := in(l, r).out(wide), wide.Kind
			b.op("+", both, floatOp(k, func(a, b float64) float64 { return a + b }), "sum")
			b.op("-", both, floatOp(k, func(a, b float64) float64 { return a - b }), "difference")
			b.op("*", both, f2e(func(a, b float64) (float64, error) {
				return checkProduct(k, a*b, a, b, a == 0 || b == 0)
			}), "product")
			b.op("/", both, f2e(func(a, b float64) (float64, error) {
				if b == 0 && a == a {
					return 0, errs.DivisionByZero.New()
				}
				return checkProduct(k, a/b, a, b, a == 0 || math.IsInf(b, 0))
			}), "quotient")
		}
		b.op("-", in(l).out(l), f1(func(v float64) float64 { return -v }), "negation")
		b.op("+", in(l).out(l), f1(func(v float64) float64 { return v }), "the number itself")
		b.op("@", in(l).out(l), f1(math.Abs), "absolute value")
		b.fn("abs", in(l).out(l), f1(math.Abs), "absolute value")
	}
}

// floatOp checks that a finite sum did not become infinite.
func floatOp(k types.Kind, f func(a, b float64) float64) impl {
	return impl{fails: true, eval: func(ctx *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		a, b := args[0].Floats, args[1].Floats
		return perRow(ctx, sel, out, func(i int) error {
			v := f(a[i], b[i])
			if k == types.KindFloat4 {
				v = float64(float32(v))
			}
			if v-v != 0 && a[i]-a[i] == 0 && b[i]-b[i] == 0 { // infinite of finite operands
				return errs.FloatRange.New("direction", "overflow")
			}
			out.Floats[i] = v
			return nil
		})
	}}
}

// checkProduct checks for overflow and underflow as PostgreSQL does.
func checkProduct(k types.Kind, v, a, b float64, mayVanish bool) (float64, error) {
	v = roundTo(k, v)
	switch {
	case math.IsInf(v, 0) && !math.IsInf(a, 0) && !math.IsInf(b, 0):
		return 0, errs.FloatRange.New("direction", "overflow")
	case v == 0 && !mayVanish:
		return 0, errs.FloatRange.New("direction", "underflow")
	}
	return v, nil
}
