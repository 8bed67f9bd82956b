package types

import "math"

// Datum is one SQL value. It is comparable: two datums of one type are the same SQL value if and only if they are ==,
// because Bytes kinds hold canonical encodings and NaN has one bit pattern. (Numeric 1.0 and 1.00 are different datums
// that compare equal; keys and groups use the key encoding, which has one form for both.) The zero Datum is NULL.
type Datum struct {
	str  string
	bits uint64
	ok   bool
}

// Null is SQL's NULL of any type.
var Null = Datum{}

// NewBool, NewInt, NewFloat and NewBytes make values of the four physical classes.
func NewBool(v bool) Datum {
	if v {
		return Datum{bits: 1, ok: true}
	}
	return Datum{ok: true}
}

func NewInt(v int64) Datum { return Datum{bits: uint64(v), ok: true} }

func NewFloat(v float64) Datum {
	if v != v {
		v = math.NaN()
	}
	return Datum{bits: math.Float64bits(v), ok: true}
}

func NewBytes(v string) Datum { return Datum{str: v, ok: true} }

// IsNull reports whether the value is NULL.
func (d Datum) IsNull() bool { return !d.ok }

// Bool, Int, Float and Bytes read a value of their class; the caller knows the type and that it is not NULL.
func (d Datum) Bool() bool     { return d.bits != 0 }
func (d Datum) Int() int64     { return int64(d.bits) }
func (d Datum) Float() float64 { return math.Float64frombits(d.bits) }
func (d Datum) Bytes() string  { return d.str }

// Row is a sequence of values; its types are known to whoever holds it.
type Row []Datum
