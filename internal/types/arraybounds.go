package types

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// An array starts at 1 unless it says otherwise: then 2 and its lower bound as a zigzag varint precede the elements. Each
// array within an array carries its own bound. An array without elements has no bounds, and an array that starts at 1
// never spells that, so that equal arrays are the same bytes. Bounds are int4 and leave room for a subscript above
// (Dim.Check).
const elementsLower = 2

// NewArrayFrom returns the array of the elements whose first one has the given subscript.
func NewArrayFrom(elem T, lower int64, values []Datum) Datum {
	if lower == 1 || len(values) == 0 {
		return NewArray(elem, values)
	}
	buf := binary.AppendVarint([]byte{elementsLower}, lower)
	return NewBytes(string(appendElements(buf, values, elem)))
}

// ArrayLower is the subscript of an array's first element, 1 for an array without elements.
func ArrayLower(s string) int64 {
	lower, _ := cutLower(s)
	return lower
}

// cutLower reads the lower bound in front of an array's elements.
func cutLower(s string) (lower int64, elements string) {
	if len(s) == 0 || s[0] != elementsLower {
		return 1, s
	}
	u, n := uvarint(s[1:])
	if n <= 0 {
		return 1, ""
	}
	return int64(u>>1) ^ -int64(u&1), s[1+n:]
}

// Dim is one dimension of an array.
type Dim struct {
	Lower int64 // the subscript of the first element
	Len   int
}

// Upper is the subscript of the last element.
func (d Dim) Upper() int64 { return d.Lower + int64(d.Len) - 1 }

// Check refuses a dimension that leaves no subscript after its last element.
func (d Dim) Check() error {
	if d.Upper() >= math.MaxInt32 {
		return errs.ArrayLowerBound.New("lower", d.Lower)
	}
	return nil
}

// ArrayDims returns the dimensions of an array of type t, from the outermost; arrays within it are taken to be like the
// first one. An array without elements has none.
func ArrayDims(t T, s string) []Dim {
	var dims []Dim
	for {
		lower, rest := cutLower(s)
		n := ArrayLen(*t.Elem, rest)
		if n == 0 {
			return dims
		}
		dims = append(dims, Dim{lower, n})
		first, _, ok := cutElement(*t.Elem, rest)
		if t.Elem.Kind != KindArray || !ok || first.IsNull() {
			return dims
		}
		t, s = *t.Elem, first.str
	}
}

// ArrayOfText is the type of an array literal that is cast to t, whose number of dimensions PostgreSQL takes from the literal:
// '{{1,2},{3,4}}'::int[] is an array of arrays.
func ArrayOfText(t T, literal string) T {
	opened := "{"
	text := strings.TrimLeft(literal, spaces)
	if strings.HasPrefix(text, "[") {
		text, _, _ = strings.Cut(text, "=")
		opened = "["
	} else {
		text = text[:len(text)-len(strings.TrimLeft(text, "{"+spaces))]
	}
	for elem := &t; elem.Kind == KindArray; elem = elem.Elem {
		text = strings.Replace(text, opened, "", 1)
	}
	for range min(strings.Count(text, opened), binaryDimsMax) {
		t = ArrayOf(t)
	}
	return t
}

// appendBounds adds [0:2]= when a dimension does not start at 1.
func appendBounds(dst []byte, t T, s string) []byte {
	dims := ArrayDims(t, s)
	for _, d := range dims {
		if d.Lower != 1 {
			return append(AppendDims(dst, dims), '=')
		}
	}
	return dst
}

// AppendDims adds the bounds of the dimensions: [1:2][0:3].
func AppendDims(dst []byte, dims []Dim) []byte {
	for _, d := range dims {
		dst = strconv.AppendInt(append(dst, '['), d.Lower, 10)
		dst = strconv.AppendInt(append(dst, ':'), d.Upper(), 10)
		dst = append(dst, ']')
	}
	return dst
}

// WithBounds returns the array with other lower bounds, one for each of its dimensions.
func WithBounds(t T, d Datum, lower []int64) Datum {
	values := DecodeArray(*t.Elem, d.str)
	if len(lower) > 1 {
		for i, v := range values {
			values[i] = WithBounds(*t.Elem, v, lower[1:])
		}
	}
	return NewArrayFrom(*t.Elem, lower[0], values)
}
