package agg

import (
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/types"
)

func addFirstLast(r *Registry) {
	one := []types.T{expr.AnyElement}
	r.add(&Func{Name: "first_value", Args: one, Ret: firstArg, NullsIn: true, Ordered: &Ordered{First: true, Finish: firstInput},
		Doc: "first value in the order of ORDER BY"})
	r.add(&Func{Name: "any_value", Args: one, Ret: firstArg, Ordered: &Ordered{First: true, Finish: firstInput}, Doc: "one of the values that are not NULL: the smallest"})
	r.add(&Func{Name: "last_value", Args: one, Ret: firstArg, NullsIn: true, Ordered: &Ordered{Finish: lastInput}, Doc: "last value in the order of ORDER BY"})
	pair := []types.T{expr.AnyElement, expr.Any}
	r.add(&Func{Name: "arg_max", Args: pair, Ret: firstArg, Ordered: &Ordered{Finish: argExtreme(1)}, Doc: "the first argument where the second is largest"})
	r.add(&Func{Name: "arg_min", Args: pair, Ret: firstArg, Ordered: &Ordered{Finish: argExtreme(-1)}, Doc: "the first argument where the second is smallest"})
	r.add(&Func{Name: "mode", Args: one, Ret: firstArg, Ordered: &Ordered{Finish: mode}, Doc: "the most frequent value, the first in order of several"})
}

func lastInput(_ *expr.Ctx, _ []types.T, next func() (types.Row, int64, bool)) (types.Datum, error) {
	last := types.Null
	for row, _, ok := next(); ok; row, _, ok = next() {
		last = row[len(row)-1]
	}
	return last, nil
}

// argExtreme takes of several equal extremes the first in order.
func argExtreme(sign int) func(*expr.Ctx, []types.T, func() (types.Row, int64, bool)) (types.Datum, error) {
	return func(_ *expr.Ctx, args []types.T, next func() (types.Row, int64, bool)) (types.Datum, error) {
		value, best := types.Null, types.Null
		for row, _, ok := next(); ok; row, _, ok = next() {
			d := row[len(row)-1]
			if best.IsNull() || types.Compare(args[1], d, best)*sign > 0 {
				value, best = row[len(row)-2], d
			}
		}
		return value, nil
	}
}

func mode(_ *expr.Ctx, args []types.T, next func() (types.Row, int64, bool)) (types.Datum, error) {
	best, bestN, last, n := types.Null, int64(0), types.Null, int64(0)
	for row, count, ok := next(); ok; row, count, ok = next() {
		d := row[len(row)-1]
		if last.IsNull() || !types.Equal(args[0], d, last) {
			last, n = d, 0
		}
		if n += count; n > bestN {
			best, bestN = last, n
		}
	}
	return best, nil
}
