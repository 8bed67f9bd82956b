package agg

import (
	"bytes"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/types"
)

func addExtremes(r *Registry) {
	for _, e := range []struct {
		name string
		sign int
		doc  string
	}{{"min", -1, "smallest value"}, {"max", 1, "largest value"}} {
		r.add(&Func{
			Name: e.name, Args: []types.T{expr.AnyElement}, Ret: firstArg, Doc: e.doc,
			Ordered:    &Ordered{First: true, Desc: e.sign > 0, Finish: firstInput},
			AppendOnly: func(args []types.T) Accum { return newExtreme(args[0], e.sign) },
		})
	}
}

// firstInput is the first input in order.
func firstInput(_ *expr.Ctx, _ []types.T, next func() (types.Row, int64, bool)) (types.Datum, error) {
	row, _, ok := next()
	if !ok {
		return types.Null, nil
	}
	return row[len(row)-1], nil
}

// extreme keeps the largest or smallest value of inputs that are never deleted.
type extreme struct {
	t     types.T
	sign  int
	found []bool
	ints  []int64 // the Int class
	other []types.Datum
}

func newExtreme(t types.T, sign int) *extreme { return &extreme{t: t, sign: sign} }

func (a *extreme) Grow(n int) {
	a.found = grow(a.found, n)
	if a.t.Phys() == types.PhysInt {
		a.ints = grow(a.ints, n)
	} else {
		a.other = grow(a.other, n)
	}
}

func (a *extreme) Reset(s int32) { a.set(s, types.Null) }

func (a *extreme) set(s int32, d types.Datum) {
	a.found[s] = !d.IsNull()
	if a.ints != nil {
		a.ints[s] = d.Int()
	} else {
		a.other[s] = d
	}
}

func (a *extreme) Update(slots []int32, _ []chunk.Op, rows []int32, args []*chunk.Vec) error {
	if a.ints == nil {
		each(slots, nil, rows, func(s, i int32, _ int64) {
			d := args[0].Datum(int(i))
			if !a.found[s] || a.better(d, a.other[s]) {
				a.found[s], a.other[s] = true, d
			}
		})
		return nil
	}
	v := args[0].Ints
	each(slots, nil, rows, func(s, i int32, _ int64) {
		x := v[i]
		if !a.found[s] || a.sign > 0 && x > a.ints[s] || a.sign < 0 && x < a.ints[s] {
			a.found[s], a.ints[s] = true, x
		}
	})
	return nil
}

// better reports whether d takes the place of the value that was found. Of equal values that print differently the one
// with the smallest row is taken, as where the inputs are kept in order.
func (a *extreme) better(d, found types.Datum) bool {
	if c := types.Compare(a.t, d, found); c != 0 || d == found {
		return c*a.sign > 0
	}
	return bytes.Compare(a.row(d), a.row(found)) < 0
}

func (a *extreme) row(d types.Datum) []byte {
	return keyenc.AppendDatums(nil, []types.T{a.t}, types.Row{d})
}

func (a *extreme) Value(s int32) (types.Datum, error) {
	switch {
	case !a.found[s]:
		return types.Null, nil
	case a.ints != nil:
		return types.NewInt(a.ints[s]), nil
	}
	return a.other[s], nil
}

func (a *extreme) Encode(s int32, dst []byte) []byte {
	d, _ := a.Value(s) // never fails
	return appendBytes(dst, string(a.row(d)))
}

func (a *extreme) Decode(s int32, b []byte) (rest []byte, err error) {
	enc, rest, err := readBytes(b)
	if err != nil {
		return nil, err
	}
	row, err := keyenc.DecodeRow([]types.T{a.t}, enc)
	if err != nil {
		return nil, err
	}
	a.set(s, row[0])
	return rest, nil
}
