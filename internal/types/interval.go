package types

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// Iv is a decoded interval. Its fields do not carry into each other: a month has no fixed number of days, a day no fixed
// number of hours. Only comparison counts months of 30 days and days of 24 hours.
type Iv struct {
	Months, Days int32
	Micros       int64
}

// Microseconds in the units of time.
const (
	microsSecond = 1_000_000
	microsMinute = 60 * microsSecond
	microsHour   = 60 * microsMinute
	microsDay    = 24 * microsHour
	daysMonth    = 30 // where a month is compared or justified
)

// NewInterval returns the datum of an interval: months, days and microseconds, big-endian, 4 + 4 + 8 bytes.
func NewInterval(v Iv) Datum {
	var b [16]byte
	binary.BigEndian.PutUint32(b[0:], uint32(v.Months))
	binary.BigEndian.PutUint32(b[4:], uint32(v.Days))
	binary.BigEndian.PutUint64(b[8:], uint64(v.Micros))
	return NewBytes(string(b[:]))
}

// Interval returns the value of an interval datum.
func (d Datum) Interval() Iv { return decodeInterval(d.str) }

func decodeInterval(s string) Iv {
	if len(s) != 16 {
		return Iv{}
	}
	b := []byte(s)
	return Iv{
		Months: int32(binary.BigEndian.Uint32(b[0:])),
		Days:   int32(binary.BigEndian.Uint32(b[4:])),
		Micros: int64(binary.BigEndian.Uint64(b[8:])),
	}
}

// span is the interval's length in microseconds as a 128-bit number.
func (v Iv) span() (hi int64, lo uint64) {
	days := int64(v.Months)*daysMonth + int64(v.Days)
	h, l := bits.Mul64(uint64(days), microsDay)
	if days < 0 {
		h -= microsDay
	}
	l, carry := bits.Add64(l, uint64(v.Micros), 0)
	return int64(h) + v.Micros>>63 + int64(carry), l
}

// Cmp orders intervals by length.
func (v Iv) Cmp(w Iv) int {
	vh, vl := v.span()
	wh, wl := w.span()
	switch {
	case vh != wh:
		return cmpInt(vh, wh)
	case vl < wl:
		return -1
	case vl > wl:
		return 1
	}
	return 0
}

func intervalRange() error { return errs.DatetimeOutOfRange.New("what", "interval out of range") }

// Add returns v + w, field by field.
func (v Iv) Add(w Iv) (Iv, error) {
	months, days := int64(v.Months)+int64(w.Months), int64(v.Days)+int64(w.Days)
	micros := v.Micros + w.Micros
	if !isInt32(months) || !isInt32(days) || (micros > v.Micros) != (w.Micros > 0) {
		return Iv{}, intervalRange()
	}
	return Iv{int32(months), int32(days), micros}, nil
}

// Neg returns -v.
func (v Iv) Neg() (Iv, error) {
	if v.Months == math.MinInt32 || v.Days == math.MinInt32 || v.Micros == math.MinInt64 {
		return Iv{}, intervalRange()
	}
	return Iv{-v.Months, -v.Days, -v.Micros}, nil
}

// Sub returns v - w, field by field.
func (v Iv) Sub(w Iv) (Iv, error) {
	months, days := int64(v.Months)-int64(w.Months), int64(v.Days)-int64(w.Days)
	micros := v.Micros - w.Micros
	if !isInt32(months) || !isInt32(days) || (micros < v.Micros) != (w.Micros > 0) {
		return Iv{}, intervalRange()
	}
	return Iv{int32(months), int32(days), micros}, nil
}

// Mul returns v * f. Fractions of months become days, fractions of days become time.
func (v Iv) Mul(f float64) (Iv, error) {
	return v.scale(func(x float64) float64 { return x * f })
}

// Div returns v / f.
func (v Iv) Div(f float64) (Iv, error) {
	if f == 0 {
		return Iv{}, errs.DivisionByZero.New()
	}
	return v.scale(func(x float64) float64 { return x / f })
}

func (v Iv) scale(by func(float64) float64) (Iv, error) {
	months, days := by(float64(v.Months)), by(float64(v.Days))
	if !fitsInt32(months) || !fitsInt32(days) {
		return Iv{}, intervalRange()
	}
	out := Iv{Months: int32(months), Days: int32(days)}
	monthDays := roundMicros((months - float64(out.Months)) * daysMonth)
	seconds := roundMicros((days - float64(out.Days) + monthDays - math.Trunc(monthDays)) * microsDay / microsSecond)
	if math.Abs(seconds) >= microsDay/microsSecond { // rounding made a whole day
		whole := math.Trunc(seconds / (microsDay / microsSecond))
		monthDays += whole
		seconds -= whole * (microsDay / microsSecond)
	}
	d := float64(out.Days) + math.Trunc(monthDays)
	micros := math.RoundToEven(by(float64(v.Micros)) + seconds*microsSecond)
	if !fitsInt32(d) || !fitsInt64(micros) {
		return Iv{}, intervalRange()
	}
	out.Days, out.Micros = int32(d), int64(micros)
	return out, nil
}

// roundMicros removes the noise of binary fractions below a microsecond.
func roundMicros(f float64) float64 { return math.RoundToEven(f*microsSecond) / microsSecond }

func isInt32(v int64) bool     { return v == int64(int32(v)) }
func fitsInt32(f float64) bool { return f >= math.MinInt32 && f <= math.MaxInt32 }
func fitsInt64(f float64) bool { return f >= math.MinInt64 && f < -math.MinInt64 }

// JustifyHours turns 24 hours into days.
func (v Iv) JustifyHours() (Iv, error) {
	days := int64(v.Days) + v.Micros/microsDay
	micros := v.Micros % microsDay
	switch {
	case days > 0 && micros < 0:
		days, micros = days-1, micros+microsDay
	case days < 0 && micros > 0:
		days, micros = days+1, micros-microsDay
	}
	if !isInt32(days) {
		return Iv{}, intervalRange()
	}
	return Iv{v.Months, int32(days), micros}, nil
}

// JustifyDays turns 30 days into months.
func (v Iv) JustifyDays() (Iv, error) {
	months := int64(v.Months) + int64(v.Days/daysMonth)
	days := v.Days % daysMonth
	switch {
	case months > 0 && days < 0:
		months, days = months-1, days+daysMonth
	case months < 0 && days > 0:
		months, days = months+1, days-daysMonth
	}
	if !isInt32(months) {
		return Iv{}, intervalRange()
	}
	return Iv{int32(months), days, v.Micros}, nil
}

// Justify turns 24 hours into days and 30 days into months, and gives all fields one sign.
func (v Iv) Justify() (Iv, error) {
	days := int64(v.Days) + v.Micros/microsDay
	micros := v.Micros % microsDay
	months := int64(v.Months) + days/daysMonth
	days %= daysMonth
	switch {
	case months > 0 && (days < 0 || days == 0 && micros < 0):
		months, days = months-1, days+daysMonth
	case months < 0 && (days > 0 || days == 0 && micros > 0):
		months, days = months+1, days-daysMonth
	}
	switch {
	case days > 0 && micros < 0:
		days, micros = days-1, micros+microsDay
	case days < 0 && micros > 0:
		days, micros = days+1, micros-microsDay
	}
	if !isInt32(months) {
		return Iv{}, intervalRange()
	}
	return Iv{int32(months), int32(days), micros}, nil
}
