package expr

import (
	"math"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

func isInt(t types.T) bool {
	return t.Kind == types.KindInt2 || t.Kind == types.KindInt4 || t.Kind == types.KindInt8
}

func isFloat(t types.T) bool { return t.Kind == types.KindFloat4 || t.Kind == types.KindFloat8 }

// intBits is the width of an integer type, 0 for others.
func intBits(k types.Kind) int {
	switch k {
	case types.KindInt2:
		return 16
	case types.KindInt4:
		return 32
	case types.KindInt8:
		return 64
	}
	return 0
}

// numberConversion converts between numbers, and between integers and booleans or "char".
func numberConversion(from, to types.T) convert {
	switch {
	case isInt(from) && isReg(to):
		return intToOid
	case isInt(from) && isInt(to):
		if intBits(from.Kind) < intBits(to.Kind) {
			return keepDatum
		}
		return func(_ *Ctx, d types.Datum) (types.Datum, error) { return checkInt(to.Kind, d.Int()) }
	case isInt(from) && isFloat(to):
		return func(_ *Ctx, d types.Datum) (types.Datum, error) {
			return types.NewFloat(roundTo(to.Kind, float64(d.Int()))), nil
		}
	case isInt(from) && to.Kind == types.KindNumeric:
		return func(_ *Ctx, d types.Datum) (types.Datum, error) { return types.NumericFromInt(d.Int()), nil }
	case isInt(from) && to.Kind == types.KindBool:
		return func(_ *Ctx, d types.Datum) (types.Datum, error) { return types.NewBool(d.Int() != 0), nil }
	case from.Kind == types.KindBool && isInt(to):
		return func(_ *Ctx, d types.Datum) (types.Datum, error) {
			if d.Bool() {
				return types.NewInt(1), nil
			}
			return types.NewInt(0), nil
		}
	case to.Kind == types.KindInt256 && categoryOf(from) == catNumber:
		return toInt256(from)
	case from.Kind == types.KindInt256 && to.Kind == types.KindNumeric:
		return keepDatum
	case isFloat(from):
		return floatTo(from, to)
	case from.Kind == types.KindNumeric, from.Kind == types.KindInt256:
		return numericTo(to)
	}
	return nil
}

func keepDatum(_ *Ctx, d types.Datum) (types.Datum, error) { return d, nil }

func intToOid(_ *Ctx, d types.Datum) (types.Datum, error) {
	if d.Int() > math.MaxUint32 || d.Int() < math.MinInt32 {
		return types.Null, errs.OutOfRange.New("type", "OID")
	}
	return types.NewInt(int64(uint32(d.Int()))), nil
}

// checkInt fails with "integer out of range" where the value does not fit.
func checkInt(k types.Kind, v int64) (types.Datum, error) {
	bits := intBits(k)
	if bits < 64 && (v >= 1<<(bits-1) || v < -1<<(bits-1)) {
		return types.Null, rangeError(k)
	}
	return types.NewInt(v), nil
}

// resizeInts is the cast between integer types for whole columns.
func resizeInts(ctx *Ctx, k types.Kind, in []int64, sel []int32, out *chunk.Vec) error {
	lo, hi := intBounds(k)
	return perRow(ctx, sel, out, func(i int) error {
		v := in[i]
		if v < lo || v > hi {
			return rangeError(k)
		}
		out.Ints[i] = v
		return nil
	})
}

func rangeError(k types.Kind) error {
	return errs.OutOfRange.New("type", types.SQLName(types.T{Kind: k}))
}

// roundTo keeps real values as precise as a real.
func roundTo(k types.Kind, f float64) float64 {
	if k == types.KindFloat4 {
		return float64(float32(f))
	}
	return f
}

// floatTo rounds half to even on the way to an integer, as PostgreSQL does.
func floatTo(from, to types.T) convert {
	switch {
	case isInt(to):
		bits := intBits(to.Kind)
		return func(_ *Ctx, d types.Datum) (types.Datum, error) {
			f := math.RoundToEven(d.Float())
			if f != f || f >= math.Ldexp(1, bits-1) || f < -math.Ldexp(1, bits-1) {
				return types.Null, rangeError(to.Kind)
			}
			return types.NewInt(int64(f)), nil
		}
	case to.Kind == types.KindFloat8:
		return keepDatum
	case to.Kind == types.KindFloat4:
		return func(_ *Ctx, d types.Datum) (types.Datum, error) { return narrowFloat(d.Float()) }
	case to.Kind == types.KindNumeric:
		bits := 64
		if from.Kind == types.KindFloat4 {
			bits = 32
		}
		return func(_ *Ctx, d types.Datum) (types.Datum, error) {
			return types.NewNumeric(types.NumFromFloat(d.Float(), bits)), nil
		}
	}
	return nil
}

func narrowFloat(f float64) (types.Datum, error) {
	g := float64(float32(f))
	switch {
	case math.IsInf(g, 0) && !math.IsInf(f, 0):
		return types.Null, errs.FloatRange.New("direction", "overflow")
	case g == 0 && f != 0:
		return types.Null, errs.FloatRange.New("direction", "underflow")
	}
	return types.NewFloat(g), nil
}

func numericTo(to types.T) convert {
	switch {
	case isInt(to):
		return func(_ *Ctx, d types.Datum) (types.Datum, error) { return numToInt(d.Num(), to.Kind) }
	case to.Kind == types.KindFloat8:
		return func(_ *Ctx, d types.Datum) (types.Datum, error) {
			f := d.Num().Float()
			if math.IsInf(f, 0) && d.Num().Finite() {
				return types.Null, errs.FloatTextOutOfRange.New("value", d.Num(), "type", "double precision")
			}
			return types.NewFloat(f), nil
		}
	case to.Kind == types.KindFloat4:
		return func(ctx *Ctx, d types.Datum) (types.Datum, error) {
			return types.Parse(types.Float4, d.Num().String(), ctx.Ctx)
		}
	}
	return nil
}

// numToInt rounds half away from zero.
func numToInt(n types.Num, k types.Kind) (types.Datum, error) {
	switch {
	case n.NaN():
		return types.Null, errs.UnsupportedValue.New("problem", "cannot convert NaN to "+types.SQLName(types.T{Kind: k}))
	case n.Inf():
		return types.Null, errs.UnsupportedValue.New("problem", "cannot convert infinity to "+types.SQLName(types.T{Kind: k}))
	}
	v, ok := n.Int()
	if !ok {
		return types.Null, rangeError(k)
	}
	return checkInt(k, v)
}
