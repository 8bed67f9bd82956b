package types

import (
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// maxDayOfYear is taken in every year, as in PostgreSQL: 2023-366 is the first day of 2024.
const maxDayOfYear = 366

// dtFields is what the text of a date or time says.
type dtFields struct {
	ctx  Ctx
	typ  string // for errors
	text string

	year, month, day      int
	hasYear, hasMonth     bool
	hasDay, textMonth     bool
	dayOfYear             bool // day counts from January 1
	bc, hasEra, twoDigits bool
	weekday               bool
	julian                int64 // when isJulian
	isJulian              bool
	micros                int64 // since midnight
	hasClock              bool
	half                  string         // am, pm or ""
	offset                int64          // seconds east of UTC, when hasOffset
	hasOffset             bool           //
	zone                  *time.Location // when named
	special               string         // now, today, tomorrow, yesterday, epoch, infinity, -infinity
	afterT                bool           // a T was seen: numbers are times
}

func (f *dtFields) syntax() error { return errs.InvalidDatetime.New("type", f.typ, "value", f.text) }

func (f *dtFields) field() error { return errs.DatetimeField.New("value", f.text) }

// order is the error of a month or day that does not exist, perhaps since the fields come in another order.
func (f *dtFields) order() error {
	return errs.DatetimeField.New("value", f.text).WithHint("Perhaps you need a different \"datestyle\" setting.")
}

// parseDatetime reads the text of a date, time or timestamp.
func parseDatetime(typ, s string, c Ctx) (*dtFields, error) {
	f := &dtFields{ctx: c, typ: typ, text: s}
	tokens, ok := dtTokens(s)
	if !ok || len(tokens) == 0 {
		return nil, f.syntax()
	}
	for i, tok := range tokens {
		if err := f.token(tok, tokens[i+1:]); err != nil {
			return nil, err
		}
	}
	return f, f.finish()
}

func (f *dtFields) token(tok dtToken, rest []dtToken) error {
	switch tok.kind {
	case dtDate:
		return f.date(tok.text)
	case dtClock:
		return f.clock(tok.text)
	case dtZone:
		return f.zoneOffset(tok.text)
	case dtWord:
		return f.word(tok.text)
	}
	return f.number(tok.text, rest)
}

// date reads fields joined by separators; a month may be a word.
func (f *dtFields) date(text string) error {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '-' || r == '/' || r == '.' })
	if f.hasDay || f.hasClock || f.weekday || len(parts) > 3 || len(parts) < 2 {
		return f.syntax()
	}
	var numbers []string
	for _, part := range parts {
		switch m := monthNumber(part); {
		case m > 0 && !f.hasMonth:
			f.month, f.hasMonth, f.textMonth = m, true, true
		case digitsLen(part) == len(part):
			numbers = append(numbers, part)
		default:
			return f.syntax()
		}
	}
	for _, n := range numbers {
		if err := f.dateNumber(n); err != nil {
			return err
		}
	}
	return nil
}

// dateNumber gives a number to the first field that it can be.
func (f *dtFields) dateNumber(text string) error {
	v, err := strconv.Atoi(text)
	if err != nil {
		return f.field()
	}
	switch {
	case !f.hasYear && (len(text) >= 3 || f.ctx.YearBeforeMonth && !f.hasDay):
		if len(text) == 3 && f.hasYear {
			break
		}
		return f.setYear(v, len(text))
	case f.hasYear && !f.hasMonth && !f.hasDay && len(text) == 3 && 0 < v && v <= maxDayOfYear:
		f.day, f.hasDay, f.hasMonth, f.dayOfYear = v, true, true, true
	case !f.hasMonth && !f.hasDay && f.ctx.DayBeforeMonth && !f.hasYear, f.hasMonth && !f.hasDay:
		f.day, f.hasDay = v, true
	case !f.hasMonth:
		f.month, f.hasMonth = v, true
	case !f.hasYear:
		return f.setYear(v, len(text))
	default:
		return f.syntax()
	}
	return nil
}

func (f *dtFields) setYear(v, digits int) error {
	if f.hasYear {
		return f.syntax()
	}
	f.year, f.hasYear, f.twoDigits = v, true, digits <= 2
	return nil
}

