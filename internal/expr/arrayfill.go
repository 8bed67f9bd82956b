package expr

import (
	"strconv"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// arrayLenMax bounds arrays that are made by count.
const arrayLenMax = 1 << 24

func arrayFill(_ *Ctx, r row) (types.Datum, error) {
	if r.null(1) || r.n() == 3 && r.null(2) {
		return types.Null, errs.NullNotAllowed.New("problem", "dimension array or low bound array cannot be null")
	}
	dims, lower := r.list(1), int64(1)
	if r.n() == 3 {
		bounds := r.list(2)
		if len(bounds) != len(dims) {
			return types.Null, errs.ArraySubscript.New("problem", "wrong number of array subscripts").
				WithDetail("Low bound array has different size than dimensions array.")
		}
		if len(bounds) == 1 && bounds[0].IsNull() {
			return types.Null, errs.NullNotAllowed.New("problem", "dimension values cannot be null")
		}
		if len(bounds) == 1 {
			lower = bounds[0].Int()
		}
	}
	switch {
	case len(dims) == 0:
		return types.NewArray(*r.ret.Elem, nil), nil
	case len(dims) > 1:
		return types.Null, errs.Unsupported.New("feature", "array_fill with several dimensions")
	case dims[0].IsNull():
		return types.Null, errs.NullNotAllowed.New("problem", "dimension values cannot be null")
	}
	n := dims[0].Int()
	if n < 0 || n > arrayLenMax {
		return types.Null, errs.CharacterRange.New("problem", "array size exceeds the maximum allowed ("+strconv.Itoa(arrayLenMax)+")")
	}
	if err := (types.Dim{Lower: lower, Len: int(n)}).Check(); err != nil {
		return types.Null, err
	}
	out := make([]types.Datum, n)
	for i := range out {
		out[i] = r.datum(0)
	}
	return types.NewArrayFrom(*r.ret.Elem, lower, out), nil
}
