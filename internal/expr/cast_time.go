package expr

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Microseconds in the units of time.
const (
	microsSecond = 1_000_000
	microsMinute = 60 * microsSecond
	microsHour   = 60 * microsMinute
	microsDay    = 24 * microsHour
)

// infinite reports whether a timestamp is one of the infinities.
func infinite(ts int64) bool {
	return ts == types.TimestampInfinity || ts == types.TimestampNegInfinity
}

// timeConversion converts between dates, times and timestamps; timestamptz goes by way of local time.
func timeConversion(from, to types.Kind) convert {
	switch {
	case from == types.KindDate && to == types.KindTimestamp:
		return intConvert(func(_ *Ctx, v int64) (int64, error) { return dateToTimestamp(v) })
	case from == types.KindDate && to == types.KindTimestamptz:
		return intConvert(func(ctx *Ctx, v int64) (int64, error) {
			ts, err := dateToTimestamp(v)
			return types.FromLocal(ts, ctx.zone()), err
		})
	case from == types.KindTimestamp && to == types.KindTimestamptz:
		return intConvert(func(ctx *Ctx, v int64) (int64, error) { return types.FromLocal(v, ctx.zone()), nil })
	case from == types.KindTimestamptz && to == types.KindTimestamp:
		return intConvert(func(ctx *Ctx, v int64) (int64, error) { return types.ToLocal(v, ctx.zone()), nil })
	case from == types.KindTimestamp && to == types.KindDate:
		return intConvert(func(_ *Ctx, v int64) (int64, error) { return timestampToDate(v), nil })
	case from == types.KindTimestamptz && to == types.KindDate:
		return intConvert(func(ctx *Ctx, v int64) (int64, error) { return timestampToDate(types.ToLocal(v, ctx.zone())), nil })
	case from == types.KindTimestamp && to == types.KindTime:
		return clockOf(func(_ *Ctx, v int64) int64 { return v })
	case from == types.KindTimestamptz && to == types.KindTime:
		return clockOf(func(ctx *Ctx, v int64) int64 { return types.ToLocal(v, ctx.zone()) })
	case from == types.KindTime && to == types.KindInterval:
		return func(_ *Ctx, d types.Datum) (types.Datum, error) {
			return types.NewInterval(types.Iv{Micros: d.Int()}), nil
		}
	case from == types.KindInterval && to == types.KindTime:
		return func(_ *Ctx, d types.Datum) (types.Datum, error) {
			return types.NewInt(floorMod(d.Interval().Micros, microsDay)), nil
		}
	}
	return nil
}

func intConvert(f func(ctx *Ctx, v int64) (int64, error)) convert {
	return func(ctx *Ctx, d types.Datum) (types.Datum, error) {
		v, err := f(ctx, d.Int())
		return types.NewInt(v), err
	}
}

// clockOf takes the time of day; the infinities have none.
func clockOf(local func(*Ctx, int64) int64) convert {
	return func(ctx *Ctx, d types.Datum) (types.Datum, error) {
		if infinite(d.Int()) {
			return types.Null, nil
		}
		_, micros := types.SplitTimestamp(local(ctx, d.Int()))
		return types.NewInt(micros), nil
	}
}

func dateToTimestamp(days int64) (int64, error) {
	switch days {
	case types.DateInfinity:
		return types.TimestampInfinity, nil
	case types.DateNegInfinity:
		return types.TimestampNegInfinity, nil
	}
	if days >= timestampDaysEnd {
		return 0, errs.DatetimeOutOfRange.New("what", "date out of range for timestamp")
	}
	return days * microsDay, nil
}

func timestampToDate(ts int64) int64 {
	switch ts {
	case types.TimestampInfinity:
		return types.DateInfinity
	case types.TimestampNegInfinity:
		return types.DateNegInfinity
	}
	days, _ := types.SplitTimestamp(ts)
	return days
}

func floorMod(a, b int64) int64 {
	m := a % b
	if m < 0 {
		m += b
	}
	return m
}
