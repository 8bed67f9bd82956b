package expr

import (
	"math"
	"math/big"

	"github.com/cockroachdb/apd/v3"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Functions of numeric without an exact result are computed by apd with more digits than the result shows, and rounded
// to the scale that PostgreSQL gives the result.

// SqrtScale is the square root of a number that is not negative, rounded to the scale.
func SqrtScale(n types.Num, scale int32) types.Num {
	// The root of coef * 10^k is an integer with one digit more than the result, which is then rounded.
	digits := scale + 1
	shift := 2*digits - n.Scale()
	coef := new(big.Int).Set(n.Coef())
	if shift >= 0 {
		coef.Mul(coef, pow10(shift))
	} else {
		coef.Quo(coef, pow10(-shift))
	}
	return types.NumFromBig(coef.Sqrt(coef), digits).Round(scale)
}

func pow10(n int32) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

func sqrtNum(n types.Num) (types.Num, error) {
	switch {
	case n.NaN() || n.Inf() && n.Sign() > 0:
		return n, nil
	case n.Sign() < 0:
		return n, errs.InvalidPower.New("problem", "cannot take square root of a negative number")
	}
	// PostgreSQL counts groups of four digits to estimate the weight of the root.
	group := 0
	if !n.Zero() {
		group = int(math.Floor(float64(decimalExp(n)) / 4))
	}
	weight := (group+1)*2 - 1
	scale := max(digitsMin-weight, int(n.Scale()), 0)
	return SqrtScale(n, int32(min(scale, scaleMax))), nil
}

// apdContext computes with some digits of precision.
func apdContext(digits int32) *apd.Context {
	c := apd.BaseContext.WithPrecision(uint32(max(digits, 20)))
	c.Traps = 0
	return c
}

func toApd(n types.Num) *apd.Decimal {
	d, _, err := apd.NewFromString(n.String())
	if err != nil { // a number's text is always valid
		return apd.New(0, 0)
	}
	return d
}

// fromApd rounds half away from zero to the scale.
func fromApd(d *apd.Decimal, scale int32) (types.Num, error) {
	if d.Form != apd.Finite {
		return types.Num{}, errs.NumericOverflow.New()
	}
	n, err := types.ParseNum(d.Text('f'))
	return n.Round(scale), err
}

// guard is how many digits are computed beyond those shown.
const guard = 12

// expDigitsMax is the number of digits before the point that numeric holds.
const expDigitsMax = 131072

func expNum(n types.Num) (types.Num, error) {
	switch {
	case n.NaN() || n.Inf() && n.Sign() > 0:
		return n, nil
	case n.Inf():
		return types.Num{}, nil
	}
	exp := n.Float() * math.Log10E
	if exp > expDigitsMax {
		return n, errs.NumericOverflow.New()
	}
	if exp < -2*scaleMax {
		return types.NumFromScaled(0, scaleMax), nil
	}
	scale := resultScale(int(exp), n)
	out := new(apd.Decimal)
	if _, err := apdContext(scale+int32(max(exp, 0))+guard).Exp(out, toApd(n)); err != nil {
		return n, errs.NumericOverflow.New()
	}
	return fromApd(out, scale)
}

func checkLog(n types.Num) error {
	switch {
	case n.Zero():
		return errs.LogOfNonPositive.New("what", "zero")
	case n.Sign() < 0:
		return errs.LogOfNonPositive.New("what", "a negative number")
	}
	return nil
}

// lnWeight is the decimal weight of ln(n), as PostgreSQL estimates it.
func lnWeight(n types.Num) int {
	f := math.Abs(log10Of(n)) / math.Log10E
	if f < 1 {
		d := n.Sub(types.NumFromInt(1))
		if d.Zero() {
			return 0
		}
		return int(log10Of(d.Abs()))
	}
	return int(math.Log10(f))
}

func lnNum(n types.Num) (types.Num, error) {
	if n.NaN() || n.Inf() && n.Sign() > 0 {
		return n, nil
	}
	if err := checkLog(n); err != nil {
		return n, err
	}
	scale := resultScale(lnWeight(n), n)
	out, err := lnDigits(n, scale+guard)
	if err != nil {
		return n, err
	}
	return fromApd(out, scale)
}

func lnDigits(n types.Num, digits int32) (*apd.Decimal, error) {
	out := new(apd.Decimal)
	if _, err := apdContext(digits+guard).Ln(out, toApd(n)); err != nil {
		return nil, errs.NumericOverflow.New()
	}
	return out, nil
}

func logNum(base, n types.Num) (types.Num, error) {
	if base.NaN() || n.NaN() {
		return types.NumNaN, nil
	}
	for _, v := range []types.Num{base, n} {
		if err := checkLog(v); err != nil {
			return n, err
		}
	}
	if base.Inf() || n.Inf() {
		switch {
		case base.Inf() && n.Inf():
			return types.NumNaN, nil
		case base.Inf():
			return types.Num{}, nil
		}
		return n, nil
	}
	lb, ln := log10Of(base)/math.Log10E, log10Of(n)/math.Log10E
	weight := 0
	if ln != 0 && lb != 0 {
		weight = int(math.Log10(math.Abs(ln / lb)))
	}
	scale := resultScale(weight, base, n)
	a, err := lnDigits(n, scale+guard)
	if err != nil {
		return n, err
	}
	b, err := lnDigits(base, scale+guard)
	if err != nil {
		return n, err
	}
	if b.Sign() == 0 {
		return n, errs.DivisionByZero.New()
	}
	out := new(apd.Decimal)
	if _, err := apdContext(scale+2*guard).Quo(out, a, b); err != nil {
		return n, errs.NumericOverflow.New()
	}
	return fromApd(out, scale)
}

func powNum(a, b types.Num) (types.Num, error) {
	one := types.NumFromInt(1)
	if !a.Finite() || !b.Finite() {
		return powSpecial(a, b)
	}
	whole := b.Trunc(0).Cmp(b) == 0
	switch {
	case a.Zero() && b.Sign() < 0:
		return a, errs.InvalidPower.New("problem", "zero raised to a negative power is undefined")
	case a.Sign() < 0 && !whole:
		return a, errs.InvalidPower.New("problem", "a negative number raised to a non-integer power yields a complex result")
	case b.Zero():
		return one.Round(max(digitsMin, a.Scale(), b.Scale())), nil
	case a.Zero():
		return types.NumFromScaled(0, digitsMin), nil
	}
	exp := log10Of(a.Abs()) * b.Float()
	switch {
	case exp > expDigitsMax:
		return a, errs.NumericOverflow.New()
	case exp < -2*scaleMax:
		return types.NumFromScaled(0, scaleMax), nil
	}
	scale := resultScale(int(exp), a, b)
	if whole {
		scale = resultScale(0, a)
	}
	out := new(apd.Decimal)
	if _, err := apdContext(scale+int32(max(exp, 0))+2*guard).Pow(out, toApd(a), toApd(b)); err != nil {
		return a, errs.NumericOverflow.New()
	}
	return fromApd(out, scale)
}

// powSpecial follows POSIX's pow for NaN and the infinities.
func powSpecial(a, b types.Num) (types.Num, error) {
	one := types.NumFromInt(1)
	switch {
	case a.Cmp(one) == 0 || b.Finite() && b.Zero():
		return one, nil
	case a.NaN() || b.NaN():
		return types.NumNaN, nil
	case b.Inf():
		c := a.Abs().Cmp(one)
		switch {
		case c == 0:
			return one, nil
		case a.Zero() && b.Sign() < 0:
			return a, errs.InvalidPower.New("problem", "zero raised to a negative power is undefined")
		case (c > 0) == (b.Sign() > 0):
			return types.NumPosInf, nil
		}
		return types.Num{}, nil
	case a.Sign() > 0:
		if b.Sign() > 0 {
			return types.NumPosInf, nil
		}
		return types.Num{}, nil
	}
	whole := b.Trunc(0).Cmp(b) == 0
	odd, _ := b.Trunc(0).Mod(types.NumFromInt(2))
	switch {
	case !whole:
		return a, errs.InvalidPower.New("problem", "a negative number raised to a non-integer power yields a complex result")
	case b.Sign() < 0:
		return types.Num{}, nil
	case odd.Zero():
		return types.NumPosInf, nil
	}
	return types.NumNegInf, nil
}
