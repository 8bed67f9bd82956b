package agg

import (
	"encoding/binary"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// numSum adds numerics exactly. It counts the inputs of each display scale, so that the sum shows the largest scale
// of those that are left after deletes; NaN and the infinities are counted aside.
type numSum struct {
	states []numState
	finish func(n int64, sum types.Num) (types.Datum, error)
}

type numState struct {
	n               int64
	sum             types.Num
	scales          []scaleCount // sorted, counts not 0
	nan, pinf, ninf int64
}

type scaleCount struct {
	scale int32
	n     int64
}

func (s *numState) add(v types.Num, sign int64) {
	s.n += sign
	switch {
	case v.NaN():
		s.nan += sign
		return
	case v.Inf() && v.Sign() > 0:
		s.pinf += sign
		return
	case v.Inf():
		s.ninf += sign
		return
	}
	s.count(v.Scale(), sign)
	if sign < 0 {
		v = v.Neg()
	}
	s.sum = s.sum.Add(v)
	if len(s.scales) == 0 && s.sum.Zero() { // within an epoch a delete may come before its insert
		s.sum = types.Num{}
	}
}

func (s *numState) count(scale int32, sign int64) {
	i := 0
	for i < len(s.scales) && s.scales[i].scale < scale {
		i++
	}
	if i == len(s.scales) || s.scales[i].scale != scale {
		s.scales = append(s.scales, scaleCount{})
		copy(s.scales[i+1:], s.scales[i:])
		s.scales[i] = scaleCount{scale: scale}
	}
	if s.scales[i].n += sign; s.scales[i].n == 0 {
		s.scales = append(s.scales[:i], s.scales[i+1:]...)
	}
}

// total is the sum as it is shown.
func (s *numState) total() types.Num {
	switch {
	case s.nan > 0 || s.pinf > 0 && s.ninf > 0:
		return types.NumNaN
	case s.pinf > 0:
		return types.NumPosInf
	case s.ninf > 0:
		return types.NumNegInf
	case len(s.scales) == 0:
		return types.Num{}
	}
	return s.sum.Round(s.scales[len(s.scales)-1].scale)
}

func (s *numState) encode(dst []byte) []byte {
	for _, v := range [...]int64{s.n, s.nan, s.pinf, s.ninf, int64(len(s.scales))} {
		dst = binary.AppendVarint(dst, v)
	}
	for _, c := range s.scales {
		dst = binary.AppendVarint(binary.AppendVarint(dst, int64(c.scale)), c.n)
	}
	return appendBytes(dst, types.EncodeNumeric(s.total0()))
}

// total0 is the finite part at the scale that is left.
func (s *numState) total0() types.Num {
	if len(s.scales) == 0 {
		return types.Num{}
	}
	return s.sum.Round(s.scales[len(s.scales)-1].scale)
}

func (s *numState) decode(b []byte) (rest []byte, err error) {
	var n int64
	for _, v := range [...]*int64{&s.n, &s.nan, &s.pinf, &s.ninf, &n} {
		if *v, b, err = readVarint(b); err != nil {
			return nil, err
		}
	}
	s.scales = nil
	for range n {
		var scale, k int64
		if scale, b, err = readVarint(b); err != nil {
			return nil, err
		}
		if k, b, err = readVarint(b); err != nil {
			return nil, err
		}
		s.scales = append(s.scales, scaleCount{int32(scale), k})
	}
	text, b, err := readBytes(b)
	s.sum = types.DecodeNumeric(string(text))
	return b, err
}

func (a *numSum) Grow(n int)    { a.states = grow(a.states, n) }
func (a *numSum) Reset(s int32) { a.states[s] = numState{} }

func (a *numSum) Update(slots []int32, ops []chunk.Op, rows []int32, args []*chunk.Vec) error {
	each(slots, ops, rows, func(s, i int32, sign int64) {
		a.states[s].add(types.DecodeNumeric(args[0].Strs[i]), sign)
	})
	return nil
}

func (a *numSum) Value(s int32) (types.Datum, error) {
	st := &a.states[s]
	if st.n == 0 {
		return types.Null, nil
	}
	return a.finish(st.n, st.total())
}

func (a *numSum) Encode(s int32, dst []byte) []byte                 { return a.states[s].encode(dst) }
func (a *numSum) Decode(s int32, b []byte) (rest []byte, err error) { return a.states[s].decode(b) }
