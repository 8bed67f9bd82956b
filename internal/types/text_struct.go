package types

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// appendStruct adds (1,"a b",); NULL is nothing.
func appendStruct(dst []byte, t T, s string, c Ctx) []byte {
	dst = append(dst, '(')
	for i, d := range DecodeStruct(t, s) {
		if i > 0 {
			dst = append(dst, ',')
		}
		if d.IsNull() {
			continue
		}
		start := len(dst)
		dst = Append(dst, t.Fields[i].Type, d, c)
		if text := string(dst[start:]); text == "" || strings.ContainsAny(text, "(),\"\\"+spaces) {
			dst = quoteTail(dst, start, 0)
		}
	}
	return append(dst, ')')
}

func parseStruct(t T, s string, c Ctx) (Datum, error) {
	malformed := func(problem string) error { return errs.MalformedRecord.New("value", s, "problem", problem) }
	in := strings.Trim(s, spaces)
	if !strings.HasPrefix(in, "(") {
		return Null, malformed("Missing left parenthesis.")
	}
	in = in[1:]
	values := make([]Datum, len(t.Fields))
	for i, f := range t.Fields {
		if i > 0 {
			if !strings.HasPrefix(in, ",") {
				return Null, malformed("Too few columns.")
			}
			in = in[1:]
		}
		text, null, rest, ok := cutStructField(in)
		if !ok {
			return Null, malformed("Unexpected end of input.")
		}
		in = rest
		if null {
			continue
		}
		d, err := Parse(f.Type, text, c)
		if err != nil {
			return Null, err
		}
		values[i] = d
	}
	switch {
	case strings.HasPrefix(in, ","):
		return Null, malformed("Too many columns.")
	case !strings.HasPrefix(in, ")"):
		return Null, malformed("Unexpected end of input.")
	case len(in) > 1:
		return Null, malformed("Junk after right parenthesis.")
	}
	return NewStruct(t, values), nil
}

// cutStructField reads up to the next comma or parenthesis outside of quotes.
func cutStructField(s string) (text string, null bool, rest string, ok bool) {
	var out []byte
	null = true
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			if i++; i == len(s) {
				return "", false, "", false
			}
			out = append(out, s[i])
		case c == '"' && quoted && i+1 < len(s) && s[i+1] == '"':
			out = append(out, c)
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ',' || c == ')'):
			return string(out), null, s[i:], true
		default:
			out = append(out, c)
		}
		null = false
	}
	return "", false, "", false
}
