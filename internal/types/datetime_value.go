package types

import (
	"time"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// parseDate, parseTime and parseTimestamp read values of their types.
func parseDate(s string, c Ctx) (int64, error) {
	f, err := parseDatetime("date", s, c)
	if err != nil {
		return 0, err
	}
	outside := errs.DatetimeOutOfRange.New("what", "date out of range: \""+s+"\"")
	switch f.special {
	case "infinity":
		return DateInfinity, nil
	case "-infinity":
		return DateNegInfinity, nil
	}
	days, ok := f.days()
	if !ok {
		return 0, f.syntax()
	}
	if !dateInRange(days) {
		return 0, outside
	}
	return days, nil
}

// days is the date that the text names; ok is false when it has none.
func (f *dtFields) days() (int64, bool) {
	today, _ := SplitTimestamp(ToLocal(TimestampFromTime(f.ctx.Now), f.ctx.location()))
	switch {
	case f.special == "now" || f.special == "today":
		return today, true
	case f.special == "tomorrow":
		return today + 1, true
	case f.special == "yesterday":
		return today - 1, true
	case f.special == "epoch":
		return -unixDays, true
	case f.isJulian:
		return f.julian - julianDays, true
	}
	return DateOf(f.year, f.month, f.day), f.hasDay
}

func parseTime(s string, c Ctx) (int64, error) {
	f, err := parseDatetime("time", s, c)
	switch {
	case err != nil:
		return 0, err
	case f.special == "now":
		_, micros := SplitTimestamp(ToLocal(TimestampFromTime(c.Now), c.location()))
		return micros, nil
	case !f.hasClock:
		return 0, f.syntax()
	}
	return f.micros, nil
}

// parseTimestamp reads a local time, or with zoned an instant.
func parseTimestamp(s string, c Ctx, zoned bool) (int64, error) {
	typ := "timestamp"
	if zoned {
		typ = "timestamp with time zone"
	}
	f, err := parseDatetime(typ, s, c)
	if err != nil {
		return 0, err
	}
	switch f.special {
	case "infinity":
		return TimestampInfinity, nil
	case "-infinity":
		return TimestampNegInfinity, nil
	case "now":
		if zoned {
			return TimestampFromTime(c.Now), nil
		}
		return ToLocal(TimestampFromTime(c.Now), c.location()), nil
	case "epoch":
		return -unixDays * microsDay, nil
	}
	days, ok := f.days()
	if !ok {
		return 0, f.syntax()
	}
	ts, ok := joinTimestamp(days, f.micros)
	if ok && zoned {
		ts = f.instant(ts, c.location())
		ok = timestampInRange(ts)
	}
	if !ok {
		return 0, errs.DatetimeOutOfRange.New("what", "timestamp out of range: \""+s+"\"")
	}
	return ts, nil
}

// instant applies the zone of the text, else that of the session.
func (f *dtFields) instant(local int64, session *time.Location) int64 {
	if f.zone != nil {
		return FromLocal(local, f.zone) - f.offset*microsSecond
	}
	if f.hasOffset {
		return local - f.offset*microsSecond
	}
	return FromLocal(local, session)
}

// roundMicrosTo rounds microseconds to a number of fractional digits of the second, half away from zero.
func roundMicrosTo(micros int64, digits int32) int64 {
	const digitsMax = 6
	if digits < 0 || digits >= digitsMax {
		return micros
	}
	unit := pow10s[digitsMax-digits]
	half := unit / 2
	if micros < 0 {
		half = -half
	}
	if sum := micros + half; (sum > micros) == (half > 0) {
		return sum / unit * unit
	}
	return micros
}
