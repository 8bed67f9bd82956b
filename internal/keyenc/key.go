// Package keyenc has the two stored forms of values: keys, whose byte order is SQL's order, and compact rows.
//
// A key is for comparing and seeking; equal values have one key. A compact row is for reading back exactly what was
// written. Decoders never panic on bad bytes: they return TM-ENC-001.
package keyenc

import (
	"encoding/binary"
	"math"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Order is how a column is sorted. The zero value is ascending with NULL last, PostgreSQL's default.
type Order struct {
	Desc       bool
	NullsFirst bool
}

// Markers before a value; NULL sorts before or after all values whatever the direction.
const (
	nullFirst = 0x01
	notNull   = 0x02
	nullLast  = 0x03
)

// AppendKey adds the key of a value.
func AppendKey(dst []byte, t types.T, d types.Datum, o Order) []byte {
	if d.IsNull() {
		return append(dst, o.nullMarker())
	}
	dst = append(dst, notNull)
	from := len(dst)
	switch t.Phys() {
	case types.PhysBool:
		dst = appendBool(dst, d.Bool())
	case types.PhysInt:
		dst = appendInt(dst, d.Int())
	case types.PhysFloat:
		dst = appendFloat(dst, d.Float())
	default:
		dst = appendBytes(dst, t, d.Bytes())
	}
	if o.Desc {
		invert(dst[from:])
	}
	return dst
}

// AppendKeyVec adds the key of value i of a column.
func AppendKeyVec(dst []byte, v *chunk.Vec, i int, o Order) []byte {
	if v.IsNull(i) {
		return append(dst, o.nullMarker())
	}
	dst = append(dst, notNull)
	from := len(dst)
	switch v.Type.Phys() {
	case types.PhysBool:
		dst = appendBool(dst, v.Bools[i])
	case types.PhysInt:
		dst = appendInt(dst, v.Ints[i])
	case types.PhysFloat:
		dst = appendFloat(dst, v.Floats[i])
	default:
		dst = appendBytes(dst, v.Type, v.Strs[i])
	}
	if o.Desc {
		invert(dst[from:])
	}
	return dst
}

func (o Order) nullMarker() byte {
	if o.NullsFirst {
		return nullFirst
	}
	return nullLast
}

func invert(b []byte) {
	for i := range b {
		b[i] = ^b[i]
	}
}

func appendBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, 1)
	}
	return append(dst, 0)
}

// appendInt flips the sign bit, so that negative numbers sort first.
func appendInt(dst []byte, v int64) []byte {
	return binary.BigEndian.AppendUint64(dst, uint64(v)^1<<63)
}

// appendFloat orders floats as PostgreSQL: -Infinity first, NaN after Infinity, -0 equal to 0.
func appendFloat(dst []byte, v float64) []byte {
	if v == 0 {
		v = 0
	}
	b := math.Float64bits(v)
	if b>>63 != 0 {
		b = ^b
	} else {
		b |= 1 << 63
	}
	return binary.BigEndian.AppendUint64(dst, b)
}

// appendBytes adds the ordered form of a Bytes kind, ended so that no key is a prefix of another.
func appendBytes(dst []byte, t types.T, s string) []byte {
	if types.CanonicalOrder(t) {
		return appendEscaped(dst, s)
	}
	return types.AppendOrdered(dst, t, types.NewBytes(s))
}

// appendEscaped writes 0x00 as 0x00 0xff and ends with 0x00 0x01.
func appendEscaped(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		dst = append(dst, s[i])
		if s[i] == 0 {
			dst = append(dst, 0xff)
		}
	}
	return append(dst, 0, 1)
}
