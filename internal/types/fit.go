package types

import (
	"strings"
	"unicode/utf8"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// Fit coerces a value that is not NULL to its type's modifiers: it rounds numerics and times and pads char(n). Text that
// is too long is cut when the cast is explicit; else only blanks may be lost, and the rest is an error.
func Fit(t T, d Datum, explicit bool) (Datum, error) {
	switch t.Kind {
	case KindNumeric:
		if t.Width == 0 {
			return d, nil
		}
		n, err := d.Num().Fit(t.Width, t.Scale)
		return NewNumeric(n), err
	case KindVarchar:
		return fitText(t, d, explicit)
	case KindBpchar:
		return fitPadded(t, d, explicit)
	case KindTime, KindTimestamp, KindTimestamptz:
		if t.Scale == 0 || d.Int() == TimestampInfinity || d.Int() == TimestampNegInfinity {
			return d, nil
		}
		return NewInt(roundMicrosTo(d.Int(), t.Scale-1)), nil
	case KindInterval:
		v := cutFields(d.Interval(), lastIntervalField(t))
		if t.Scale > 0 {
			v.Micros = roundMicrosTo(v.Micros, t.Scale-1)
		}
		return NewInterval(v), nil
	case KindArray:
		return fitArray(t, d, explicit)
	}
	return d, nil
}

func fitText(t T, d Datum, explicit bool) (Datum, error) {
	cut, over := cutChars(d.str, t.Width)
	if over == "" {
		return d, nil
	}
	if !explicit && strings.Trim(over, " ") != "" {
		return Null, errs.TooLong.New("type", SQLName(t))
	}
	return NewBytes(cut), nil
}

// cutChars splits text after n characters; n = 0 is no bound.
func cutChars(s string, n int32) (cut, over string) {
	if n == 0 || len(s) <= int(n) {
		return s, ""
	}
	for i := range s {
		if n == 0 {
			return s[:i], s[i:]
		}
		n--
	}
	return s, ""
}

func fitPadded(t T, d Datum, explicit bool) (Datum, error) {
	d, err := fitText(t, d, explicit)
	if err != nil || t.Width == 0 {
		return d, err
	}
	if missing := int(t.Width) - utf8.RuneCountInString(d.str); missing > 0 {
		return NewBytes(d.str + strings.Repeat(" ", missing)), nil
	}
	return d, nil
}

func fitArray(t T, d Datum, explicit bool) (Datum, error) {
	if !modified(*t.Elem) {
		return d, nil
	}
	values := DecodeArray(*t.Elem, d.str)
	for i, v := range values {
		if v.IsNull() {
			continue
		}
		fitted, err := Fit(*t.Elem, v, explicit)
		if err != nil {
			return Null, err
		}
		values[i] = fitted
	}
	return NewArrayFrom(*t.Elem, ArrayLower(d.str), values), nil
}

// modified reports whether the type or its elements have modifiers.
func modified(t T) bool {
	if t.Kind == KindArray {
		return modified(*t.Elem)
	}
	return t.Width != 0 || t.Scale != 0
}
