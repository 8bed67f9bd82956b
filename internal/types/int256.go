package types

import (
	"math/big"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// RisingWave's rw_int256 is a whole number of 256 bits. It is held as a numeric without digits after the point, so that it
// compares, sorts and prints as one.

// int256Bits is the size of the magnitude.
const int256Bits = 255

// NewInt256 returns the datum of a number, which is rounded to a whole one.
func NewInt256(n Num) (Datum, error) {
	n = n.Round(0)
	if !n.Finite() || !fitsInt256(n.Coef()) {
		return Null, errs.OutOfRange.New("type", "rw_int256")
	}
	return NewNumeric(n), nil
}

// fitsInt256 reports whether the number is one of two's complement.
func fitsInt256(v *big.Int) bool {
	if v.Sign() < 0 {
		v = new(big.Int).Not(v) // -2^255 fits
	}
	return v.BitLen() <= int256Bits
}

func parseInt256(s string) (Datum, error) {
	n, err := ParseNum(s)
	if err != nil || n.Scale() != 0 || !n.Finite() {
		return Null, errs.InvalidText.New("type", "rw_int256", "value", s)
	}
	return NewInt256(n)
}
