package agg

import (
	"encoding/binary"
	"math/big"
	"math/bits"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// intSum adds integers in 128 bits, so that no order of changes overflows on the way.
type intSum struct {
	n      []int64
	lo     []uint64
	hi     []int64
	finish func(n, hi int64, lo uint64) (types.Datum, error) // n > 0
}

func (a *intSum) Grow(n int)    { a.n, a.lo, a.hi = grow(a.n, n), grow(a.lo, n), grow(a.hi, n) }
func (a *intSum) Reset(s int32) { a.n[s], a.lo[s], a.hi[s] = 0, 0, 0 }

func (a *intSum) Update(slots []int32, ops []chunk.Op, rows []int32, args []*chunk.Vec) error {
	v := args[0].Ints
	if ops == nil && rows == nil {
		n, los, his := a.n, a.lo, a.hi
		for k, s := range slots {
			x := v[k]
			lo, carry := bits.Add64(los[s], uint64(x), 0)
			n[s]++
			los[s] = lo
			his[s] += x>>63 + int64(carry)
		}
		return nil
	}
	each(slots, ops, rows, func(s, i int32, sign int64) {
		x := v[i]
		a.n[s] += sign
		if sign > 0 {
			lo, carry := bits.Add64(a.lo[s], uint64(x), 0)
			a.lo[s], a.hi[s] = lo, a.hi[s]+x>>63+int64(carry)
			return
		}
		lo, borrow := bits.Sub64(a.lo[s], uint64(x), 0)
		a.lo[s], a.hi[s] = lo, a.hi[s]-x>>63-int64(borrow)
	})
	return nil
}

func (a *intSum) Value(s int32) (types.Datum, error) {
	if a.n[s] == 0 {
		return types.Null, nil
	}
	return a.finish(a.n[s], a.hi[s], a.lo[s])
}

func (a *intSum) Encode(s int32, dst []byte) []byte {
	dst = binary.AppendVarint(dst, a.n[s])
	dst = binary.AppendVarint(dst, a.hi[s])
	return binary.AppendUvarint(dst, a.lo[s])
}

func (a *intSum) Decode(s int32, b []byte) (rest []byte, err error) {
	if a.n[s], b, err = readVarint(b); err != nil {
		return nil, err
	}
	if a.hi[s], b, err = readVarint(b); err != nil {
		return nil, err
	}
	lo, n := binary.Uvarint(b)
	if n <= 0 {
		return nil, corrupt()
	}
	a.lo[s] = lo
	return b[n:], nil
}

// num128 is the number hi * 2^64 + lo.
func num128(hi int64, lo uint64) types.Num {
	if hi == int64(lo)>>63 {
		return types.NumFromInt(int64(lo))
	}
	v := new(big.Int).Lsh(big.NewInt(hi), 64)
	return types.NumFromBig(v.Add(v, new(big.Int).SetUint64(lo)), 0)
}
