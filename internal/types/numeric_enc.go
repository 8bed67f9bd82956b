package types

import (
	"encoding/binary"
	"math/big"
	"math/bits"
)

// A numeric datum is canonical: one value with one display scale has one string.
//
//	scale 0..239 | coefficient       big-endian two's complement of 0 to 8 bytes, as short as possible (zero: none)
//	240 | scale 2 | sign 1 | bytes   every other finite number: sign 0 or 1, magnitude big-endian without leading zeros
//	253, 254, 255                    -Infinity, Infinity, NaN
const (
	numLarge  = 240
	numNegInf = 253
	numPosInf = 254
	numNaN    = 255
)

// EncodeNumeric returns the canonical string of a number, the content of a numeric datum.
func EncodeNumeric(n Num) string {
	var buf [32]byte
	return string(appendNumeric(buf[:0], n))
}

// NewNumeric returns the datum of a number.
func NewNumeric(n Num) Datum { return NewBytes(EncodeNumeric(n)) }

// NumericFromInt returns the datum of an integer.
func NumericFromInt(v int64) Datum { return NewNumeric(NumFromInt(v)) }

func appendNumeric(dst []byte, n Num) []byte {
	switch n.form {
	case negInf:
		return append(dst, numNegInf)
	case posInf:
		return append(dst, numPosInf)
	case nan:
		return append(dst, numNaN)
	}
	if n.big == nil && n.scale < numLarge {
		return appendShortInt(append(dst, byte(n.scale)), n.small)
	}
	dst = binary.BigEndian.AppendUint16(append(dst, numLarge), uint16(n.scale))
	sign := byte(0)
	if n.Sign() < 0 {
		sign = 1
	}
	return append(append(dst, sign), n.Coef().Bytes()...)
}

// appendShortInt adds the shortest two's complement form of v.
func appendShortInt(dst []byte, v int64) []byte {
	if v == 0 {
		return dst
	}
	for i := bits.Len64(uint64(v^v>>63)) / 8; i >= 0; i-- {
		dst = append(dst, byte(v>>(8*i)))
	}
	return dst
}

// DecodeNumeric reads a canonical string. Bytes that are none read as some number, never as a fault.
func DecodeNumeric(s string) Num {
	if len(s) == 0 {
		return Num{}
	}
	switch h := s[0]; {
	case h < numLarge:
		return Num{small: shortInt(s[1:]), scale: int32(h)}
	case h == numNegInf:
		return NumNegInf
	case h == numPosInf:
		return NumPosInf
	case h != numLarge || len(s) < 4:
		return NumNaN
	}
	c := new(big.Int).SetBytes([]byte(s[4:]))
	if s[3] == 1 {
		c.Neg(c)
	}
	return NumFromBig(c, min(int32(s[1])<<8|int32(s[2]), numericScaleMax))
}

// shortInt reads what appendShortInt wrote; of a longer string it reads the first eight bytes.
func shortInt(s string) int64 {
	if len(s) == 0 {
		return 0
	}
	if len(s) > 8 {
		s = s[:8]
	}
	v := int64(int8(s[0]))
	for i := 1; i < len(s); i++ {
		v = v<<8 | int64(s[i])
	}
	return v
}

// Num returns the value of a numeric datum.
func (d Datum) Num() Num { return DecodeNumeric(d.str) }
