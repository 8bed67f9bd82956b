package expr

import (
	"math"
	"strings"
	"time"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// unit is a field of dates, times and intervals.
type unit string

// unitAliases are PostgreSQL's other spellings.
var unitAliases = map[string]unit{
	"us": "microseconds", "usec": "microseconds", "usecs": "microseconds", "usecond": "microseconds", "useconds": "microseconds", "microsecond": "microseconds", "microsecon": "microseconds",
	"ms": "milliseconds", "msec": "milliseconds", "msecs": "milliseconds", "msecond": "milliseconds", "mseconds": "milliseconds", "millisecond": "milliseconds", "millisecon": "milliseconds",
	"s": "second", "sec": "second", "secs": "second", "seconds": "second",
	"m": "minute", "min": "minute", "mins": "minute", "minutes": "minute",
	"h": "hour", "hr": "hour", "hrs": "hour", "hours": "hour",
	"d": "day", "days": "day", "w": "week", "weeks": "week",
	"mon": "month", "mons": "month", "months": "month", "qtr": "quarter", "quarters": "quarter",
	"y": "year", "yr": "year", "yrs": "year", "years": "year", "dec": "decade", "decs": "decade", "decades": "decade",
	"c": "century", "cent": "century", "centuries": "century", "mil": "millennium", "mils": "millennium", "millennia": "millennium",
	"j": "julian", "jd": "julian",
}

var units = func() map[string]unit {
	m := map[string]unit{}
	for k, v := range unitAliases {
		m[k] = v
	}
	for name := range strings.FieldsSeq(`microseconds milliseconds second minute hour day week month quarter year decade century
		millennium dow isodow doy isoyear julian epoch timezone timezone_hour timezone_minute`) {
		m[name] = unit(name)
	}
	return m
}()

func unitOf(name string, t types.T) (unit, error) {
	if u, ok := units[strings.ToLower(name)]; ok {
		return u, nil
	}
	return "", errs.UnknownUnit.New("unit", strings.ToLower(name), "type", typeName(t))
}

func unsupportedUnit(name string, t types.T) error {
	return errs.UnsupportedUnit.New("unit", strings.ToLower(name), "type", typeName(t))
}

func addExtract(b *builder) {
	text := types.Text
	for _, t := range []types.T{types.Timestamp, types.Timestamptz, types.Date, types.Time, types.Interval} {
		f := extractFunc(t)
		b.fn("extract", in(text, t).out(types.Numeric), fn(func(ctx *Ctx, r row) (types.Datum, error) {
			n, ok, err := f(ctx, r.str(0), r.datum(1))
			if err != nil || !ok {
				return types.Null, err
			}
			return types.NewNumeric(n), nil
		}), "a field of the value, such as year, hour or epoch").zoned(t.Kind)
		b.fn("date_part", in(text, t).out(types.Float8), fn(func(ctx *Ctx, r row) (types.Datum, error) {
			n, ok, err := f(ctx, r.str(0), r.datum(1))
			if err != nil || !ok {
				return types.Null, err
			}
			return types.NewFloat(n.Float()), nil
		}), "a field of the value, such as year, hour or epoch").zoned(t.Kind)
	}
	addTruncation(b)
}

// extractFunc gives a field's value, not ok where an infinity has none.
func extractFunc(t types.T) func(ctx *Ctx, name string, d types.Datum) (types.Num, bool, error) {
	return func(ctx *Ctx, name string, d types.Datum) (types.Num, bool, error) {
		u, err := unitOf(name, t)
		if err != nil {
			return types.Num{}, false, err
		}
		var n types.Num
		ok := false
		switch t.Kind {
		case types.KindInterval:
			n, ok = intervalField(u, d.Interval())
		case types.KindTime:
			if n, ok = clockField(u, d.Int()); !ok && u == "epoch" {
				n, ok = types.NumFromScaled(d.Int(), 6), true
			}
		case types.KindDate:
			if infiniteDate(d.Int()) {
				return infiniteField(u, d.Int() > 0, name, t)
			}
			if n, ok = dateField(u, d.Int()); !ok && u == "epoch" {
				n, ok = types.NumFromInt((d.Int()+unixDays)*86400), true
			}
		default:
			if infinite(d.Int()) {
				return infiniteField(u, d.Int() > 0, name, t)
			}
			n, ok = ctx.timestampField(u, t.Kind, d.Int())
		}
		if !ok {
			return n, false, unsupportedUnit(name, t)
		}
		return n, true, nil
	}
}

const unixDays = 10957 // from 1970-01-01 to 2000-01-01

// infiniteField: fields that grow without bound are infinite, the others NULL.
func infiniteField(u unit, positive bool, name string, t types.T) (types.Num, bool, error) {
	switch u {
	case "year", "decade", "century", "millennium", "isoyear", "julian", "epoch":
		if positive {
			return types.NumPosInf, true, nil
		}
		return types.NumNegInf, true, nil
	}
	if strings.HasPrefix(string(u), "timezone") && t.Kind != types.KindTimestamptz {
		return types.Num{}, false, unsupportedUnit(name, t)
	}
	return types.Num{}, false, nil
}

func (ctx *Ctx) timestampField(u unit, k types.Kind, ts int64) (types.Num, bool) {
	local := ctx.localOf(k, ts)
	switch u {
	case "epoch":
		return types.NumFromScaled(ts, 6).Add(types.NumFromScaled(unixDays*86400*microsSecond, 6)), true
	case "timezone", "timezone_hour", "timezone_minute":
		if k != types.KindTimestamptz {
			return types.Num{}, false
		}
		offset := (local - ts) / microsSecond
		switch u {
		case "timezone_hour":
			offset /= 3600
		case "timezone_minute":
			offset = offset / 60 % 60
		}
		return types.NumFromInt(offset), true
	}
	days, micros := types.SplitTimestamp(local)
	if u == "julian" {
		day := types.NumFromInt(days + julianDays)
		if micros == 0 {
			return day.Round(0), true
		}
		frac, err := types.NumFromInt(micros).Div(types.NumFromInt(microsDay))
		return day.Add(frac), err == nil
	}
	if n, ok := dateField(u, days); ok {
		return n, true
	}
	return clockField(u, micros)
}

const julianDays = 2451545

func clockField(u unit, micros int64) (types.Num, bool) {
	switch u {
	case "microseconds":
		return types.NumFromInt(micros % microsMinute), true
	case "milliseconds":
		return types.NumFromScaled(micros%microsMinute, 3), true
	case "second":
		return types.NumFromScaled(micros%microsMinute, 6), true
	case "minute":
		return types.NumFromInt(micros / microsMinute % 60), true
	case "hour":
		return types.NumFromInt(micros / microsHour), true
	}
	return types.Num{}, false
}

func dateField(u unit, days int64) (types.Num, bool) {
	y, m, d := types.CivilDate(days)
	var v int64
	shown := int64(y) // 0 is 1 BC, shown as -1
	if y <= 0 {
		shown = int64(y) - 1
	}
	switch u {
	case "day":
		v = int64(d)
	case "month":
		v = int64(m)
	case "quarter":
		v = int64(m-1)/3 + 1
	case "year":
		v = shown
	case "decade":
		v = floorDiv(int64(y), 10)
	case "century":
		v = centuryOf(int64(y), 100)
	case "millennium":
		v = centuryOf(int64(y), 1000)
	case "dow":
		v = floorMod(days+6, 7)
	case "isodow":
		v = floorMod(days+5, 7) + 1
	case "doy":
		v = days - types.DateOf(y, 1, 1) + 1
	case "week":
		_, v = isoWeek(days)
	case "isoyear":
		if v, _ = isoWeek(days); v <= 0 {
			v--
		}
	case "julian":
		v = days + julianDays
	default:
		return types.Num{}, false
	}
	return types.NumFromInt(v), true
}

func floorDiv(a, b int64) int64 { return (a - floorMod(a, b)) / b }

// centuryOf counts from 1 AD on, and from -1 before.
func centuryOf(y, size int64) int64 {
	if y > 0 {
		return (y + size - 1) / size
	}
	return -((size - 1 - (y - 1)) / size)
}

// isoWeek is the ISO year (0 is 1 BC) and week: the week of the year's first Thursday is the first.
func isoWeek(days int64) (year, week int64) {
	thursday := days - floorMod(days+5, 7) + 3
	y, _, _ := types.CivilDate(thursday)
	return int64(y), (thursday-types.DateOf(y, 1, 1))/7 + 1
}

// isoWeekStart is the Monday of a week.
func isoWeekStart(days int64) int64 { return days - floorMod(days+5, 7) }

func intervalField(u unit, v types.Iv) (types.Num, bool) {
	years := int64(v.Months / 12)
	switch u {
	case "year":
		return types.NumFromInt(years), true
	case "month":
		return types.NumFromInt(int64(v.Months % 12)), true
	case "quarter":
		return types.NumFromInt(int64(v.Months%12)/3 + 1), true
	case "decade":
		return types.NumFromInt(years / 10), true
	case "century":
		return types.NumFromInt(years / 100), true
	case "millennium":
		return types.NumFromInt(years / 1000), true
	case "day":
		return types.NumFromInt(int64(v.Days)), true
	case "hour":
		return types.NumFromInt(v.Micros / microsHour), true
	case "epoch":
		// A year has 365.25 days here, a month 30.
		days := types.NumFromInt(years*1461*86400/4 + (int64(v.Months%12)*30+int64(v.Days))*86400)
		return days.Add(types.NumFromScaled(v.Micros, 6)), true
	}
	return clockField(u, v.Micros)
}

func addTruncation(b *builder) {
	text, ts, tz, iv := types.Text, types.Timestamp, types.Timestamptz, types.Interval
	b.fn("date_trunc", in(text, ts).out(ts), f2e(func(name string, v int64) (int64, error) { return truncTimestamp(name, v, ts) }), "start of the year, month, hour or the like")
	b.fn("date_trunc", in(text, tz).out(tz), c2(func(ctx *Ctx, name string, v int64) (int64, error) {
		return truncInZone(name, v, ctx.zone())
	}), "start of the year, month, hour or the like").stable()
	b.fn("date_trunc", in(text, tz, text).out(tz), f3e(func(name string, v int64, zone string) (int64, error) {
		loc, err := types.ParseZone(zone)
		if err != nil {
			return 0, err
		}
		return truncInZone(name, v, loc)
	}), "start of the year, month, hour or the like in a zone")
	b.fn("date_trunc", in(text, iv).out(iv), f2e(truncInterval), "interval cut after a field")
	for _, t := range []types.T{ts, tz} {
		b.fn("date_bin", in(iv, t, t).out(t), f3e(dateBin), "start of the stride that the timestamp lies in, counted from an origin")
	}
}

func truncInZone(name string, v int64, loc *time.Location) (int64, error) {
	local, err := truncTimestamp(name, types.ToLocal(v, loc), types.Timestamptz)
	if err != nil || infinite(local) {
		return local, err
	}
	switch u := units[strings.ToLower(name)]; u {
	case "microseconds", "milliseconds", "second", "minute", "hour": // within the day the offset stays what it was
		return local - (types.ToLocal(v, loc) - v), nil
	}
	return types.FromLocal(local, loc), nil
}

func truncTimestamp(name string, ts int64, t types.T) (int64, error) {
	u, err := unitOf(name, t)
	if err != nil || infinite(ts) {
		return ts, err
	}
	days, micros := types.SplitTimestamp(ts)
	y, m, _ := types.CivilDate(days)
	switch u {
	case "microseconds":
		return ts, nil
	case "milliseconds":
		return ts - floorMod(ts, 1000), nil
	case "second":
		return ts - floorMod(ts, microsSecond), nil
	case "minute":
		return ts - floorMod(ts, microsMinute), nil
	case "hour":
		return ts - micros%microsHour, nil
	case "day":
	case "week":
		days = isoWeekStart(days)
	case "month":
		days = types.DateOf(y, m, 1)
	case "quarter":
		days = types.DateOf(y, (m-1)/3*3+1, 1)
	case "year":
		days = types.DateOf(y, 1, 1)
	case "decade":
		days = types.DateOf(int(floorDiv(int64(y), 10)*10), 1, 1)
	case "century":
		days = types.DateOf(int(floorDiv(int64(y)-1, 100)*100+1), 1, 1)
	case "millennium":
		days = types.DateOf(int(floorDiv(int64(y)-1, 1000)*1000+1), 1, 1)
	default:
		return 0, unsupportedUnit(name, t)
	}
	return days * microsDay, nil
}

func truncInterval(name string, v types.Iv) (types.Iv, error) {
	u, err := unitOf(name, types.Interval)
	if err != nil {
		return v, err
	}
	months := func(n int32) types.Iv { return types.Iv{Months: v.Months / n * n} }
	micros := func(n int64) types.Iv { return types.Iv{Months: v.Months, Days: v.Days, Micros: v.Micros / n * n} }
	switch u {
	case "microseconds":
		return v, nil
	case "milliseconds":
		return micros(1000), nil
	case "second":
		return micros(microsSecond), nil
	case "minute":
		return micros(microsMinute), nil
	case "hour":
		return micros(microsHour), nil
	case "day":
		return types.Iv{Months: v.Months, Days: v.Days}, nil
	case "month":
		return months(1), nil
	case "quarter":
		return months(3), nil
	case "year":
		return months(12), nil
	case "decade":
		return months(120), nil
	case "century":
		return months(1200), nil
	case "millennium":
		return months(12000), nil
	}
	return v, unsupportedUnit(name, types.Interval)
}

func dateBin(stride types.Iv, ts, origin int64) (int64, error) {
	if infinite(ts) {
		return ts, nil
	}
	if infinite(origin) {
		return 0, errs.DatetimeOutOfRange.New("what", "origin out of range")
	}
	if stride.Months != 0 {
		return 0, errs.UnsupportedValue.New("problem", "timestamps cannot be binned into intervals containing months or years")
	}
	days, fits := mulInts(int64(stride.Days), microsDay)
	step, ok := addInts(days, stride.Micros)
	if !fits || !ok || step == math.MinInt64 {
		return 0, intervalRange()
	}
	if step <= 0 {
		return 0, errs.DatetimeOutOfRange.New("what", "stride must be greater than zero")
	}
	diff, ok := subInts(ts, origin)
	if !ok {
		return 0, intervalRange()
	}
	return origin + diff - floorMod(diff, step), nil
}
