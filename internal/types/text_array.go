package types

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// appendArray adds {1,NULL,"a b"}.
func appendArray(dst []byte, elem T, s string, c Ctx) []byte {
	dst = append(dst, '{')
	first := true
	for d := range elements(elem, s) {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		switch {
		case d.IsNull():
			dst = append(dst, "NULL"...)
		case elem.Kind == KindArray:
			dst = appendArray(dst, *elem.Elem, d.str, c)
		default:
			start := len(dst)
			dst = Append(dst, elem, d, c)
			if quotedInArray(dst[start:]) {
				dst = quoteTail(dst, start, '\\')
			}
		}
	}
	return append(dst, '}')
}

// quotedInArray reports whether the element's text could be taken for something else.
func quotedInArray(s []byte) bool {
	return len(s) == 0 || strings.EqualFold(string(s), "null") || strings.ContainsAny(string(s), "{},\"\\"+spaces)
}

// quoteTail puts quotes around dst[start:]; escape precedes quotes and backslashes, 0 doubles them.
func quoteTail(dst []byte, start int, escape byte) []byte {
	text := string(dst[start:])
	dst = append(dst[:start], '"')
	for i := 0; i < len(text); i++ {
		if c := text[i]; c == '"' || c == '\\' {
			if escape == 0 {
				dst = append(dst, c)
			} else {
				dst = append(dst, escape)
			}
		}
		dst = append(dst, text[i])
	}
	return append(dst, '"')
}

// arrayParser reads array literals.
type arrayParser struct {
	in  string
	pos int
	ctx Ctx
}

func parseArray(t T, s string, c Ctx) (Datum, error) {
	p := arrayParser{in: s, ctx: c}
	declared, err := p.bounds()
	if err != nil {
		return Null, err
	}
	if p.peek() != '{' {
		return Null, p.malformed("Array value must start with \"{\" or dimension information.")
	}
	d, err := p.array(t)
	if err != nil {
		return Null, err
	}
	if p.skip(); p.pos < len(s) {
		return Null, p.malformed("Junk after closing right brace.")
	}
	if declared == nil {
		return d, nil
	}
	return p.bounded(t, d, declared)
}

func (p *arrayParser) malformed(problem string) error {
	return errs.MalformedArray.New("value", p.in, "problem", problem)
}

func (p *arrayParser) skip() {
	for p.pos < len(p.in) && strings.IndexByte(spaces, p.in[p.pos]) >= 0 {
		p.pos++
	}
}

func (p *arrayParser) peek() byte {
	if p.pos < len(p.in) {
		return p.in[p.pos]
	}
	return 0
}

// array reads from { to }.
func (p *arrayParser) array(t T) (Datum, error) {
	p.pos++
	var values []Datum
	p.skip()
	if p.peek() == '}' {
		p.pos++
		return NewArray(*t.Elem, nil), nil
	}
	for {
		p.skip()
		d, err := p.element(*t.Elem)
		if err != nil {
			return Null, err
		}
		if values = append(values, d); t.Elem.Kind == KindArray && ragged(*t.Elem, values) {
			return Null, p.malformed("Multidimensional arrays must have sub-arrays with matching dimensions.")
		}
		p.skip()
		switch p.peek() {
		case ',':
			p.pos++
		case '}':
			p.pos++
			return NewArray(*t.Elem, values), nil
		case 0:
			return Null, p.malformed("Unexpected end of input.")
		default:
			return Null, p.malformed("Unexpected array element.")
		}
	}
}

// ragged reports whether the last of the inner arrays has another length than the first.
func ragged(inner T, values []Datum) bool {
	last := values[len(values)-1]
	return last.IsNull() || ArrayLen(*inner.Elem, last.str) != ArrayLen(*inner.Elem, values[0].str)
}

func (p *arrayParser) element(t T) (Datum, error) {
	switch c := p.peek(); {
	case t.Kind == KindArray && c == '{':
		return p.array(t)
	case t.Kind == KindArray && c != ',' && c != '}' && c != 0:
		return Null, p.malformed("Unexpected array element.")
	case c == '{' || t.Kind == KindArray:
		return Null, p.malformed("Unexpected \"" + string(rune(max(c, ' '))) + "\" character.")
	case c == ',' || c == '}':
		return Null, p.malformed("Unexpected \"" + string(rune(c)) + "\" character.")
	case c == '"':
		text, ok := p.quoted()
		if !ok {
			return Null, p.malformed("Unexpected end of input.")
		}
		return Parse(t, text, p.ctx)
	}
	text, err := p.bare()
	if err != nil {
		return Null, err
	}
	if strings.EqualFold(text, "null") {
		return Null, nil
	}
	return Parse(t, text, p.ctx)
}

func (p *arrayParser) quoted() (string, bool) {
	var out []byte
	for p.pos++; p.pos < len(p.in); p.pos++ {
		switch p.in[p.pos] {
		case '"':
			p.pos++
			return string(out), true
		case '\\':
			if p.pos++; p.pos == len(p.in) {
				return "", false
			}
		}
		out = append(out, p.in[p.pos])
	}
	return "", false
}

// bare reads an element without quotes; blanks at its end do not count, unless escaped.
func (p *arrayParser) bare() (string, error) {
	var out []byte
	keep := 0
	for ; p.pos < len(p.in); p.pos++ {
		switch c := p.in[p.pos]; c {
		case ',', '}':
			return string(out[:keep]), nil
		case '{':
			return "", p.malformed("Unexpected \"{\" character.")
		case '"':
			return "", p.malformed("Unexpected array element.")
		case '\\':
			if p.pos++; p.pos == len(p.in) {
				return "", p.malformed("Unexpected end of input.")
			}
			out = append(out, p.in[p.pos])
			keep = len(out)
		default:
			if out = append(out, c); strings.IndexByte(spaces, c) < 0 {
				keep = len(out)
			}
		}
	}
	return "", p.malformed("Unexpected end of input.")
}
