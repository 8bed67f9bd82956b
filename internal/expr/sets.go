package expr

import (
	"iter"

	"github.com/tidemark-db/tidemark/internal/types"
)

func leafType(t types.T) types.T {
	for t.Kind == types.KindArray {
		t = *t.Elem
	}
	return t
}

// leaves appends the elements of an array, those of arrays within it in their place.
func leaves(t types.T, d types.Datum, out []types.Datum) []types.Datum {
	if t.Elem.Kind != types.KindArray {
		return append(out, types.DecodeArray(*t.Elem, d.Bytes())...)
	}
	for _, inner := range types.DecodeArray(*t.Elem, d.Bytes()) {
		if !inner.IsNull() {
			out = leaves(*t.Elem, inner, out)
		}
	}
	return out
}

// addUnnest adds the functions over the elements of arrays.
func (r *Registry) addUnnest() {
	elem := func(args []types.T) types.T { return *args[0].Elem }
	r.set("unnest", in(AnyArray).outOf(func(args []types.T) types.T { return leafType(args[0]) }), func(_ *Ctx, ts []types.T, args types.Row) iter.Seq2[types.Row, error] {
		return values(leaves(ts[0], args[0], nil))
	}, "the elements of an array in all dimensions")
	r.setOf("_pg_expandarray", in(AnyArray).outOf(elem), func(args []types.T) []types.Field {
		return []types.Field{{Name: "x", Type: *args[0].Elem}, {Name: "n", Type: types.Int4}}
	}, func(_ *Ctx, ts []types.T, args types.Row) iter.Seq2[types.Row, error] {
		return func(yield func(types.Row, error) bool) {
			for i, d := range types.DecodeArray(*ts[0].Elem, args[0].Bytes()) {
				if !yield(types.Row{d, types.NewInt(int64(i + 1))}, nil) {
					return
				}
			}
		}
	}, "the elements of an array with their positions")
	subscripts := func(_ *Ctx, ts []types.T, args types.Row) iter.Seq2[types.Row, error] {
		d, _ := dim(ts[0], args[0].Bytes(), args[1].Int())
		reverse := len(args) == 3 && args[2].Bool()
		return func(yield func(types.Row, error) bool) {
			for i := range int64(d.Len) {
				v := d.Lower + i
				if reverse {
					v = d.Upper() - i
				}
				if !yield(types.Row{types.NewInt(v)}, nil) {
					return
				}
			}
		}
	}
	r.set("generate_subscripts", in(AnyArray, types.Int4).out(types.Int4), subscripts, "the positions in a dimension of an array")
	r.set("generate_subscripts", in(AnyArray, types.Int4, types.Bool).out(types.Int4), subscripts, "the positions in a dimension of an array, in reverse")
}
