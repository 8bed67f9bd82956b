package types

import (
	"encoding/hex"
	"math"
	"strconv"
	"unicode/utf8"
)

// Format returns the text form of a value that is not NULL.
func Format(t T, d Datum, c Ctx) string { return string(Append(nil, t, d, c)) }

// Append adds the text form of a value that is not NULL, as PostgreSQL prints it.
func Append(dst []byte, t T, d Datum, c Ctx) []byte {
	switch t.Kind {
	case KindBool:
		return appendBool(dst, d.Bool())
	case KindFloat4:
		return appendFloat(dst, d.Float(), 32, c)
	case KindFloat8:
		return appendFloat(dst, d.Float(), 64, c)
	case KindDate:
		return appendDate(dst, d.Int())
	case KindTime:
		return c.appendClock(dst, uint64(d.Int()))
	case KindTimestamp:
		return c.appendTimestamp(dst, d.Int(), nil)
	case KindTimestamptz:
		return c.appendTimestamp(dst, d.Int(), c.location())
	case KindNumeric, KindInt256:
		return d.Num().Append(dst)
	case KindInterval:
		return d.Interval().Append(dst)
	case KindBytea:
		return appendBytea(dst, d.str, c)
	case KindUUID:
		return appendUUID(dst, d.str)
	case KindRegclass, KindRegtype, KindRegproc, KindRegnamespace:
		return appendObject(dst, t, d, c)
	case KindArray:
		if t.Vector() {
			return appendVector(dst, *t.Elem, d.str, c)
		}
		return appendArray(appendBounds(dst, t, d.str), *t.Elem, d.str, c)
	case KindStruct:
		return appendStruct(dst, t, d.str, c)
	case KindMap:
		return appendMap(dst, t, d.str, c)
	}
	if t.Phys() == PhysInt {
		return strconv.AppendInt(dst, d.Int(), 10)
	}
	return append(dst, d.str...)
}

func appendBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, 't')
	}
	return append(dst, 'f')
}

// appendFloat adds the shortest digits that read back as the same value; large and small values get an exponent.
func appendFloat(dst []byte, f float64, bits int, c Ctx) []byte {
	switch {
	case f != f:
		return append(dst, "NaN"...)
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	}
	digits, expMax := -1, 15
	if bits == 32 {
		expMax = 6
	}
	if c.FloatDigitsLess > 0 {
		digits = max(expMax+1-c.FloatDigitsLess, 1)
	}
	return appendGeneral(dst, f, bits, digits, expMax)
}

// appendGeneral is C's %g with Go's shortest digits where digits < 0.
func appendGeneral(dst []byte, f float64, bits, digits, expMax int) []byte {
	precision := -1
	if digits > 0 {
		precision, expMax = digits-1, digits
	}
	var buf [32]byte
	sci := strconv.AppendFloat(buf[:0], f, 'e', precision, bits)
	e := len(sci) - 1
	for sci[e] != 'e' {
		e--
	}
	exp, _ := strconv.Atoi(string(sci[e+1:]))
	mantissa := sci[:e]
	if digits > 0 {
		mantissa = trimFraction(mantissa)
	}
	if exp < -4 || exp >= expMax {
		return append(append(dst, mantissa...), sci[e:]...)
	}
	if digits > 0 {
		return append(dst, trimFraction(strconv.AppendFloat(nil, f, 'f', digits-1-exp, bits))...)
	}
	return strconv.AppendFloat(dst, f, 'f', -1, bits)
}

// trimFraction removes zeros at the end of the fraction.
func trimFraction(s []byte) []byte {
	for i, c := range s {
		if c != '.' {
			continue
		}
		n := len(s)
		for s[n-1] == '0' {
			n--
		}
		if n == i+1 {
			n = i
		}
		return s[:n]
	}
	return s
}

func appendBytea(dst []byte, s string, c Ctx) []byte {
	if !c.ByteaEscape {
		return hex.AppendEncode(append(dst, `\x`...), []byte(s))
	}
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b == '\\':
			dst = append(dst, `\\`...)
		case b < ' ' || b >= utf8.RuneSelf-1:
			dst = append(dst, '\\', '0'+b>>6, '0'+b>>3&7, '0'+b&7)
		default:
			dst = append(dst, b)
		}
	}
	return dst
}

// appendUUID adds 8-4-4-4-12 hexadecimal digits.
func appendUUID(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			dst = append(dst, '-')
		}
		dst = append(dst, hexDigits[s[i]>>4], hexDigits[s[i]&15])
	}
	return dst
}
