package types

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// jsonDepthMax bounds the nesting of a document, so that no text exhausts the stack.
const jsonDepthMax = 2000

// ParseJSON reads JSON text into canonical form.
func ParseJSON(s string) (JSON, error) {
	p := jsonParser{in: s}
	out, err := p.value(make([]byte, 0, len(s)+len(s)/8), 0, "Expected JSON value")
	if err != nil {
		return "", err
	}
	if p.skip(); p.pos < len(s) {
		return "", p.unexpected("Expected end of input")
	}
	return JSON(out), nil
}

type jsonParser struct {
	in  string
	pos int
}

func (p *jsonParser) skip() {
	for p.pos < len(p.in) && strings.IndexByte(" \t\n\r", p.in[p.pos]) >= 0 {
		p.pos++
	}
}

// next skips blanks and returns the byte that follows, 0 at the end.
func (p *jsonParser) next() byte {
	if p.skip(); p.pos < len(p.in) {
		return p.in[p.pos]
	}
	return 0
}

// value reads one value and adds its canonical text.
func (p *jsonParser) value(dst []byte, depth int, expected string) ([]byte, error) {
	if depth > jsonDepthMax {
		return nil, errs.TooComplex.New("limit", jsonDepthMax)
	}
	switch c := p.next(); {
	case c == '{':
		return p.object(dst, depth)
	case c == '[':
		return p.array(dst, depth)
	case c == '"':
		s, err := p.string()
		return appendJSONString(dst, s), err
	case c == '-' || isDigit(c):
		return p.number(dst)
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if p.token() == word {
			p.pos += len(word)
			return append(dst, word...), nil
		}
	}
	return nil, p.unexpected(expected)
}

func (p *jsonParser) array(dst []byte, depth int) ([]byte, error) {
	p.pos++
	dst = append(dst, '[')
	if p.next() == ']' {
		p.pos++
		return append(dst, ']'), nil
	}
	expected := `Expected JSON value`
	for {
		var err error
		if dst, err = p.value(dst, depth+1, expected); err != nil {
			return nil, err
		}
		switch p.next() {
		case ',':
			p.pos++
			dst = append(dst, ", "...)
		case ']':
			p.pos++
			return append(dst, ']'), nil
		default:
			return nil, p.unexpected(`Expected "," or "]"`)
		}
	}
}

func (p *jsonParser) object(dst []byte, depth int) ([]byte, error) {
	p.pos++
	if p.next() == '}' {
		p.pos++
		return append(dst, "{}"...), nil
	}
	var fields []JSONField
	expected := `Expected string or "}"`
	for {
		if p.next() != '"' {
			return nil, p.unexpected(expected)
		}
		key, err := p.string()
		if err != nil {
			return nil, err
		}
		if p.next() != ':' {
			return nil, p.unexpected(`Expected ":"`)
		}
		p.pos++
		v, err := p.value(nil, depth+1, "Expected JSON value")
		if err != nil {
			return nil, err
		}
		fields = append(fields, JSONField{key, JSON(v)})
		switch p.next() {
		case ',':
			p.pos++
			expected = "Expected string"
		case '}':
			p.pos++
			return append(dst, JSONObjectOf(fields)...), nil
		default:
			return nil, p.unexpected(`Expected "," or "}"`)
		}
	}
}

// number reads a number by JSON's rules, which are stricter than numeric's.
func (p *jsonParser) number(dst []byte) ([]byte, error) {
	tok := p.token()
	if !jsonNumber(tok) {
		return nil, p.invalid("Token \"%s\" is invalid.", tok)
	}
	n, problem := parseNum(tok)
	if problem == numberOverflow {
		return nil, errs.NumericOverflow.New()
	}
	p.pos += len(tok)
	return n.Append(dst), nil
}

func jsonNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole := digitsLen(s)
	if whole == 0 || whole > 1 && s[0] == '0' {
		return false
	}
	if s = s[whole:]; strings.HasPrefix(s, ".") {
		n := digitsLen(s[1:])
		if n == 0 {
			return false
		}
		s = s[1+n:]
	}
	if s == "" {
		return true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return false
	}
	if s = s[1:]; s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	return s != "" && digitsLen(s) == len(s)
}