// number reads digits on their own: a compact date or time, or one field of a date in words.
func (f *dtFields) number(text string, rest []dtToken) error {
	whole, frac, pointed := strings.Cut(text, ".")
	if pointed && !f.afterT && !f.hasDay && len(whole) == 4 && len(frac) == 3 { // 1999.008
		return f.date(text)
	}
	hasDate := f.hasYear && f.hasMonth && f.hasDay || f.isJulian
	switch {
	case (f.afterT || hasDate || f.typ == "time") && !f.hasClock && (len(whole) == 4 || len(whole) == 6 || f.afterT && len(whole) == 2):
		return f.compactClock(whole, frac)
	case pointed:
		return f.syntax()
	case len(whole) == 8 && !hasDate && !f.hasYear && !f.hasMonth:
		f.hasMonth, f.hasDay = true, true
		f.month, _ = strconv.Atoi(whole[4:6])
		f.day, _ = strconv.Atoi(whole[6:])
		y, _ := strconv.Atoi(whole[:4])
		return f.setYear(y, 4)
	case len(whole) == 6 && !hasDate && !f.hasYear && !f.hasMonth:
		f.hasMonth, f.hasDay = true, true
		f.month, _ = strconv.Atoi(whole[2:4])
		f.day, _ = strconv.Atoi(whole[4:])
		y, _ := strconv.Atoi(whole[:2])
		return f.setYear(y, 2)
	case len(rest) > 0 && (rest[0].text == "am" || rest[0].text == "pm") && !f.hasClock && len(whole) <= 2:
		return f.clock(whole + ":00")
	}
	return f.dateNumber(whole)
}

func (f *dtFields) compactClock(whole, frac string) error {
	parts := whole[:2]
	for i := 2; i < len(whole); i += 2 {
		parts += ":" + whole[i:i+2]
	}
	if len(whole) == 2 {
		parts += ":00"
	}
	if frac != "" {
		parts += "." + frac
	}
	return f.clock(parts)
}

// clock reads hh:mm[:ss[.f]].
func (f *dtFields) clock(text string) error {
	if f.hasClock {
		return f.syntax()
	}
	parts := strings.Split(text, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return f.syntax()
	}
	sec, frac := "0", ""
	if len(parts) == 3 {
		sec, frac, _ = strings.Cut(parts[2], ".")
	}
	var v [3]int64
	for i, part := range []string{parts[0], parts[1], sec} {
		n, err := strconv.ParseInt(part, 10, 32)
		if err != nil || strings.Contains(part, ".") {
			return f.syntax()
		}
		v[i] = n
	}
	fraction, ok := fractionMicros(frac)
	if !ok {
		return f.syntax()
	}
	if v[1] > 59 || v[2] > 60 || v[0] > 24 || v[0] == 24 && (v[1] > 0 || v[2] > 0 || fraction > 0) {
		return f.field()
	}
	f.micros = v[0]*microsHour + v[1]*microsMinute + v[2]*microsSecond + fraction
	f.hasClock = true
	return nil
}

// fractionMicros reads the digits after the point of seconds, rounded to microseconds.
func fractionMicros(frac string) (int64, bool) {
	if digitsLen(frac) != len(frac) {
		return 0, false
	}
	if frac == "" {
		return 0, true
	}
	x, err := strconv.ParseFloat("0."+frac, 64)
	return int64(x*microsSecond + 0.5), err == nil
}

// zoneOffset reads +hh[:mm[:ss]] or +hhmm.
func (f *dtFields) zoneOffset(text string) error {
	offset, problem := parseOffset(text)
	switch {
	case problem == numberSyntax || f.hasOffset || f.zone != nil:
		return f.syntax()
	case problem == numberOverflow:
		return errs.ZoneDisplacement.New("value", f.text)
	}
	f.offset, f.hasOffset = offset, true
	return nil
}

