package types

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// Parse reads the text form of a value and fits it to the type's modifiers. Its errors are PostgreSQL's.
func Parse(t T, s string, c Ctx) (Datum, error) {
	d, err := parse(t, s, c)
	if err != nil || t.Kind == KindArray || t.Width == 0 && t.Scale == 0 {
		return d, err
	}
	return Fit(t, d, false)
}

func parse(t T, s string, c Ctx) (Datum, error) {
	switch t.Kind {
	case KindBool:
		return parseBool(s)
	case KindInt2:
		return parseInteger("smallint", s, 16)
	case KindInt4:
		return parseInteger("integer", s, 32)
	case KindInt8:
		return parseInteger("bigint", s, 64)
	case KindOid:
		return parseOid(s)
	case KindRegclass, KindRegtype, KindRegproc, KindRegnamespace:
		return parseObject(t, s, c)
	case KindFloat4:
		return parseFloat("real", s, 32)
	case KindFloat8:
		return parseFloat("double precision", s, 64)
	case KindInt256:
		return parseInt256(s)
	case KindNumeric:
		n, err := ParseNum(s)
		return NewNumeric(n), err
	case KindDate:
		return newIntErr(parseDate(s, c))
	case KindTime:
		return newIntErr(parseTime(s, c))
	case KindTimestamp:
		return newIntErr(parseTimestamp(s, c, false))
	case KindTimestamptz:
		return newIntErr(parseTimestamp(s, c, true))
	case KindInterval:
		v, err := ParseInterval(s, lastIntervalField(t))
		return NewInterval(v), err
	case KindBytea:
		return parseBytea(s)
	case KindUUID:
		return parseUUID(s)
	case KindJSONB:
		j, err := ParseJSON(s)
		return NewJSON(j), err
	case KindArray:
		if t.Vector() {
			return parseVector(t, s, c)
		}
		return parseArray(t, s, c)
	case KindStruct:
		return parseStruct(t, s, c)
	case KindMap:
		return parseMap(t, s, c)
	case KindName:
		return NewBytes(CutName(s)), nil
	case KindChar:
		return NewBytes(s[:min(len(s), 1)]), nil
	}
	return NewBytes(s), nil
}

// newIntErr passes an integer and its error on as a datum.
func newIntErr(v int64, err error) (Datum, error) {
	if err != nil {
		return Null, err
	}
	return NewInt(v), nil
}

// nameMax is how many bytes of a name count.
const nameMax = 63

