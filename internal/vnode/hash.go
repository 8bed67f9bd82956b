package vnode

import (
	"math"
	"math/bits"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/zeebo/xxh3"
)

// HashVersion names the hash below; the catalog stores it, because rows are placed by it for good.
const HashVersion = 1

// Constants of the multiply-fold: odd numbers with well-spread bits (the fractional parts of two square roots).
const (
	seed = 0x6a09e667f3bcc909
	mul  = 0x9e3779b97f4a7c15
	null = 0xbb67ae8584caa73b
)

// mix folds the 128-bit product of its arguments: 1.7 ns for a fixed-width value.
func mix(h, v uint64) uint64 {
	hi, lo := bits.Mul64(h^v, mul)
	return hi ^ lo
}

// Hash fills dst with the hash of each row of the columns. Values that are equal in SQL hash alike: numeric 1.0 and 1.00,
// -0 and 0.
func Hash(cols []*chunk.Vec, dst []uint64) {
	for i := range dst {
		dst[i] = seed
	}
	for _, v := range cols {
		hashVec(v, dst)
	}
}

func hashVec(v *chunk.Vec, dst []uint64) {
	switch v.Type.Phys() {
	case types.PhysInt:
		hashInts(v, dst)
	case types.PhysBool:
		fold(v, dst, func(i int) uint64 { return hashBool(v.Bools[i]) })
	case types.PhysFloat:
		fold(v, dst, func(i int) uint64 { return hashFloat(v.Floats[i]) })
	default:
		var scratch []byte
		fold(v, dst, func(i int) (h uint64) {
			h, scratch = hashBytes(v.Type, v.Strs[i], scratch)
			return h
		})
	}
}

// hashInts is fold for the class that most keys are of, without a call a row.
func hashInts(v *chunk.Vec, dst []uint64) {
	if v.Nulls != nil {
		fold(v, dst, func(i int) uint64 { return uint64(v.Ints[i]) })
		return
	}
	for i, x := range v.Ints[:len(dst)] {
		dst[i] = mix(dst[i], uint64(x))
	}
}

func fold(v *chunk.Vec, dst []uint64, hash func(i int) uint64) {
	for i := range dst {
		if v.IsNull(i) {
			dst[i] = mix(dst[i], null)
		} else {
			dst[i] = mix(dst[i], hash(i))
		}
	}
}

// HashDatums is Hash for a single row.
func HashDatums(ts []types.T, row types.Row) uint64 {
	h := uint64(seed)
	for i, d := range row {
		h = mix(h, hashDatum(ts[i], d))
	}
	return h
}

func hashDatum(t types.T, d types.Datum) uint64 {
	if d.IsNull() {
		return null
	}
	switch t.Phys() {
	case types.PhysBool:
		return hashBool(d.Bool())
	case types.PhysInt:
		return uint64(d.Int())
	case types.PhysFloat:
		return hashFloat(d.Float())
	}
	h, _ := hashBytes(t, d.Bytes(), nil)
	return h
}

func hashBool(x bool) uint64 {
	if x {
		return 1
	}
	return 0
}

func hashFloat(x float64) uint64 {
	if x == 0 {
		return 0 // -0 too
	}
	if x != x {
		return math.Float64bits(math.NaN()) // NaN has many bit patterns
	}
	return math.Float64bits(x)
}

// hashBytes hashes the ordered form of kinds whose equal values may have different encodings. It returns scratch for the
// next call.
func hashBytes(t types.T, s string, scratch []byte) (uint64, []byte) {
	switch t.Kind {
	case types.KindNumeric, types.KindInt256, types.KindInterval, types.KindBpchar, types.KindJSONB, types.KindArray, types.KindStruct, types.KindMap:
		scratch = types.AppendOrderedBytes(scratch[:0], t, s)
		return xxh3.Hash(scratch), scratch
	}
	return xxh3.HashString(s), scratch
}
