package types

import (
	"math"
	"time"
)

// Dates count days and timestamps microseconds from 2000-01-01. The largest and smallest values are the infinities.
const (
	DateInfinity         = math.MaxInt32
	DateNegInfinity      = math.MinInt32
	TimestampInfinity    = math.MaxInt64
	TimestampNegInfinity = math.MinInt64

	unixDays     = 10957 // from 1970-01-01 to 2000-01-01
	julianDays   = 2451545
	dateMin      = -julianDays    // 4714-11-24 BC
	dateMax      = 2145031949 - 1 // 5874897-12-31
	timestampMin = -211813488000000000
	timestampMax = 9223371331200000000 - 1 // 294276-12-31 23:59:59.999999
)

// CivilDate returns the year (0 is 1 BC), month and day of a date.
func CivilDate(days int64) (year, month, day int) {
	z := days + unixDays + 719468 // days from 0000-03-01, so that the leap day ends the year
	era := floorDiv64(z, 146097)
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day = int(doy-(153*mp+2)/5) + 1
	month = int(mp) + 3
	year = int(yoe + era*400)
	if month > 12 {
		month, year = month-12, year+1
	}
	return year, month, day
}

// DateOf returns the date of a year (0 is 1 BC), month and day; a day beyond the month goes on into the next.
func DateOf(year, month, day int) int64 {
	y, m := int64(year), int64(month)
	if m <= 2 {
		y, m = y-1, m+12
	}
	era := floorDiv64(y, 400)
	yoe := y - era*400
	doy := (153*(m-3)+2)/5 + int64(day) - 1
	doe := yoe*365 + yoe/4 - yoe/100 + doy
	return era*146097 + doe - 719468 - unixDays
}

func floorDiv64(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func floorMod64(a, b int64) int64 { return a - floorDiv64(a, b)*b }

// monthDays is the number of days of a month.
func monthDays(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// SplitTimestamp returns the date and the microseconds since midnight.
func SplitTimestamp(ts int64) (days, micros int64) {
	return floorDiv64(ts, microsDay), floorMod64(ts, microsDay)
}

// dateInRange and timestampInRange tell whether PostgreSQL has the finite value.
func dateInRange(days int64) bool { return days >= dateMin && days <= dateMax }

func timestampInRange(ts int64) bool { return ts >= timestampMin && ts <= timestampMax }

// joinTimestamp returns the timestamp of a date and time of day.
func joinTimestamp(days, micros int64) (int64, bool) {
	if days < dateMin || days > timestampMax/microsDay+1 {
		return 0, false
	}
	ts, ok := mulInt64(days, microsDay)
	if !ok || ts+micros < ts {
		return 0, false
	}
	return ts + micros, timestampInRange(ts + micros)
}

// offsetAt is the zone's offset from UTC in seconds at a timestamp with time zone.
func offsetAt(ts int64, loc *time.Location) int64 {
	if loc == time.UTC {
		return 0
	}
	_, offset := time.Unix(floorDiv64(ts, microsSecond)+unixDays*86400, 0).In(loc).Zone()
	return int64(offset)
}

// ToLocal returns the local time in the zone of a timestamp with time zone.
func ToLocal(ts int64, loc *time.Location) int64 {
	if ts == TimestampInfinity || ts == TimestampNegInfinity {
		return ts
	}
	return ts + offsetAt(ts, loc)*microsSecond
}

// FromLocal returns the timestamp with time zone of a local time. Where clocks go back the later instant is taken,
// where they skip the time the offset from before counts, as in PostgreSQL.
func FromLocal(local int64, loc *time.Location) int64 {
	if loc == time.UTC || local == TimestampInfinity || local == TimestampNegInfinity {
		return local
	}
	before, after := offsetAt(local-microsDay, loc), offsetAt(local+microsDay, loc)
	early, late := local-before*microsSecond, local-after*microsSecond
	isEarly, isLate := offsetAt(early, loc) == before, offsetAt(late, loc) == after
	if isLate && (!isEarly || before > after) {
		return late
	}
	return early
}

// TimestampFromTime returns the timestamp with time zone of t.
func TimestampFromTime(t time.Time) int64 {
	return (t.Unix()-unixDays*86400)*microsSecond + int64(t.Nanosecond()/1000)
}

// TimeOf returns the instant of a finite timestamp with time zone.
func TimeOf(ts int64) time.Time {
	return time.Unix(floorDiv64(ts, microsSecond)+unixDays*86400, floorMod64(ts, microsSecond)*1000).UTC()
}

// Endless reports whether a value of a type is infinity or -infinity, among dates and timestamps.
func Endless(t T, v int64) bool {
	switch t.Kind {
	case KindDate:
		return v == DateInfinity || v == DateNegInfinity
	case KindTimestamp, KindTimestamptz:
		return v == TimestampInfinity || v == TimestampNegInfinity
	}
	return false
}
