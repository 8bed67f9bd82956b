package types

import (
	"encoding/binary"
	"math"
	"strconv"
)

// Values that compare equal have one ordered encoding, and the encodings order bytewise as the values do. No encoding
// is a prefix of another one of its type, so that several can follow each other in a key.
//
//	bool                 1 byte
//	int, date, time ...  8 bytes, big-endian, sign flipped
//	float                8 bytes, big-endian, sign flipped, negative ones inverted; -0 is 0
//	text, bytea, jsonb   escaped: 00 is written 00 FF, the end 00 01
//	uuid                 16 bytes
//	numeric              class, exponent, digits two to a byte, 00; inverted below zero
//	interval             16 bytes: microseconds with months of 30 days and days of 24 hours
//	array, map, struct   each element with a tag: 03 value, 04 NULL; 01 ends an array that starts at 1, 00 and 02 with the
//	                     lower bound one that starts below and above
const (
	elemEndLow = iota
	elemEnd
	elemEndHigh
	elemValue
	elemNull
)

// AppendOrdered adds the ordered encoding of a value that is not NULL.
func AppendOrdered(dst []byte, t T, d Datum) []byte {
	switch t.Phys() {
	case PhysBool:
		return append(dst, byte(d.bits&1))
	case PhysInt:
		return AppendOrderedInt(dst, d.Int())
	case PhysFloat:
		return AppendOrderedFloat(dst, d.Float())
	}
	return AppendOrderedBytes(dst, t, d.str)
}

// AppendOrderedInt is AppendOrdered for the Int class.
func AppendOrderedInt(dst []byte, v int64) []byte {
	return binary.BigEndian.AppendUint64(dst, uint64(v)^1<<63)
}

// AppendOrderedFloat is AppendOrdered for the Float class.
func AppendOrderedFloat(dst []byte, f float64) []byte {
	return binary.BigEndian.AppendUint64(dst, orderedFloat(f))
}

// orderedFloat maps floats to integers of the same order; both zeros to one, and every NaN to one above all.
func orderedFloat(f float64) uint64 {
	if f == 0 {
		f = 0 // drops the sign of -0
	} else if f != f {
		f = math.NaN()
	}
	u := math.Float64bits(f)
	if u>>63 != 0 {
		return ^u
	}
	return u | 1<<63
}

// AppendOrderedBytes is AppendOrdered for the Bytes class.
func AppendOrderedBytes(dst []byte, t T, s string) []byte {
	switch t.Kind {
	case KindUUID:
		return append(dst, s...)
	case KindNumeric, KindInt256:
		return appendOrderedNum(dst, DecodeNumeric(s))
	case KindInterval:
		hi, lo := decodeInterval(s).span()
		dst = binary.BigEndian.AppendUint64(dst, uint64(hi)^1<<63)
		return binary.BigEndian.AppendUint64(dst, lo)
	case KindBpchar:
		return appendEscaped(dst, trimBlanks(s))
	case KindJSONB:
		return appendOrderedJSON(dst, JSON(s), true)
	case KindArray, KindMap:
		for d := range elements(*t.Elem, s) {
			dst = appendOrderedElem(dst, *t.Elem, d)
		}
		return appendOrderedEnd(dst, ArrayLower(s))
	case KindStruct:
		for i, d := range DecodeStruct(t, s) {
			dst = appendOrderedElem(dst, t.Fields[i].Type, d)
		}
		return dst
	}
	return appendEscaped(dst, s)
}

// appendOrderedEnd ends an array: of two with the same elements the one that starts lower is first.
func appendOrderedEnd(dst []byte, lower int64) []byte {
	switch {
	case lower < 1:
		return AppendOrderedInt(append(dst, elemEndLow), lower)
	case lower > 1:
		return AppendOrderedInt(append(dst, elemEndHigh), lower)
	}
	return append(dst, elemEnd)
}

func appendOrderedElem(dst []byte, t T, d Datum) []byte {
	if d.IsNull() {
		return append(dst, elemNull)
	}
	return AppendOrdered(append(dst, elemValue), t, d)
}

// appendEscaped adds bytes of any length so that shorter ones sort first.
func appendEscaped(dst []byte, s string) []byte {
	from := 0
	for i := 0; i < len(s); i++ {
		if s[i] == 0 {
			dst = append(append(dst, s[from:i]...), 0, 0xff)
			from = i + 1
		}
	}
	return append(append(dst, s[from:]...), 0, 1)
}

// The classes of a numeric in order.
const (
	ordNegInf = iota + 1
	ordNegative
	ordZero
	ordPositive
	ordPosInf
	ordNaN
)

// appendOrderedNum adds a number whose absolute value is 0.d1d2d3... * 10^exp, d1 not zero.
func appendOrderedNum(dst []byte, n Num) []byte {
	switch {
	case n.form == negInf:
		return append(dst, ordNegInf)
	case n.form == posInf:
		return append(dst, ordPosInf)
	case n.form == nan:
		return append(dst, ordNaN)
	case n.Zero():
		return append(dst, ordZero)
	}
	var buf [24]byte
	digits := strconv.AppendUint(buf[:0], absInt64(n.small), 10)
	if n.big != nil {
		digits = n.Abs().big.Append(buf[:0], 10)
	}
	exp := len(digits) - int(n.scale)
	if n.Sign() > 0 {
		return appendOrderedDigits(append(dst, ordPositive), digits, exp)
	}
	start := len(dst) + 1
	dst = appendOrderedDigits(append(dst, ordNegative), digits, exp)
	for i := start; i < len(dst); i++ {
		dst[i] = ^dst[i]
	}
	return dst
}

// expBias places exponents of up to 100 either way in one byte; others follow 1 or 255 in four.
const expBias, expShort = 128, 100

func appendOrderedDigits(dst, digits []byte, exp int) []byte {
	switch {
	case exp < -expShort:
		dst = binary.BigEndian.AppendUint32(append(dst, 1), uint32(exp)^1<<31)
	case exp > expShort:
		dst = binary.BigEndian.AppendUint32(append(dst, 255), uint32(exp)^1<<31)
	default:
		dst = append(dst, byte(exp+expBias))
	}
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	for ; len(digits) > 1; digits = digits[2:] {
		dst = append(dst, (digits[0]-'0')*10+digits[1]-'0'+1)
	}
	if len(digits) == 1 {
		dst = append(dst, (digits[0]-'0')*10+1)
	}
	return append(dst, 0)
}
