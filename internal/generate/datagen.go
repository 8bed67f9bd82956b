package generate

import (
	"hash/fnv"
	"math"
	"strings"
	"time"

	"github.com/tidemark-db/tidemark/internal/types"
)

const (
	perSecondDefault = 10
	perSecondMax     = 1 << 40
	lengthDefault    = 10 // of texts, and 3 values of a list
	lengthMax        = 1 << 16
	listDefault      = 3
	listMax          = 1 << 10
	bytesMax         = 1 << 24 // of the letters of one column in a row; lists may be of lists
	pastDefault      = "1 day"
	pastMax          = 1000 * 12 * 30 * dayMicros
	dayMicros        = int64(24 * time.Hour / time.Microsecond)
)

// newDatagen reads fields.COLUMN.OPTION for each column; a column of a struct is COLUMN.FIELD, the values of a list COLUMN._.
func newDatagen(o *optionReader, columns []types.Field) *Rule {
	o.text("datagen.split.num", "") // one process has one generator
	r := &Rule{Rows: Endless, PerSecond: o.int("datagen.rows.per.second", perSecondDefault, 1, perSecondMax)}
	d := &datagen{o: o, rule: r, each: 1}
	values := make([]value, len(columns))
	for i, c := range columns {
		values[i] = d.value("fields."+strings.ToLower(c.Name), c.Type)
	}
	r.row = func(n int64, now time.Time) types.Row {
		row := make(types.Row, len(values))
		for i, v := range values {
			row[i] = v(n, now)
		}
		return row
	}
	return r
}

// value makes the value of one column in row n.
type value func(n int64, now time.Time) types.Datum

// datagen turns options into what makes the values.
type datagen struct {
	o    *optionReader
	rule *Rule
	each int64 // how many values a row has where they are made: more than one in a list
}

func (d *datagen) value(at string, t types.T) value {
	switch t.Kind {
	case types.KindStruct:
		return d.structValue(at, t)
	case types.KindArray:
		return d.listValue(at, t)
	}
	if d.o.word(at+".kind", "random", "sequence") == "sequence" {
		return d.sequence(at, t)
	}
	return d.random(at, t)
}

func (d *datagen) structValue(at string, t types.T) value {
	parts := make([]value, len(t.Fields))
	for i, f := range t.Fields {
		parts[i] = d.value(at+"."+strings.ToLower(f.Name), f.Type)
	}
	return func(n int64, now time.Time) types.Datum {
		out := make([]types.Datum, len(parts))
		for i, p := range parts {
			out[i] = p(n, now)
		}
		return types.NewStruct(t, out)
	}
}

func (d *datagen) listValue(at string, t types.T) value {
	length := d.o.int(at+".length", listDefault, 0, listMax)
	around := d.each
	if d.each *= length; d.each > bytesMax {
		d.o.fail(at+".length", "a row has too many values")
		return nil
	}
	elem := d.value(at+"._", *t.Elem)
	d.each = around
	return func(n int64, now time.Time) types.Datum {
		out := make([]types.Datum, length)
		for i := range out {
			out[i] = elem(n*length+int64(i), now)
		}
		return types.NewArray(*t.Elem, out)
	}
}

// sequence counts from start to end; the first column that has come to its end ends the rows.
func (d *datagen) sequence(at string, t types.T) value {
	if least, most, ok := bounds(t); ok {
		low, high := d.whole(at, ".start", ".end", least, most)
		d.end(high - low)
		return func(n int64, _ time.Time) types.Datum { return types.NewInt(low + n) }
	}
	if !fraction(t) {
		d.refuse(at, t, "has no sequence")
		return nil
	}
	low, high := d.fractions(at, t, ".start", ".end")
	d.end(int64(min(high-low, 1<<62)))
	return func(n int64, _ time.Time) types.Datum { return number(t, low+float64(n)) }
}

// end ends the rows with number last of a sequence, unless they end before.
func (d *datagen) end(last int64) {
	if last >= 0 && last < Endless && d.each > 0 { // else the sequence has more numbers than anybody can count
		d.rule.Rows = min(d.rule.Rows, (last+1)/d.each)
	}
}

// whole reads the bounds of integers, from 0 up to the greatest of the type if nothing is said.
func (d *datagen) whole(at, from, to string, least, most int64) (low, high int64) {
	low, high = d.o.int(at+from, 0, least, most), d.o.int(at+to, most, least, most)
	if high < low {
		d.o.fail(at+to, "it is less than "+at+from)
	}
	return low, high
}

// fractions reads the bounds of other numbers.
func (d *datagen) fractions(at string, t types.T, from, to string) (low, high float64) {
	low, high = d.o.float(at+from, 0), d.o.float(at+to, greatest(t))
	switch {
	case high < low:
		d.o.fail(at+to, "it is less than "+at+from)
	case math.IsInf(high-low, 0):
		d.o.fail(at+to, "it is too far from "+at+from)
	case !fits(t, low):
		d.refuse(at+from, t, "does not hold it")
	case !fits(t, high):
		d.refuse(at+to, t, "does not hold it")
	}
	return low, high
}

