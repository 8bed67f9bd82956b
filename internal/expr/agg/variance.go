package agg

import (
	"encoding/binary"
	"math"
	"math/big"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/types"
)

// spread is one of the variance functions.
type spread struct {
	name   string
	sample bool // divides by n-1
	root   bool
	doc    string
}

var spreads = []spread{
	{"var_pop", false, false, "population variance"}, {"var_samp", true, false, "sample variance"}, {"variance", true, false, "sample variance"},
	{"stddev_pop", false, true, "population standard deviation"}, {"stddev_samp", true, true, "sample standard deviation"}, {"stddev", true, true, "sample standard deviation"},
}

func addVariances(r *Registry) {
	for _, s := range spreads {
		for _, t := range []types.T{types.Int2, types.Int4, types.Int8, types.Numeric} {
			r.add(&Func{Name: s.name, Args: []types.T{t}, Ret: fixed(types.Numeric), Doc: s.doc,
				Additive: func(ts []types.T) Accum { return &numVariance{spread: s, t: ts[0]} }})
		}
		for _, t := range []types.T{types.Float4, types.Float8} {
			r.add(&Func{Name: s.name, Args: []types.T{t}, Ret: fixed(types.Float8), Doc: s.doc,
				Additive: func([]types.T) Accum { return &floatVariance{spread: s} }})
		}
	}
}

// numVariance keeps the exact sums of values and squares.
type numVariance struct {
	spread
	t       types.T
	sum, sq numSum
}

func (a *numVariance) Grow(n int)    { a.sum.Grow(n); a.sq.Grow(n) }
func (a *numVariance) Reset(s int32) { a.sum.Reset(s); a.sq.Reset(s) }

func (a *numVariance) Update(slots []int32, ops []chunk.Op, rows []int32, args []*chunk.Vec) error {
	each(slots, ops, rows, func(s, i int32, sign int64) {
		var v types.Num
		if a.t.Phys() == types.PhysInt {
			v = types.NumFromInt(args[0].Ints[i])
		} else {
			v = types.DecodeNumeric(args[0].Strs[i])
		}
		a.sum.states[s].add(v, sign)
		a.sq.states[s].add(v.Mul(v), sign)
	})
	return nil
}

// Value follows PostgreSQL: (n * sum of squares - square of the sum) / (n * (n or n-1)), rounded to a quotient's scale.
func (a *numVariance) Value(s int32) (types.Datum, error) {
	n := a.sum.states[s].n
	if n == 0 || a.sample && n == 1 {
		return types.Null, nil
	}
	sum, sq := a.sum.states[s].total(), a.sq.states[s].total()
	if !sum.Finite() || !sq.Finite() {
		return types.NewNumeric(types.NumNaN), nil
	}
	count := types.NumFromInt(n)
	num := count.Mul(sq).Sub(sum.Mul(sum))
	if num.Sign() <= 0 {
		return types.NewNumeric(types.Num{}), nil
	}
	den := count.Mul(count)
	if a.sample {
		den = count.Mul(types.NumFromInt(n - 1))
	}
	v, err := num.Div(den)
	if err == nil && a.root {
		v = expr.SqrtScale(v, v.Scale())
	}
	return types.NewNumeric(v), err
}

func (a *numVariance) Encode(s int32, dst []byte) []byte { return a.sq.Encode(s, a.sum.Encode(s, dst)) }

func (a *numVariance) Decode(s int32, b []byte) (rest []byte, err error) {
	if b, err = a.sum.Decode(s, b); err != nil {
		return nil, err
	}
	return a.sq.Decode(s, b)
}

// moments are the exact sums of two variables and their products. One variable uses x and xx only.
type moments struct {
	n                int64
	x, y, xx, yy, xy exactSum
	over             int64 // products that are too large for a double
}

// addProduct adds a * b without rounding.
func (m *moments) addProduct(to *exactSum, a, b float64, sign int64) {
	p := a * b
	if math.IsInf(p, 0) && !math.IsInf(a, 0) && !math.IsInf(b, 0) {
		m.over += sign
		return
	}
	to.add(p, sign)
	if e := math.FMA(a, b, -p); e == e {
		to.add(e, sign)
	}
}

func (m *moments) add(x float64, sign int64) {
	m.n += sign
	m.x.add(x, sign)
	m.addProduct(&m.xx, x, x, sign)
}

func (m *moments) addPair(x, y float64, sign int64) {
	m.add(x, sign)
	m.y.add(y, sign)
	m.addProduct(&m.yy, y, y, sign)
	m.addProduct(&m.xy, x, y, sign)
}

// deviation is n * sum(ab) - sum(a) * sum(b), exactly.
func (m *moments) deviation(ab, a, b *exactSum) *big.Float {
	const prec = 2*exactBits + 64
	p := new(big.Float).SetPrec(prec).Mul(a.big(), b.big())
	q := new(big.Float).SetPrec(prec).Mul(new(big.Float).SetInt64(m.n), ab.big())
	return q.Sub(q, p)
}

// special tells that an input is NaN or infinite, or that a product overflowed.
func (m *moments) special() (nan bool, err error) {
	if m.over != 0 {
		return false, errs.FloatRange.New("direction", "overflow")
	}
	for _, s := range []*exactSum{&m.x, &m.y} {
		if _, ok := s.special(); ok {
			return true, nil
		}
	}
	return false, nil
}

func (m *moments) sums() []*exactSum { return []*exactSum{&m.x, &m.y, &m.xx, &m.yy, &m.xy} }

func (m *moments) encode(dst []byte) []byte {
	dst = binary.AppendVarint(binary.AppendVarint(dst, m.n), m.over)
	for _, s := range m.sums() {
		dst = s.encode(dst)
	}
	return dst
}

func (m *moments) decode(b []byte) (rest []byte, err error) {
	if m.n, b, err = readVarint(b); err != nil {
		return nil, err
	}
	if m.over, b, err = readVarint(b); err != nil {
		return nil, err
	}
	for _, s := range m.sums() {
		if b, err = s.decode(b); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// floatVariance is a variance of doubles, rounded once.
type floatVariance struct {
	spread
	m []moments
}

func (a *floatVariance) Grow(n int)    { a.m = grow(a.m, n) }
func (a *floatVariance) Reset(s int32) { a.m[s] = moments{} }

func (a *floatVariance) Update(slots []int32, ops []chunk.Op, rows []int32, args []*chunk.Vec) error {
	each(slots, ops, rows, func(s, i int32, sign int64) { a.m[s].add(args[0].Floats[i], sign) })
	return nil
}

func (a *floatVariance) Value(s int32) (types.Datum, error) {
	m := &a.m[s]
	if m.n == 0 || a.sample && m.n == 1 {
		return types.Null, nil
	}
	if nan, err := m.special(); err != nil || nan {
		return types.NewFloat(math.NaN()), err
	}
	den := new(big.Float).SetInt64(m.n)
	if a.sample {
		den.Mul(den, new(big.Float).SetInt64(m.n-1))
	} else {
		den.Mul(den, new(big.Float).SetInt64(m.n))
	}
	dev := m.deviation(&m.xx, &m.x, &m.x)
	f, _ := dev.Quo(dev, den).Float64()
	f = max(f, 0) // squares that are too small for a double leave a trace
	if a.root {
		f = math.Sqrt(f)
	}
	return types.NewFloat(f), nil
}

func (a *floatVariance) Encode(s int32, dst []byte) []byte                 { return a.m[s].encode(dst) }
func (a *floatVariance) Decode(s int32, b []byte) (rest []byte, err error) { return a.m[s].decode(b) }
