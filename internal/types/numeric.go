package types

import (
	"math"
	"math/big"
	"math/bits"
)

// Num is a decoded numeric: coefficient / 10^scale, NaN or an infinity. The scale is how many digits print after the
// point. Coefficients of up to 18 digits live in an int64; larger ones in a big.Int that is never written to again.
// The zero Num is 0.
type Num struct {
	form  numForm
	scale int32
	small int64
	big   *big.Int // nil: small holds the coefficient
}

type numForm uint8

const (
	finite numForm = iota
	negInf
	posInf
	nan
)

// NaN and the infinities of numeric.
var (
	NumNaN    = Num{form: nan}
	NumPosInf = Num{form: posInf}
	NumNegInf = Num{form: negInf}
)

// Bounds of numeric: digits before and after the point.
const (
	numericDigitsMax = 131072
	numericScaleMax  = 16383
	numericPrecMax   = 1000 // of numeric(p,s)
)

// NumFromInt returns v with scale 0.
func NumFromInt(v int64) Num { return Num{small: v} }

// NumFromScaled returns v / 10^scale.
func NumFromScaled(v int64, scale int32) Num { return Num{small: v, scale: scale} }

// NumFromBig returns v / 10^scale; v must not be changed afterwards.
func NumFromBig(v *big.Int, scale int32) Num {
	if v.IsInt64() {
		return Num{small: v.Int64(), scale: scale}
	}
	return Num{big: v, scale: scale}
}

// NaN, Inf and Finite tell the three forms apart.
func (n Num) NaN() bool    { return n.form == nan }
func (n Num) Inf() bool    { return n.form == posInf || n.form == negInf }
func (n Num) Finite() bool { return n.form == finite }

// Scale is the number of digits printed after the point.
func (n Num) Scale() int32 { return n.scale }

// Zero reports whether the number is 0.
func (n Num) Zero() bool { return n.form == finite && n.big == nil && n.small == 0 }

// Sign is -1, 0 or +1; NaN has 0.
func (n Num) Sign() int {
	switch {
	case n.form == negInf:
		return -1
	case n.form == posInf:
		return 1
	case n.form == nan:
		return 0
	case n.big != nil:
		return n.big.Sign()
	case n.small < 0:
		return -1
	case n.small > 0:
		return 1
	}
	return 0
}

// Coef returns the coefficient; the result must not be changed.
func (n Num) Coef() *big.Int {
	if n.big != nil {
		return n.big
	}
	return big.NewInt(n.small)
}

// pow10s are the powers of ten that fit into an int64.
var pow10s = func() (p [19]int64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1] * 10
	}
	return p
}()

// pow10 returns 10^n.
func pow10(n int32) *big.Int {
	if n < int32(len(pow10s)) {
		return big.NewInt(pow10s[n])
	}
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// mulPow10 returns v * 10^n when it fits.
func mulPow10(v int64, n int32) (int64, bool) {
	if n >= int32(len(pow10s)) {
		return 0, v == 0
	}
	return mulInt64(v, pow10s[n])
}

// mulInt64 returns a * b when it fits.
func mulInt64(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(absInt64(a), absInt64(b))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, false
	}
	if (a < 0) != (b < 0) {
		return -int64(lo), true
	}
	return int64(lo), true
}

func absInt64(v int64) uint64 {
	if v < 0 {
		return uint64(-v)
	}
	return uint64(v)
}

// rescaleUp returns the number with a scale that is not below its own; the value is unchanged.
func (n Num) rescaleUp(scale int32) Num {
	d := scale - n.scale
	if d == 0 {
		return n
	}
	if n.big == nil {
		if v, ok := mulPow10(n.small, d); ok {
			return Num{small: v, scale: scale}
		}
	}
	return NumFromBig(new(big.Int).Mul(n.Coef(), pow10(d)), scale)
}

// Cmp orders numbers by value; NaN equals itself and is above everything.
func (n Num) Cmp(m Num) int {
	if n.form != finite || m.form != finite {
		return rankForm(n) - rankForm(m)
	}
	if n.scale == m.scale && n.big == nil && m.big == nil {
		return cmpInt(n.small, m.small)
	}
	if a, b := n.Sign(), m.Sign(); a != b {
		return a - b
	}
	scale := max(n.scale, m.scale)
	a, b := n.rescaleUp(scale), m.rescaleUp(scale)
	if a.big == nil && b.big == nil {
		return cmpInt(a.small, b.small)
	}
	return a.Coef().Cmp(b.Coef())
}

// rankForm places the special forms around the finite numbers.
func rankForm(n Num) int {
	switch n.form {
	case negInf:
		return 0
	case posInf:
		return 2
	case nan:
		return 3
	}
	return 1
}

func cmpInt(a, b int64) int {
	if a < b {
		return -1
	}
	if a > b {
		return 1
	}
	return 0
}

// digits is the number of decimal digits of the coefficient, 0 for zero.
func (n Num) digits() int32 {
	if n.big != nil {
		return int32(len(new(big.Int).Abs(n.big).Text(10)))
	}
	u, d := absInt64(n.small), int32(0)
	for u > 0 {
		u /= 10
		d++
	}
	return d
}
