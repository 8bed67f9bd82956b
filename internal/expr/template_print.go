package expr

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/types"
)

// parts are the fields of a time or interval, as to_char prints them.
type parts struct {
	interval             bool
	year, month, day     int // year 0 is 1 BC
	days                 int64
	hour, minute, second int64
	micros               int64
	zone                 string
	offset               int64 // seconds east of UTC
}

func (ctx *Ctx) brokenDown(k types.Kind, ts int64) parts {
	p := parts{}
	local := ctx.localOf(k, ts)
	if k == types.KindTimestamptz {
		p.offset = (local - ts) / microsSecond
		p.zone, _ = types.TimeOf(ts).In(ctx.zone()).Zone()
		if strings.HasPrefix(p.zone, "+") || strings.HasPrefix(p.zone, "-") {
			p.zone = offsetText(p.offset)
		}
	}
	var micros int64
	p.days, micros = types.SplitTimestamp(local)
	p.year, p.month, p.day = types.CivilDate(p.days)
	p.clock(micros)
	return p
}

func (p *parts) clock(micros int64) {
	p.hour, p.minute = micros/microsHour, micros/microsMinute%60
	p.second, p.micros = micros/microsSecond%60, micros%microsSecond
}

func intervalParts(v types.Iv) parts {
	p := parts{interval: true, year: int(v.Months / 12), month: int(v.Months % 12), day: int(v.Days)}
	p.days = int64(v.Months)*30 + int64(v.Days)
	p.clock(v.Micros)
	return p
}

func offsetText(offset int64) string {
	sign := "+"
	if offset < 0 {
		sign, offset = "-", -offset
	}
	s := fmt.Sprintf("%s%02d", sign, offset/3600)
	if m := offset / 60 % 60; m != 0 {
		s += fmt.Sprintf(":%02d", m)
	}
	return s
}

var (
	monthNames  = strings.Fields("January February March April May June July August September October November December")
	dayNames    = strings.Fields("Sunday Monday Tuesday Wednesday Thursday Friday Saturday")
	romanMonths = strings.Fields("I II III IV V VI VII VIII IX X XI XII")
)

func formatTime(p parts, fields []tmplField) string {
	var out strings.Builder
	for _, f := range fields {
		if f.key == "" {
			out.WriteString(f.text)
			continue
		}
		s := p.field(f)
		if f.ordinal != "" {
			s += ordinal(s, f.ordinal)
		}
		out.WriteString(s)
	}
	return out.String()
}

// ordinal is the English suffix of a number.
func ordinal(s, written string) string {
	suffix := "th"
	if n := len(s); n > 0 && !(n > 1 && s[n-2] == '1') {
		switch s[n-1] {
		case '1':
			suffix = "st"
		case '2':
			suffix = "nd"
		case '3':
			suffix = "rd"
		}
	}
	if written[0] == 'T' {
		return strings.ToUpper(suffix)
	}
	return suffix
}

// num prints with zeros up to a width, without them under FM.
func (f tmplField) num(v int64, width int) string {
	if f.fill {
		return strconv.FormatInt(v, 10)
	}
	if v < 0 {
		width++
	}
	return fmt.Sprintf("%0*d", width, v)
}

// word prints a name in the case of the pattern, with blanks up to a width.
func (f tmplField) word(s string, width int) string {
	switch {
	case f.written == strings.ToUpper(f.written):
		s = strings.ToUpper(s)
	case f.written == strings.ToLower(f.written):
		s = strings.ToLower(s)
	}
	if !f.fill && width > len(s) {
		s += strings.Repeat(" ", width-len(s))
	}
	return s
}

// shownYear counts years before 1 AD from 1 on, as with BC.
func (p parts) shownYear() int64 {
	if p.interval || p.year > 0 {
		return int64(p.year)
	}
	return int64(1 - p.year)
}

func (p parts) field(f tmplField) string {
	if s, ok := p.clockField(f); ok {
		return s
	}
	if s, ok := p.yearField(f); ok {
		return s
	}
	switch f.key {
	case "MM":
		return f.num(int64(p.month), 2)
	case "DD":
		return f.num(int64(p.day), 2)
	case "TZ":
		return f.word(p.zone, 0)
	case "TZH":
		sign := "+"
		if p.offset < 0 {
			sign = "-"
		}
		return fmt.Sprintf("%s%02d", sign, magnitude(p.offset)/3600)
	case "TZM":
		return fmt.Sprintf("%02d", magnitude(p.offset)/60%60)
	case "OF":
		return offsetText(p.offset)
	case "RM":
		switch {
		case p.month == 0:
			return ""
		case p.month < 0: // of an interval: from the end of the year
			return f.word(romanMonths[12+p.month], 4)
		}
		return f.word(romanMonths[p.month-1], 4)
	case "DDD":
		if p.interval {
			return f.num(p.days, 3)
		}
		return f.num(p.days-types.DateOf(p.year, 1, 1)+1, 3)
	}
	if p.interval {
		return p.intervalCalendar(f)
	}
	return p.calendarField(f)
}

