// Package types has the SQL types and their values: what a type is, how its values compare, print, parse and travel
// on the wire. Storage, hashing and chunks need only the physical class of a type; semantics live here.
package types

import "slices"

// Kind is the SQL type without its modifiers.
type Kind uint8

const (
	KindUnknown Kind = iota // an untyped literal or NULL before it is resolved
	KindBool
	KindInt2
	KindInt4
	KindInt8
	KindFloat4
	KindFloat8
	KindNumeric
	KindText
	KindVarchar
	KindBpchar // char(n)
	KindBytea
	KindDate        // days since 2000-01-01
	KindTime        // microseconds since midnight
	KindTimestamp   // microseconds since 2000-01-01, no zone
	KindTimestamptz // microseconds since 2000-01-01 UTC
	KindInterval
	KindUUID
	KindJSONB
	KindOid
	KindName
	KindArray  // T.Elem
	KindStruct // T.Fields
	KindVoid
	KindRegclass
	KindRegtype
	KindRegproc
	KindRegnamespace
	KindChar // "char", one byte, as in the catalogs
	KindMap  // T.Elem is the struct of key and value
	KindInt256
)

// Phys is how values of a kind are held in memory.
type Phys uint8

const (
	PhysBool  Phys = iota
	PhysInt        // int64
	PhysFloat      // float64
	PhysBytes      // a Go string holding the kind's canonical encoding
)

// Phys returns the physical class of the kind. It is asked for each value of a row.
func (k Kind) Phys() Phys { return physical[k] }

var physical = func() (p [256]Phys) {
	for k := range p {
		p[k] = PhysBytes
	}
	p[KindBool] = PhysBool
	for _, k := range []Kind{KindInt2, KindInt4, KindInt8, KindDate, KindTime, KindTimestamp, KindTimestamptz,
		KindOid, KindRegclass, KindRegtype, KindRegproc, KindRegnamespace} {
		p[k] = PhysInt
	}
	p[KindFloat4], p[KindFloat8] = PhysFloat, PhysFloat
	return p
}()

// T is a type with its modifiers. It is a small value; compare with Equal, which ignores nothing.
type T struct {
	Kind   Kind
	Width  int32   // varchar(n), char(n): n; numeric: precision; interval: fields; 0 when unconstrained. Fractional digits are in Scale
	Scale  int32   // numeric(p,s): s; time types: precision + 1 when given, else 0
	Elem   *T      // element type of an array, entry of a map
	Fields []Field // of a struct
}

// Field is a named column of a struct, relation or plan node.
type Field struct {
	Name string
	Type T
}

// The types without modifiers.
var (
	Unknown     = T{Kind: KindUnknown}
	Bool        = T{Kind: KindBool}
	Int2        = T{Kind: KindInt2}
	Int4        = T{Kind: KindInt4}
	Int8        = T{Kind: KindInt8}
	Float4      = T{Kind: KindFloat4}
	Float8      = T{Kind: KindFloat8}
	Numeric     = T{Kind: KindNumeric}
	Text        = T{Kind: KindText}
	Varchar     = T{Kind: KindVarchar}
	Bpchar      = T{Kind: KindBpchar}
	Bytea       = T{Kind: KindBytea}
	Date        = T{Kind: KindDate}
	Time        = T{Kind: KindTime}
	Timestamp   = T{Kind: KindTimestamp}
	Timestamptz = T{Kind: KindTimestamptz}
	Interval    = T{Kind: KindInterval}
	UUID        = T{Kind: KindUUID}
	JSONB       = T{Kind: KindJSONB}
	Oid         = T{Kind: KindOid}
	Name        = T{Kind: KindName}
	Void        = T{Kind: KindVoid}
	Int256      = T{Kind: KindInt256}
)

// FieldTypes returns the types of the fields.
func FieldTypes(fs []Field) []T {
	out := make([]T, len(fs))
	for i, f := range fs {
		out[i] = f.Type
	}
	return out
}

// ArrayOf returns the array type of elem. Arrays of arrays are one type with nested values, as in RisingWave.
func ArrayOf(elem T) T { return T{Kind: KindArray, Elem: &elem} }

// StructOf returns the struct type of the fields.
func StructOf(fields ...Field) T { return T{Kind: KindStruct, Fields: fields} }

// Phys returns the physical class of the type's values.
func (t T) Phys() Phys { return t.Kind.Phys() }

// Equal reports whether both are the same type with the same modifiers.
func (t T) Equal(u T) bool {
	return t.Width == u.Width && t.Scale == u.Scale && t.SameKind(u)
}

// Exact reports whether values of the type that compare equal are one datum, and so print alike.
func (t T) Exact() bool {
	switch t.Kind {
	case KindFloat4, KindFloat8, KindInterval, KindJSONB:
		return false
	case KindNumeric, KindBpchar:
		return t.Width > 0 // the scale is the type's, blanks fill up to its length
	case KindArray, KindMap:
		return t.Elem.Exact()
	}
	return !slices.ContainsFunc(t.Fields, func(f Field) bool { return !f.Type.Exact() })
}

// SameKind reports whether both are the same type, modifiers aside.
func (t T) SameKind(u T) bool {
	if t.Kind != u.Kind {
		return false
	}
	if t.Kind == KindArray || t.Kind == KindMap {
		return t.Elem.SameKind(*u.Elem)
	}
	return slices.EqualFunc(t.Fields, u.Fields, func(a, b Field) bool { return a.Name == b.Name && a.Type.SameKind(b.Type) })
}
