package agg

import (
	"encoding/binary"
	"math"
	"math/big"
)

// exactSum is a sum of doubles without any rounding: it is kept as doubles whose exact sum it is, and is rounded once
// when it is read. So it does not depend on the order of additions, and a subtraction undoes an addition.
//
// Two doubles suffice as long as the values span fewer than 106 bits; what does not fit goes to more. Values that
// could overflow on the way are kept apart, scaled down.
type exactSum struct {
	hi, lo          float64
	more            []float64 // further parts
	huge            []float64 // parts of values from 2^900 on, times 2^-200
	nan, pinf, ninf int64
}

const (
	hugeFrom  = 0x1p900
	hugeScale = 200
)

// twoSum is a + b and the rounding error, exactly (Knuth).
func twoSum(a, b float64) (s, e float64) {
	s = a + b
	t := s - a
	return s, (a - (s - t)) + (b - t)
}

func (x *exactSum) add(v float64, sign int64) {
	switch {
	case v != v:
		x.nan += sign
		return
	case v > math.MaxFloat64:
		x.pinf += sign
		return
	case v < -math.MaxFloat64:
		x.ninf += sign
		return
	}
	if sign < 0 {
		v = -v
	}
	if v >= hugeFrom || v <= -hugeFrom {
		x.huge = addPart(x.huge, math.Ldexp(v, -hugeScale))
		return
	}
	s, e := twoSum(x.hi, v)
	x.hi = s
	if e == 0 {
		return
	}
	if x.lo, e = twoSum(x.lo, e); e != 0 {
		x.more = addPart(x.more, e)
	}
}

// addPart adds a value to parts that do not overlap (Shewchuk).
func addPart(parts []float64, v float64) []float64 {
	n := 0
	for _, p := range parts {
		s, e := twoSum(v, p)
		if e != 0 {
			parts[n] = e
			n++
		}
		v = s
	}
	if v == 0 {
		return parts[:n]
	}
	return append(parts[:n], v)
}

// exactBits is enough for the sum of any doubles: exponents from -1074 to 1023 and some for the carries.
const exactBits = 2300

// big is the exact value of the finite part.
func (x *exactSum) big() *big.Float {
	sum := new(big.Float).SetPrec(exactBits)
	part := new(big.Float).SetPrec(exactBits)
	for _, v := range x.huge {
		sum.Add(sum, part.SetMantExp(part.SetFloat64(v), hugeScale))
	}
	for _, v := range x.more {
		sum.Add(sum, part.SetFloat64(v))
	}
	sum.Add(sum, part.SetFloat64(x.hi))
	return sum.Add(sum, part.SetFloat64(x.lo))
}

// special returns NaN or an infinity when such values are in the sum.
func (x *exactSum) special() (float64, bool) {
	switch {
	case x.nan != 0 || x.pinf != 0 && x.ninf != 0:
		return math.NaN(), true
	case x.pinf != 0:
		return math.Inf(1), true
	case x.ninf != 0:
		return math.Inf(-1), true
	}
	return 0, false
}

// value is the sum, rounded once.
func (x *exactSum) value() float64 {
	if v, ok := x.special(); ok {
		return v
	}
	if len(x.more) == 0 && len(x.huge) == 0 {
		return x.hi + x.lo
	}
	f, _ := x.big().Float64()
	return f
}

// encode writes the parts in a form that depends on the value alone.
func (x *exactSum) encode(dst []byte) []byte {
	for _, v := range [...]int64{x.nan, x.pinf, x.ninf} {
		dst = binary.AppendVarint(dst, v)
	}
	parts := x.canonical()
	dst = append(dst, byte(len(parts)))
	for _, p := range parts {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(p))
	}
	return dst
}

// canonical splits the value into doubles, each the nearest to what is left; a sum beyond the largest double keeps
// its scaled part first.
func (x *exactSum) canonical() []float64 {
	var parts []float64
	rest := x.big()
	for rest.Sign() != 0 { // every step takes at least 53 bits
		f, _ := rest.Float64()
		if math.IsInf(f, 0) {
			f = math.Copysign(math.MaxFloat64, f)
		}
		parts = append(parts, f)
		rest.Sub(rest, new(big.Float).SetFloat64(f))
	}
	return parts
}

func (x *exactSum) decode(b []byte) (rest []byte, err error) {
	*x = exactSum{}
	for _, v := range [...]*int64{&x.nan, &x.pinf, &x.ninf} {
		if *v, b, err = readVarint(b); err != nil {
			return nil, err
		}
	}
	if len(b) == 0 || len(b) < 1+8*int(b[0]) {
		return nil, corrupt()
	}
	n := int(b[0])
	for b = b[1:]; n > 0; n-- {
		x.add(math.Float64frombits(binary.LittleEndian.Uint64(b)), 1)
		b = b[8:]
	}
	return b, nil
}
