package expr

import (
	"math/big"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// addInt256 adds the arithmetic of RisingWave's rw_int256, which is that of numeric within 256 bits.
func addInt256(b *builder) {
	t := types.Int256
	one, two := in(t).out(t), in(t, t).out(t)
	for _, o := range []struct {
		name, doc string
		f         func(a, b types.Num) (types.Num, error)
	}{
		{"+", "sum", total(types.Num.Add)},
		{"-", "difference", total(types.Num.Sub)},
		{"*", "product", total(types.Num.Mul)},
		{"/", "quotient, cut to an integer", types.Num.Quo},
		{"%", "remainder, with the sign of the first operand", types.Num.Mod},
	} {
		b.op(o.name, two, f2e(func(x, y types.Num) (types.Datum, error) {
			n, err := o.f(x, y)
			if err != nil {
				return types.Null, err
			}
			return types.NewInt256(n)
		}), o.doc)
	}
	b.op("-", one, f1e(func(n types.Num) (types.Datum, error) { return types.NewInt256(n.Neg()) }), "negation")
	b.fn("abs", one, f1e(func(n types.Num) (types.Datum, error) { return types.NewInt256(n.Abs()) }), "absolute value")
	b.fn("hex_to_int256", in(types.Text).out(t), f1e(hexToInt256), "number of 256 bits written in hexadecimal digits, in two's complement")
}

func total(f func(a, b types.Num) types.Num) func(a, b types.Num) (types.Num, error) {
	return func(a, b types.Num) (types.Num, error) { return f(a, b), nil }
}

// hexToInt256 reads up to 64 digits; all 64 with the highest bit set are a negative number.
func hexToInt256(s string) (types.Datum, error) {
	const bits = 256
	digits := strings.TrimPrefix(strings.TrimPrefix(s, "0x"), "0X")
	v, ok := new(big.Int).SetString(digits, 16)
	if !ok || digits == "" || strings.ContainsAny(digits, "+-_") || v.BitLen() > bits {
		return types.Null, errs.InvalidText.New("type", "rw_int256", "value", s)
	}
	if v.BitLen() == bits {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), bits))
	}
	return types.NewInt256(types.NumFromBig(v, 0))
}

// toInt256 converts other numbers; fractions are rounded.
func toInt256(from types.T) convert {
	return func(_ *Ctx, d types.Datum) (types.Datum, error) { return types.NewInt256(numberOf(from, d)) }
}
