package expr

import (
	"math"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

func addMath(b *builder) {
	addRounding(b)
	addPowers(b)
	addIntegerMath(b)
}

func addRounding(b *builder) {
	f8, num, i4 := types.Float8, types.Numeric, types.Int4
	for _, g := range []struct {
		name  string
		float func(float64) float64
		num   func(types.Num) types.Num
		doc   string
	}{
		{"ceil", math.Ceil, types.Num.Ceil, "smallest integer that is not below"},
		{"ceiling", math.Ceil, types.Num.Ceil, "smallest integer that is not below"},
		{"floor", math.Floor, types.Num.Floor, "largest integer that is not above"},
		{"round", math.RoundToEven, func(n types.Num) types.Num { return n.Round(0) }, "nearest integer; halves go to even for double precision, away from zero for numeric"},
		{"trunc", math.Trunc, func(n types.Num) types.Num { return n.Trunc(0) }, "integer part"},
		{"sign", func(f float64) float64 {
			switch {
			case f > 0:
				return 1
			case f < 0:
				return -1
			}
			return 0 // for NaN, too
		}, func(n types.Num) types.Num {
			if n.NaN() {
				return n
			}
			return types.NumFromInt(int64(n.Sign()))
		}, "-1, 0 or 1"},
	} {
		b.fn(g.name, in(num).out(num), f1(g.num), g.doc)
		b.fn(g.name, in(f8).out(f8), f1(g.float), g.doc)
	}
	clamp := func(d int64) int32 { return int32(min(max(d, -200000), 200000)) }
	b.fn("round", in(num, i4).out(num), f2(func(n types.Num, d int64) types.Num { return n.Round(clamp(d)) }), "rounded to some digits after the point")
	b.fn("trunc", in(num, i4).out(num), f2(func(n types.Num, d int64) types.Num { return n.Trunc(clamp(d)) }), "cut to some digits after the point")
}

func addPowers(b *builder) {
	f8, num := types.Float8, types.Numeric
	one, two := in(f8).out(f8), in(f8, f8).out(f8)
	b.fn("sqrt", one, f1e(func(f float64) (float64, error) {
		if f < 0 {
			return 0, errs.InvalidPower.New("problem", "cannot take square root of a negative number")
		}
		return math.Sqrt(f), nil
	}), "square root")
	b.op("|/", one, b.r.names["sqrt"].funcs[0].impl(), "square root")
	b.fn("cbrt", one, f1(math.Cbrt), "cube root")
	b.op("||/", one, f1(math.Cbrt), "cube root")
	b.fn("exp", one, f1e(func(f float64) (float64, error) { return finite(math.Exp(f), f) }), "e to the power of")
	b.fn("ln", one, f1e(func(f float64) (float64, error) { return logOf(math.Log, f) }), "natural logarithm")
	for _, name := range []string{"log", "log10"} {
		b.fn(name, one, f1e(func(f float64) (float64, error) { return logOf(math.Log10, f) }), "decimal logarithm")
	}
	for _, name := range []string{"power", "pow"} {
		b.fn(name, two, f2e(powFloat), "the first argument to the power of the second")
	}
	b.op("^", two, f2e(powFloat), "power")
	b.fn("gamma", one, f1e(gamma), "gamma function")
	b.fn("lgamma", one, f1e(func(f float64) (float64, error) {
		v, _ := math.Lgamma(math.Abs(f))
		if f < 0 && !math.IsInf(f, 0) {
			v, _ = math.Lgamma(f)
		}
		if math.IsInf(v, 0) && !math.IsInf(f, 0) {
			return 0, errs.FloatRange.New("direction", "overflow")
		}
		return v, nil
	}), "logarithm of the absolute value of the gamma function")
	n1, n2 := in(num).out(num), in(num, num).out(num)
	b.fn("sqrt", n1, f1e(sqrtNum), "square root")
	b.fn("exp", n1, f1e(expNum), "e to the power of")
	b.fn("ln", n1, f1e(lnNum), "natural logarithm")
	b.fn("log", n1, f1e(func(n types.Num) (types.Num, error) { return logNum(types.NumFromInt(10), n) }), "decimal logarithm")
	b.fn("log10", n1, f1e(func(n types.Num) (types.Num, error) { return logNum(types.NumFromInt(10), n) }), "decimal logarithm")
	b.fn("log", n2, f2e(logNum), "logarithm of the second argument to the base of the first")
	for _, name := range []string{"power", "pow"} {
		b.fn(name, n2, f2e(powNum), "the first argument to the power of the second")
	}
	b.op("^", n2, f2e(powNum), "power")
}

// gamma fails at the poles, and where the result is too large or too small.
func gamma(f float64) (float64, error) {
	v := math.Gamma(f)
	switch {
	case f != f:
		return f, nil
	case math.IsInf(f, -1), math.IsInf(v, 0) && !math.IsInf(f, 0), v != v:
		return 0, errs.FloatRange.New("direction", "overflow")
	case v == 0:
		return 0, errs.FloatRange.New("direction", "underflow")
	}
	return v, nil
}

// impl is the function's implementation, for a second name.
func (f *Func) impl() impl { return impl{f.Eval, f.Fails, f.flags} }

// finite fails where a finite argument gives an infinite result.
func finite(v, arg float64) (float64, error) {
	switch {
	case math.IsInf(v, 0) && !math.IsInf(arg, 0):
		return 0, errs.FloatRange.New("direction", "overflow")
	case v == 0 && math.Abs(arg) > 1 && !math.IsInf(arg, 0):
		return 0, errs.FloatRange.New("direction", "underflow")
	}
	return v, nil
}

func logOf(log func(float64) float64, f float64) (float64, error) {
	switch {
	case f == 0:
		return 0, errs.LogOfNonPositive.New("what", "zero")
	case f < 0:
		return 0, errs.LogOfNonPositive.New("what", "a negative number")
	}
	return log(f), nil
}

func powFloat(a, b float64) (float64, error) {
	switch {
	case a == 0 && b < 0:
		return 0, errs.InvalidPower.New("problem", "zero raised to a negative power is undefined")
	case a < 0 && !math.IsInf(a, 0) && b != math.Floor(b) && !math.IsInf(b, 0) && b == b:
		return 0, errs.InvalidPower.New("problem", "a negative number raised to a non-integer power yields a complex result")
	}
	v := math.Pow(a, b)
	switch {
	case math.IsInf(v, 0) && !math.IsInf(a, 0) && !math.IsInf(b, 0):
		return 0, errs.FloatRange.New("direction", "overflow")
	case v == 0 && a != 0 && !math.IsInf(a, 0) && !math.IsInf(b, 0):
		return 0, errs.FloatRange.New("direction", "underflow")
	}
	return v, nil
}

func addIntegerMath(b *builder) {
	for _, t := range []types.T{types.Int4, types.Int8} {
		k := t.Kind
		two := in(t, t).out(t)
		b.fn("gcd", two, f2e(func(a, c int64) (int64, error) { return gcd(k, a, c) }), "greatest common divisor")
		b.fn("lcm", two, f2e(func(a, c int64) (int64, error) { return lcm(k, a, c) }), "least common multiple")
	}
	b.fn("factorial", in(types.Int8).out(types.Numeric), f1e(factorial), "product of the integers from 1")
	b.fn("width_bucket", in(types.Float8, types.Float8, types.Float8, types.Int4).out(types.Int4), fn(widthBucket), "number of the bucket of a histogram that the value falls into")
	b.fn("width_bucket", in(types.Numeric, types.Numeric, types.Numeric, types.Int4).out(types.Int4), fn(widthBucketNum), "number of the bucket of a histogram that the value falls into")
}

func gcd(k types.Kind, a, b int64) (int64, error) {
	x, y := magnitude(a), magnitude(b)
	for y != 0 {
		x, y = y, x%y
	}
	if _, hi := intBounds(k); x > uint64(hi) {
		return 0, rangeError(k)
	}
	return int64(x), nil
}

func lcm(k types.Kind, a, b int64) (int64, error) {
	if a == 0 || b == 0 {
		return 0, nil
	}
	g, err := gcd(k, a, b)
	if err != nil {
		return 0, err
	}
	v, ok := mulInts(a/g, b)
	if _, hi := intBounds(k); !ok || magnitude(v) > uint64(hi) {
		return 0, rangeError(k)
	}
	return int64(magnitude(v)), nil
}

// factorialMax is the largest argument whose factorial numeric can hold.
const factorialMax = 32177

func factorial(n int64) (types.Num, error) {
	switch {
	case n < 0:
		return types.Num{}, errs.InputOutOfRange.New("problem", "factorial of a negative number is undefined")
	case n > factorialMax:
		return types.Num{}, errs.NumericOverflow.New()
	}
	out := types.NumFromInt(1)
	for i := int64(2); i <= n; i++ {
		out = out.Mul(types.NumFromInt(i))
	}
	return out, nil
}

func bucketError(problem string) error { return errs.WidthBucket.New("problem", problem) }

func widthBucket(_ *Ctx, r row) (types.Datum, error) {
	v, lo, hi, n := r.float(0), r.float(1), r.float(2), r.int(3)
	switch {
	case n <= 0:
		return types.Null, bucketError("count must be greater than zero")
	case v != v || lo != lo || hi != hi:
		return types.Null, bucketError("operand, lower bound, and upper bound cannot be NaN")
	case math.IsInf(lo, 0) || math.IsInf(hi, 0):
		return types.Null, bucketError("lower and upper bounds must be finite")
	case lo == hi:
		return types.Null, bucketError("lower bound cannot equal upper bound")
	}
	if lo > hi {
		v, lo, hi = -v, -lo, -hi
	}
	switch {
	case v < lo:
		return types.NewInt(0), nil
	case v >= hi:
		return checkInt(types.KindInt4, n+1)
	}
	return types.NewInt(int64(float64(n)*(v-lo)/(hi-lo)) + 1), nil
}

func widthBucketNum(_ *Ctx, r row) (types.Datum, error) {
	v, lo, hi, n := r.datum(0).Num(), r.datum(1).Num(), r.datum(2).Num(), r.int(3)
	switch {
	case n <= 0:
		return types.Null, bucketError("count must be greater than zero")
	case v.NaN() || lo.NaN() || hi.NaN():
		return types.Null, bucketError("operand, lower bound, and upper bound cannot be NaN")
	case lo.Inf() || hi.Inf():
		return types.Null, bucketError("lower and upper bounds must be finite")
	case lo.Cmp(hi) == 0:
		return types.Null, bucketError("lower bound cannot equal upper bound")
	}
	if lo.Cmp(hi) > 0 {
		v, lo, hi = v.Neg(), lo.Neg(), hi.Neg()
	}
	switch {
	case v.Cmp(lo) < 0:
		return types.NewInt(0), nil
	case v.Cmp(hi) >= 0:
		return checkInt(types.KindInt4, n+1)
	}
	q, err := v.Sub(lo).Mul(types.NumFromInt(n)).Quo(hi.Sub(lo))
	if err != nil {
		return types.Null, err
	}
	i, _ := q.Int()
	return types.NewInt(i + 1), nil
}
