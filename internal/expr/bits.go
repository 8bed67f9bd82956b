package expr

import (
	"math/bits"

	"github.com/tidemark-db/tidemark/internal/types"
)

func addBits(b *builder) {
	for _, t := range []types.T{types.Int2, types.Int4, types.Int8} {
		k := t.Kind
		two, shift := in(t, t).out(t), in(t, types.Int4).out(t)
		b.op("&", two, f2(func(a, c int64) int64 { return a & c }), "bits of both")
		b.op("|", two, f2(func(a, c int64) int64 { return a | c }), "bits of either")
		b.op("#", two, f2(func(a, c int64) int64 { return a ^ c }), "bits of one but not the other")
		b.op("~", in(t).out(t), f1(func(a int64) int64 { return ^a }), "the other bits")
		width := int64(intBits(k))
		b.op("<<", shift, f2(func(a, n int64) int64 { return lowBits(k, a<<uint(n&(max(width, 32)-1))) }), "bits moved up")
		b.op(">>", shift, f2(func(a, n int64) int64 { return lowBits(k, a>>uint(n&(max(width, 32)-1))) }), "bits moved down")
	}
	b.fn("bit_count", in(types.Bytea).out(types.Int8), f1(func(s string) int64 {
		n := 0
		for i := 0; i < len(s); i++ {
			n += bits.OnesCount8(s[i])
		}
		return int64(n)
	}), "number of bits that are set")
}

// lowBits keeps the low bits that the type has.
func lowBits(k types.Kind, v int64) int64 {
	switch intBits(k) {
	case 16:
		return int64(int16(v))
	case 32:
		return int64(int32(v))
	}
	return v
}
