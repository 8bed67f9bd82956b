package agg

import (
	"math"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/types"
)

// approxErrorDefault is the relative error where none is given.
const approxErrorDefault = 0.01

// addApproxPercentile adds RisingWave's approx_percentile. Its inputs fall into buckets whose bounds grow by a factor that
// follows from the relative error; the result is the middle of the bucket in which the fraction of the inputs ends. All
// inputs are kept here, so the bucket is that of an input, and deletes are exact.
func addApproxPercentile(r *Registry) {
	r.add(&Func{Name: "approx_percentile", Args: []types.T{types.Float8}, Ret: fixed(types.Float8), Ordered: &Ordered{Finish: noFraction},
		Direct: []types.T{types.Float8, types.Float8}, withDirect: approxPercentile, Doc: "value at a fraction of the sorted inputs, but for a relative error, which may be left out"})
}

func approxPercentile(direct []types.Datum, _ []types.T) (*Ordered, error) {
	fraction, relative := math.NaN(), approxErrorDefault
	if len(direct) > 0 && !direct[0].IsNull() {
		fraction = direct[0].Float()
	}
	if len(direct) > 1 && !direct[1].IsNull() {
		relative = direct[1].Float()
	}
	if !(fraction >= 0 && fraction <= 1) {
		return nil, errs.InputOutOfRange.New("problem", "percentile value "+types.Format(types.Float8, types.NewFloat(fraction), types.Ctx{})+" is not between 0 and 1")
	}
	if !(relative > 0 && relative < 1) {
		return nil, errs.InputOutOfRange.New("problem", "relative error "+types.Format(types.Float8, types.NewFloat(relative), types.Ctx{})+" is not between 0 and 1")
	}
	return &Ordered{Finish: func(_ *expr.Ctx, _ []types.T, next func() (types.Row, int64, bool)) (types.Datum, error) {
		runs, total := readRuns(next)
		if total == 0 {
			return types.Null, nil
		}
		v := runs.nth(min(int64(math.Floor(fraction*float64(total))), total-1))
		return types.NewFloat(bucketMiddle(v.Float(), relative)), nil
	}}, nil
}

// bucketMiddle is the middle of a value's bucket: as far, relatively, from its lower bound as from its upper one.
func bucketMiddle(v, relative float64) float64 {
	if v == 0 || math.IsInf(v, 0) || v != v {
		return v
	}
	growth := (1 + relative) / (1 - relative)
	bucket := math.Ceil(math.Log(math.Abs(v)) / math.Log(growth))
	return math.Copysign(2*math.Pow(growth, bucket)/(1+growth), v)
}
