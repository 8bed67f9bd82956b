// Package keyenc has the two stored forms of values: keys, whose byte order is SQL's order, and compact rows.
//
// A key is for comparing and seeking; equal values have one key. A compact row is for reading back exactly what was
// written. Decoders never panic on bad bytes: they return TM-ENC-001.
package keyenc

import (
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
	dst = types.AppendOrdered(dst, t, d)
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
		dst = types.AppendOrdered(dst, v.Type, types.NewBool(v.Bools[i]))
	case types.PhysInt:
		dst = types.AppendOrderedInt(dst, v.Ints[i])
	case types.PhysFloat:
		dst = types.AppendOrderedFloat(dst, v.Floats[i])
	default:
		dst = types.AppendOrderedBytes(dst, v.Type, v.Strs[i])
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
