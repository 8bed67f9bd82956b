package expr

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Bounds of dates and timestamps, in days and microseconds from 2000-01-01.
const (
	dateMin          = -2451545
	dateMax          = 2145031949 - 1
	timestampMin     = -211813488000000000
	timestampMax     = 9223371331200000000 - 1
	timestampDaysEnd = 106741034
)

func dateRange() error      { return errs.DatetimeOutOfRange.New("what", "date out of range") }
func timestampRange() error { return errs.DatetimeOutOfRange.New("what", "timestamp out of range") }
func intervalRange() error  { return errs.DatetimeOutOfRange.New("what", "interval out of range") }

// addMonths moves a date by months; a day that the month does not have becomes its last.
func addMonths(days int64, months int) int64 {
	y, m, d := types.CivilDate(days)
	n := y*12 + m - 1 + months
	y, m = n/12, n%12+1
	if m <= 0 {
		y, m = y-1, m+12
	}
	return types.DateOf(y, m, min(d, monthDays(y, m)))
}

func monthDays(y, m int) int { return int(types.DateOf(y, m+1, 1) - types.DateOf(y, m, 1)) }

// addToTimestamp adds an interval: months, then days, then time. Days of a timestamptz are days of the session's zone.
func (ctx *Ctx) addToTimestamp(k types.Kind, ts int64, iv types.Iv) (int64, error) {
	if infinite(ts) {
		return ts, nil
	}
	if iv.Months != 0 || iv.Days != 0 {
		if k == types.KindTimestamptz {
			ts = types.ToLocal(ts, ctx.zone())
		}
		days, micros := types.SplitTimestamp(ts)
		if iv.Months != 0 {
			days = addMonths(days, int(iv.Months))
		}
		days += int64(iv.Days)
		if days < dateMin || days >= timestampDaysEnd {
			return 0, timestampRange()
		}
		ts = days*microsDay + micros
		if k == types.KindTimestamptz {
			ts = types.FromLocal(ts, ctx.zone())
		}
	}
	sum, ok := addInts(ts, iv.Micros)
	if !ok || sum < timestampMin || sum > timestampMax {
		return 0, timestampRange()
	}
	return sum, nil
}

func addDatetime(b *builder) {
	addDateArithmetic(b)
	addTimeArithmetic(b)
	addIntervalArithmetic(b)
	addAge(b)
	addOverlaps(b)
	addNow(b)
	addWatermark(b)
	addMake(b)
	addZones(b)
}

func addDateArithmetic(b *builder) {
	d, i4, ts, iv := types.Date, types.Int4, types.Timestamp, types.Interval
	plus := f2e(func(a, n int64) (int64, error) { return shiftDate(a, n) })
	b.op("+", in(d, i4).out(d), plus, "date some days later")
	b.op("+", in(i4, d).out(d), f2e(func(n, a int64) (int64, error) { return shiftDate(a, n) }), "date some days later")
	b.op("-", in(d, i4).out(d), f2e(func(a, n int64) (int64, error) { return shiftDate(a, -n) }), "date some days earlier")
	b.op("-", in(d, d).out(i4), f2e(func(a, c int64) (int64, error) {
		if infiniteDate(a) || infiniteDate(c) {
			return 0, errs.DatetimeOutOfRange.New("what", "cannot subtract infinite dates")
		}
		return a - c, nil
	}), "days between")
	b.op("+", in(d, iv).out(ts), c2(func(ctx *Ctx, a int64, v types.Iv) (int64, error) { return ctx.dateAdd(a, v) }), "timestamp later by the interval")
	b.op("+", in(iv, d).out(ts), c2(func(ctx *Ctx, v types.Iv, a int64) (int64, error) { return ctx.dateAdd(a, v) }), "timestamp later by the interval")
	b.op("-", in(d, iv).out(ts), c2(func(ctx *Ctx, a int64, v types.Iv) (int64, error) {
		neg, err := v.Neg()
		if err != nil {
			return 0, err
		}
		return ctx.dateAdd(a, neg)
	}), "timestamp earlier by the interval")
	at := func(a, t int64) (int64, error) {
		days, err := dateToTimestamp(a)
		if err != nil || infinite(days) {
			return days, err
		}
		return days + t, nil
	}
	b.op("+", in(d, types.Time).out(ts), f2e(at), "date at a time of day")
	b.op("+", in(types.Time, d).out(ts), f2e(func(t, a int64) (int64, error) { return at(a, t) }), "date at a time of day")
}

func infiniteDate(v int64) bool { return v == types.DateInfinity || v == types.DateNegInfinity }

