package settings

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// Parse reads a value and returns its canonical text, which is what is stored and what SHOW prints: on or off, a plain
// number, or a number with the largest unit that divides it.
func (d *Def) Parse(text string) (string, error) {
	switch d.Kind {
	case Bool:
		return d.parseBool(text)
	case Int, Duration, Size:
		n, err := d.number(text)
		if err != nil {
			return "", err
		}
		return d.format(n), nil
	case Float:
		return d.parseFloat(text)
	case Enum:
		for _, w := range d.Words {
			if strings.EqualFold(w, strings.TrimSpace(text)) {
				return w, nil
			}
		}
		return "", d.invalid(text, "").WithHint("Available values: %s.", strings.Join(d.Words, ", "))
	}
	if d.check == nil {
		return text, nil
	}
	return d.check(text)
}

func (d *Def) invalid(text, why string) *errs.Error {
	return errs.SettingValue.New("name", d.Name, "value", text, "why", why)
}

// parseBool takes PostgreSQL's words and their unambiguous beginnings.
func (d *Def) parseBool(text string) (string, error) {
	t := strings.ToLower(strings.TrimSpace(text))
	begins := func(word string, least int) bool { return len(t) >= least && strings.HasPrefix(word, t) }
	switch {
	case t == "1", t == "on", begins("true", 1), begins("yes", 1):
		return "on", nil
	case t == "0", begins("off", 2), begins("false", 1), begins("no", 1):
		return "off", nil
	}
	return "", errs.SettingBoolean.New("name", d.Name)
}

func (d *Def) parseFloat(text string) (string, error) {
	f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return "", d.invalid(text, "")
	}
	if d.bounded() && (f < float64(d.Min) || f > float64(d.Max)) {
		return "", errs.SettingRange.New("name", d.Name, "value", strings.TrimSpace(text), "min", d.Min, "max", d.Max)
	}
	return strconv.FormatFloat(f, 'g', -1, 64), nil
}

func (d *Def) bounded() bool { return d.Min != 0 || d.Max != 0 }

type unit struct {
	name string
	size int64 // in the smallest unit of its kind: microseconds or bytes
}

// Both tables go from the largest to the smallest, which is the order in which format tries them. PostgreSQL's memory
// units are powers of 1024; KiB and its like mean the same.
var (
	timeUnits = []unit{{"d", 86_400_000_000}, {"h", 3_600_000_000}, {"min", 60_000_000}, {"s", 1_000_000}, {"ms", 1000}, {"us", 1}}
	byteUnits = []unit{{"TB", 1 << 40}, {"GB", 1 << 30}, {"MB", 1 << 20}, {"kB", 1 << 10}, {"B", 1}}
)

func (d *Def) units() []unit {
	switch d.Kind {
	case Duration:
		return timeUnits
	case Size:
		return byteUnits
	}
	return nil
}

// base is the size of the unit in which the setting's number counts.
func (d *Def) base() int64 {
	for _, u := range timeUnits {
		if d.Kind == Duration && u.name == d.Unit {
			return u.size
		}
	}
	return 1
}

// number reads a number with an optional unit, in the setting's own unit.
func (d *Def) number(text string) (int64, error) {
	t := strings.TrimSpace(text)
	end := len(t)
	for end > 0 && (t[end-1] < '0' || t[end-1] > '9') && t[end-1] != '.' {
		end--
	}
	f, err := strconv.ParseFloat(t[:end], 64)
	if err != nil {
		return 0, d.invalid(text, "")
	}
	scale, ok := d.scale(strings.TrimSpace(t[end:]))
	if !ok {
		return 0, d.invalid(text, "").WithHint("%s", d.unitHint())
	}
	n, err := strconv.ParseInt(t[:end], 10, 64) // exact where a double is not
	if err != nil || scale != 1 {
		if f = math.RoundToEven(f * scale); math.Abs(f) >= math.MaxInt64 {
			return 0, d.invalid(text, "Value exceeds integer range.")
		}
		n = int64(f)
	}
	if d.bounded() && (n < d.Min || n > d.Max) {
		return 0, errs.SettingRange.New("name", d.Name, "value", strings.TrimSpace(fmt.Sprintf("%d %s", n, d.Unit)), "min", d.Min, "max", d.Max)
	}
	return n, nil
}

// scale is what a number with the written unit is multiplied by.
func (d *Def) scale(written string) (float64, bool) {
	if written == "" {
		return 1, true
	}
	if d.Kind == Size {
		written = strings.Replace(written, "iB", "B", 1)
		if strings.HasPrefix(written, "KB") {
			written = "kB"
		}
	}
	for _, u := range d.units() {
		if u.name == written {
			return float64(u.size) / float64(d.base()), true
		}
	}
	return 0, false
}

func (d *Def) unitHint() string {
	switch d.Kind {
	case Duration:
		return `Valid units for this parameter are "us", "ms", "s", "min", "h", and "d".`
	case Size:
		return `Valid units for this parameter are "B", "kB", "MB", "GB", and "TB".`
	}
	return "This parameter takes a number without a unit."
}

// format writes a number with the largest unit that divides it; 0 and what is below 0 have none, because there they
// mean "no limit" or "automatic".
func (d *Def) format(n int64) string {
	if n > 0 {
		for _, u := range d.units() {
			if size := u.size / d.base(); size > 0 && n%size == 0 {
				return strconv.FormatInt(n/size, 10) + u.name
			}
		}
	}
	return strconv.FormatInt(n, 10)
}

// mustNumber is the number of a value in canonical form.
func (d *Def) mustNumber(canonical string) int64 {
	n, _ := d.number(canonical)
	return n
}
