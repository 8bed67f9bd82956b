package types

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// intervalUnit is what a number of an interval's text counts: months, days or microseconds.
type intervalUnit struct {
	months, days, micros int64
}

var (
	unitSecond = intervalUnit{micros: microsSecond}
	unitMinute = intervalUnit{micros: microsMinute}
	unitHour   = intervalUnit{micros: microsHour}
	unitDay    = intervalUnit{days: 1}
	unitMonth  = intervalUnit{months: 1}
	unitYear   = intervalUnit{months: 12}
)

// intervalUnits lists the words; those that end in s are also found without it, except where listed apart.
var intervalUnits = map[string]intervalUnit{
	"us": {micros: 1}, "usec": {micros: 1}, "usecs": {micros: 1}, "usecond": {micros: 1}, "useconds": {micros: 1},
	"microsecond": {micros: 1}, "microseconds": {micros: 1}, "microsecon": {micros: 1},
	"ms": {micros: 1000}, "msec": {micros: 1000}, "msecs": {micros: 1000}, "msecond": {micros: 1000},
	"mseconds": {micros: 1000}, "millisecond": {micros: 1000}, "milliseconds": {micros: 1000}, "millisecon": {micros: 1000},
	"s": unitSecond, "sec": unitSecond, "secs": unitSecond, "second": unitSecond, "seconds": unitSecond,
	"m": unitMinute, "min": unitMinute, "mins": unitMinute, "minute": unitMinute, "minutes": unitMinute,
	"h": unitHour, "hr": unitHour, "hrs": unitHour, "hour": unitHour, "hours": unitHour,
	"d": unitDay, "day": unitDay, "days": unitDay,
	"w": {days: 7}, "week": {days: 7}, "weeks": {days: 7},
	"mon": unitMonth, "mons": unitMonth, "month": unitMonth, "months": unitMonth,
	"y": unitYear, "yr": unitYear, "yrs": unitYear, "year": unitYear, "years": unitYear,
	"dec": {months: 120}, "decs": {months: 120}, "decade": {months: 120}, "decades": {months: 120},
	"c": {months: 1200}, "cent": {months: 1200}, "century": {months: 1200}, "centuries": {months: 1200},
	"mil": {months: 12000}, "mils": {months: 12000}, "millennia": {months: 12000}, "millennium": {months: 12000},
}

// ParseInterval reads an interval. Last is the last field of a qualifier such as DAY TO MINUTE: it is what a number
// without a unit counts, and the fields below it are cut off; "" is no qualifier.
func ParseInterval(s, last string) (Iv, error) {
	p := intervalParser{text: s, bare: unitSecond}
	if u, ok := intervalUnits[strings.ToLower(last)]; ok {
		p.bare = u
	}
	trimmed := strings.Trim(s, spaces)
	var err error
	if strings.HasPrefix(trimmed, "P") || strings.HasPrefix(trimmed, "p") {
		err = p.iso(trimmed[1:])
	} else {
		err = p.fields(strings.ToLower(trimmed))
	}
	if err != nil {
		return Iv{}, err
	}
	return cutFields(p.out, last), nil
}

// cutFields drops what is below the last field of a qualifier.
func cutFields(v Iv, last string) Iv {
	switch strings.ToLower(last) {
	case "year":
		return Iv{Months: v.Months / 12 * 12}
	case "month":
		return Iv{Months: v.Months}
	case "day":
		v.Micros = 0
	case "hour":
		v.Micros -= v.Micros % microsHour
	case "minute":
		v.Micros -= v.Micros % microsMinute
	}
	return v
}

type intervalParser struct {
	text string
	bare intervalUnit   // of a number without a unit
	seen []intervalUnit // that have a number; each may have one only
	out  Iv
}

func (p *intervalParser) syntax() error {
	return errs.InvalidDatetime.New("type", "interval", "value", p.text)
}

func (p *intervalParser) overflow() error { return errs.IntervalField.New("value", p.text) }

