package types

import (
	"testing"
	"time"
)

// What text means and how it prints may depend on the session.
func TestContext(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	ctx := Ctx{Loc: berlin, Now: time.Date(2024, 2, 28, 23, 30, 0, 5000, time.UTC)} // the 29th in Berlin
	for _, c := range []struct {
		t        T
		in, want string
		ctx      Ctx
	}{
		{Date, "today", "2024-02-29", ctx},
		{Date, "tomorrow", "2024-03-01", ctx},
		{Date, "yesterday", "2024-02-28", ctx},
		{Timestamp, "now", "2024-02-29 00:30:00.000005", ctx},
		{Timestamptz, "now", "2024-02-29 00:30:00.000005+01", ctx},
		{Timestamptz, "today", "2024-02-29 00:00:00+01", ctx},
		{Time, "now", "00:30:00.000005", ctx},
		{Date, "1/2/2024", "2024-01-02", Ctx{}},
		{Date, "1/2/2024", "2024-02-01", Ctx{DayBeforeMonth: true}},
		{Date, "24/2/1", "2024-02-01", Ctx{YearBeforeMonth: true}},
		{Date, "99-060", "1999-03-01", Ctx{YearBeforeMonth: true}},
		{Bool, "true", "t", Ctx{RWCompat: true}},
		{Time, "10:13:36.07", "10:13:36.070", Ctx{RWCompat: true}},
		{Timestamp, "2024-02-29 00:00:00.5001", "2024-02-29 00:00:00.500100", Ctx{RWCompat: true}},
		{Timestamptz, "2024-02-29 00:00:00-01", "2024-02-29 01:00:00+00:00", Ctx{RWCompat: true}},
		{Timestamptz, "1890-04-01 00:00:00+00", "1890-04-01 00:53:28+00:53", Ctx{Loc: berlin, RWCompat: true}},
		{Bytea, `\x00415cff`, `\000A\\\377`, Ctx{ByteaEscape: true}},
		{Float8, "0.1", "0.1", Ctx{FloatDigitsLess: 1}},
		{Float8, "0.3333333333333333", "0.333333333333333", Ctx{FloatDigitsLess: 1}},
		{Float8, "123456789", "1.2346e+08", Ctx{FloatDigitsLess: 11}},
		{StructOf(Field{"", Int4}, Field{"", Text}, Field{"", Text}), `(1,"a ""b""",)`, `(1,"a ""b""",)`, Ctx{}},
		{ArrayOf(ArrayOf(Int4)), "{{1,2},{3,NULL}}", "{{1,2},{3,NULL}}", Ctx{}},
		{ArrayOf(StructOf(Field{"", Int4}, Field{"", Text})), `{"(1,\"a b\")"}`, `{"(1,\"a b\")"}`, Ctx{}},
	} {
		d, err := Parse(c.t, c.in, c.ctx)
		if err != nil {
			t.Errorf("%s %s: %v", c.t, c.in, err)
			continue
		}
		if got := Format(c.t, d, c.ctx); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.t, c.in, got, c.want)
		}
	}
}

// A qualifier says what a number without a unit is and which fields count.
func TestParseIntervalQualified(t *testing.T) {
	for _, c := range []struct{ in, last, want string }{
		{"1", "day", "1 day"},
		{"1", "year", "1 year"},
		{"3", "minute", "00:03:00"},
		{"1 day 02:03:04", "hour", "1 day 02:00:00"},
		{"1-2", "month", "1 year 2 mons"},
		{"1 2:03:04", "second", "1 day 02:03:04"},
		{"1.5", "second", "00:00:01.5"},
	} {
		v, err := ParseInterval(c.in, c.last)
		if err != nil || v.String() != c.want {
			t.Errorf("interval '%s' %s: %s, %v; want %s", c.in, c.last, v, err, c.want)
		}
	}
}

// A zone's name may have any case; offsets are POSIX's, positive to the west.
func TestParseZone(t *testing.T) {
	at := time.Date(2024, 7, 1, 0, 0, 0, 0, time.UTC)
	for name, want := range map[string]int{
		"UTC": 0, "europe/berlin": 7200, "America/New_York": -14400, "america/port_of_spain": -14400, "PST": -28800, "UTC+3": -10800,
		"-05:30": 19800, "Etc/GMT+5": -18000,
	} {
		loc, err := ParseZone(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, offset := at.In(loc).Zone(); offset != want {
			t.Errorf("%s is %d s east of UTC, want %d", name, offset, want)
		}
	}
	for _, name := range []string{"", "local", "Nowhere/City", "../etc/passwd"} {
		if loc, err := ParseZone(name); err == nil {
			t.Errorf("%q is %v", name, loc)
		}
	}
}