// token is the word, number or punctuation at the position; strings count as one.
func (p *jsonParser) token() string {
	s := p.in[p.pos:]
	n := 0
	for n < len(s) && (isWordByte(s[n]) || strings.IndexByte("+-.", s[n]) >= 0 && n < len(s) && (isDigit(s[0]) || s[0] == '-')) {
		n++
	}
	if n == 0 && s != "" {
		if s[0] == '"' {
			return s[:stringLen(s)]
		}
		_, n = utf8.DecodeRuneInString(s)
	}
	return s[:n]
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c) || c == '_' || c >= 0x80
}

func (p *jsonParser) invalid(format string, args ...any) error {
	return errs.InvalidJSON.New("problem", fmt.Sprintf(format, args...))
}

// unexpected reports the token at the position.
func (p *jsonParser) unexpected(expected string) error {
	tok := p.token()
	switch {
	case tok == "":
		return p.invalid("The input string ended unexpectedly.")
	case isWordByte(tok[0]) && !isDigit(tok[0]) && tok != "true" && tok != "false" && tok != "null",
		!isWordByte(tok[0]) && strings.IndexByte("{}[],:\"-", tok[0]) < 0:
		return p.invalid("Token \"%s\" is invalid.", tok)
	}
	return p.invalid("%s, but found \"%s\".", expected, tok)
}

// string reads a quoted string and undoes its escapes.
func (p *jsonParser) string() (string, error) {
	start := p.pos
	p.pos++
	from := p.pos
	var out []byte
	for p.pos < len(p.in) {
		switch c := p.in[p.pos]; {
		case c == '"':
			out = append(out, p.in[from:p.pos]...)
			p.pos++
			return string(out), nil
		case c < ' ':
			return "", p.invalid("Character with value 0x%02x must be escaped.", c)
		case c == '\\':
			out = append(out, p.in[from:p.pos]...)
			var err error
			if out, err = p.escape(out); err != nil {
				return "", err
			}
			from = p.pos
		default:
			p.pos++
		}
	}
	return "", p.invalid("Token \"%s\" is invalid.", p.in[start:])
}

// escape reads one escape, for a character outside of the basic plane two.
func (p *jsonParser) escape(out []byte) ([]byte, error) {
	p.pos++
	if p.pos == len(p.in) {
		return nil, p.invalid("The input string ended unexpectedly.")
	}
	c := p.in[p.pos]
	if c == 'u' {
		return p.unicode(out)
	}
	e := strings.IndexByte(`"\/bfnrt`, c)
	if e < 0 {
		_, n := utf8.DecodeRuneInString(p.in[p.pos:])
		return nil, p.invalid("Escape sequence \"\\%s\" is invalid.", p.in[p.pos:p.pos+n])
	}
	p.pos++
	return append(out, "\"\\/\b\f\n\r\t"[e]), nil
}

func (p *jsonParser) unicode(out []byte) ([]byte, error) {
	r, err := p.hex4()
	if err != nil {
		return nil, err
	}
	switch {
	case r == 0:
		return nil, errs.UnsupportedUnicode.New()
	case r >= 0xDC00 && r < 0xE000:
		return nil, p.invalid("Unicode low surrogate must follow a high surrogate.")
	case r < 0xD800 || r >= 0xE000:
		return utf8.AppendRune(out, r), nil
	}
	if !strings.HasPrefix(p.in[p.pos:], `\u`) {
		return nil, p.invalid("Unicode low surrogate must follow a high surrogate.")
	}
	p.pos++
	low, err := p.hex4()
	if err != nil {
		return nil, err
	}
	if low >= 0xD800 && low < 0xDC00 {
		return nil, p.invalid("Unicode high surrogate must not follow a high surrogate.")
	}
	if low < 0xDC00 || low >= 0xE000 {
		return nil, p.invalid("Unicode low surrogate must follow a high surrogate.")
	}
	return utf8.AppendRune(out, 0x10000+(r-0xD800)<<10+low-0xDC00), nil
}

// hex4 reads u and four hexadecimal digits.
func (p *jsonParser) hex4() (r rune, err error) {
	p.pos++
	for range 4 {
		if p.pos == len(p.in) || HexValue(p.in[p.pos]) > 15 {
			return 0, p.invalid(`"\u" must be followed by four hexadecimal digits.`)
		}
		r = r<<4 | rune(HexValue(p.in[p.pos]))
		p.pos++
	}
	return r, nil
}
