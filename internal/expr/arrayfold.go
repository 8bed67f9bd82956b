package expr

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/types"
)

// addArrayFold adds RisingWave's functions that reduce or reorder an array.
func addArrayFold(b *builder) {
	elem := func(args []types.T) types.T { return *args[0].Elem }
	b.fn("array_max", in(AnyArray).outOf(elem), arrayExtreme(1), "the largest element")
	b.fn("array_min", in(AnyArray).outOf(elem), arrayExtreme(-1), "the smallest element")
	b.fn("array_sort", in(AnyArray).outArg(0), arrayMap(func(t types.T, v []types.Datum) []types.Datum {
		slices.SortStableFunc(v, func(a, c types.Datum) int { return types.CompareNull(t, a, c) })
		return v
	}), "the elements in order, NULL last")
	b.fn("array_reverse", in(AnyArray).outArg(0), arrayMap(func(_ types.T, v []types.Datum) []types.Datum {
		slices.Reverse(v)
		return v
	}), "the elements in reverse order")
	b.fn("array_distinct", in(AnyArray).outArg(0), arrayMap(distinctElems), "the elements without repetitions, in order of first occurrence")
	b.fn("array_flatten", in(AnyArray).outOf(elem), fn(func(_ *Ctx, r row) (types.Datum, error) {
		if r.elem(0).Kind != types.KindArray {
			return types.Null, noMatch("array_flatten", []types.T{r.typ(0)}, false, false)
		}
		joined := ""
		for _, v := range r.list(0) {
			joined += v.Bytes()
		}
		return types.NewBytes(joined), nil
	}), "the inner arrays joined")
	addArraySum(b)
}

func arrayExtreme(sign int) impl {
	return fn(func(_ *Ctx, r row) (types.Datum, error) {
		best := types.Null
		for _, v := range r.list(0) {
			if !v.IsNull() && (best.IsNull() || types.Compare(r.ret, v, best)*sign > 0) {
				best = v
			}
		}
		return best, nil
	}).total()
}

func arrayMap(f func(t types.T, values []types.Datum) []types.Datum) impl {
	return fn(func(_ *Ctx, r row) (types.Datum, error) {
		return types.NewArray(r.elem(0), f(r.elem(0), r.list(0))), nil
	}).total()
}

// distinctElems keeps the first of equal elements.
func distinctElems(t types.T, values []types.Datum) []types.Datum {
	seen := map[string]bool{}
	var out []types.Datum
	for _, v := range values {
		key := ""
		if !v.IsNull() {
			key = string(types.AppendOrdered([]byte{1}, t, v))
		}
		if !seen[key] {
			seen[key] = true
			out = append(out, v)
		}
	}
	return out
}

func addArraySum(b *builder) {
	for _, s := range []struct{ elem, ret types.T }{
		{types.Int2, types.Int8}, {types.Int4, types.Int8}, {types.Int8, types.Numeric}, {types.Numeric, types.Numeric},
	} {
		b.fn("array_sum", in(types.ArrayOf(s.elem)).out(s.ret), fn(func(_ *Ctx, r row) (types.Datum, error) {
			sum, any := types.Num{}, false
			for _, v := range r.list(0) {
				if !v.IsNull() {
					sum, any = sum.Add(numberOf(s.elem, v)), true
				}
			}
			switch {
			case !any:
				return types.Null, nil
			case s.ret.Kind == types.KindInt8:
				return numToInt(sum, types.KindInt8)
			}
			return types.NewNumeric(sum), nil
		}), "sum of the elements")
	}
	for _, t := range []types.T{types.Float4, types.Float8} {
		b.fn("array_sum", in(types.ArrayOf(t)).out(t), fn(func(_ *Ctx, r row) (types.Datum, error) {
			sum, any := 0.0, false
			for _, v := range r.list(0) {
				if !v.IsNull() {
					sum, any = roundTo(t.Kind, sum+v.Float()), true
				}
			}
			if !any {
				return types.Null, nil
			}
			return types.NewFloat(sum), nil
		}), "sum of the elements")
	}
	b.fn("array_sum", in(types.ArrayOf(types.Interval)).out(types.Interval), fn(func(_ *Ctx, r row) (types.Datum, error) {
		sum, any := types.Iv{}, false
		for _, v := range r.list(0) {
			if v.IsNull() {
				continue
			}
			next, err := sum.Add(v.Interval())
			if err != nil {
				return types.Null, err
			}
			sum, any = next, true
		}
		if !any {
			return types.Null, nil
		}
		return types.NewInterval(sum), nil
	}), "sum of the elements")
}
