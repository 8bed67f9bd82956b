package agg

import (
	"encoding/binary"
	"math/bits"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

func addBits(r *Registry) {
	for _, b := range []struct {
		name string
		set  func(ones, n int64) bool
		doc  string
	}{
		{"bit_and", func(ones, n int64) bool { return ones == n }, "bits that are set in all values"},
		{"bit_or", func(ones, _ int64) bool { return ones > 0 }, "bits that are set in any value"},
		{"bit_xor", func(ones, _ int64) bool { return ones%2 != 0 }, "bits that are set in an odd number of values"},
	} {
		for _, t := range []types.T{types.Int2, types.Int4, types.Int8} {
			r.add(&Func{Name: b.name, Args: []types.T{t}, Ret: fixed(t), Doc: b.doc,
				Additive: func([]types.T) Accum { return &bitCounts{set: b.set} }})
		}
	}
}

// bitCounts counts for each bit the values that have it, so that a value can be taken back.
type bitCounts struct {
	set  func(ones, n int64) bool
	n    []int64
	ones [][64]int64
}

func (a *bitCounts) Grow(n int)    { a.n, a.ones = grow(a.n, n), grow(a.ones, n) }
func (a *bitCounts) Reset(s int32) { a.n[s], a.ones[s] = 0, [64]int64{} }

func (a *bitCounts) Update(slots []int32, ops []chunk.Op, rows []int32, args []*chunk.Vec) error {
	each(slots, ops, rows, func(s, i int32, sign int64) {
		a.n[s] += sign
		for v := uint64(args[0].Ints[i]); v != 0; v &= v - 1 {
			a.ones[s][bits.TrailingZeros64(v)] += sign
		}
	})
	return nil
}

func (a *bitCounts) Value(s int32) (types.Datum, error) {
	if a.n[s] == 0 {
		return types.Null, nil
	}
	v := uint64(0)
	for k, ones := range a.ones[s] {
		if a.set(ones, a.n[s]) {
			v |= 1 << k
		}
	}
	return types.NewInt(int64(v)), nil
}

func (a *bitCounts) Encode(s int32, dst []byte) []byte {
	dst = binary.AppendVarint(dst, a.n[s])
	for _, n := range a.ones[s] {
		dst = binary.AppendVarint(dst, n)
	}
	return dst
}

func (a *bitCounts) Decode(s int32, b []byte) (rest []byte, err error) {
	if a.n[s], b, err = readVarint(b); err != nil {
		return nil, err
	}
	for k := range a.ones[s] {
		if a.ones[s][k], b, err = readVarint(b); err != nil {
			return nil, err
		}
	}
	return b, nil
}