// CutName cuts a name to 63 bytes at a character's start.
func CutName(s string) string {
	if len(s) <= nameMax {
		return s
	}
	n := nameMax
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// parseBool accepts the beginnings of true, false, yes and no, and on, off, 1 and 0.
func parseBool(s string) (Datum, error) {
	w := strings.ToLower(strings.Trim(s, spaces))
	switch {
	case w == "":
	case strings.HasPrefix("true", w), strings.HasPrefix("yes", w), w == "on", w == "1":
		return NewBool(true), nil
	case strings.HasPrefix("false", w), strings.HasPrefix("no", w), w == "off", w == "of", w == "0":
		return NewBool(false), nil
	}
	return Null, errs.InvalidText.New("type", "boolean", "value", s)
}

func parseInteger(typ, s string, bits int) (Datum, error) {
	v, problem := parseInt(s, bits)
	if problem == numberSyntax { // blanks are rare, and to look for them costs more than to read a number
		v, problem = parseInt(strings.Trim(s, spaces), bits)
	}
	switch problem {
	case numberSyntax:
		return Null, errs.InvalidText.New("type", typ, "value", s)
	case numberOverflow:
		return Null, errs.TextOutOfRange.New("type", typ, "value", s)
	}
	return NewInt(v), nil
}

// digitsSafe is how many digits fit into 64 bits whatever they are.
const digitsSafe = 18

func parseInt(s string, bits int) (v int64, _ numberProblem) {
	digits := s
	if s != "" && (s[0] == '-' || s[0] == '+') {
		digits = s[1:]
	}
	for i := range len(digits) {
		c := digits[i] - '0'
		if c > 9 {
			return 0, numberSyntax
		}
		v = 10*v + int64(c) // what comes of more digits is not used
	}
	switch {
	case digits == "":
		return 0, numberSyntax
	case len(digits) > digitsSafe:
		var err error
		if v, err = strconv.ParseInt(s, 10, bits); err != nil {
			return 0, numberOverflow
		}
		return v, numberOK
	case s[0] == '-':
		v = -v
	}
	if v>>(bits-1) != v>>63 {
		return 0, numberOverflow
	}
	return v, numberOK
}

// parseOid reads an unsigned number; as in PostgreSQL a negative one wraps around.
func parseOid(s string) (Datum, error) {
	v, problem := parseInt(strings.Trim(s, spaces), 64)
	switch {
	case problem == numberSyntax:
		return Null, errs.InvalidText.New("type", "oid", "value", s)
	case problem == numberOverflow || v > math.MaxUint32 || v < math.MinInt32:
		return Null, errs.TextOutOfRange.New("type", "oid", "value", s)
	}
	return NewInt(int64(uint32(v))), nil
}

func parseFloat(typ, s string, bits int) (Datum, error) {
	w := strings.Trim(s, spaces)
	if n, ok := specialNum(w); ok {
		return NewFloat(n.Float()), nil
	}
	lower := strings.ToLower(w)
	if strings.Contains(w, "_") || strings.Contains(lower, "n") || strings.Contains(lower, "p") != strings.Contains(lower, "x") {
		return Null, errs.InvalidText.New("type", typ, "value", s)
	}
	f, err := strconv.ParseFloat(w, bits)
	switch {
	case err == nil && (f != 0 || zeroText(w)):
		return NewFloat(f), nil
	case err == nil || math.IsInf(f, 0):
		return Null, errs.FloatTextOutOfRange.New("type", typ, "value", w)
	}
	return Null, errs.InvalidText.New("type", typ, "value", s)
}

// zeroText reports whether the digits of a number are all zero, so that it is zero and not merely too small.
func zeroText(s string) bool {
	mantissa, _, _ := strings.Cut(strings.ToLower(s), "e")
	return strings.Trim(mantissa, "+-.0") == ""
}

// parseBytea reads the hexadecimal and the escape form.
func parseBytea(s string) (Datum, error) {
	if strings.HasPrefix(s, `\x`) {
		return parseHex(s[2:])
	}
	if !strings.Contains(s, `\`) {
		return NewBytes(s), nil
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] != '\\':
			out = append(out, s[i])
		case i+1 < len(s) && s[i+1] == '\\':
			out = append(out, '\\')
			i++
		case i+3 < len(s) && s[i+1] >= '0' && s[i+1] <= '3' && isOctal(s[i+2]) && isOctal(s[i+3]):
			out = append(out, (s[i+1]-'0')<<6|(s[i+2]-'0')<<3|(s[i+3]-'0'))
			i += 3
		default:
			return Null, errs.InvalidBytea.New()
		}
	}
	return NewBytes(string(out)), nil
}

func isOctal(c byte) bool { return c >= '0' && c <= '7' }

func parseHex(s string) (Datum, error) {
	out := make([]byte, 0, len(s)/2)
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(spaces, s[i]) >= 0 {
			continue
		}
		if HexValue(s[i]) > 15 {
			_, n := utf8.DecodeRuneInString(s[i:])
			return Null, errs.InvalidHex.New("problem", "invalid hexadecimal digit: \""+s[i:i+n]+"\"")
		}
		if i+1 == len(s) {
			return Null, errs.InvalidHex.New("problem", "invalid hexadecimal data: odd number of digits")
		}
		i++
		if HexValue(s[i]) > 15 {
			_, n := utf8.DecodeRuneInString(s[i:])
			return Null, errs.InvalidHex.New("problem", "invalid hexadecimal digit: \""+s[i:i+n]+"\"")
		}
		out = append(out, HexValue(s[i-1])<<4|HexValue(s[i]))
	}
	return NewBytes(string(out)), nil
}

// parseUUID reads 32 hexadecimal digits, perhaps in braces, with hyphens after any group of four.
func parseUUID(s string) (Datum, error) {
	bad := errs.InvalidText.New("type", "uuid", "value", s)
	in := s
	if strings.HasPrefix(in, "{") {
		if !strings.HasSuffix(in, "}") {
			return Null, bad
		}
		in = in[1 : len(in)-1]
	}
	var out [16]byte
	for i := range out {
		if i > 0 && i%2 == 0 && strings.HasPrefix(in, "-") {
			in = in[1:]
		}
		if len(in) < 2 || HexValue(in[0]) > 15 || HexValue(in[1]) > 15 {
			return Null, bad
		}
		out[i] = HexValue(in[0])<<4 | HexValue(in[1])
		in = in[2:]
	}
	if in != "" {
		return Null, bad
	}
	return NewBytes(string(out[:])), nil
}
