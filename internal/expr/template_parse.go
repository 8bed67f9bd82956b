package expr

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// timeInput collects the fields that to_timestamp and to_date read.
type timeInput struct {
	in, whole                    string // what is left of the text, and all of it
	year, month, day, century    int64
	hasYear, bc, twelve          bool
	pm                           int // -1 AM, +1 PM, 0 not given
	hour, minute, second, micros int64
	doy, julian                  int64
	isoYear, isoWeek, isoDay     int64
	week                         int64 // of the year, 7 days each
	secondsOfDay                 int64
	offset                       *int64 // seconds east of UTC
}

// zoneOffsetMax bounds a zone's distance from Greenwich, in seconds.
const zoneOffsetMax = 16 * 3600

func tmplError(format string, args ...any) error {
	return errs.DatetimeFormat.New("problem", fmt.Sprintf(format, args...))
}

// parseTime reads text by a template. As in PostgreSQL blanks and punctuation of the template match any of the text.
func parseTime(s string, fields []tmplField) (*timeInput, error) {
	p := &timeInput{in: s, whole: s}
	for i, f := range fields {
		if p.in == "" {
			break
		}
		if f.key == "" {
			p.literal(f)
			continue
		}
		if i == 0 || fields[i-1].key != "" || fields[i-1].quoted {
			p.skipBlanks()
		}
		next := i+1 < len(fields) && fields[i+1].key != "" && (f.key == "TZH" || !strings.HasPrefix(fields[i+1].key, "TZ"))
		if err := p.read(f, next); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *timeInput) skipBlanks() { p.in = strings.TrimLeftFunc(p.in, unicode.IsSpace) }

// literal skips text: separators match any run of separators, other characters one character.
func (p *timeInput) literal(f tmplField) {
	for _, c := range f.text {
		switch {
		case p.in == "":
			return
		case !f.quoted && (unicode.IsSpace(c) || unicode.IsPunct(c) || unicode.IsSymbol(c)):
			p.skipBlanks()
			if p.in != "" && isSeparator(p.in[0]) && !(p.in[0] == '-' || p.in[0] == '+') || p.in != "" && p.in[0] == byte(c) {
				p.in = p.in[1:]
			} else if p.in != "" && p.in[0] == '-' && c != ' ' {
				p.in = p.in[1:]
			}
			p.skipBlanks()
		default:
			_, n := runeAt(p.in)
			p.in = p.in[n:]
		}
	}
}

func runeAt(s string) (rune, int) {
	for i, r := range s {
		if i == 0 {
			n := len(string(r))
			return r, n
		}
	}
	return 0, 0
}

func isSeparator(c byte) bool {
	return c < 0x80 && c > ' ' && !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')
}

// widths are the digits that a field takes when another one follows at once.
var widths = map[string]int{
	"YYYY": 4, "IYYY": 4, "YYY": 3, "IYY": 3, "YY": 2, "IY": 2, "Y": 1, "I": 1, "MM": 2, "DD": 2, "DDD": 3, "IDDD": 3, "HH": 2, "HH12": 2, "HH24": 2,
	"MI": 2, "SS": 2, "MS": 3, "US": 6, "FF1": 1, "FF2": 2, "FF3": 3, "FF4": 4, "FF5": 5, "FF6": 6, "SSSS": 5, "SSSSS": 5, "CC": 2, "WW": 2, "IW": 2,
	"W": 1, "Q": 1, "D": 1, "ID": 1, "J": 7, "TZH": 2, "TZM": 2,
}

// number reads digits: as many as the field has when digits of another field follow, else all.
func (p *timeInput) number(f tmplField, limited bool) (v int64, digits int, err error) {
	width := widths[f.key]
	s := p.in
	negative := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		negative, s = s[0] == '-', s[1:]
	}
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' && n < 9 && (!limited && !f.fill || n < width || f.fill && !limited) {
		v = v*10 + int64(s[n]-'0')
		n++
	}
	if n == 0 {
		end := min(len(p.in), max(width, 1))
		return 0, 0, tmplError("invalid value \"%s\" for \"%s\"", p.in[:end], f.key).(*errs.Error).WithDetail("Value must be an integer.")
	}
	p.in = s[n:]
	if f.ordinal != "" && len(p.in) >= 2 {
		p.in = p.in[2:]
	}
	if negative {
		v = -v
	}
	return v, n, nil
}

