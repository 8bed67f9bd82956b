package expr

import (
	"fmt"
	"strconv"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// intervalTemplate refuses the patterns that ask for what only a calendar date has.
func intervalTemplate(fields []tmplField) error {
	for _, f := range fields {
		switch f.key {
		case "MONTH", "MON", "DAY", "DY", "D", "ID", "TZ", "TZH", "TZM", "OF", "AD", "BC", "A.D.", "B.C.":
			return errs.IntervalTemplate.New()
		}
	}
	return nil
}

// julianOf is the Julian day of a date. As PostgreSQL it takes the years, months and days of an interval for one: a month
// below 1 lies in the year before, whatever the day is.
func julianOf(y, m, d int64) int64 {
	if m > 2 {
		m, y = m+1, y+4800
	} else {
		m, y = m+13, y+4799
	}
	century := y / 100
	return y*365 - 32167 + y/4 - century + century/4 + 7834*m/256 + d
}

// intervalWeek is the ISO year and week of the interval taken for a date.
func (p parts) intervalWeek() (year, week int64) {
	day := julianOf(int64(p.year), int64(p.month), int64(p.day))
	start := func(y int64) int64 { // the Monday of its first week
		fourth := julianOf(y, 1, 4)
		return fourth - floorMod(fourth, 7)
	}
	year = int64(p.year)
	if day < start(year) {
		year--
	}
	week = (day-start(year))/7 + 1
	if week >= 52 && day >= start(year+1) {
		year++
		week = (day-start(year))/7 + 1
	}
	return year, week
}

// intervalCalendar prints the fields of the calendar that an interval has, too.
func (p parts) intervalCalendar(f tmplField) string {
	year, week := p.intervalWeek()
	switch f.key {
	case "IW":
		return f.num(week, 2)
	case "IDDD":
		fourth := julianOf(year, 1, 4)
		return f.num(julianOf(int64(p.year), int64(p.month), int64(p.day))-(fourth-floorMod(fourth, 7))+1, 3)
	case "WW":
		return f.num((p.days-1)/7+1, 2)
	case "W":
		return strconv.Itoa((p.day-1)/7 + 1)
	case "Q":
		if p.month == 0 {
			return ""
		}
		return strconv.Itoa((p.month-1)/3 + 1)
	case "J":
		return strconv.FormatInt(julianOf(int64(p.year), int64(p.month), int64(p.day)), 10)
	}
	return ""
}

// isoYear prints an ISO year; there is room for a sign where the calendar year has one.
func (p parts) isoYear(f tmplField, y int64, width int) string {
	switch {
	case f.fill:
		return strconv.FormatInt(y, 10)
	case p.interval && p.year < 0:
		width++
	case !p.interval && y < 0:
		width++
	}
	return fmt.Sprintf("%0*d", width, y)
}

// intervalHour is the hour of the twelve-hour clock, which is wide where hours are negative.
func (p parts) intervalHour(f tmplField, h int64) string {
	if p.hour < 0 && h > 0 {
		return f.num(h, 3)
	}
	return f.num(h, 2)
}
