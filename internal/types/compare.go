package types

import (
	"cmp"
	"strings"
)

// Compare orders two values of a type that are not NULL as PostgreSQL does under collation C: NaN is above all numbers,
// char(n) ignores blanks at the end, months have 30 days and days 24 hours, and within arrays and structs NULL equals
// NULL and is above all values. The result is negative, 0 or positive.
func Compare(t T, a, b Datum) int {
	switch t.Phys() {
	case PhysBool, PhysInt:
		return cmp.Compare(a.Int(), b.Int())
	case PhysFloat:
		return CompareFloat(a.Float(), b.Float())
	}
	return CompareBytes(t, a.str, b.str)
}

// Equal reports whether two values that are not NULL compare equal.
func Equal(t T, a, b Datum) bool { return a == b || Compare(t, a, b) == 0 }

// CompareNull is Compare with NULLs, which equal each other and are above all values.
func CompareNull(t T, a, b Datum) int {
	switch {
	case a.ok && b.ok:
		return Compare(t, a, b)
	case a.ok:
		return -1
	case b.ok:
		return 1
	}
	return 0
}

// CompareFloat orders doubles; NaN equals itself and is above all others.
func CompareFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b:
		return 0
	}
	return cmp.Compare(orderedFloat(a), orderedFloat(b))
}

// CompareBytes is Compare for the Bytes class.
func CompareBytes(t T, a, b string) int {
	switch t.Kind {
	case KindNumeric, KindInt256:
		return DecodeNumeric(a).Cmp(DecodeNumeric(b))
	case KindBpchar:
		return strings.Compare(trimBlanks(a), trimBlanks(b))
	case KindInterval:
		return decodeInterval(a).Cmp(decodeInterval(b))
	case KindJSONB:
		return compareJSON(JSON(a), JSON(b), true)
	case KindArray, KindMap:
		return compareArrays(*t.Elem, a, b)
	case KindStruct:
		return compareStructs(t, a, b)
	}
	return strings.Compare(a, b)
}

func trimBlanks(s string) string { return strings.TrimRight(s, " ") }

func compareArrays(elem T, a, b string) int {
	x, y := DecodeArray(elem, a), DecodeArray(elem, b)
	for i := range min(len(x), len(y)) {
		if c := CompareNull(elem, x[i], y[i]); c != 0 {
			return c
		}
	}
	if len(x) != len(y) {
		return len(x) - len(y)
	}
	return cmp.Compare(ArrayLower(a), ArrayLower(b))
}

func compareStructs(t T, a, b string) int {
	x, y := DecodeStruct(t, a), DecodeStruct(t, b)
	for i, f := range t.Fields {
		if c := CompareNull(f.Type, x[i], y[i]); c != 0 {
			return c
		}
	}
	return 0
}
