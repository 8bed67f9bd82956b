package types

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// DecodeOrdered reads a value back from the front of its ordered encoding. Where several values share one encoding it
// gives one of them: a numeric with the fewest digits after the point (with the type's scale where it has one), char(n)
// padded to n, an interval with its days carried into months, 0 for -0. ok is false for bytes that are no encoding.
func DecodeOrdered(t T, b []byte) (d Datum, rest []byte, ok bool) {
	r := orderedReader{b: b}
	d = r.value(t)
	return d, r.b, !r.bad
}

// orderedReader takes encodings from the front of b; bad is set by bytes that are none.
type orderedReader struct {
	b   []byte
	bad bool
}

func (r *orderedReader) take(n int) []byte {
	if n > len(r.b) {
		r.bad, r.b = true, nil
		return make([]byte, n)
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *orderedReader) byte() byte { return r.take(1)[0] }

// int reads what AppendOrderedInt wrote.
func (r *orderedReader) int() int64 { return int64(binary.BigEndian.Uint64(r.take(8)) ^ 1<<63) }

func (r *orderedReader) value(t T) Datum {
	switch t.Phys() {
	case PhysBool:
		v := r.byte()
		r.bad = r.bad || v > 1
		return NewBool(v == 1)
	case PhysInt:
		return NewInt(r.int())
	case PhysFloat:
		u := binary.BigEndian.Uint64(r.take(8))
		if u>>63 == 0 {
			u = ^u
		} else {
			u ^= 1 << 63
		}
		return NewFloat(math.Float64frombits(u))
	}
	return NewBytes(r.bytes(t))
}

func (r *orderedReader) bytes(t T) string {
	switch t.Kind {
	case KindUUID:
		return string(r.take(16))
	case KindNumeric, KindInt256:
		return EncodeNumeric(r.numeric(t))
	case KindInterval:
		hi := int64(binary.BigEndian.Uint64(r.take(8)) ^ 1<<63)
		return NewInterval(r.interval(hi, binary.BigEndian.Uint64(r.take(8)))).str
	case KindBpchar:
		s := r.escaped()
		return s + strings.Repeat(" ", max(int(t.Width)-utf8.RuneCountInString(s), 0))
	case KindJSONB:
		return string(r.json(0))
	case KindArray, KindMap:
		return r.array(t)
	case KindStruct:
		values := make([]Datum, len(t.Fields))
		for i, f := range t.Fields {
			values[i] = r.element(f.Type, r.byte())
		}
		return NewStruct(t, values).str
	}
	return r.escaped()
}

func (r *orderedReader) array(t T) string {
	var values []Datum
	for {
		switch tag := r.byte(); {
		case r.bad || tag == elemEnd:
			return NewArray(*t.Elem, values).str
		case tag == elemEndLow || tag == elemEndHigh:
			return NewArrayFrom(*t.Elem, r.int(), values).str
		default:
			values = append(values, r.element(*t.Elem, tag))
		}
	}
}

func (r *orderedReader) element(t T, tag byte) Datum {
	switch tag {
	case elemNull:
		return Null
	case elemValue:
		return r.value(t)
	}
	r.bad = true
	return Null
}

// escaped reads what appendEscaped wrote.
func (r *orderedReader) escaped() string {
	var out []byte
	for i := 0; i+1 < len(r.b); i++ {
		if r.b[i] != 0 {
			continue
		}
		out = append(out, r.b[:i]...)
		switch r.b[i+1] {
		case 1:
			r.b = r.b[i+2:]
			return string(out)
		case 0xff:
			out = append(out, 0)
			r.b = r.b[i+2:]
			i = -1
		default:
			r.bad = true
			return ""
		}
	}
	r.bad, r.b = true, nil
	return ""
}

func (r *orderedReader) numeric(t T) Num {
	n := r.number()
	if t.Width > 0 && n.Finite() && n.scale < t.Scale {
		return n.rescaleUp(t.Scale)
	}
	return n
}

func (r *orderedReader) number() Num {
	switch r.byte() {
	case ordNegInf:
		return NumNegInf
	case ordPosInf:
		return NumPosInf
	case ordNaN:
		return NumNaN
	case ordZero:
		return Num{}
	case ordPositive:
		return r.digits(0)
	case ordNegative:
		return r.digits(0xff).Neg()
	}
	r.bad = true
	return Num{}
}

// digits reads exponent and digits, each byte inverted by the mask.
func (r *orderedReader) digits(mask byte) Num {
	exp := 0
	switch e := r.byte() ^ mask; e {
	case 1, 255:
		var long [4]byte
		for i, c := range r.take(4) {
			long[i] = c ^ mask
		}
		exp = int(int32(binary.BigEndian.Uint32(long[:]) ^ 1<<31))
	default:
		exp = int(e) - expBias
	}
	var text []byte
	for {
		c := r.byte() ^ mask
		if r.bad || c == 0 {
			break
		}
		r.bad = c > 100
		text = append(text, '0'+(c-1)/10, '0'+(c-1)%10)
	}
	for len(text) > 0 && text[len(text)-1] == '0' {
		text = text[:len(text)-1]
	}
	scale := len(text) - exp
	if r.bad || len(text) == 0 || scale > numericScaleMax || scale < -numericDigitsMax {
		r.bad = true
		return Num{}
	}
	coef, _ := new(big.Int).SetString(string(text), 10)
	return shifted(coef, scale)
}

// interval makes the interval of a length: whole months first, then days, then time.
func (r *orderedReader) interval(hi int64, lo uint64) Iv {
	sign := int64(1)
	if hi < 0 {
		sign = -1
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi = -hi - int64(borrow)
	}
	if uint64(hi) >= microsDay {
		r.bad = true
		return Iv{}
	}
	days, micros := bits.Div64(uint64(hi), lo, microsDay)
	months := min(days/daysMonth, math.MaxInt32)
	days -= months * daysMonth
	more := uint64(0) // days that fit neither field
	if days > math.MaxInt32 {
		more, days = days-math.MaxInt32, math.MaxInt32
	}
	return Iv{
		Months: int32(sign * int64(months)), Days: int32(sign * int64(days)), Micros: sign * int64(more*microsDay+micros),
	}
}

// json reads one value; depth bounds the nesting of bytes that are not ours.
func (r *orderedReader) json(depth int) JSON {
	const emptyTop, first = 1, 2
	rank := r.byte()
	if rank == emptyTop && depth == 0 {
		return "[]"
	}
	switch JSONKind(rank - first) {
	case JSONNull:
		return "null"
	case JSONString:
		return JSONStringOf(r.escaped())
	case JSONNumber:
		if n := r.number(); n.Finite() {
			return JSONNumberOf(n)
		}
	case JSONBool:
		return JSONBoolOf(r.byte() == 1)
	case JSONArray, JSONObject:
		if depth <= jsonDepthMax {
			return r.jsonMembers(depth, JSONKind(rank-first))
		}
	}
	r.bad = true
	return "null"
}

func (r *orderedReader) jsonMembers(depth int, kind JSONKind) JSON {
	count := int(binary.BigEndian.Uint32(r.take(4)))
	if r.bad = r.bad || count > len(r.b); r.bad { // a member has at least one byte
		return "null"
	}
	var values []JSON
	var fields []JSONField
	for range count {
		if kind == JSONArray {
			values = append(values, r.json(depth+1))
		} else {
			fields = append(fields, JSONField{r.escaped(), r.json(depth + 1)})
		}
		if r.bad {
			return "null"
		}
	}
	if kind == JSONArray {
		return JSONArrayOf(values)
	}
	sorted := slices.IsSortedFunc(fields, func(a, b JSONField) int { return compareKeys(a.Key, b.Key) })
	r.bad = r.bad || !sorted
	return JSONObjectOf(fields)
}