func (p parts) clockField(f tmplField) (string, bool) {
	switch f.key {
	case "HH", "HH12":
		h := p.hour % 12
		if h == 0 {
			h = 12
		}
		return p.intervalHour(f, h), true
	case "HH24":
		return f.num(p.hour, 2), true
	case "MI":
		return f.num(p.minute, 2), true
	case "SS":
		return f.num(p.second, 2), true
	case "MS", "FF3":
		return fmt.Sprintf("%03d", p.micros/1000), true
	case "US", "FF6":
		return fmt.Sprintf("%06d", p.micros), true
	case "FF1", "FF2", "FF4", "FF5":
		return fmt.Sprintf("%06d", p.micros)[:f.key[2]-'0'], true
	case "SSSSS", "SSSS":
		return strconv.FormatInt(p.hour*3600+p.minute*60+p.second, 10), true
	case "AM", "PM", "A.M.", "P.M.":
		s := "AM"
		if p.hour%24 >= 12 {
			s = "PM"
		}
		if len(f.key) == 4 {
			s = s[:1] + "." + s[1:] + "."
		}
		return matchCase(s, f.written), true
	}
	return "", false
}

func matchCase(s, written string) string {
	if written[0] >= 'a' && written[0] <= 'z' {
		return strings.ToLower(s)
	}
	return s
}

func (p parts) yearField(f tmplField) (string, bool) {
	y := p.shownYear()
	iso, _ := isoWeek(p.days)
	if p.interval {
		iso, _ = p.intervalWeek()
	}
	switch f.key {
	case "YYYY":
		return f.num(y, 4), true
	case "Y,YYY":
		return fmt.Sprintf("%d,%03d", y/1000, y%1000), true
	case "YYY":
		return f.num(y%1000, 3), true
	case "YY":
		return f.num(y%100, 2), true
	case "Y":
		return f.num(y%10, 1), true
	case "IYYY":
		return p.isoYear(f, iso, 4), true
	case "IYY":
		return p.isoYear(f, iso%1000, 3), true
	case "IY":
		return p.isoYear(f, iso%100, 2), true
	case "I":
		return p.isoYear(f, iso%10, 1), true
	case "CC":
		c := centuryOf(int64(p.year), 100)
		if p.interval {
			c = int64(p.year / 100)
		}
		return f.num(c, 2), true
	case "AD", "BC", "A.D.", "B.C.":
		s := "AD"
		if p.year <= 0 && !p.interval {
			s = "BC"
		}
		if len(f.key) == 4 {
			s = s[:1] + "." + s[1:] + "."
		}
		return matchCase(s, f.written), true
	}
	return "", false
}

// calendarField prints the places of a date in weeks and years.
func (p parts) calendarField(f tmplField) string {
	dow := floorMod(p.days+6, 7)
	_, week := isoWeek(p.days)
	doy := p.days - types.DateOf(p.year, 1, 1)
	switch f.key {
	case "J":
		return strconv.FormatInt(p.days+julianDays, 10)
	case "MONTH":
		return f.word(monthNames[p.month-1], 9)
	case "MON":
		return f.word(monthNames[p.month-1][:3], 3)
	case "DAY":
		return f.word(dayNames[dow], 9)
	case "DY":
		return f.word(dayNames[dow][:3], 3)
	case "D":
		return strconv.FormatInt(dow+1, 10)
	case "ID":
		return strconv.FormatInt((dow+6)%7+1, 10)
	case "IW":
		return f.num(week, 2)
	case "WW":
		return f.num(doy/7+1, 2)
	case "W":
		return strconv.Itoa((p.day-1)/7 + 1)
	case "Q":
		return strconv.Itoa((p.month-1)/3 + 1)
	case "IDDD":
		iso, _ := isoWeek(p.days)
		return f.num(p.days-isoWeekStart(types.DateOf(int(iso), 1, 4))+1, 3)
	}
	return ""
}