// parseOffset reads a signed offset in seconds, of less than 16 hours.
func parseOffset(text string) (seconds int64, problem numberProblem) {
	if len(text) < 2 {
		return 0, numberSyntax
	}
	parts := strings.Split(text[1:], ":")
	if len(parts) > 3 {
		return 0, numberSyntax
	}
	if len(parts) == 1 && len(parts[0]) > 2 {
		cut := len(parts[0]) - 2
		parts = []string{parts[0][:cut], parts[0][cut:]}
	}
	const hourMax, sixtieths = 15, 59
	for i, part := range parts {
		v, err := strconv.ParseInt(part, 10, 16)
		switch {
		case digitsLen(part) != len(part) || part == "":
			return 0, numberSyntax
		case err != nil || i == 0 && v > hourMax || i > 0 && v > sixtieths:
			return 0, numberOverflow
		}
		seconds += v * []int64{3600, 60, 1}[i]
	}
	if text[0] == '-' {
		seconds = -seconds
	}
	return seconds, numberOK
}

// word reads a name: of a month, a zone or a special value.
func (f *dtFields) word(w string) error {
	if m := monthNumber(w); m > 0 {
		return f.monthWord(m)
	}
	switch w {
	case "now", "today", "tomorrow", "yesterday", "epoch", "infinity", "-infinity", "+infinity", "inf", "-inf":
		if f.special != "" {
			return f.syntax()
		}
		f.special = strings.TrimPrefix(w, "+")
		if strings.HasSuffix(w, "inf") {
			f.special += "inity"
		}
	case "allballs":
		f.hasOffset, f.hasClock = true, true
	case "am", "pm":
		if f.half != "" {
			return f.syntax()
		}
		f.half = w
	case "bc", "ad":
		if f.hasEra {
			return f.syntax()
		}
		f.bc, f.hasEra = w == "bc", true
	case "t":
		f.afterT = true
	case "at", "on", "d":
	case "dst":
		f.offset += 3600
	default:
		if isWeekday(w) {
			f.weekday = true
			return nil
		}
		return f.zoneWord(w)
	}
	return nil
}

// monthWord sets the month. A number read before as the month was the day.
func (f *dtFields) monthWord(m int) error {
	if f.hasMonth {
		if f.textMonth || f.hasDay {
			return f.syntax()
		}
		f.day, f.hasDay = f.month, true
	}
	f.month, f.hasMonth, f.textMonth = m, true, true
	return nil
}

func (f *dtFields) zoneWord(w string) error {
	if f.hasOffset || f.zone != nil {
		return f.syntax()
	}
	if len(w) > 1 && w[0] == 'j' && digitsLen(w[1:]) == len(w)-1 {
		v, err := strconv.ParseInt(w[1:], 10, 64)
		f.julian, f.isJulian = v, true
		if err != nil {
			return f.field()
		}
		return nil
	}
	loc, err := ParseZone(w)
	if err != nil {
		if strings.ContainsAny(w, "/_") {
			return err
		}
		return f.syntax()
	}
	f.zone = loc
	return nil
}

// finish checks the fields against each other.
func (f *dtFields) finish() error {
	switch f.half {
	case "am", "pm":
		hour := f.micros / microsHour
		if hour > 12 || !f.hasClock {
			return f.field()
		}
		if hour == 12 {
			f.micros -= 12 * microsHour
		}
		if f.half == "pm" {
			f.micros += 12 * microsHour
		}
	}
	if f.hasYear || f.hasMonth || f.hasDay {
		return f.finishDate()
	}
	return nil
}

func (f *dtFields) finishDate() error {
	if f.isJulian || f.special != "" || !f.hasYear || !f.hasMonth || !f.hasDay {
		return f.syntax()
	}
	switch {
	case f.bc && f.year <= 0, !f.bc && !f.twoDigits && f.year == 0:
		return f.field()
	case f.bc:
		f.year = 1 - f.year
	case f.twoDigits && f.year < 70:
		f.year += 2000
	case f.twoDigits:
		f.year += 1900
	}
	if f.dayOfYear {
		f.month = 1
		return nil
	}
	if f.month < 1 || f.month > 12 || f.day < 1 || f.day > 31 {
		return f.order()
	}
	if f.day > monthDays(f.year, f.month) {
		return f.field()
	}
	return nil
}
