package agg

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

func addSums(r *Registry) {
	const doc = "sum of the values that are not NULL"
	sum := func(arg, ret types.T, make func([]types.T) Accum) {
		r.add(&Func{Name: "sum", Args: []types.T{arg}, Ret: fixed(ret), Additive: make, Doc: doc})
		r.add(&Func{Name: "sum0", Args: []types.T{arg}, Ret: fixed(ret), Additive: func(ts []types.T) Accum {
			return &orZero{make(ts), zeroOf(ret)}
		}, Doc: doc + ", 0 when there is none"})
	}
	small := func([]types.T) Accum { return &intSum{finish: bigintSum} }
	sum(types.Int2, types.Int8, small)
	sum(types.Int4, types.Int8, small)
	sum(types.Int8, types.Numeric, func([]types.T) Accum {
		return &intSum{finish: func(_, hi int64, lo uint64) (types.Datum, error) { return types.NewNumeric(num128(hi, lo)), nil }}
	})
	sum(types.Numeric, types.Numeric, func([]types.T) Accum {
		return &numSum{finish: func(_ int64, s types.Num) (types.Datum, error) { return types.NewNumeric(s), nil }}
	})
	sum(types.Int256, types.Int256, func([]types.T) Accum {
		return &numSum{finish: func(_ int64, s types.Num) (types.Datum, error) { return types.NewInt256(s) }}
	})
	sum(types.Float8, types.Float8, func([]types.T) Accum {
		return &floatSum{finish: func(_ int64, s float64) (types.Datum, error) { return types.NewFloat(s), nil }}
	})
	sum(types.Float4, types.Float4, func([]types.T) Accum { return &floatSum{finish: realSum} })
	interval := func(ts []types.T) Accum { return &intervalSum{} }
	sum(types.Interval, types.Interval, interval)
}

func bigintSum(_, hi int64, lo uint64) (types.Datum, error) {
	if hi != int64(lo)>>63 {
		return types.Null, errs.OutOfRange.New("type", "bigint")
	}
	return types.NewInt(int64(lo)), nil
}

// orZero turns the NULL of an empty sum into 0.
type orZero struct {
	Accum
	zero types.Datum
}

func (a *orZero) Value(s int32) (types.Datum, error) {
	d, err := a.Accum.Value(s)
	if err == nil && d.IsNull() {
		return a.zero, nil
	}
	return d, err
}

func zeroOf(t types.T) types.Datum {
	switch {
	case t.Kind == types.KindNumeric, t.Kind == types.KindInt256:
		return types.NewNumeric(types.Num{})
	case t.Kind == types.KindInterval:
		return types.NewInterval(types.Iv{})
	case t.Phys() == types.PhysFloat:
		return types.NewFloat(0)
	}
	return types.NewInt(0)
}

func addAverages(r *Registry) {
	avg := func(arg, ret types.T, make func([]types.T) Accum) {
		r.add(&Func{Name: "avg", Args: []types.T{arg}, Ret: fixed(ret), Additive: make, Doc: "mean of the values that are not NULL"})
	}
	for _, t := range []types.T{types.Int2, types.Int4, types.Int8} {
		avg(t, types.Numeric, func([]types.T) Accum {
			return &intSum{finish: func(n, hi int64, lo uint64) (types.Datum, error) { return meanOf(n, num128(hi, lo)) }}
		})
	}
	avg(types.Numeric, types.Numeric, func([]types.T) Accum { return &numSum{finish: meanOf} })
	mean := func([]types.T) Accum {
		return &floatSum{finish: func(n int64, s float64) (types.Datum, error) { return types.NewFloat(s / float64(n)), nil }}
	}
	avg(types.Float4, types.Float8, mean)
	avg(types.Float8, types.Float8, mean)
	avg(types.Interval, types.Interval, func([]types.T) Accum { return &intervalSum{mean: true} })
}

func meanOf(n int64, sum types.Num) (types.Datum, error) {
	q, err := sum.Div(types.NumFromInt(n))
	return types.NewNumeric(q), err
}
