package agg

import (
	"math"
	"math/big"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// regression is a statistic of pairs (y, x). It gets n and the exact n-fold deviations n*Sxx, n*Syy, n*Sxy.
type regression struct {
	name string
	nMin int64
	of   func(n int64, sx, sy float64, xx, yy, xy *big.Float) (float64, bool)
	doc  string
}

func quo(a, b *big.Float) float64 {
	f, _ := new(big.Float).Quo(a, b).Float64()
	return f
}

// over divides a deviation by n*k.
func over(a *big.Float, n, k int64) float64 {
	return quo(a, new(big.Float).Mul(new(big.Float).SetInt64(n), new(big.Float).SetInt64(k)))
}

var regressions = []regression{
	{"covar_pop", 1, func(n int64, _, _ float64, _, _, xy *big.Float) (float64, bool) { return over(xy, n, n), true }, "population covariance"},
	{"covar_samp", 2, func(n int64, _, _ float64, _, _, xy *big.Float) (float64, bool) { return over(xy, n, n-1), true }, "sample covariance"},
	{"corr", 1, func(_ int64, _, _ float64, xx, yy, xy *big.Float) (float64, bool) {
		if xx.Sign() <= 0 || yy.Sign() <= 0 {
			return 0, false
		}
		p := new(big.Float).Mul(xx, yy)
		return quo(xy, p.Sqrt(p)), true
	}, "correlation coefficient"},
	{"regr_avgx", 1, func(n int64, sx, _ float64, _, _, _ *big.Float) (float64, bool) { return sx / float64(n), true }, "mean of x"},
	{"regr_avgy", 1, func(n int64, _, sy float64, _, _, _ *big.Float) (float64, bool) { return sy / float64(n), true }, "mean of y"},
	{"regr_sxx", 1, func(n int64, _, _ float64, xx, _, _ *big.Float) (float64, bool) { return over(xx, n, 1), true }, "sum of squares of x"},
	{"regr_syy", 1, func(n int64, _, _ float64, _, yy, _ *big.Float) (float64, bool) { return over(yy, n, 1), true }, "sum of squares of y"},
	{"regr_sxy", 1, func(n int64, _, _ float64, _, _, xy *big.Float) (float64, bool) { return over(xy, n, 1), true }, "sum of products"},
	{"regr_slope", 1, func(_ int64, _, _ float64, xx, _, xy *big.Float) (float64, bool) {
		if xx.Sign() <= 0 {
			return 0, false
		}
		return quo(xy, xx), true
	}, "slope of the line of least squares"},
	{"regr_intercept", 1, func(n int64, sx, sy float64, xx, _, xy *big.Float) (float64, bool) {
		if xx.Sign() <= 0 {
			return 0, false
		}
		return (sy - sx*quo(xy, xx)) / float64(n), true
	}, "where the line of least squares meets the y axis"},
	{"regr_r2", 1, func(_ int64, _, _ float64, xx, yy, xy *big.Float) (float64, bool) {
		switch {
		case xx.Sign() <= 0:
			return 0, false
		case yy.Sign() <= 0:
			return 1, true
		}
		return quo(new(big.Float).Mul(xy, xy), new(big.Float).Mul(xx, yy)), true
	}, "square of the correlation coefficient"},
}

func addRegression(r *Registry) {
	pair := []types.T{types.Float8, types.Float8}
	for _, s := range regressions {
		r.add(&Func{Name: s.name, Args: pair, Ret: fixed(types.Float8), Doc: s.doc,
			Additive: func([]types.T) Accum { return &pairs{regression: s} }})
	}
	r.add(&Func{Name: "regr_count", Args: pair, Ret: fixed(types.Int8), Doc: "number of pairs without NULL",
		Additive: func([]types.T) Accum { return &count{} }})
}

// pairs keeps the moments of pairs (y, x).
type pairs struct {
	regression
	m []moments
}

func (a *pairs) Grow(n int)    { a.m = grow(a.m, n) }
func (a *pairs) Reset(s int32) { a.m[s] = moments{} }

func (a *pairs) Update(slots []int32, ops []chunk.Op, rows []int32, args []*chunk.Vec) error {
	each(slots, ops, rows, func(s, i int32, sign int64) { a.m[s].addPair(args[1].Floats[i], args[0].Floats[i], sign) })
	return nil
}

func (a *pairs) Value(s int32) (types.Datum, error) {
	m := &a.m[s]
	if m.n < a.nMin {
		return types.Null, nil
	}
	if nan, err := m.special(); err != nil || nan {
		return types.NewFloat(math.NaN()), err
	}
	f, ok := a.of(m.n, m.x.value(), m.y.value(), m.deviation(&m.xx, &m.x, &m.x), m.deviation(&m.yy, &m.y, &m.y), m.deviation(&m.xy, &m.x, &m.y))
	if !ok {
		return types.Null, nil
	}
	return types.NewFloat(f), nil
}

func (a *pairs) Encode(s int32, dst []byte) []byte                 { return a.m[s].encode(dst) }
func (a *pairs) Decode(s int32, b []byte) (rest []byte, err error) { return a.m[s].decode(b) }
