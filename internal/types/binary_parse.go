package types

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"unicode/utf8"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// ParseBinary reads the binary wire form of a value and fits it to the type's modifiers.
func ParseBinary(t T, b []byte) (Datum, error) {
	r := binaryReader{b: b}
	d, err := r.value(t)
	switch {
	case err != nil:
		return Null, err
	case r.bad || len(r.b) > 0:
		return Null, errs.InvalidBinary.New("type", BaseName(t))
	case modified(t):
		return Fit(t, d, false)
	}
	return d, nil
}

// binaryReader takes fields from the front of b; bad is set when there are too few bytes or a field is wrong.
type binaryReader struct {
	b   []byte
	bad bool
}

func (r *binaryReader) take(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.bad, r.b = true, nil
		return make([]byte, min(max(n, 0), 16)) // the fixed fields are not longer
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *binaryReader) rest() []byte   { return r.take(len(r.b)) }
func (r *binaryReader) uint16() uint16 { return binary.BigEndian.Uint16(r.take(2)) }
func (r *binaryReader) uint32() uint32 { return binary.BigEndian.Uint32(r.take(4)) }
func (r *binaryReader) uint64() uint64 { return binary.BigEndian.Uint64(r.take(8)) }

func (r *binaryReader) value(t T) (Datum, error) {
	switch t.Kind {
	case KindBool:
		return NewBool(r.take(1)[0] != 0), nil
	case KindInt2:
		return NewInt(int64(int16(r.uint16()))), nil
	case KindInt4, KindDate:
		return r.int4(t)
	case KindInt8:
		return NewInt(int64(r.uint64())), nil
	case KindTime, KindTimestamp, KindTimestamptz:
		return r.clock(t)
	case KindFloat4:
		return NewFloat(float64(math.Float32frombits(r.uint32()))), nil
	case KindFloat8:
		return NewFloat(math.Float64frombits(r.uint64())), nil
	case KindNumeric:
		return r.numeric()
	case KindInterval:
		micros := int64(r.uint64())
		days := int32(r.uint32())
		return NewInterval(Iv{Months: int32(r.uint32()), Days: days, Micros: micros}), nil
	case KindUUID:
		return NewBytes(string(r.take(16))), nil
	case KindBytea:
		return NewBytes(string(r.rest())), nil
	case KindArray:
		return r.array(t)
	case KindStruct:
		return r.record(t)
	case KindMap, KindInt256:
		return Parse(t, string(r.rest()), Ctx{})
	}
	if t.Phys() == PhysInt {
		return NewInt(int64(r.uint32())), nil
	}
	return r.text(t)
}

func (r *binaryReader) int4(t T) (Datum, error) {
	v := int64(int32(r.uint32()))
	if t.Kind == KindDate && v != DateInfinity && v != DateNegInfinity && !dateInRange(v) {
		return Null, errs.DatetimeOutOfRange.New("what", "date out of range")
	}
	return NewInt(v), nil
}

func (r *binaryReader) clock(t T) (Datum, error) {
	v := int64(r.uint64())
	switch {
	case t.Kind == KindTime && (v < 0 || v > microsDay):
		return Null, errs.DatetimeOutOfRange.New("what", "time out of range")
	case t.Kind != KindTime && v != TimestampInfinity && v != TimestampNegInfinity && !timestampInRange(v):
		return Null, errs.DatetimeOutOfRange.New("what", "timestamp out of range")
	}
	return NewInt(v), nil
}

// text reads characters, for jsonb after a version byte. Bytes that are not UTF-8 and zero bytes are refused.
func (r *binaryReader) text(t T) (Datum, error) {
	if t.Kind == KindJSONB && r.take(1)[0] != jsonbVersion {
		r.bad = true
	}
	b := r.rest()
	for i := 0; i < len(b); {
		c, n := utf8.DecodeRune(b[i:])
		if c == 0 || c == utf8.RuneError && n <= 1 {
			return Null, errs.InvalidBytes.New("bytes", fmt.Sprintf("0x%02x", b[i]))
		}
		i += n
	}
	if t.Kind == KindJSONB && !r.bad {
		j, err := ParseJSON(string(b))
		return NewJSON(j), err
	}
	return NewBytes(string(b)), nil
}