func (p *timeInput) read(f tmplField, limited bool) error {
	switch f.key {
	case "MONTH", "MON":
		return p.name(f, monthNames, len(f.key) == 3, &p.month, 1)
	case "DAY", "DY":
		var ignored int64
		return p.name(f, dayNames, len(f.key) == 2, &ignored, 1)
	case "RM":
		return p.roman(f)
	case "AM", "PM", "A.M.", "P.M.":
		return p.meridiem(f)
	case "AD", "BC", "A.D.", "B.C.":
		s := strings.ToUpper(strings.ReplaceAll(p.in[:min(len(p.in), len(f.key))], ".", ""))
		if s != "AD" && s != "BC" {
			return tmplError("invalid value \"%s\" for \"%s\"", p.in[:min(len(p.in), len(f.key))], f.key)
		}
		p.bc, p.in = s == "BC", p.in[len(f.key):]
		return nil
	case "TZ", "OF":
		return p.zone(f)
	case "Y,YYY":
		return p.commaYear(f)
	}
	negative := strings.HasPrefix(p.in, "-")
	v, digits, err := p.number(f, limited)
	if err != nil {
		return err
	}
	p.set(f.key, v, digits, negative)
	return nil
}

// set stores a number.
func (p *timeInput) set(key string, v int64, digits int, negative bool) {
	switch key {
	case "YYYY":
		p.year, p.hasYear = v, true
	case "YYY", "YY", "Y":
		p.year, p.hasYear = nearYear(v, digits), true
	case "IYYY":
		p.isoYear = v
	case "IYY", "IY", "I":
		p.isoYear = nearYear(v, digits)
	case "CC":
		p.century = v
	case "MM":
		p.month = v
	case "DD":
		p.day = v
	case "DDD":
		p.doy = v
	case "HH", "HH12":
		p.hour, p.twelve = v, true
	case "HH24":
		p.hour = v
	case "MI":
		p.minute = v
	case "SS":
		p.second = v
	case "MS", "US", "FF1", "FF2", "FF3", "FF4", "FF5", "FF6":
		for ; digits < 6; digits++ {
			v *= 10
		}
		p.micros = v
	case "SSSS", "SSSSS":
		p.secondsOfDay = v
	case "J":
		p.julian = v
	case "IW":
		p.isoWeek = v
	case "ID":
		p.isoDay = v
	case "WW":
		p.week = v
	case "TZH":
		v *= 3600
		p.offset = &v
	case "TZM":
		if p.offset != nil {
			if negative || *p.offset < 0 {
				v = -v
			}
			*p.offset += v * 60
		}
	}
}

// nearYear completes a short year to the one nearest to 2020, as PostgreSQL does: 70 to 99 lie in the 20th century.
func nearYear(v int64, digits int) int64 {
	switch {
	case digits >= 4 || v < 0:
		return v
	case v < 70:
		return v + 2000
	case v < 100:
		return v + 1900
	case v < 520:
		return v + 2000
	case v < 1000:
		return v + 1000
	}
	return v
}

func (p *timeInput) name(f tmplField, names []string, short bool, to *int64, base int64) error {
	for i, n := range names {
		if short {
			n = n[:3]
		}
		if hasFold(p.in, n) {
			*to, p.in = int64(i)+base, p.in[len(n):]
			return nil
		}
	}
	end := strings.IndexFunc(p.in, func(r rune) bool { return !unicode.IsLetter(r) })
	if end <= 0 {
		end = min(len(p.in), 9)
	}
	return errs.DatetimeFormat.New("problem", fmt.Sprintf("invalid value \"%s\" for \"%s\"", p.in[:end], f.written)).
		WithDetail("The given value did not match any of the allowed values for this field.")
}

func (p *timeInput) roman(f tmplField) error {
	for i := len(romanMonths) - 1; i >= 0; i-- {
		n := romanMonths[i]
		if hasFold(p.in, n) && (len(p.in) == len(n) || strings.IndexByte("IVXivx", p.in[len(n)]) < 0) {
			p.month, p.in = int64(i+1), p.in[len(n):]
			return nil
		}
	}
	return tmplError("invalid value \"%s\" for \"%s\"", p.in, f.written)
}

