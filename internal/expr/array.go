package expr

import (
	"math"
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Arrays are one-dimensional; an array of arrays is a value of its own kind. As RisingWave and unlike
// PostgreSQL, a[i] of an array of arrays is an array.

func addArrays(b *builder) {
	addArraySyntax(b)
	addArrayAssign(b)
	addArrayShape(b)
	addArrayJoin(b)
	addArraySearch(b)
	addArrayText(b)
}

func addArraySyntax(b *builder) {
	b.syntax("array", in(AnyElement).many().outOf(func(args []types.T) types.T { return types.ArrayOf(args[0]) }),
		fn(func(_ *Ctx, r row) (types.Datum, error) {
			out := make([]types.Datum, r.n())
			for k := range out {
				out[k] = r.datum(k)
			}
			return types.NewArray(*r.ret.Elem, out), nil
		}).total(), "array of the elements").nulls()
	elem := func(args []types.T) types.T { return *args[0].Elem }
	b.syntax("subscript", in(AnyArray, types.Int4).outOf(elem), fn(func(_ *Ctx, r row) (types.Datum, error) {
		values := r.list(0)
		i := r.int(1) - types.ArrayLower(r.str(0))
		if i < 0 || i >= int64(len(values)) {
			return types.Null, nil
		}
		return values[i], nil
	}).total(), "element at a position, from the lower bound; NULL outside")
	b.syntax("slice", in(AnyArray, types.Int4, types.Int4).outArg(0), fn(func(_ *Ctx, r row) (types.Datum, error) {
		if r.null(0) {
			return types.Null, nil
		}
		values := r.list(0)
		first := types.ArrayLower(r.str(0))
		lo, hi := int64(0), int64(len(values))
		if !r.null(1) {
			lo = max(r.int(1)-first, 0)
		}
		if !r.null(2) {
			hi = min(r.int(2)-first+1, hi)
		}
		if lo >= hi {
			return types.NewArray(r.elem(0), nil), nil
		}
		return types.NewArray(r.elem(0), values[lo:hi]), nil
	}).total(), "elements between two positions, NULL for an open end").nulls()
}

// dim is a dimension of an array, counted from 1.
func dim(t types.T, s string, k int64) (types.Dim, bool) {
	dims := types.ArrayDims(t, s)
	if k < 1 || k > int64(len(dims)) {
		return types.Dim{}, false
	}
	return dims[k-1], true
}

func addArrayShape(b *builder) {
	number := func(f func(r row) (int64, bool)) impl {
		return fn(func(_ *Ctx, r row) (types.Datum, error) {
			if v, ok := f(r); ok {
				return types.NewInt(v), nil
			}
			return types.Null, nil
		}).total()
	}
	ofDim := func(f func(types.Dim) int64) impl {
		return number(func(r row) (int64, bool) {
			d, ok := dim(r.typ(0), r.str(0), r.int(1))
			return f(d), ok
		})
	}
	one, two := in(AnyArray).out(types.Int4), in(AnyArray, types.Int4).out(types.Int4)
	b.fn("array_length", two, ofDim(func(d types.Dim) int64 { return int64(d.Len) }), "length of a dimension")
	b.fn("array_length", one, number(func(r row) (int64, bool) { return int64(len(r.list(0))), true }), "number of elements of the outermost dimension")
	b.fn("array_upper", two, ofDim(types.Dim.Upper), "upper bound of a dimension")
	b.fn("array_lower", two, ofDim(func(d types.Dim) int64 { return d.Lower }), "lower bound of a dimension")
	b.fn("array_ndims", one, number(func(r row) (int64, bool) {
		n := len(types.ArrayDims(r.typ(0), r.str(0)))
		return int64(n), n > 0
	}), "number of dimensions")
	b.fn("cardinality", one, number(func(r row) (int64, bool) { return countLeaves(r.typ(0), r.str(0)), true }), "number of elements in all dimensions")
	b.fn("array_dims", in(AnyArray).out(types.Text), fn(func(_ *Ctx, r row) (types.Datum, error) {
		dims := types.ArrayDims(r.typ(0), r.str(0))
		if dims == nil {
			return types.Null, nil
		}
		return types.NewBytes(string(types.AppendDims(nil, dims))), nil
	}).total(), "the bounds as text")
}

func countLeaves(t types.T, s string) int64 {
	values := types.DecodeArray(*t.Elem, s)
	if t.Elem.Kind != types.KindArray {
		return int64(len(values))
	}
	n := int64(0)
	for _, v := range values {
		if !v.IsNull() {
			n += countLeaves(*t.Elem, v.Bytes())
		}
	}
	return n
}

func addArrayJoin(b *builder) {
	appendTo := fn(func(_ *Ctx, r row) (types.Datum, error) {
		if adds, err := r.adds(0, 1); !adds || err != nil {
			return r.arrayLike(0, r.listOrNone(0)), err
		}
		return r.grown(0, append(r.listOrNone(0), r.datum(1)))
	})
	prepend := fn(func(_ *Ctx, r row) (types.Datum, error) {
		if adds, err := r.adds(1, 0); !adds || err != nil {
			return r.arrayLike(1, r.listOrNone(1)), err
		}
		if !r.null(1) && types.ArrayLower(r.str(1)) == math.MinInt32 {
			return types.Null, errs.OutOfRange.New("type", "integer") // where the element would be
		}
		return r.grown(1, append([]types.Datum{r.datum(0)}, r.listOrNone(1)...))
	})
	concat := fn(func(_ *Ctx, r row) (types.Datum, error) {
		switch {
		case r.null(1):
			return r.datum(0), nil
		case r.null(0) || r.str(0) == "":
			return r.datum(1), nil
		}
		if err := misfit(r.innerDims(0), r.innerDims(1), "element dimensions"); err != nil {
			return types.Null, err
		}
		return r.grown(0, append(r.list(0), r.list(1)...))
	})
	after := in(AnyCompatibleArray, AnyCompatible).outArg(0)
	before := in(AnyCompatible, AnyCompatibleArray).outArg(1)
	both := in(AnyCompatibleArray, AnyCompatibleArray).outArg(0)
	b.fn("array_append", after, appendTo, "the array with an element at its end").nulls()
	b.fn("array_prepend", before, prepend, "the array with an element at its start").nulls()
	b.fn("array_cat", both, concat, "both arrays joined").nulls()
	b.alias("array_concat", "array_cat")
	b.op("||", both, concat, "both arrays joined").nulls()
	b.op("||", after, appendTo, "the array with an element at its end").nulls()
	b.op("||", before, prepend, "the array with an element at its start").nulls()
	filled := func(args []types.T) types.T { return types.ArrayOf(args[0]) }
	b.fn("array_fill", in(AnyElement, types.ArrayOf(types.Int4)).outOf(filled), fn(arrayFill), "array of a length filled with a value").nulls()
	b.fn("array_fill", in(AnyElement, types.ArrayOf(types.Int4), types.ArrayOf(types.Int4)).outOf(filled), fn(arrayFill), "array of a length and a lower bound filled with a value").nulls()
	b.fn("trim_array", in(AnyArray, types.Int4).outArg(0), fn(func(_ *Ctx, r row) (types.Datum, error) {
		values := r.list(0)
		n := r.int(1)
		if n < 0 || n > int64(len(values)) {
			return types.Null, errs.ArraySubscript.New("problem", "number of elements to trim must be between 0 and "+strconv.Itoa(len(values)))
		}
		return types.NewArray(r.elem(0), values[:int64(len(values))-n]), nil
	}), "the array without some elements at its end")
}

// grown is arrayLike for an array that has become longer.
func (r row) grown(k int, values []types.Datum) (types.Datum, error) {
	d := r.arrayLike(k, values)
	return d, types.Dim{Lower: types.ArrayLower(d.Bytes()), Len: len(values)}.Check()
}

// arrayLike makes an array of the elements, with the lower bound of an array among the arguments.
func (r row) arrayLike(k int, values []types.Datum) types.Datum {
	lower := int64(1)
	if !r.null(k) {
		lower = types.ArrayLower(r.str(k))
	}
	return types.NewArrayFrom(*r.ret.Elem, lower, values)
}

// listOrNone is the elements of an array, none when it is NULL.
func (r row) listOrNone(k int) []types.Datum {
	if r.null(k) {
		return nil
	}
	return r.list(k)
}

// sameElem reports whether two elements are the same, NULL being a value.
func sameElem(t types.T, a, b types.Datum) bool { return types.CompareNull(t, a, b) == 0 }

func addArraySearch(b *builder) {
	find := in(AnyCompatibleArray, AnyCompatible)
	b.fn("array_position", find.out(types.Int4), fn(arrayPosition), "position of the first such element").nulls()
	b.fn("array_position", in(AnyCompatibleArray, AnyCompatible, types.Int4).out(types.Int4), fn(arrayPosition), "position of the first such element from a start on").nulls()
	b.fn("array_positions", find.out(types.ArrayOf(types.Int4)), fn(func(_ *Ctx, r row) (types.Datum, error) {
		if r.null(0) {
			return types.Null, nil
		}
		var out []types.Datum
		lower := types.ArrayLower(r.str(0))
		for i, v := range r.list(0) {
			if sameElem(r.elem(0), v, r.datum(1)) {
				out = append(out, types.NewInt(lower+int64(i)))
			}
		}
		return types.NewArray(types.Int4, out), nil
	}).total(), "positions of all such elements").nulls()
	b.fn("array_remove", find.outArg(0), fn(func(_ *Ctx, r row) (types.Datum, error) {
		if r.null(0) {
			return types.Null, nil
		}
		var out []types.Datum
		for _, v := range r.list(0) {
			if !sameElem(r.elem(0), v, r.datum(1)) {
				out = append(out, v)
			}
		}
		return r.arrayLike(0, out), nil
	}).total(), "the array without such elements").nulls()
	b.fn("array_replace", in(AnyCompatibleArray, AnyCompatible, AnyCompatible).outArg(0), fn(func(_ *Ctx, r row) (types.Datum, error) {
		if r.null(0) {
			return types.Null, nil
		}
		out := r.list(0)
		for i, v := range out {
			if sameElem(r.elem(0), v, r.datum(1)) {
				out[i] = r.datum(2)
			}
		}
		return r.arrayLike(0, out), nil
	}).total(), "the array with such elements replaced").nulls()
	b.fn("array_contains", find.out(types.Bool), fn(func(_ *Ctx, r row) (types.Datum, error) {
		return types.NewBool(holds(r.elem(0), r.list(0), r.datum(1))), nil
	}).total(), "whether the array has such an element")
	addArraySets(b)
}

// addArraySets adds the operators that take arrays for sets.
func addArraySets(b *builder) {
	sets := in(AnyArray, AnyArray).out(types.Bool)
	contains := fn(func(_ *Ctx, r row) (types.Datum, error) {
		return types.NewBool(holdsAll(r.elem(0), r.list(0), r.list(1))), nil
	}).total()
	within := fn(func(_ *Ctx, r row) (types.Datum, error) {
		return types.NewBool(holdsAll(r.elem(0), r.list(1), r.list(0))), nil
	}).total()
	overlap := fn(func(_ *Ctx, r row) (types.Datum, error) {
		a := r.list(0)
		for _, v := range r.list(1) {
			if holds(r.elem(0), a, v) {
				return types.NewBool(true), nil
			}
		}
		return types.NewBool(false), nil
	}).total()
	b.op("@>", sets, contains, "whether the first array has all elements of the second")
	b.op("<@", sets, within, "whether the second array has all elements of the first")
	b.op("&&", sets, overlap, "whether the arrays have an element in common")
	for _, name := range []string{"array_overlaps", "array_is_overlap", "array_is_intersect"} {
		b.fn(name, sets, overlap, "whether the arrays have an element in common")
	}
}

func arrayPosition(_ *Ctx, r row) (types.Datum, error) {
	if r.null(0) {
		return types.Null, nil
	}
	lower := types.ArrayLower(r.str(0))
	from := lower
	if r.n() == 3 {
		if r.null(2) {
			return types.Null, errs.NullNotAllowed.New("problem", "initial position must not be null")
		}
		from = r.int(2)
	}
	for i, v := range r.list(0) {
		if at := lower + int64(i); at >= from && sameElem(r.elem(0), v, r.datum(1)) {
			return types.NewInt(at), nil
		}
	}
	return types.Null, nil
}

// holds reports whether an array has a value; NULL is never found.
func holds(t types.T, in []types.Datum, want types.Datum) bool {
	for _, v := range in {
		if !v.IsNull() && !want.IsNull() && types.Equal(t, v, want) {
			return true
		}
	}
	return false
}

func holdsAll(t types.T, in, wanted []types.Datum) bool {
	for _, w := range wanted {
		if !holds(t, in, w) {
			return false
		}
	}
	return true
}

func addArrayText(b *builder) {
	text := types.Text
	join := fn(func(ctx *Ctx, r row) (types.Datum, error) {
		if r.null(0) || r.null(1) {
			return types.Null, nil
		}
		var parts []string
		r.joinParts(ctx, r.elem(0), r.list(0), &parts)
		return types.NewBytes(strings.Join(parts, r.str(1))), nil
	}).total()
	for _, name := range []string{"array_to_string", "array_join"} {
		b.fn(name, in(AnyArray, text).out(text), join, "the elements as text with a separator").nulls().stable()
		b.fn(name, in(AnyArray, text, text).out(text), join, "the elements as text with a separator, and text for NULL").nulls().stable()
	}
	split := fn(stringToArray).total()
	b.fn("string_to_array", in(text, text).out(types.ArrayOf(text)), split, "the parts between separators").nulls()
	b.fn("string_to_array", in(text, text, text).out(types.ArrayOf(text)), split, "the parts between separators, with NULL for a text").nulls()
}

func (r row) joinParts(ctx *Ctx, t types.T, values []types.Datum, parts *[]string) {
	for _, v := range values {
		switch {
		case v.IsNull():
			if r.n() == 3 && !r.null(2) {
				*parts = append(*parts, r.str(2))
			}
		case t.Kind == types.KindArray:
			r.joinParts(ctx, *t.Elem, types.DecodeArray(*t.Elem, v.Bytes()), parts)
		default:
			*parts = append(*parts, types.Format(t, v, ctx.Ctx))
		}
	}
}

func stringToArray(_ *Ctx, r row) (types.Datum, error) {
	if r.null(0) {
		return types.Null, nil
	}
	out := splitText(r.str(0), r.strOrNil(1))
	if r.n() == 3 && !r.null(2) {
		for i, v := range out {
			if v.Bytes() == r.str(2) {
				out[i] = types.Null
			}
		}
	}
	return types.NewArray(types.Text, out), nil
}

// splitText cuts at a separator; without one at every character.
func splitText(s string, sep *string) []types.Datum {
	var parts []string
	switch {
	case s == "":
	case sep == nil:
		parts = strings.Split(s, "")
	case *sep == "":
		parts = []string{s}
	default:
		parts = strings.Split(s, *sep)
	}
	return textDatums(parts)
}

func textDatums(parts []string) []types.Datum {
	out := make([]types.Datum, len(parts))
	for i, p := range parts {
		out[i] = types.NewBytes(p)
	}
	return out
}

func (r row) strOrNil(k int) *string {
	if r.null(k) {
		return nil
	}
	s := r.str(k)
	return &s
}
