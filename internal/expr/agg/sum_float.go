package agg

import (
	"encoding/binary"
	"math"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// floatSum adds doubles exactly.
type floatSum struct {
	n      []int64
	sums   []exactSum
	finish func(n int64, sum float64) (types.Datum, error)
}

func (a *floatSum) Grow(n int)    { a.n, a.sums = grow(a.n, n), grow(a.sums, n) }
func (a *floatSum) Reset(s int32) { a.n[s], a.sums[s] = 0, exactSum{} }

func (a *floatSum) Update(slots []int32, ops []chunk.Op, rows []int32, args []*chunk.Vec) error {
	v := args[0].Floats
	for k, s := range slots {
		i := int32(k)
		if rows != nil {
			i = rows[k]
		}
		d := sign(ops, i)
		a.n[s] += d
		a.sums[s].add(v[i], d)
	}
	return nil
}

func (a *floatSum) Value(s int32) (types.Datum, error) {
	if a.n[s] == 0 {
		return types.Null, nil
	}
	return a.finish(a.n[s], a.sums[s].value())
}

func (a *floatSum) Encode(s int32, dst []byte) []byte {
	return a.sums[s].encode(binary.AppendVarint(dst, a.n[s]))
}

func (a *floatSum) Decode(s int32, b []byte) (rest []byte, err error) {
	if a.n[s], b, err = readVarint(b); err != nil {
		return nil, err
	}
	return a.sums[s].decode(b)
}

func realSum(_ int64, s float64) (types.Datum, error) {
	f := float64(float32(s))
	if math.IsInf(f, 0) && !math.IsInf(s, 0) {
		return types.Null, errs.FloatRange.New("direction", "overflow")
	}
	return types.NewFloat(f), nil
}

// intervalSum adds intervals field by field, in 64 bits, so that only the result can overflow.
type intervalSum struct {
	mean                    bool
	n, months, days, micros []int64
}

func (a *intervalSum) Grow(n int) {
	a.n, a.months, a.days, a.micros = grow(a.n, n), grow(a.months, n), grow(a.days, n), grow(a.micros, n)
}

func (a *intervalSum) Reset(s int32) { a.n[s], a.months[s], a.days[s], a.micros[s] = 0, 0, 0, 0 }

func (a *intervalSum) Update(slots []int32, ops []chunk.Op, rows []int32, args []*chunk.Vec) error {
	each(slots, ops, rows, func(s, i int32, sign int64) {
		v := types.NewBytes(args[0].Strs[i]).Interval()
		a.n[s] += sign
		a.months[s] += sign * int64(v.Months)
		a.days[s] += sign * int64(v.Days)
		a.micros[s] += sign * v.Micros
	})
	return nil
}

func (a *intervalSum) Value(s int32) (types.Datum, error) {
	if a.n[s] == 0 {
		return types.Null, nil
	}
	v := types.Iv{Months: int32(a.months[s]), Days: int32(a.days[s]), Micros: a.micros[s]}
	if int64(v.Months) != a.months[s] || int64(v.Days) != a.days[s] {
		return types.Null, errs.DatetimeOutOfRange.New("what", "interval out of range")
	}
	if a.mean {
		m, err := v.Div(float64(a.n[s]))
		return types.NewInterval(m), err
	}
	return types.NewInterval(v), nil
}

func (a *intervalSum) Encode(s int32, dst []byte) []byte {
	for _, v := range [...]int64{a.n[s], a.months[s], a.days[s], a.micros[s]} {
		dst = binary.AppendVarint(dst, v)
	}
	return dst
}

func (a *intervalSum) Decode(s int32, b []byte) (rest []byte, err error) {
	for _, v := range [...]*int64{&a.n[s], &a.months[s], &a.days[s], &a.micros[s]} {
		if *v, b, err = readVarint(b); err != nil {
			return nil, err
		}
	}
	return b, nil
}
