package types

import (
	"encoding/binary"
	"math"
)

// AppendBinary adds the binary wire form of a value that is not NULL, as PostgreSQL sends it.
func AppendBinary(dst []byte, t T, d Datum) []byte {
	switch t.Kind {
	case KindBool:
		return append(dst, byte(d.bits&1))
	case KindInt2:
		return binary.BigEndian.AppendUint16(dst, uint16(d.Int()))
	case KindInt8, KindTime, KindTimestamp, KindTimestamptz:
		return binary.BigEndian.AppendUint64(dst, uint64(d.Int()))
	case KindFloat4:
		return binary.BigEndian.AppendUint32(dst, math.Float32bits(float32(d.Float())))
	case KindFloat8:
		return appendBinaryFloat(dst, d.Float())
	case KindNumeric:
		return appendBinaryNum(dst, d.Num())
	case KindInterval:
		v := d.Interval() // time first, the reverse of the datum's order
		dst = binary.BigEndian.AppendUint64(dst, uint64(v.Micros))
		dst = binary.BigEndian.AppendUint32(dst, uint32(v.Days))
		return binary.BigEndian.AppendUint32(dst, uint32(v.Months))
	case KindJSONB:
		return append(append(dst, jsonbVersion), d.str...)
	case KindArray:
		return appendBinaryArray(dst, t, d)
	case KindStruct:
		return appendBinaryStruct(dst, t, d)
	case KindInt256: // no client knows another form than text
		return d.Num().Append(dst)
	case KindMap: // text, as its identifier says
		return appendMap(dst, t, d.str, Ctx{})
	}
	if t.Phys() == PhysInt {
		return binary.BigEndian.AppendUint32(dst, uint32(d.Int()))
	}
	return append(dst, d.str...)
}

// appendBinaryFloat adds a double; C's NaN has other bits than Go's.
func appendBinaryFloat(dst []byte, f float64) []byte {
	u := math.Float64bits(f)
	if f != f {
		const nanC = 0x7ff8000000000000
		u = nanC
	}
	return binary.BigEndian.AppendUint64(dst, u)
}

// jsonbVersion precedes the text of a jsonb value.
const jsonbVersion = 1

// The sign words of a numeric's binary form.
const (
	binaryPositive = 0x0000
	binaryNegative = 0x4000
	binaryNaN      = 0xC000
	binaryPosInf   = 0xD000
	binaryNegInf   = 0xF000
	binaryInfScale = 0x20 // what PostgreSQL sends in the place of the scale
)

// binaryGroup is how many decimal digits one word of a numeric holds.
const binaryGroup = 4

// appendBinaryNum adds the number of words, the weight of the first, the sign, the scale and the words, each of four
// decimal digits counted from the point.
func appendBinaryNum(dst []byte, n Num) []byte {
	words := func(v ...uint16) []byte {
		for _, w := range v {
			dst = binary.BigEndian.AppendUint16(dst, w)
		}
		return dst
	}
	switch n.form {
	case nan:
		return words(0, 0, binaryNaN, 0)
	case posInf:
		return words(0, 0, binaryPosInf, binaryInfScale)
	case negInf:
		return words(0, 0, binaryNegInf, binaryInfScale)
	}
	groups, weight := decimalGroups(n)
	sign := uint16(binaryPositive)
	if n.Sign() < 0 {
		sign = binaryNegative
	}
	words(uint16(len(groups)), uint16(weight), sign, uint16(n.scale))
	return words(groups...)
}

// decimalGroups cuts the digits into groups of four aligned at the point, without zero groups at either end.
func decimalGroups(n Num) (groups []uint16, weight int) {
	if n.Zero() {
		return nil, 0
	}
	digits := n.Abs().Coef().Append(nil, 10)
	whole := len(digits) - int(n.scale) // digits before the point; negative: zeros after it
	weight = int(floorDiv(int32(whole-1), binaryGroup))
	pad := (weight+1)*binaryGroup - whole // zeros in front of the first group
	for i := -pad; i < len(digits); i += binaryGroup {
		var g uint16
		for j := i; j < i+binaryGroup; j++ {
			g *= 10
			if j >= 0 && j < len(digits) {
				g += uint16(digits[j] - '0')
			}
		}
		groups = append(groups, g)
	}
	for len(groups) > 0 && groups[len(groups)-1] == 0 {
		groups = groups[:len(groups)-1]
	}
	return groups, weight
}

// appendBinaryArray adds the dimensions, then the elements of the innermost arrays in order.
func appendBinaryArray(dst []byte, t T, d Datum) []byte {
	leaves := flatten(t, d, nil)
	dims := ArrayDims(t, d.str)
	elem := innermost(t)
	hasNull := uint32(0)
	for _, leaf := range leaves {
		if leaf.IsNull() {
			hasNull = 1
		}
	}
	if len(leaves) == 0 {
		dims = nil
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(dims)))
	dst = binary.BigEndian.AppendUint32(dst, hasNull)
	dst = binary.BigEndian.AppendUint32(dst, OID(elem))
	for _, dim := range dims {
		dst = binary.BigEndian.AppendUint32(dst, uint32(dim.Len))
		dst = binary.BigEndian.AppendUint32(dst, uint32(dim.Lower))
	}
	for _, leaf := range leaves {
		dst = appendSized(dst, elem, leaf)
	}
	return dst
}

// flatten adds the elements of the innermost arrays in order.
func flatten(t T, d Datum, leaves []Datum) []Datum {
	values := DecodeArray(*t.Elem, d.str)
	if t.Elem.Kind != KindArray {
		return append(leaves, values...)
	}
	for _, v := range values {
		leaves = flatten(*t.Elem, v, leaves)
	}
	return leaves
}

func appendBinaryStruct(dst []byte, t T, d Datum) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(t.Fields)))
	for i, v := range DecodeStruct(t, d.str) {
		dst = binary.BigEndian.AppendUint32(dst, OID(t.Fields[i].Type))
		dst = appendSized(dst, t.Fields[i].Type, v)
	}
	return dst
}

// appendSized adds a value after its length; NULL has length -1.
func appendSized(dst []byte, t T, d Datum) []byte {
	if d.IsNull() {
		return binary.BigEndian.AppendUint32(dst, math.MaxUint32)
	}
	start := len(dst)
	dst = AppendBinary(append(dst, 0, 0, 0, 0), t, d)
	binary.BigEndian.PutUint32(dst[start:], uint32(len(dst)-start-4))
	return dst
}
