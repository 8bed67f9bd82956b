package expr

import (
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// instant is now() as a timestamptz.
func (ctx *Ctx) instant() int64 { return types.TimestampFromTime(ctx.Now) }

// today is the current date in the session's zone.
func (ctx *Ctx) today() int64 {
	days, _ := types.SplitTimestamp(types.ToLocal(ctx.instant(), ctx.zone()))
	return days
}

// nullary adapts a function without arguments.
func nullary(f func(ctx *Ctx) types.Datum) impl {
	return impl{eval: func(ctx *Ctx, _ []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		d := f(ctx)
		for i := range rows(sel, out.Len()) {
			out.Set(i, d)
		}
		return nil
	}}
}

func addNow(b *builder) {
	now := nullary(func(ctx *Ctx) types.Datum { return types.NewInt(ctx.instant()) })
	for _, name := range []string{"now", "current_timestamp", "transaction_timestamp", "statement_timestamp"} {
		b.fn(name, in().out(types.Timestamptz), now, "the moment of the transaction").momentary()
	}
	for _, name := range []string{"clock_timestamp", "proctime"} {
		b.fn(name, in().out(types.Timestamptz), now, "the moment at which the row is processed, to the barrier").volatile()
	}
	b.fn("current_date", in().out(types.Date), nullary(func(ctx *Ctx) types.Datum { return types.NewInt(ctx.today()) }), "the current date").momentary()
	b.fn("localtimestamp", in().out(types.Timestamp), nullary(func(ctx *Ctx) types.Datum {
		return types.NewInt(types.ToLocal(ctx.instant(), ctx.zone()))
	}), "the current local time").momentary()
	for _, name := range []string{"localtime", "current_time"} {
		b.fn(name, in().out(types.Time), nullary(func(ctx *Ctx) types.Datum {
			_, micros := types.SplitTimestamp(types.ToLocal(ctx.instant(), ctx.zone()))
			return types.NewInt(micros)
		}), "the current local time of day").momentary()
	}
	b.fn("timeofday", in().out(types.Text), nullary(func(ctx *Ctx) types.Datum {
		return types.NewBytes(ctx.Now.In(ctx.zone()).Format("Mon Jan 02 15:04:05.000000 2006 MST"))
	}), "the current time as text").volatile()
}

func addMake(b *builder) {
	i4, f8 := types.Int4, types.Float8
	b.fn("make_date", in(i4, i4, i4).out(types.Date), f3e(makeDate), "date of year, month and day")
	b.fn("make_time", in(i4, i4, f8).out(types.Time), f3e(makeTime), "time of hour, minute and seconds")
	six := []types.T{i4, i4, i4, i4, i4, f8}
	b.fn("make_timestamp", in(six...).out(types.Timestamp), fn(func(_ *Ctx, r row) (types.Datum, error) {
		v, err := makeTimestamp(r)
		return types.NewInt(v), err
	}), "timestamp of its six fields")
	b.fn("make_timestamptz", in(six...).out(types.Timestamptz), fn(func(ctx *Ctx, r row) (types.Datum, error) {
		v, err := makeTimestamp(r)
		return types.NewInt(types.FromLocal(v, ctx.zone())), err
	}), "timestamp with time zone of its six fields").stable()
	b.fn("make_timestamptz", in(append(six, types.Text)...).out(types.Timestamptz), fn(func(_ *Ctx, r row) (types.Datum, error) {
		v, err := makeTimestamp(r)
		if err != nil {
			return types.Null, err
		}
		loc, err := types.ParseZone(r.str(6))
		if err != nil {
			return types.Null, err
		}
		return types.NewInt(types.FromLocal(v, loc)), nil
	}), "timestamp with time zone of its six fields in a zone")
	ints := []types.T{i4, i4, i4, i4, i4, i4, f8}
	for n := 0; n <= len(ints); n++ {
		b.fn("make_interval", in(ints[:n]...).out(types.Interval), fn(makeInterval), "interval of years, months, weeks, days, hours, minutes and seconds")
	}
}

func makeDate(y, m, d int64) (int64, error) {
	bad := func() (int64, error) {
		return 0, errs.DatetimeOutOfRange.New("what", "date field value out of range: "+dateText(y, m, d))
	}
	year := y
	if y < 0 {
		year = y + 1
	}
	if y == 0 || m < 1 || m > 12 || d < 1 || d > int64(monthDays(int(year), int(m))) {
		return bad()
	}
	days := types.DateOf(int(year), int(m), int(d))
	if days < dateMin || days > dateMax {
		return 0, errs.DatetimeOutOfRange.New("what", "date out of range: "+dateText(y, m, d))
	}
	return days, nil
}

func dateText(y, m, d int64) string {
	return types.Format(types.Int8, types.NewInt(y), types.Ctx{}) + "-" + twoDigits(m) + "-" + twoDigits(d)
}

func makeTime(h, m int64, s float64) (int64, error) {
	micros := int64(s*microsSecond + 0.5)
	if h < 0 || h > 24 || m < 0 || m > 59 || s != s || s < 0 || s > 60 || h*microsHour+m*microsMinute+micros > microsDay {
		return 0, errs.DatetimeOutOfRange.New("what", "time field value out of range: "+twoDigits(h)+":"+twoDigits(m)+":"+floatText(s))
	}
	return h*microsHour + m*microsMinute + micros, nil
}

func makeTimestamp(r row) (int64, error) {
	days, err := makeDate(r.int(0), r.int(1), r.int(2))
	if err != nil {
		return 0, err
	}
	clock, err := makeTime(r.int(3), r.int(4), r.float(5))
	if err != nil {
		return 0, err
	}
	ts, err := dateToTimestamp(days)
	return ts + clock, err
}

func makeInterval(_ *Ctx, r row) (types.Datum, error) {
	var f [6]int64
	for k := range min(r.n(), 6) {
		f[k] = r.int(k)
	}
	micros := f[4]*microsHour + f[5]*microsMinute
	if r.n() == 7 {
		micros += int64(r.float(6)*microsSecond + 0.5)
	}
	months, days := f[0]*12+f[1], f[2]*7+f[3]
	if months != int64(int32(months)) || days != int64(int32(days)) {
		return types.Null, intervalRange()
	}
	return types.NewInterval(types.Iv{Months: int32(months), Days: int32(days), Micros: micros}), nil
}

func addZones(b *builder) {
	text, ts, tz := types.Text, types.Timestamp, types.Timestamptz
	toLocal := f2e(func(zone string, v int64) (int64, error) {
		loc, err := types.ParseZone(zone)
		if err != nil {
			return 0, err
		}
		return types.ToLocal(v, loc), nil
	})
	toInstant := f2e(func(zone string, v int64) (int64, error) {
		loc, err := types.ParseZone(zone)
		if err != nil {
			return 0, err
		}
		return types.FromLocal(v, loc), nil
	})
	b.fn("timezone", in(text, tz).out(ts), toLocal, "local time in the zone (x AT TIME ZONE zone)")
	b.fn("timezone", in(text, ts).out(tz), toInstant, "instant of a local time in the zone (x AT TIME ZONE zone)")
	b.fn("timezone", in(types.Interval, tz).out(ts), f2e(func(z types.Iv, v int64) (int64, error) { return atOffset(v, z, 1) }), "local time at the offset")
	b.fn("timezone", in(types.Interval, ts).out(tz), f2e(func(z types.Iv, v int64) (int64, error) { return atOffset(v, z, -1) }), "instant of a local time at the offset")
}

// atOffset shifts a timestamp by a zone that is given as a time from UTC, of which whole seconds count.
func atOffset(ts int64, zone types.Iv, sign int64) (int64, error) {
	if infinite(ts) {
		return ts, nil
	}
	if zone.Months != 0 || zone.Days != 0 {
		return 0, errs.IntervalZone.New("zone", types.Format(types.Interval, types.NewInterval(zone), types.Ctx{}))
	}
	sum, ok := addInts(ts, sign*(zone.Micros-zone.Micros%microsSecond))
	if !ok || sum < timestampMin || sum > timestampMax {
		return 0, timestampRange()
	}
	return sum, nil
}
