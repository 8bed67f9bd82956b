package expr

import (
	"slices"
	"strconv"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// What UPDATE t SET a[1] = v computes: the array with an element or a slice of it replaced. An array grows at either end,
// with NULL in between; one of arrays keeps its shape.

func addArrayAssign(b *builder) {
	b.syntax("array with element", in(AnyArray, types.Int4, AnyElement).outArg(0), fn(func(_ *Ctx, r row) (types.Datum, error) {
		return r.withElements(r.int(1), r.int(1), []types.Datum{r.datum(2)}, r.null(1))
	}), "the array with another element at a position").nulls()
	b.syntax("array with slice", in(AnyArray, types.Int4, types.Int4, AnyArray).outArg(0), fn(arrayWithSlice),
		"the array with other elements between two positions, NULL for its own bound").nulls()
}

func arrayWithSlice(_ *Ctx, r row) (types.Datum, error) {
	if r.null(3) {
		return r.datum(0), nil
	}
	have, lower := r.bounded(0)
	lo, hi := lower, lower+int64(len(have))-1
	if len(have) == 0 && (r.null(1) || r.null(2)) {
		return types.Null, errs.ArraySubscript.New("problem", "array slice subscript must provide both boundaries").
			WithDetail("When assigning to a slice of an empty array value, slice boundaries must be fully specified.")
	}
	if !r.null(1) {
		lo = r.int(1)
	}
	if !r.null(2) {
		hi = r.int(2)
	}
	given := r.list(3)
	switch {
	case lo > hi:
		return types.Null, errs.ArraySubscript.New("problem", "upper bound cannot be less than lower bound")
	case int64(len(given)) < hi-lo+1:
		return types.Null, errs.ArraySubscript.New("problem", "source array too small")
	}
	return r.withElements(lo, hi, given, false)
}

// bounded are the elements of an array argument, none for NULL, and the subscript of the first.
func (r row) bounded(k int) (values []types.Datum, lower int64) {
	if r.null(k) {
		return nil, 1
	}
	return r.list(k), types.ArrayLower(r.str(k))
}

// withElements puts values at lo to hi of the array that is argument 0.
func (r row) withElements(lo, hi int64, given []types.Datum, unknown bool) (types.Datum, error) {
	if unknown {
		return types.Null, errs.NullNotAllowed.New("problem", "array subscript in assignment must not be null")
	}
	have, lower := r.bounded(0)
	if len(have) == 0 {
		lower = lo
	}
	end := lower + int64(len(have))
	from, to := min(lo, lower), max(hi+1, end)
	if err := r.keepsShape(given, from < lower || to > end); err != nil {
		return types.Null, err
	}
	if to-from > arrayLenMax {
		return types.Null, errs.CharacterRange.New("problem", "array size exceeds the maximum allowed ("+strconv.Itoa(arrayLenMax)+")")
	}
	if err := (types.Dim{Lower: from, Len: int(to - from)}).Check(); err != nil {
		return types.Null, err
	}
	out := make([]types.Datum, to-from)
	for i := range out {
		out[i] = types.Null
	}
	copy(out[lower-from:], have)
	copy(out[lo-from:], given[:hi-lo+1])
	return types.NewArrayFrom(r.elem(0), from, out), nil
}

// keepsShape refuses inner arrays that are not like those that are there, and an array of arrays that would grow.
func (r row) keepsShape(given []types.Datum, grows bool) error {
	if r.elem(0).Kind != types.KindArray || r.null(0) {
		return nil
	}
	inner := r.innerDims(0)
	if len(inner) == 0 {
		return nil
	}
	for _, v := range given {
		var dims []types.Dim
		if !v.IsNull() {
			dims = types.ArrayDims(r.elem(0), v.Bytes())
		}
		if grows || !slices.Equal(dims, inner) {
			return errs.ArraySubscript.New("problem", "array subscript out of range")
		}
	}
	return nil
}
