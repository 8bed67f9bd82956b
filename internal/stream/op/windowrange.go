package op

import (
	"math"
	"time"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
)

// comparedAs is the type in which values of an order column meet their RANGE bounds: dates move by intervals, so they
// are compared as timestamps.
func comparedAs(t types.T) types.T {
	if t.Kind == types.KindDate {
		return types.Timestamp
	}
	return t
}

// comparable is a value of the column in that type.
func comparable(t types.T, d types.Datum) types.Datum {
	if t.Kind == types.KindDate {
		return types.NewInt(dateMicros(d.Int()))
	}
	return d
}

const dayMicros = 24 * 60 * 60 * 1_000_000

// dateMicros keeps the infinite dates at the ends.
func dateMicros(days int64) int64 {
	switch {
	case days <= math.MinInt64/dayMicros || days == math.MinInt32:
		return math.MinInt64
	case days >= math.MaxInt64/dayMicros || days == math.MaxInt32:
		return math.MaxInt64
	}
	return days * dayMicros
}

// displace moves a value of the order column by the offset of a RANGE bound; minus: towards smaller values. Integers and
// times stop at the ends of what they can hold.
func displace(t types.T, d types.Datum, b plan.Bound, minus bool, ctx *expr.Ctx) (types.Datum, error) {
	switch t.Kind {
	case types.KindInt2, types.KindInt4, types.KindInt8, types.KindOid:
		return types.NewInt(addSaturating(d.Int(), b.Offset.Int(), minus)), nil
	case types.KindFloat4, types.KindFloat8:
		if minus {
			return types.NewFloat(d.Float() - b.Offset.Float()), nil
		}
		return types.NewFloat(d.Float() + b.Offset.Float()), nil
	case types.KindNumeric:
		if minus {
			return types.NewNumeric(d.Num().Sub(b.Offset.Num())), nil
		}
		return types.NewNumeric(d.Num().Add(b.Offset.Num())), nil
	}
	iv := b.Offset.Interval()
	if minus {
		var err error
		if iv, err = iv.Neg(); err != nil {
			return types.Null, err
		}
	}
	switch t.Kind {
	case types.KindInterval:
		sum, err := d.Interval().Add(iv)
		return types.NewInterval(sum), err
	case types.KindTime:
		return types.NewInt(addSaturating(d.Int(), iv.Micros, false)), nil
	case types.KindDate, types.KindTimestamp:
		return types.NewInt(addInterval(comparable(t, d).Int(), iv)), nil
	case types.KindTimestamptz:
		loc := time.UTC
		if ctx != nil && ctx.Loc != nil {
			loc = ctx.Loc
		}
		return types.NewInt(addIntervalIn(d.Int(), iv, loc)), nil
	}
	return types.Null, errs.Internal.New("what", "RANGE frame over a type that has no distance")
}

func addSaturating(a, b int64, minus bool) int64 {
	if minus {
		if b == math.MinInt64 {
			return math.MaxInt64
		}
		b = -b
	}
	sum := a + b
	switch {
	case b > 0 && sum < a:
		return math.MaxInt64
	case b < 0 && sum > a:
		return math.MinInt64
	}
	return sum
}

// addInterval adds months (the day is cut to the month's last), days and microseconds. Infinities stay.
func addInterval(ts int64, iv types.Iv) int64 {
	if ts == math.MinInt64 || ts == math.MaxInt64 {
		return ts
	}
	days, micros := types.SplitTimestamp(ts)
	if iv.Months != 0 {
		y, m, d := types.CivilDate(days)
		months := y*12 + m - 1 + int(iv.Months)
		y, m = floorDiv(months, 12), months-floorDiv(months, 12)*12+1
		last := int(types.DateOf(y+m/12, m%12+1, 1) - types.DateOf(y, m, 1))
		days = types.DateOf(y, m, min(d, last))
	}
	days += int64(iv.Days)
	return addSaturating(addSaturating(dateMicros(days), micros, false), iv.Micros, false)
}

// addIntervalIn adds months and days to the local time of a zone, then microseconds to the instant.
func addIntervalIn(ts int64, iv types.Iv, loc *time.Location) int64 {
	if ts == math.MinInt64 || ts == math.MaxInt64 {
		return ts
	}
	if iv.Months != 0 || iv.Days != 0 {
		civil := iv
		civil.Micros = 0
		ts = types.FromLocal(addInterval(types.ToLocal(ts, loc), civil), loc)
	}
	return addSaturating(ts, iv.Micros, false)
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
