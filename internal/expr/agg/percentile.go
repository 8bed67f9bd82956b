package agg

import (
	"math"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/types"
)

func addPercentiles(r *Registry) {
	fraction := []types.T{types.Float8}
	for _, t := range []types.T{types.Float8, types.Interval} {
		r.add(&Func{Name: "percentile_cont", Args: []types.T{t}, Ret: fixed(t), Ordered: &Ordered{Finish: noFraction}, Direct: fraction,
			withDirect: percentile(true), Doc: "value at a fraction of the sorted inputs, interpolated"})
	}
	r.add(&Func{Name: "percentile_disc", Args: []types.T{expr.AnyElement}, Ret: firstArg, Ordered: &Ordered{Finish: noFraction}, Direct: fraction,
		withDirect: percentile(false), Doc: "first input at or after a fraction of the sorted inputs"})
	addApproxPercentile(r)
}

// noFraction stands where the direct argument is still missing.
func noFraction(*expr.Ctx, []types.T, func() (types.Row, int64, bool)) (types.Datum, error) {
	return types.Null, errs.Internal.New("what", "a percentile has no fraction")
}

// percentile makes the result for one fraction or an array of them; a NULL fraction gives NULL.
func percentile(interpolate bool) func([]types.Datum, []types.T) (*Ordered, error) {
	return func(direct []types.Datum, ts []types.T) (*Ordered, error) {
		if len(direct) == 0 {
			return nil, errs.InvalidArgument.New("problem", "WITHIN GROUP is required for ordered-set aggregate percentile functions")
		}
		fractions, isArray := direct[:1], ts[0].Kind == types.KindArray
		if isArray && !direct[0].IsNull() {
			fractions = types.DecodeArray(*ts[0].Elem, direct[0].Bytes())
		}
		for _, f := range fractions {
			if !f.IsNull() && !(f.Float() >= 0 && f.Float() <= 1) {
				return nil, errs.InputOutOfRange.New("problem", "percentile value "+types.Format(types.Float8, f, types.Ctx{})+" is not between 0 and 1")
			}
		}
		finish := func(_ *expr.Ctx, args []types.T, next func() (types.Row, int64, bool)) (types.Datum, error) {
			runs, total := readRuns(next)
			if total == 0 || direct[0].IsNull() {
				return types.Null, nil
			}
			out := make([]types.Datum, len(fractions))
			for i, f := range fractions {
				d, err := runs.at(args[0], f, total, interpolate)
				if err != nil {
					return types.Null, err
				}
				out[i] = d
			}
			if isArray {
				return types.NewArray(args[0], out), nil
			}
			return out[0], nil
		}
		return &Ordered{Finish: finish}, nil
	}
}

// runs are the sorted inputs with the position after each.
type runs []struct {
	value types.Datum
	end   int64
}

func readRuns(next func() (types.Row, int64, bool)) (rs runs, total int64) {
	for row, n, ok := next(); ok; row, n, ok = next() {
		total += n
		rs = append(rs, struct {
			value types.Datum
			end   int64
		}{row[len(row)-1], total})
	}
	return rs, total
}

// nth is the input at a position from 0.
func (rs runs) nth(i int64) types.Datum {
	for _, r := range rs {
		if i < r.end {
			return r.value
		}
	}
	return types.Null
}

func (rs runs) at(t types.T, fraction types.Datum, total int64, interpolate bool) (types.Datum, error) {
	if fraction.IsNull() {
		return types.Null, nil
	}
	p := fraction.Float()
	if !interpolate {
		return rs.nth(max(int64(math.Ceil(p*float64(total)))-1, 0)), nil
	}
	pos := p * float64(total-1)
	lo, hi := math.Floor(pos), math.Ceil(pos)
	a, b := rs.nth(int64(lo)), rs.nth(int64(hi))
	if lo == hi {
		return a, nil
	}
	if t.Kind != types.KindInterval {
		return types.NewFloat(a.Float() + (pos-lo)*(b.Float()-a.Float())), nil
	}
	diff, err := b.Interval().Sub(a.Interval())
	if err != nil {
		return types.Null, err
	}
	if diff, err = diff.Mul(pos - lo); err != nil {
		return types.Null, err
	}
	v, err := a.Interval().Add(diff)
	return types.NewInterval(v), err
}