func shiftDate(a, n int64) (int64, error) {
	if infiniteDate(a) {
		return a, nil
	}
	if a += n; a < dateMin || a > dateMax {
		return 0, dateRange()
	}
	return a, nil
}

func (ctx *Ctx) dateAdd(days int64, v types.Iv) (int64, error) {
	ts, err := dateToTimestamp(days)
	if err != nil {
		return 0, err
	}
	return ctx.addToTimestamp(types.KindTimestamp, ts, v)
}

func addTimeArithmetic(b *builder) {
	iv := types.Interval
	for _, t := range []types.T{types.Timestamp, types.Timestamptz} {
		k := t.Kind
		plus := func(ctx *Ctx, a int64, v types.Iv) (int64, error) { return ctx.addToTimestamp(k, a, v) }
		minus := func(ctx *Ctx, a int64, v types.Iv) (int64, error) {
			neg, err := v.Neg()
			if err != nil {
				return 0, err
			}
			return ctx.addToTimestamp(k, a, neg)
		}
		b.op("+", in(t, iv).out(t), c2(plus), "later by the interval").zoned(k)
		b.op("+", in(iv, t).out(t), c2(func(ctx *Ctx, v types.Iv, a int64) (int64, error) { return plus(ctx, a, v) }), "later by the interval").zoned(k)
		b.op("-", in(t, iv).out(t), c2(minus), "earlier by the interval").zoned(k)
		b.op("-", in(t, t).out(iv), f2e(subTimestamps), "time between, in days of 24 hours")
	}
	clock := types.Time
	b.op("+", in(clock, iv).out(clock), f2(func(a int64, v types.Iv) int64 { return floorMod(a+v.Micros%microsDay, microsDay) }), "time of day later by the interval")
	b.op("+", in(iv, clock).out(clock), f2(func(v types.Iv, a int64) int64 { return floorMod(a+v.Micros%microsDay, microsDay) }), "time of day later by the interval")
	b.op("-", in(clock, iv).out(clock), f2(func(a int64, v types.Iv) int64 { return floorMod(a-v.Micros%microsDay, microsDay) }), "time of day earlier by the interval")
	b.op("-", in(clock, clock).out(iv), f2(func(a, c int64) types.Iv { return types.Iv{Micros: a - c} }), "time between")
}

// zoned marks arithmetic on timestamptz, whose days depend on the session's zone.
func (f *Func) zoned(k types.Kind) *Func {
	if k == types.KindTimestamptz {
		f.Volatile = Stable
	}
	return f
}

func subTimestamps(a, b int64) (types.Iv, error) {
	if infinite(a) || infinite(b) {
		return types.Iv{}, errs.DatetimeOutOfRange.New("what", "cannot subtract infinite timestamps")
	}
	d, ok := subInts(a, b)
	if !ok {
		return types.Iv{}, intervalRange()
	}
	return types.Iv{Micros: d}.JustifyHours()
}

func addIntervalArithmetic(b *builder) {
	iv, f8 := types.Interval, types.Float8
	b.op("+", in(iv, iv).out(iv), f2e(types.Iv.Add), "sum, field by field")
	b.op("-", in(iv, iv).out(iv), f2e(types.Iv.Sub), "difference, field by field")
	b.op("-", in(iv).out(iv), f1e(types.Iv.Neg), "negation")
	b.op("*", in(iv, f8).out(iv), f2e(types.Iv.Mul), "product")
	b.op("*", in(f8, iv).out(iv), f2e(func(f float64, v types.Iv) (types.Iv, error) { return v.Mul(f) }), "product")
	b.op("/", in(iv, f8).out(iv), f2e(types.Iv.Div), "quotient")
	b.fn("justify_hours", in(iv).out(iv), f1e(types.Iv.JustifyHours), "24 hours become a day")
	b.fn("justify_days", in(iv).out(iv), f1e(types.Iv.JustifyDays), "30 days become a month")
	b.fn("justify_interval", in(iv).out(iv), f1e(types.Iv.Justify), "24 hours become a day, 30 days a month, all of one sign")
	b.fn("isfinite", in(iv).out(types.Bool), f1(func(types.Iv) bool { return true }), "true")
	b.fn("isfinite", in(types.Date).out(types.Bool), f1(func(v int64) bool { return !infiniteDate(v) }), "whether it is not infinity")
	for _, t := range []types.T{types.Timestamp, types.Timestamptz} {
		b.fn("isfinite", in(t).out(types.Bool), f1(func(v int64) bool { return !infinite(v) }), "whether it is not infinity")
	}
}
