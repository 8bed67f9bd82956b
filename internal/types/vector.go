package types

import "strings"

// vectorWidth is the Width of the catalogs' vectors: arrays without NULLs that start at 0 and whose text is the elements
// with blanks between them.
const vectorWidth = -1

// Int2Vector and OidVector are the types of columns such as pg_index.indkey.
var (
	Int2Vector = T{Kind: KindArray, Elem: &Int2, Width: vectorWidth}
	OidVector  = T{Kind: KindArray, Elem: &Oid, Width: vectorWidth}
)

// vectorFact is what pg_type says of a vector.
type vectorFact struct {
	t        T
	oid      uint32
	arrayOID uint32
	name     string
}

var vectors = [...]vectorFact{
	{Int2Vector, 22, 1006, "int2vector"},
	{OidVector, 30, 1013, "oidvector"},
}

// Vector reports whether the type is int2vector or oidvector.
func (t T) Vector() bool { return t.Kind == KindArray && t.Width == vectorWidth }

// vectorFacts finds a vector's facts by its elements.
func vectorFacts(t T) vectorFact {
	for _, v := range vectors {
		if v.t.Elem.Kind == t.Elem.Kind {
			return v
		}
	}
	return vectorFact{}
}

// NewVector returns the vector of the elements.
func NewVector(t T, values []Datum) Datum { return NewArrayFrom(*t.Elem, 0, values) }

func appendVector(dst []byte, elem T, s string, c Ctx) []byte {
	first := true
	for d := range elements(elem, s) {
		if !first {
			dst = append(dst, ' ')
		}
		first = false
		dst = Append(dst, elem, d, c)
	}
	return dst
}

func parseVector(t T, s string, c Ctx) (Datum, error) {
	var values []Datum
	for word := range strings.FieldsSeq(s) {
		d, err := Parse(*t.Elem, word, c)
		if err != nil {
			return Null, err
		}
		values = append(values, d)
	}
	return NewVector(t, values), nil
}
