package expr

import (
	"math"
	"math/bits"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

func addArithmetic(b *builder) {
	ints := []types.T{types.Int2, types.Int4, types.Int8}
	for _, l := range ints {
		for _, r := range ints {
			wide := l
			if intBits(r.Kind) > intBits(l.Kind) {
				wide = r
			}
			both := in(l, r).out(wide)
			b.op("+", both, impl{eval: intLoop(wide.Kind, addLoop), fails: true}, "sum")
			b.op("-", both, impl{eval: intLoop(wide.Kind, subLoop), fails: true}, "difference")
			b.op("*", both, impl{eval: intLoop(wide.Kind, mulLoop), fails: true}, "product")
			b.op("/", both, divInts(wide.Kind), "quotient, cut towards zero")
			if l.Kind == r.Kind {
				b.op("%", both, modInts(), "remainder, with the sign of the first operand")
				b.fn("mod", both, modInts(), "remainder, with the sign of the first argument")
			}
		}
		b.op("-", in(l).out(l), negInt(l.Kind), "negation")
		b.op("+", in(l).out(l), f1(func(v int64) int64 { return v }), "the number itself")
		b.op("@", in(l).out(l), absInt(l.Kind), "absolute value")
		b.fn("abs", in(l).out(l), absInt(l.Kind), "absolute value")
	}
	addFloatArithmetic(b)
	addNumericArithmetic(b)
}

// intLoop runs a loop that is written out for full chunks and stops at the first row that needs a closer look; the rows
// from there on, and selected rows, go one by one.
func intLoop(k types.Kind, loop func(a, b, out []int64, lo, hi int64) (done int, one func(a, b int64) (int64, bool))) Eval {
	lo, hi := intBounds(k)
	return func(ctx *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		a, b := args[0].Ints, args[1].Ints
		n := 0
		if sel == nil {
			n = out.Len()
		}
		done, one := loop(a[:n], b[:n], out.Ints[:n], lo, hi)
		if sel == nil {
			if done == n {
				return nil
			}
			sel = allRows(nil, n)[done:]
		}
		return perRow(ctx, sel, out, func(i int) error {
			v, ok := one(a[i], b[i])
			if !ok || v < lo || v > hi {
				return rangeError(k)
			}
			out.Ints[i] = v
			return nil
		})
	}
}

func intBounds(k types.Kind) (lo, hi int64) {
	switch intBits(k) {
	case 16:
		return math.MinInt16, math.MaxInt16
	case 32:
		return math.MinInt32, math.MaxInt32
	}
	return math.MinInt64, math.MaxInt64
}

func addLoop(a, b, out []int64, lo, hi int64) (int, func(a, b int64) (int64, bool)) {
	b, out = b[:len(a)], out[:len(a)]
	for i, x := range a {
		y := b[i]
		s := x + y
		if (x^s)&(y^s) < 0 || s < lo || s > hi {
			return i, addInts
		}
		out[i] = s
	}
	return len(a), addInts
}

func addInts(a, b int64) (int64, bool) {
	s := a + b
	return s, (a^s)&(b^s) >= 0
}

func subLoop(a, b, out []int64, lo, hi int64) (int, func(a, b int64) (int64, bool)) {
	b, out = b[:len(a)], out[:len(a)]
	for i, x := range a {
		y := b[i]
		s := x - y
		if (x^y)&(x^s) < 0 || s < lo || s > hi {
			return i, subInts
		}
		out[i] = s
	}
	return len(a), subInts
}

func subInts(a, b int64) (int64, bool) {
	s := a - b
	return s, (a^b)&(a^s) >= 0
}

func mulLoop(a, b, out []int64, lo, hi int64) (int, func(a, b int64) (int64, bool)) {
	b, out = b[:len(a)], out[:len(a)]
	for i, x := range a {
		y := b[i]
		p := x * y
		if p < lo || p > hi || x != int64(int32(x)) || y != int64(int32(y)) {
			return i, mulInts
		}
		out[i] = p
	}
	return len(a), mulInts
}

func mulInts(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	if hi != 0 {
		return 0, false
	}
	if (a < 0) != (b < 0) {
		return -int64(lo), lo <= 1<<63
	}
	return int64(lo), lo <= math.MaxInt64
}

func magnitude(v int64) uint64 {
	if v < 0 {
		return uint64(-v)
	}
	return uint64(v)
}

func divInts(k types.Kind) impl {
	lo, hi := intBounds(k)
	return f2e(func(a, b int64) (int64, error) {
		switch {
		case b == 0:
			return 0, errs.DivisionByZero.New()
		case b == -1 && a == lo:
			return 0, rangeError(k)
		}
		return min(a/b, hi), nil
	})
}

func modInts() impl {
	return f2e(func(a, b int64) (int64, error) {
		switch b {
		case 0:
			return 0, errs.DivisionByZero.New()
		case -1:
			return 0, nil
		}
		return a % b, nil
	})
}

func negInt(k types.Kind) impl {
	lo, _ := intBounds(k)
	return f1e(func(v int64) (int64, error) {
		if v == lo {
			return 0, rangeError(k)
		}
		return -v, nil
	})
}

func absInt(k types.Kind) impl {
	lo, _ := intBounds(k)
	return f1e(func(v int64) (int64, error) {
		if v == lo {
			return 0, rangeError(k)
		}
		return int64(magnitude(v)), nil
	})
}
