package agg

import (
	"encoding/binary"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/types"
)

func addCount(r *Registry) {
	additive := func([]types.T) Accum { return &count{} }
	r.add(&Func{Name: "count", Ret: fixed(types.Int8), Additive: additive, NullsIn: true, Doc: "number of rows"})
	r.add(&Func{Name: "count", Args: []types.T{expr.Any}, Ret: fixed(types.Int8), Additive: additive, Doc: "number of rows in which the argument is not NULL"})
	r.add(&Func{Name: "approx_count_distinct", Args: []types.T{expr.Any}, Ret: fixed(types.Int8), Ordered: &Ordered{Finish: countDistinct},
		Doc: "number of distinct values (exact)"})
}

// count counts rows.
type count struct{ n []int64 }

func (a *count) Grow(n int)    { a.n = grow(a.n, n) }
func (a *count) Reset(s int32) { a.n[s] = 0 }

func (a *count) Update(slots []int32, ops []chunk.Op, rows []int32, _ []*chunk.Vec) error {
	if ops == nil {
		for _, s := range slots {
			a.n[s]++
		}
		return nil
	}
	if rows == nil {
		for k, s := range slots {
			a.n[s] += int64(ops[k])
		}
		return nil
	}
	for k, s := range slots {
		a.n[s] += int64(ops[rows[k]])
	}
	return nil
}

func (a *count) Value(s int32) (types.Datum, error) { return types.NewInt(a.n[s]), nil }
func (a *count) Encode(s int32, dst []byte) []byte  { return binary.AppendVarint(dst, a.n[s]) }
func (a *count) Decode(s int32, b []byte) (rest []byte, err error) {
	a.n[s], rest, err = readVarint(b)
	return rest, err
}

func countDistinct(_ *expr.Ctx, args []types.T, next func() (types.Row, int64, bool)) (types.Datum, error) {
	n, last := int64(0), types.Null
	for row, _, ok := next(); ok; row, _, ok = next() {
		d := row[len(row)-1]
		if last.IsNull() || !types.Equal(args[0], d, last) {
			n++
		}
		last = d
	}
	return types.NewInt(n), nil
}
