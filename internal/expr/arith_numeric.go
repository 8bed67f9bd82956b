package expr

import (
	"math"
	"strings"

	"github.com/tidemark-db/tidemark/internal/types"
)

func addNumericArithmetic(b *builder) {
	one, two := in(types.Numeric).out(types.Numeric), in(types.Numeric, types.Numeric).out(types.Numeric)
	b.op("+", two, f2(types.Num.Add), "sum")
	b.op("-", two, f2(types.Num.Sub), "difference")
	b.op("*", two, f2(types.Num.Mul), "product")
	b.op("/", two, f2e(types.Num.Div), "quotient")
	b.op("%", two, f2e(types.Num.Mod), "remainder, with the sign of the first operand")
	b.fn("mod", two, f2e(types.Num.Mod), "remainder, with the sign of the first argument")
	b.fn("div", two, f2e(types.Num.Quo), "quotient, cut to an integer")
	b.op("-", one, f1(types.Num.Neg), "negation")
	b.op("+", one, f1(func(n types.Num) types.Num { return n }), "the number itself")
	b.op("@", one, f1(types.Num.Abs), "absolute value")
	b.fn("abs", one, f1(types.Num.Abs), "absolute value")
	b.fn("scale", in(types.Numeric).out(types.Int4), f1(func(n types.Num) types.Datum {
		if !n.Finite() {
			return types.Null
		}
		return types.NewInt(int64(n.Scale()))
	}), "digits after the point")
	b.fn("min_scale", in(types.Numeric).out(types.Int4), f1(func(n types.Num) types.Datum {
		if !n.Finite() {
			return types.Null
		}
		return types.NewInt(int64(n.TrimScale().Scale()))
	}), "digits after the point that the value needs")
	b.fn("trim_scale", one, f1(types.Num.TrimScale), "without zeros at the end")
}

// decimalExp is the exponent of the first digit: 1 for 12.3, -1 for 0.012... counted as floor(log10), 0 for zero.
func decimalExp(n types.Num) int {
	if n.Zero() || !n.Finite() {
		return 0
	}
	digits := strings.TrimPrefix(n.Coef().Text(10), "-")
	return len(digits) - int(n.Scale()) - 1
}

// Bounds of the scale of results that have no exact one.
const (
	digitsMin = 16
	scaleMax  = 1000
)

// resultScale asks for 16 significant digits of a result of the given magnitude, and no fewer than the arguments have.
func resultScale(exp int, args ...types.Num) int32 {
	s := digitsMin - exp
	for _, a := range args {
		s = max(s, int(a.Scale()))
	}
	return int32(min(max(s, 0), scaleMax))
}

// log10Of estimates the decimal logarithm of a positive number of any size.
func log10Of(n types.Num) float64 {
	if n.Zero() || !n.Finite() {
		return 0
	}
	exp := decimalExp(n)
	digits := strings.TrimPrefix(n.Coef().Text(10), "-")
	mantissa := 0.0
	for i := 0; i < min(len(digits), 17); i++ {
		mantissa = mantissa*10 + float64(digits[i]-'0')
	}
	return math.Log10(mantissa) - float64(min(len(digits), 17)-1) + float64(exp)
}
