package expr

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Arrays of arrays are rectangular in PostgreSQL: what is joined to one has the shape of what is in it, bounds included.
// RisingWave's NULL in the place of an inner array has no shape and fits everywhere.

// misfit refuses to join inner arrays of shapes a and b.
func misfit(a, b []types.Dim, what string) error {
	if len(a) == 0 || len(b) == 0 || slices.Equal(a, b) {
		return nil
	}
	return errs.ArraySubscript.New("problem", "cannot concatenate incompatible arrays").
		WithDetail("Arrays with differing %s are not compatible for concatenation.", what)
}

// innerDims are the dimensions of the arrays within argument k; none for an array of plain values.
func (r row) innerDims(k int) []types.Dim {
	if r.null(k) || r.typ(k).Elem.Kind != types.KindArray {
		return nil
	}
	dims := types.ArrayDims(r.typ(k), r.str(k))
	return dims[min(1, len(dims)):]
}

// adds reports whether argument element is joined to array as one of its elements. An empty array adds nothing to one of
// arrays.
func (r row) adds(array, element int) (bool, error) {
	if r.null(element) || r.typ(element).Kind != types.KindArray {
		return true, nil
	}
	dims := types.ArrayDims(r.typ(element), r.str(element))
	return len(dims) > 0, misfit(r.innerDims(array), dims, "dimensions")
}