// fields reads numbers, units and clock times from right to left, since a unit follows its number.
func (p *intervalParser) fields(s string) error {
	tokens, ok := intervalTokens(s)
	if !ok || len(tokens) == 0 {
		return p.syntax()
	}
	ago, unit, seen := false, p.bare, false
	for i := len(tokens) - 1; i >= 0; i-- {
		tok := tokens[i]
		var err error
		switch c := tok[0]; {
		case tok == "ago":
			ago = i > 0
			continue
		case c >= 'a' && c <= 'z':
			u, known := intervalUnits[tok]
			if !known || i == 0 {
				return p.syntax()
			}
			unit = u
			continue
		case strings.Contains(tok, ":"):
			if !p.first(unitHour) || !p.first(unitMinute) || !p.first(unitSecond) {
				return p.syntax()
			}
			err = p.clock(tok)
			unit = unitDay
		case strings.Contains(tok[1:], "-"):
			if !p.first(unitYear) || !p.first(unitMonth) {
				return p.syntax()
			}
			err = p.yearMonth(tok)
		default:
			err = p.number(tok, unit)
		}
		if err != nil {
			return err
		}
		seen = true
	}
	if !seen {
		return p.syntax()
	}
	if ago {
		out, err := p.out.Neg()
		p.out = out
		return err
	}
	return nil
}

// intervalTokens splits into words and signed numbers; a sign may stand apart from its number.
func intervalTokens(s string) (tokens []string, ok bool) {
	for i := 0; i < len(s); {
		start := i
		switch c := s[i]; {
		case strings.IndexByte(spaces+"@,", c) >= 0:
			i++
			continue
		case c >= 'a' && c <= 'z':
			for i < len(s) && s[i] >= 'a' && s[i] <= 'z' {
				i++
			}
			if i < len(s) && isDigit(s[i]) {
				return nil, false
			}
			tokens = append(tokens, s[start:i])
			continue
		case c == '+' || c == '-':
			sign := s[i : i+1]
			for i++; i < len(s) && strings.IndexByte(spaces, s[i]) >= 0; i++ {
			}
			start = i
			i += numberLen(s[i:])
			if i == start {
				return nil, false
			}
			tokens = append(tokens, sign+s[start:i])
		default:
			if i += numberLen(s[i:]); i == start {
				return nil, false
			}
			tokens = append(tokens, s[start:i])
		}
	}
	return tokens, true
}

// numberLen is the length of digits with points, colons or hyphens between.
func numberLen(s string) int {
	i := 0
	for i < len(s) && (isDigit(s[i]) || s[i] == '.' || s[i] == ':' || i > 0 && s[i] == '-' && isDigit(s[i-1])) {
		i++
	}
	return i
}

// number adds a count of units. A fraction goes down: of months to days, of days to time.
func (p *intervalParser) number(tok string, u intervalUnit) error {
	if !p.first(u) {
		return p.syntax()
	}
	whole, frac, err := p.splitFraction(tok)
	if err != nil {
		return err
	}
	return p.add(whole, frac, u)
}

// first reports whether the unit has no number yet.
func (p *intervalParser) first(u intervalUnit) bool {
	if slices.Contains(p.seen, u) {
		return false
	}
	p.seen = append(p.seen, u)
	return true
}

func (p *intervalParser) splitFraction(tok string) (whole int64, frac float64, err error) {
	text, fraction, _ := strings.Cut(tok, ".")
	digits := strings.TrimLeft(text, "+-")
	if digits == "" && fraction == "" || digitsLen(digits) != len(digits) || digitsLen(fraction) != len(fraction) {
		return 0, 0, p.syntax()
	}
	if digits != "" {
		if whole, err = strconv.ParseInt(text, 10, 64); err != nil {
			return 0, 0, p.overflow()
		}
	}
	if fraction != "" {
		frac, _ = strconv.ParseFloat("0."+fraction, 64)
	}
	if strings.HasPrefix(tok, "-") {
		frac = -frac
	}
	return whole, frac, nil
}

func (p *intervalParser) add(whole int64, frac float64, u intervalUnit) error {
	switch {
	case u.months > 1: // years and more: a fraction is rounded to months
		return p.addMonths(whole, u.months, int64(math.RoundToEven(frac*float64(u.months))))
	case u.months == 1:
		if err := p.addMonths(whole, 1, 0); err != nil {
			return err
		}
		return p.addDays(0, frac*daysMonth)
	case u.days > 0:
		days, ok := mulInt64(whole, u.days)
		if !ok {
			return p.overflow()
		}
		return p.addDays(days, frac*float64(u.days))
	}
	micros, ok := mulInt64(whole, u.micros)
	if !ok {
		return p.overflow()
	}
	return p.addMicros(micros, math.RoundToEven(frac*float64(u.micros)))
}

func (p *intervalParser) addMonths(count, unit, more int64) error {
	months, ok := mulInt64(count, unit)
	total := months + more + int64(p.out.Months)
	switch {
	case !ok || !isInt32(months/min(unit, unitYear.months)):
		return p.overflow()
	case !isInt32(total):
		return intervalRange()
	}
	p.out.Months = int32(total)
	return nil
}

