package types

import (
	"encoding/binary"
	"iter"
	"math"
)

// Arrays and structs hold their elements one after the other; a struct has as many as its type has fields.
//
//	NULL    0
//	bool    1 | 0 or 1
//	int     1 | zigzag varint
//	float   1 | 8 bytes little-endian
//	bytes   1 | length varint | bytes
//
// An array that does not start at 1 has its lower bound first (arraybounds.go).

// NewArray returns the array of the elements.
func NewArray(elem T, values []Datum) Datum {
	return NewBytes(string(appendElements(nil, values, elem)))
}

// NewStruct returns the struct of the fields' values.
func NewStruct(t T, values []Datum) Datum {
	var buf []byte
	for i, f := range t.Fields {
		buf = appendElement(buf, f.Type, values[i])
	}
	return NewBytes(string(buf))
}

func appendElements(dst []byte, values []Datum, elem T) []byte {
	for _, d := range values {
		dst = appendElement(dst, elem, d)
	}
	return dst
}

func appendElement(dst []byte, t T, d Datum) []byte {
	if d.IsNull() {
		return append(dst, 0)
	}
	dst = append(dst, 1)
	switch t.Phys() {
	case PhysBool:
		return append(dst, byte(d.bits&1))
	case PhysInt:
		return binary.AppendVarint(dst, d.Int())
	case PhysFloat:
		return binary.LittleEndian.AppendUint64(dst, d.bits)
	}
	return append(binary.AppendUvarint(dst, uint64(len(d.str))), d.str...)
}

// DecodeArray returns the elements of an array. Bytes elements share the array's memory.
func DecodeArray(elem T, s string) []Datum {
	var out []Datum
	for d := range elements(elem, s) {
		out = append(out, d)
	}
	return out
}

// ArrayLen is the number of elements.
func ArrayLen(elem T, s string) int {
	n := 0
	for range elements(elem, s) {
		n++
	}
	return n
}

// elements iterates over an array; it ends early at bytes that are no element.
func elements(elem T, s string) iter.Seq[Datum] {
	return func(yield func(Datum) bool) {
		_, s := cutLower(s)
		for len(s) > 0 {
			d, rest, ok := cutElement(elem, s)
			if !ok || !yield(d) {
				return
			}
			s = rest
		}
	}
}

// DecodeStruct returns the values of a struct's fields; those that the bytes do not have are NULL.
func DecodeStruct(t T, s string) []Datum {
	out := make([]Datum, len(t.Fields))
	for i, f := range t.Fields {
		d, rest, ok := cutElement(f.Type, s)
		if !ok {
			break
		}
		out[i], s = d, rest
	}
	return out
}

// cutElement reads one element from the start of s.
func cutElement(t T, s string) (d Datum, rest string, ok bool) {
	if len(s) == 0 {
		return Null, "", false
	}
	if s[0] == 0 {
		return Null, s[1:], true
	}
	s = s[1:]
	switch t.Phys() {
	case PhysBool:
		if len(s) < 1 {
			return Null, "", false
		}
		return NewBool(s[0] != 0), s[1:], true
	case PhysInt:
		u, n := uvarint(s)
		if n <= 0 {
			return Null, "", false
		}
		return NewInt(int64(u>>1) ^ -int64(u&1)), s[n:], true
	case PhysFloat:
		if len(s) < 8 {
			return Null, "", false
		}
		var u uint64
		for i := range 8 {
			u |= uint64(s[i]) << (8 * i)
		}
		return NewFloat(math.Float64frombits(u)), s[8:], true
	}
	u, n := uvarint(s)
	if n <= 0 || u > uint64(len(s)-n) {
		return Null, "", false
	}
	return NewBytes(s[n : n+int(u)]), s[n+int(u):], true
}

// uvarint is binary.Uvarint for strings.
func uvarint(s string) (v uint64, n int) {
	for i := 0; i < len(s) && i < binary.MaxVarintLen64; i++ {
		v |= uint64(s[i]&0x7f) << (7 * i)
		if s[i] < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}
