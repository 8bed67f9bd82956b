package types

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// String prints the number as PostgreSQL does: never with an exponent.
func (n Num) String() string { return string(n.Append(nil)) }

// Append adds the text of the number.
func (n Num) Append(dst []byte) []byte {
	switch n.form {
	case nan:
		return append(dst, "NaN"...)
	case posInf:
		return append(dst, "Infinity"...)
	case negInf:
		return append(dst, "-Infinity"...)
	}
	var buf [24]byte
	var digits []byte
	if n.big == nil {
		digits = strconv.AppendUint(buf[:0], absInt64(n.small), 10)
	} else {
		digits = new(big.Int).Abs(n.big).Append(buf[:0], 10)
	}
	if n.Sign() < 0 {
		dst = append(dst, '-')
	}
	return appendPoint(dst, digits, int(n.scale))
}

// appendPoint adds digits with the decimal point before the last scale of them.
func appendPoint(dst, digits []byte, scale int) []byte {
	if scale == 0 {
		return append(dst, digits...)
	}
	whole := len(digits) - scale
	if whole > 0 {
		dst = append(dst, digits[:whole]...)
		digits = digits[whole:]
	} else {
		dst = append(dst, '0')
	}
	dst = append(dst, '.')
	for range -whole {
		dst = append(dst, '0')
	}
	return append(dst, digits...)
}

// ParseNum reads a number in PostgreSQL's notation.
func ParseNum(s string) (Num, error) {
	n, problem := parseNum(strings.Trim(s, spaces))
	switch problem {
	case numberSyntax:
		return n, errs.InvalidText.New("type", "numeric", "value", s)
	case numberOverflow:
		return n, errs.NumericOverflow.New()
	}
	return n, nil
}

type numberProblem uint8

const (
	numberOK numberProblem = iota
	numberSyntax
	numberOverflow
)

func parseNum(s string) (Num, numberProblem) {
	if n, ok := specialNum(s); ok {
		return n, numberOK
	}
	sign, rest := "", s
	if rest != "" && (rest[0] == '+' || rest[0] == '-') {
		sign, rest = rest[:1], rest[1:]
	}
	whole, frac, exp, ok := splitDecimal(rest)
	if !ok {
		return Num{}, numberSyntax
	}
	scale := len(frac) - exp
	zero := strings.Trim(whole+frac, "0") == ""
	if scale > numericScaleMax || exp >= expMax || !zero && len(strings.TrimLeft(whole, "0"))+exp > numericDigitsMax {
		return Num{}, numberOverflow
	}
	return coefficient(sign, whole+frac, scale), numberOK
}

// coefficient makes the number of the digits; zeros are added for a negative scale.
func coefficient(sign, digits string, scale int) Num {
	digits = strings.TrimLeft(digits, "0")
	if scale < 0 {
		if digits != "" {
			digits += strings.Repeat("0", -scale)
		}
		scale = 0
	}
	if digits == "" {
		return Num{scale: int32(scale)}
	}
	if sign == "+" {
		sign = ""
	}
	if len(digits) < 19 {
		v, _ := strconv.ParseInt(sign+digits, 10, 64)
		return Num{small: v, scale: int32(scale)}
	}
	b, _ := new(big.Int).SetString(sign+digits, 10)
	return NumFromBig(b, int32(scale))
}

// expMax bounds the exponents that are looked at; all of them overflow.
const expMax = 1 << 30

// splitDecimal takes digits[.digits][e[+-]digits] apart.
func splitDecimal(s string) (whole, frac string, exp int, ok bool) {
	i := digitsLen(s)
	whole, s = s[:i], s[i:]
	if s != "" && s[0] == '.' {
		i = digitsLen(s[1:])
		frac, s = s[1:i+1], s[i+1:]
	}
	if whole == "" && frac == "" {
		return "", "", 0, false
	}
	if s == "" {
		return whole, frac, 0, true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return "", "", 0, false
	}
	digits := strings.TrimLeft(s[1:], "+-")
	if len(s)-1-len(digits) > 1 || digits == "" || digitsLen(digits) != len(digits) {
		return "", "", 0, false
	}
	exp, err := strconv.Atoi(s[1:])
	if err != nil || exp > expMax {
		exp = expMax
	}
	return whole, frac, max(exp, -expMax), true
}

func digitsLen(s string) int {
	i := 0
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// specialNum reads NaN and the infinities.
func specialNum(s string) (Num, bool) {
	switch strings.ToLower(s) {
	case "nan":
		return NumNaN, true
	case "infinity", "+infinity", "inf", "+inf":
		return NumPosInf, true
	case "-infinity", "-inf":
		return NumNegInf, true
	}
	return Num{}, false
}
