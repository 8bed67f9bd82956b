package types

import (
	"fmt"
	"math"
	"math/big"
	"strconv"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// Round rounds half away from zero to the number of digits after the point; below zero it rounds before the point.
func (n Num) Round(scale int32) Num { return n.toScale(scale, divRound) }

// Trunc cuts to the number of digits after the point.
func (n Num) Trunc(scale int32) Num {
	return n.toScale(scale, func(a, b *big.Int) *big.Int { return new(big.Int).Quo(a, b) })
}

// Floor returns the largest integer that is not above n.
func (n Num) Floor() Num {
	t := n.Trunc(0)
	if n.Sign() < 0 && t.Cmp(n) != 0 {
		return t.Sub(NumFromInt(1))
	}
	return t
}

// Ceil returns the smallest integer that is not below n.
func (n Num) Ceil() Num { return n.Neg().Floor().Neg() }

// toScale gives n another scale; lost digits go through div. A negative scale clears digits before the point.
func (n Num) toScale(scale int32, div func(a, b *big.Int) *big.Int) Num {
	if n.form != finite {
		return n
	}
	scale = min(max(scale, -numericDigitsMax), numericScaleMax)
	if scale >= n.scale {
		return n.rescaleUp(scale)
	}
	cut := n.scale - scale
	if n.big == nil && cut < int32(len(pow10s)) && scale >= 0 {
		return Num{small: div(big.NewInt(n.small), big.NewInt(pow10s[cut])).Int64(), scale: scale}
	}
	if scale < 0 && cut > n.digits()+1 {
		return Num{}
	}
	q := div(n.Coef(), pow10(cut))
	if scale < 0 {
		return NumFromBig(q.Mul(q, pow10(-scale)), 0)
	}
	return NumFromBig(q, scale)
}

// TrimScale removes zeros at the end of the fraction.
func (n Num) TrimScale() Num {
	if n.form != finite || n.scale == 0 {
		return n
	}
	if n.big == nil {
		for n.scale > 0 && n.small%10 == 0 {
			n.small, n.scale = n.small/10, n.scale-1
		}
		return n
	}
	q, r, ten := new(big.Int), new(big.Int), big.NewInt(10)
	for n.scale > 0 {
		if q.QuoRem(n.Coef(), ten, r); r.Sign() != 0 {
			break
		}
		n = NumFromBig(new(big.Int).Set(q), n.scale-1)
	}
	return n
}

// Fit coerces to numeric(precision, scale): rounds, then checks the digits before the point.
func (n Num) Fit(precision, scale int32) (Num, error) {
	if precision == 0 || n.form == nan {
		return n, nil
	}
	overflow := func(bound string) error {
		return errs.NumericFieldOverflow.New("precision", precision, "scale", scale, "bound", bound)
	}
	if n.Inf() {
		return n, overflow("cannot hold an infinite value")
	}
	r := n.Round(scale)
	if !r.Zero() && r.digits()-r.scale > precision-scale {
		bound := "1"
		if d := precision - scale; d != 0 {
			bound = fmt.Sprintf("10^%d", d)
		}
		return n, overflow("must round to an absolute value less than " + bound)
	}
	return r, nil
}

// Int returns the number rounded to an integer; ok is false when it does not fit.
func (n Num) Int() (v int64, ok bool) {
	if n.form != finite {
		return 0, false
	}
	r := n.Round(0)
	return r.small, r.big == nil
}

// Float returns the nearest double.
func (n Num) Float() float64 {
	switch n.form {
	case nan:
		return math.NaN()
	case posInf:
		return math.Inf(1)
	case negInf:
		return math.Inf(-1)
	}
	f, _ := strconv.ParseFloat(n.String(), 64) // out of range gives an infinity, which the caller checks
	return f
}

// NumFromFloat converts as PostgreSQL's casts do: 15 significant digits of a double, 6 of a real.
func NumFromFloat(f float64, bits int) Num {
	switch {
	case f != f:
		return NumNaN
	case math.IsInf(f, 0):
		return infinity(int(math.Copysign(1, f)))
	}
	digits := 15
	if bits == 32 {
		digits = 6
	}
	n, _ := parseNum(strconv.FormatFloat(f, 'g', digits, 64)) // always a valid number
	return n.TrimScale()
}
