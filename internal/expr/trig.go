package expr

import (
	"math"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

func addTrig(b *builder) {
	f8 := types.Float8
	one := in(f8).out(f8)
	b.fn("pi", in().out(f8), nullary(func(*Ctx) types.Datum { return types.NewFloat(math.Pi) }), "the number pi")
	b.fn("degrees", one, f1(func(v float64) float64 { return v / (math.Pi / 180) }), "radians to degrees")
	b.fn("radians", one, f1(func(v float64) float64 { return v * (math.Pi / 180) }), "degrees to radians")
	for _, t := range []struct {
		name     string
		f        func(float64) float64
		min, max float64
	}{
		{"sin", math.Sin, -math.MaxFloat64, math.MaxFloat64}, {"cos", math.Cos, -math.MaxFloat64, math.MaxFloat64},
		{"tan", math.Tan, -math.MaxFloat64, math.MaxFloat64},
		{"cot", func(v float64) float64 { return 1 / math.Tan(v) }, -math.MaxFloat64, math.MaxFloat64},
		{"asin", math.Asin, -1, 1}, {"acos", math.Acos, -1, 1}, {"atan", math.Atan, math.Inf(-1), math.Inf(1)},
		{"sinh", math.Sinh, math.Inf(-1), math.Inf(1)}, {"cosh", math.Cosh, math.Inf(-1), math.Inf(1)},
		{"tanh", math.Tanh, math.Inf(-1), math.Inf(1)},
		{"coth", func(v float64) float64 { return 1 / math.Tanh(v) }, math.Inf(-1), math.Inf(1)},
		{"asinh", math.Asinh, math.Inf(-1), math.Inf(1)},
		{"acosh", math.Acosh, 1, math.Inf(1)}, {"atanh", math.Atanh, -1, 1},
		{"sind", sind, -math.MaxFloat64, math.MaxFloat64}, {"cosd", cosd, -math.MaxFloat64, math.MaxFloat64},
		{"tand", func(v float64) float64 { return unsignedZero(sind(v) / cosd(v)) }, -math.MaxFloat64, math.MaxFloat64},
		{"cotd", func(v float64) float64 { return unsignedZero(cosd(v) / sind(v)) }, -math.MaxFloat64, math.MaxFloat64},
		{"asind", asind, -1, 1}, {"acosd", acosd, -1, 1}, {"atand", atand, math.Inf(-1), math.Inf(1)},
	} {
		b.fn(t.name, one, f1e(func(v float64) (float64, error) {
			if v < t.min || v > t.max {
				return 0, errs.InputOutOfRange.New("problem", "input is out of range")
			}
			return t.f(v), nil
		}), trigDoc(t.name))
	}
	b.fn("atan2", in(f8, f8).out(f8), f2(math.Atan2), "angle of the point (second, first), in radians")
	b.fn("atan2d", in(f8, f8).out(f8), f2(func(y, x float64) float64 { return math.Atan2(y, x) / math.Atan(1) * 45 }), "angle of the point (second, first), in degrees")
}

func trigDoc(name string) string {
	words := map[string]string{"sin": "sine", "cos": "cosine", "tan": "tangent", "cot": "cotangent"}
	unit, doc := "radians", ""
	rest := name
	if rest[len(rest)-1] == 'd' {
		unit, rest = "degrees", rest[:len(rest)-1]
	}
	if rest[0] == 'a' {
		doc, rest = "inverse ", rest[1:]
	}
	if rest[len(rest)-1] == 'h' {
		return doc + "hyperbolic " + words[rest[:len(rest)-1]]
	}
	return doc + words[rest] + ", in " + unit
}

// sind and cosd reduce the angle to the first octant, so that multiples of 30 and 45 degrees are exact.
func sind(v float64) float64 {
	v = math.Mod(v, 360)
	sign := 1.0
	if v < 0 {
		v, sign = -v, -1
	}
	if v > 180 {
		v, sign = 360-v, -sign
	}
	if v > 90 {
		v = 180 - v
	}
	return sign * sinFirst(v)
}

func cosd(v float64) float64 {
	v = math.Abs(math.Mod(v, 360))
	if v > 180 {
		v = 360 - v
	}
	if v > 90 {
		return -cosFirst(180 - v)
	}
	return cosFirst(v)
}

// unsignedZero: a tangent of zero has no sign in PostgreSQL.
func unsignedZero(v float64) float64 {
	if v == 0 {
		return 0
	}
	return v
}

const radian = math.Pi / 180

func sinDegrees(v float64) float64 { return math.Sin(v * radian) }
func cosDegrees(v float64) float64 { return math.Cos(v * radian) }

func sinFirst(v float64) float64 {
	if v <= 30 {
		return sinDegrees(v) / sinDegrees(30) / 2
	}
	return cosLow(90 - v)
}

func cosFirst(v float64) float64 {
	if v <= 60 {
		return cosLow(v)
	}
	return sinDegrees(90-v) / sinDegrees(30) / 2
}

// cosLow is the cosine up to 60 degrees, exact at both ends.
func cosLow(v float64) float64 {
	return 1 - (1-cosDegrees(v))/(1-cosDegrees(60))/2
}

func asind(v float64) float64 {
	if v < 0 {
		return -asind(-v)
	}
	if v <= 0.5 {
		return math.Asin(v) / math.Asin(0.5) * 30
	}
	return 90 - math.Acos(v)/math.Acos(0.5)*60
}

func acosd(v float64) float64 {
	if v < 0 {
		return 90 + asind(-v)
	}
	if v <= 0.5 {
		return 90 - math.Asin(v)/math.Asin(0.5)*30
	}
	return math.Acos(v) / math.Acos(0.5) * 60
}

func atand(v float64) float64 { return math.Atan(v) / math.Atan(1) * 45 }