func (p *timeInput) meridiem(f tmplField) error {
	s := p.in[:min(len(p.in), len(f.key))]
	switch strings.ToUpper(strings.ReplaceAll(s, ".", "")) {
	case "AM":
		p.pm = -1
	case "PM":
		p.pm = 1
	default:
		return tmplError("invalid value \"%s\" for \"%s\"", s, f.written)
	}
	p.twelve = true
	p.in = p.in[len(s):]
	return nil
}

// zone reads an offset or the name of a zone.
func (p *timeInput) zone(f tmplField) error {
	end := strings.IndexFunc(p.in, unicode.IsSpace)
	if end < 0 {
		end = len(p.in)
	}
	name := p.in[:end]
	d, err := types.Parse(types.Timestamptz, "2000-01-01 00:00:00 "+name, types.Ctx{})
	if err != nil {
		return tmplError("invalid value \"%s\" for \"%s\"", name, f.written)
	}
	offset := -d.Int() / microsSecond
	p.offset, p.in = &offset, p.in[end:]
	return nil
}

func (p *timeInput) commaYear(f tmplField) error {
	thousands, _, err := p.number(f, false)
	if err != nil {
		return err
	}
	if !strings.HasPrefix(p.in, ",") {
		return tmplError("invalid input string for \"Y,YYY\"")
	}
	p.in = p.in[1:]
	rest, _, err := p.number(tmplField{key: "YYY"}, true)
	p.year, p.hasYear = thousands*1000+rest, true
	return err
}

func fieldRange(s string) error {
	return errs.DatetimeOutOfRange.New("what", fmt.Sprintf("date/time field value out of range: \"%s\"", s))
}

// date puts the calendar fields together; those not given are 1 BC (year 1 with a month or day), January and the 1st.
func (p *timeInput) date() (int64, error) {
	switch {
	case p.julian != 0:
		return p.julian - julianDays, nil
	case p.isoYear != 0 && p.isoWeek != 0:
		start := isoWeekStart(types.DateOf(int(p.isoYear), 1, 4))
		return start + (p.isoWeek-1)*7 + max(p.isoDay, 1) - 1, nil
	}
	y := p.year
	switch {
	case p.century != 0 && p.hasYear && p.year < 100:
		y = (p.century-1)*100 + p.year
	case p.century != 0 && !p.hasYear:
		y = (p.century-1)*100 + 1
	}
	if p.bc && y > 0 {
		y = 1 - y
	} else if y < 0 {
		y++
	}
	m, d := max(p.month, 1), max(p.day, 1)
	if p.month < 0 || p.month > 12 || p.day < 0 || d > int64(monthDays(int(y), int(min(m, 12)))) {
		return 0, fieldRange(p.text())
	}
	days := types.DateOf(int(y), int(m), int(d))
	switch {
	case p.doy != 0:
		days = types.DateOf(int(y), 1, 1) + p.doy - 1
	case p.week != 0:
		days = types.DateOf(int(y), 1, 1) + (p.week-1)*7
	}
	if days < dateMin || days > dateMax {
		return 0, dateRange()
	}
	return days, nil
}

func (p *timeInput) text() string { return fmt.Sprintf("%04d-%02d-%02d", p.year, p.month, p.day) }

func (p *timeInput) timestamptz(ctx *Ctx) (types.Datum, error) {
	days, err := p.date()
	if err != nil {
		return types.Null, err
	}
	h := p.hour
	if p.twelve {
		if h < 1 || h > 12 {
			return types.Null, tmplError("hour \"%d\" is invalid for the 12-hour clock", h)
		}
		if h %= 12; p.pm > 0 {
			h += 12
		}
	}
	if h > 24 || p.minute > 59 || p.second > 59 {
		return types.Null, fieldRange(p.text())
	}
	micros := h*microsHour + p.minute*microsMinute + p.second*microsSecond + p.micros + p.secondsOfDay*microsSecond
	ts, err := dateToTimestamp(days)
	if err != nil {
		return types.Null, err
	}
	ts += micros
	if p.offset != nil {
		if magnitude(*p.offset) >= zoneOffsetMax {
			return types.Null, errs.DatetimeOutOfRange.New("what", fmt.Sprintf("time zone displacement out of range: \"%s\"", p.whole))
		}
		return types.NewInt(ts - *p.offset*microsSecond), nil
	}
	return types.NewInt(types.FromLocal(ts, ctx.zone())), nil
}