func (p *intervalParser) addDays(whole int64, frac float64) error {
	more := int64(math.Trunc(frac))
	total := whole + more + int64(p.out.Days)
	if !isInt32(whole) || !isInt32(total) {
		return p.overflow()
	}
	p.out.Days = int32(total)
	return p.addMicros(0, math.RoundToEven((frac-float64(more))*microsDay))
}

func (p *intervalParser) addMicros(whole int64, frac float64) error {
	if !fitsInt64(frac) {
		return p.overflow()
	}
	for _, more := range []int64{whole, int64(frac)} {
		total := p.out.Micros + more
		if (total > p.out.Micros) != (more > 0) {
			return p.overflow()
		}
		p.out.Micros = total
	}
	return nil
}

// clock adds [sign]hours:minutes[:seconds] or, with a fraction, minutes:seconds.
func (p *intervalParser) clock(tok string) error {
	body := strings.TrimLeft(tok, "+-")
	parts := strings.Split(body, ":")
	if len(parts) == 2 && strings.Contains(parts[1], ".") {
		parts = append([]string{"0"}, parts...)
	}
	if len(parts) > 3 {
		return p.syntax()
	}
	total := Iv{}
	for i, u := range []int64{microsHour, microsMinute, microsSecond}[:len(parts)] {
		part := intervalParser{text: p.text}
		if i > 0 && parts[i] == "" { // 1: is one hour
			continue
		}
		whole, frac, err := part.splitFraction(parts[i])
		switch {
		case err != nil:
			return err
		case i < 2 && strings.Contains(parts[i], "."):
			return p.syntax()
		case i == 1 && whole > 59, i == 2 && whole > 60:
			return p.overflow()
		}
		if err := part.add(whole, frac, intervalUnit{micros: u}); err != nil {
			return err
		}
		if total, err = total.Add(part.out); err != nil {
			return p.overflow()
		}
	}
	if strings.HasPrefix(tok, "-") {
		total.Micros = -total.Micros
	}
	return p.addMicros(total.Micros, 0)
}

// yearMonth adds years-months.
func (p *intervalParser) yearMonth(tok string) error {
	years, months, _ := strings.Cut(strings.TrimLeft(tok, "+-"), "-")
	y, err1 := strconv.ParseInt(years, 10, 64)
	m, err2 := strconv.ParseInt(months, 10, 64)
	if err1 != nil || err2 != nil {
		return p.syntax()
	}
	if m >= 12 {
		return p.overflow()
	}
	if strings.HasPrefix(tok, "-") {
		y, m = -y, -m
	}
	return p.addMonths(y, 12, m)
}

// iso reads what follows P in ISO 8601: nYnMnWnDTnHnMnS, or date and time fields yyyy-mm-ddThh:mm:ss.
func (p *intervalParser) iso(s string) error {
	date, clock, timed := strings.Cut(strings.ToUpper(s), "T")
	if date == "" && clock == "" {
		return p.syntax()
	}
	if strings.Count(strings.TrimLeft(date, "-"), "-") == 2 && !strings.ContainsAny(date, "YMWD") {
		return p.isoAlternative(date, clock, timed)
	}
	units := map[byte]intervalUnit{'Y': unitYear, 'M': unitMonth, 'W': {days: 7}, 'D': unitDay}
	if err := p.designators(date, units); err != nil {
		return err
	}
	if timed && strings.Contains(clock, ":") {
		return p.clock(clock)
	}
	return p.designators(clock, map[byte]intervalUnit{'H': {micros: microsHour}, 'M': {micros: microsMinute}, 'S': unitSecond})
}

func (p *intervalParser) designators(s string, units map[byte]intervalUnit) error {
	for s != "" {
		n := len(s) - len(strings.TrimLeft(s, "+-.0123456789"))
		if n == 0 || n == len(s) {
			return p.syntax()
		}
		u, ok := units[s[n]]
		if !ok {
			return p.syntax()
		}
		if err := p.number(s[:n], u); err != nil {
			return err
		}
		s = s[n+1:]
	}
	return nil
}

func (p *intervalParser) isoAlternative(date, clock string, timed bool) error {
	parts := strings.SplitN(date, "-", 3)
	for i, u := range []intervalUnit{unitYear, unitMonth, unitDay} {
		if err := p.number(parts[i], u); err != nil {
			return err
		}
	}
	if timed {
		return p.clock(clock)
	}
	return nil
}