func (d *datagen) refuse(at string, t types.T, what string) {
	d.o.fail(at, "type "+types.SQLName(t)+" "+what)
}

// random makes values by a seed, which is the column's name unless it is given.
func (d *datagen) random(at string, t types.T) value {
	h := fnv.New32a()
	h.Write([]byte(at))
	seed := d.o.int(at+".seed", int64(h.Sum32()), math.MinInt64, math.MaxInt64)
	if least, most, ok := bounds(t); ok {
		low, high := d.whole(at, ".min", ".max", least, most)
		return func(n int64, _ time.Time) types.Datum { return types.NewInt(roll(seed, n).between(low, high)) }
	}
	if fraction(t) {
		low, high := d.fractions(at, t, ".min", ".max")
		return func(n int64, _ time.Time) types.Datum { return number(t, low+(high-low)*roll(seed, n).unit()) }
	}
	switch t.Kind {
	case types.KindBool:
		return func(n int64, _ time.Time) types.Datum { return types.NewBool(roll(seed, n).below(2) == 1) }
	case types.KindText, types.KindVarchar:
		length := d.o.int(at+".length", lengthDefault, 0, lengthMax)
		if t.Width > 0 {
			length = min(length, int64(t.Width))
		}
		if length*d.each > bytesMax {
			d.o.fail(at+".length", "a row has too many letters")
		}
		return func(n int64, _ time.Time) types.Datum { return types.NewBytes(roll(seed, n).word(length)) }
	case types.KindTimestamp, types.KindTimestamptz, types.KindDate:
		return d.past(at, t, seed)
	}
	d.refuse(at, t, "has no random values")
	return nil
}

// past makes times that lie back by up to max_past: from the time at which the row is made, or from basetime.
func (d *datagen) past(at string, t types.T, seed int64) value {
	back := d.maxPast(at)
	d.o.word(at+".max_past_mode", "absolute", "relative") // of a basetime that is given, or of now
	base := types.Null
	if text := d.o.text(at+".basetime", ""); text != "" {
		var err error
		if base, err = types.Parse(types.Timestamptz, text, types.Ctx{}); err != nil || base.Int() < 0 || base.Int() == types.TimestampInfinity {
			d.o.fail(at+".basetime", "it is a time from 2000 on")
		}
	}
	return func(n int64, now time.Time) types.Datum {
		from := types.TimestampFromTime(now)
		if !base.IsNull() {
			from = base.Int()
		}
		from -= roll(seed, n).below(back + 1)
		if t.Kind == types.KindDate {
			return types.NewInt(dayOf(from))
		}
		v, _ := types.Fit(t, types.NewInt(from), false) // times are rounded, which never fails
		return v
	}
}

// maxPast reads how many microseconds a time may lie back.
func (d *datagen) maxPast(at string) int64 {
	v, err := types.ParseInterval(d.o.text(at+".max_past", pastDefault), "")
	days := int64(v.Days) + int64(v.Months)*30
	if err != nil || days < 0 || v.Micros < 0 || days > pastMax/dayMicros || v.Micros > pastMax-days*dayMicros {
		d.o.fail(at+".max_past", "it is an interval of up to 1000 years")
		return 0
	}
	return v.Micros + days*dayMicros
}

// dayOf is the day of a time, counted as the times are.
func dayOf(micros int64) int64 {
	if micros < 0 {
		micros -= dayMicros - 1
	}
	return micros / dayMicros
}

// bounds are those of the integers of a type.
func bounds(t types.T) (least, most int64, ok bool) {
	switch t.Kind {
	case types.KindInt2:
		return math.MinInt16, math.MaxInt16, true
	case types.KindInt4:
		return math.MinInt32, math.MaxInt32, true
	case types.KindInt8:
		return math.MinInt64, math.MaxInt64, true
	}
	return 0, 0, false
}

// fraction reports whether a type has numbers that are not whole.
func fraction(t types.T) bool {
	return t.Kind == types.KindFloat4 || t.Kind == types.KindFloat8 || t.Kind == types.KindNumeric
}

// greatest is the number that is the upper bound unless one is given.
func greatest(t types.T) float64 {
	if t.Kind == types.KindNumeric && t.Width > 0 {
		return min(math.MaxInt32, math.Pow10(int(t.Width-t.Scale))-math.Pow10(-int(t.Scale)))
	}
	return math.MaxInt32
}

// fits reports whether a type holds a number.
func fits(t types.T, v float64) bool {
	if t.Kind == types.KindNumeric {
		_, err := types.Fit(t, types.NewNumeric(types.NumFromFloat(v, 64)), false)
		return err == nil
	}
	return t.Kind != types.KindFloat4 || math.Abs(v) <= math.MaxFloat32
}

// number is a value of a type with fractions, which holds those around it.
func number(t types.T, v float64) types.Datum {
	switch t.Kind {
	case types.KindFloat4:
		return types.NewFloat(float64(float32(v)))
	case types.KindNumeric:
		n, _ := types.Fit(t, types.NewNumeric(types.NumFromFloat(v, 64)), false)
		return n
	}
	return types.NewFloat(v)
}
