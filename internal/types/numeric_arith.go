package types

import (
	"math/big"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// Neg returns -n.
func (n Num) Neg() Num {
	switch n.form {
	case posInf:
		return NumNegInf
	case negInf:
		return NumPosInf
	case nan:
		return n
	}
	if n.big == nil && n.small != -n.small {
		return Num{small: -n.small, scale: n.scale}
	}
	return NumFromBig(new(big.Int).Neg(n.Coef()), n.scale)
}

// Abs returns the absolute value.
func (n Num) Abs() Num {
	if n.Sign() < 0 {
		return n.Neg()
	}
	return n
}

// Add returns n + m; the result has the larger scale.
func (n Num) Add(m Num) Num {
	if n.form != finite || m.form != finite {
		return addSpecial(n, m)
	}
	scale := max(n.scale, m.scale)
	a, b := n.rescaleUp(scale), m.rescaleUp(scale)
	if a.big == nil && b.big == nil {
		if s := a.small + b.small; (s > a.small) == (b.small > 0) {
			return Num{small: s, scale: scale}
		}
	}
	return NumFromBig(new(big.Int).Add(a.Coef(), b.Coef()), scale)
}

// addSpecial adds where one operand is not finite: opposite infinities have no sum.
func addSpecial(n, m Num) Num {
	switch {
	case n.form == nan || m.form == nan:
		return NumNaN
	case n.form == finite:
		return m
	case m.form == finite || m.form == n.form:
		return n
	}
	return NumNaN
}

// Sub returns n - m; the result has the larger scale.
func (n Num) Sub(m Num) Num { return n.Add(m.Neg()) }

// Mul returns n * m; the scales add up.
func (n Num) Mul(m Num) Num {
	if n.form != finite || m.form != finite {
		return mulSpecial(n, m)
	}
	scale := n.scale + m.scale
	var p Num
	if v, ok := mulInt64(n.small, m.small); ok && n.big == nil && m.big == nil {
		p = Num{small: v, scale: scale}
	} else {
		p = NumFromBig(new(big.Int).Mul(n.Coef(), m.Coef()), scale)
	}
	if scale > numericScaleMax {
		p = p.Round(numericScaleMax)
	}
	return p
}

// mulSpecial multiplies where one operand is not finite: infinity times zero has no product.
func mulSpecial(n, m Num) Num {
	if n.form == nan || m.form == nan {
		return NumNaN
	}
	return infinity(n.Sign() * m.Sign())
}

// infinity returns the infinity of the sign; sign 0 has none.
func infinity(sign int) Num {
	switch {
	case sign > 0:
		return NumPosInf
	case sign < 0:
		return NumNegInf
	}
	return NumNaN
}

// Div returns n / m rounded to PostgreSQL's scale: at least 16 significant digits and the scales of the operands.
func (n Num) Div(m Num) (Num, error) {
	if q, done, err := divSpecial(n, m); done || err != nil {
		return q, err
	}
	return n.DivScale(m, divScale(n, m)), nil
}

// divSpecial handles operands that are not finite, and a divisor of zero.
func divSpecial(n, m Num) (q Num, done bool, err error) {
	switch {
	case n.form == nan || m.form == nan:
		return NumNaN, true, nil
	case m.Zero():
		return Num{}, true, errs.DivisionByZero.New()
	case n.Inf() && m.Inf():
		return NumNaN, true, nil
	case n.Inf():
		return infinity(n.Sign() * m.Sign()), true, nil
	case m.Inf():
		return Num{}, true, nil
	}
	return Num{}, false, nil
}

// DivScale returns n / m rounded half away from zero to the scale; both are finite and m is not zero.
func (n Num) DivScale(m Num, scale int32) Num {
	num, den := n.Coef(), m.Coef()
	if shift := scale - n.scale + m.scale; shift >= 0 {
		num = new(big.Int).Mul(num, pow10(shift))
	} else {
		den = new(big.Int).Mul(den, pow10(-shift))
	}
	return NumFromBig(divRound(num, den), scale)
}

// divRound returns num / den rounded half away from zero.
func divRound(num, den *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(num, den, new(big.Int))
	if r.Sign() == 0 {
		return q
	}
	if r.Abs(r).Lsh(r, 1).CmpAbs(den) >= 0 {
		q.Add(q, big.NewInt(int64(num.Sign()*den.Sign())))
	}
	return q
}

// divScale is PostgreSQL's choice of a quotient's scale. It estimates the quotient's weight in groups of four digits
// and asks for 16 significant digits.
func divScale(n, m Num) int32 {
	const significantMin, groupDigits, scaleMax = 16, 4, 1000
	nw, nd := leadingGroup(n)
	mw, md := leadingGroup(m)
	weight := nw - mw
	if nd <= md {
		weight--
	}
	return min(max(significantMin-weight*groupDigits, n.scale, m.scale, 0), scaleMax)
}

// leadingGroup returns the first non-zero group of four decimal digits, counted from the point, and its weight.
func leadingGroup(n Num) (weight, group int32) {
	if n.Zero() {
		return 0, 0
	}
	text := n.Abs().Coef().Text(10)
	exp := int32(len(text)) - n.scale - 1 // of the first digit
	weight = floorDiv(exp, 4)
	for i := range exp - 4*weight + 1 {
		group *= 10
		if int(i) < len(text) {
			group += int32(text[i] - '0')
		}
	}
	return weight, group
}

func floorDiv(a, b int32) int32 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// Quo returns n / m cut to an integer.
func (n Num) Quo(m Num) (Num, error) {
	if q, done, err := divSpecial(n, m); done || err != nil {
		return q, err
	}
	scale := max(n.scale, m.scale)
	a, b := n.rescaleUp(scale), m.rescaleUp(scale)
	return NumFromBig(new(big.Int).Quo(a.Coef(), b.Coef()), 0), nil
}

// Mod returns the remainder of n / m with n's sign and the larger scale.
func (n Num) Mod(m Num) (Num, error) {
	switch {
	case n.form == nan || m.form == nan:
		return NumNaN, nil
	case n.Inf():
		if m.Zero() {
			return Num{}, errs.DivisionByZero.New()
		}
		return NumNaN, nil
	case m.Inf():
		return n, nil
	case m.Zero():
		return Num{}, errs.DivisionByZero.New()
	}
	scale := max(n.scale, m.scale)
	a, b := n.rescaleUp(scale), m.rescaleUp(scale)
	if a.big == nil && b.big == nil && b.small != -1 {
		return Num{small: a.small % b.small, scale: scale}, nil
	}
	return NumFromBig(new(big.Int).Rem(a.Coef(), b.Coef()), scale), nil
}