// numeric reads words of four decimal digits. Digits below the scale are cut, as PostgreSQL does.
func (r *binaryReader) numeric() (Datum, error) {
	count, weight := int(r.uint16()), int(int16(r.uint16()))
	sign, scale := r.uint16(), int32(r.uint16())
	switch sign {
	case binaryNaN:
		return NewNumeric(NumNaN), nil
	case binaryPosInf:
		return NewNumeric(NumPosInf), nil
	case binaryNegInf:
		return NewNumeric(NumNegInf), nil
	}
	if sign != binaryPositive && sign != binaryNegative || scale > numericScaleMax || count*2 > len(r.b) {
		r.bad = true
		return Null, nil
	}
	digits := make([]byte, 0, (count+1)*binaryGroup)
	for range count {
		w := r.uint16()
		r.bad = r.bad || w > 9999
		digits = appendPadded(digits, uint64(w%10000), binaryGroup)
	}
	if r.bad || count == 0 {
		return NewNumeric(NumFromScaled(0, scale)), nil
	}
	coef, _ := new(big.Int).SetString(string(digits), 10)
	if sign == binaryNegative {
		coef.Neg(coef)
	}
	return NewNumeric(shifted(coef, (count-1-weight)*binaryGroup).Trunc(scale)), nil
}

// shifted returns coef / 10^scale; the scale may be negative.
func shifted(coef *big.Int, scale int) Num {
	if scale < 0 {
		return NumFromBig(coef.Mul(coef, pow10(int32(-scale))), 0)
	}
	return NumFromBig(coef, int32(scale))
}

// binaryDimsMax is PostgreSQL's bound of an array's dimensions.
const binaryDimsMax = 6

func (r *binaryReader) array(t T) (Datum, error) {
	count := int(r.uint32())
	r.take(4) // whether there are NULLs
	elem := innermost(t)
	if oid := r.uint32(); !r.bad && oid != OID(elem) {
		return Null, errs.InvalidBinary.New("type", BaseName(t)).
			WithDetail("The elements are of type %d; %d is expected.", oid, OID(elem))
	}
	if count > binaryDimsMax {
		r.bad = true
	}
	if r.bad || count == 0 {
		return NewArray(*t.Elem, nil), nil
	}
	dims := make([]Dim, count)
	for i := range dims {
		dims[i] = Dim{Len: int(int32(r.uint32())), Lower: int64(int32(r.uint32()))}
	}
	return r.level(t, dims)
}

// level reads one level of an array's dimensions.
func (r *binaryReader) level(t T, dims []Dim) (Datum, error) {
	nested := t.Elem.Kind == KindArray
	const sizeMin = 4 // of an element: its length
	if nested != (len(dims) > 1) || dims[0].Len < 0 || dims[0].Len > len(r.b)/sizeMin {
		r.bad = true
		return Null, nil
	}
	values := make([]Datum, 0, dims[0].Len)
	for range dims[0].Len {
		var d Datum
		var err error
		if nested {
			d, err = r.level(*t.Elem, dims[1:])
		} else {
			d, err = r.sized(*t.Elem)
		}
		if err != nil || r.bad {
			return Null, err
		}
		values = append(values, d)
	}
	return NewArrayFrom(*t.Elem, dims[0].Lower, values), dims[0].Check()
}

func (r *binaryReader) record(t T) (Datum, error) {
	if int(r.uint32()) != len(t.Fields) {
		r.bad = true
		return Null, nil
	}
	values := make([]Datum, len(t.Fields))
	for i, f := range t.Fields {
		if r.uint32() != OID(f.Type) {
			r.bad = true
		}
		d, err := r.sized(f.Type)
		if err != nil || r.bad {
			return Null, err
		}
		values[i] = d
	}
	return NewStruct(t, values), nil
}

// sized reads a value after its length.
func (r *binaryReader) sized(t T) (Datum, error) {
	n := int32(r.uint32())
	if n == -1 {
		return Null, nil
	}
	b := r.take(int(n))
	if r.bad {
		return Null, nil
	}
	return ParseBinary(t, b)
}
