package agg

import (
	"encoding/binary"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

func addBools(r *Registry) {
	all := func(t, f int64) bool { return f == 0 }
	some := func(t, f int64) bool { return t > 0 }
	for _, b := range []struct {
		name string
		test func(t, f int64) bool
		doc  string
	}{{"bool_and", all, "whether all are true"}, {"every", all, "whether all are true"}, {"bool_or", some, "whether any is true"}} {
		r.add(&Func{Name: b.name, Args: []types.T{types.Bool}, Ret: fixed(types.Bool), Doc: b.doc,
			Additive: func([]types.T) Accum { return &bools{test: b.test} }})
	}
}

// bools counts true and false.
type bools struct {
	test func(t, f int64) bool
	n    [2][]int64
}

func (a *bools) Grow(n int)    { a.n[0], a.n[1] = grow(a.n[0], n), grow(a.n[1], n) }
func (a *bools) Reset(s int32) { a.n[0][s], a.n[1][s] = 0, 0 }

func (a *bools) Update(slots []int32, ops []chunk.Op, rows []int32, args []*chunk.Vec) error {
	each(slots, ops, rows, func(s, i int32, sign int64) {
		if args[0].Bools[i] {
			a.n[1][s] += sign
		} else {
			a.n[0][s] += sign
		}
	})
	return nil
}

func (a *bools) Value(s int32) (types.Datum, error) {
	f, t := a.n[0][s], a.n[1][s]
	if f+t == 0 {
		return types.Null, nil
	}
	return types.NewBool(a.test(t, f)), nil
}

func (a *bools) Encode(s int32, dst []byte) []byte {
	return binary.AppendVarint(binary.AppendVarint(dst, a.n[0][s]), a.n[1][s])
}

func (a *bools) Decode(s int32, b []byte) (rest []byte, err error) {
	if a.n[0][s], b, err = readVarint(b); err != nil {
		return nil, err
	}
	a.n[1][s], rest, err = readVarint(b)
	return rest, err
}
