package parser

import (
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// number reads an integer, decimal or real constant, or one in base 2, 8 or 16. A letter right behind it is an error.
func (l *lexer) number(t *token) {
	t.kind = tNumber
	i := l.at
	if base := l.basePrefix(); base != "" {
		i = l.digits(i+2, base)
	} else {
		i = l.decimal(i)
	}
	l.at = i
	t.text = strings.ReplaceAll(l.text[t.start:i], "_", "")
	l.noJunk(t, "trailing junk after numeric literal")
}

// basePrefix returns the digits of the base that 0x, 0o or 0b announces, or "" for a decimal number.
func (l *lexer) basePrefix() string {
	if l.text[l.at] != '0' {
		return ""
	}
	set := ""
	switch l.peek(1) | 0x20 {
	case 'x':
		set = "0123456789abcdefABCDEF"
	case 'o':
		set = "01234567"
	case 'b':
		set = "01"
	}
	if set == "" || l.peek(2) == 0 || strings.IndexByte(set, l.peek(2)) < 0 {
		return ""
	}
	return set
}

// digits skips digits of the set, single underscores between them included.
func (l *lexer) digits(i int, set string) int {
	for i < len(l.text) {
		c := l.text[i]
		underscore := c == '_' && i+1 < len(l.text) && strings.IndexByte(set, l.text[i+1]) >= 0
		if strings.IndexByte(set, c) < 0 && !underscore {
			break
		}
		i++
	}
	return i
}

func (l *lexer) decimal(i int) int {
	const decimals = "0123456789"
	i = l.digits(i, decimals)
	if i < len(l.text) && l.text[i] == '.' && (i+1 == len(l.text) || l.text[i+1] != '.') {
		i = l.digits(i+1, decimals)
	}
	if i < len(l.text) && l.text[i]|0x20 == 'e' {
		exp := i + 1
		if exp < len(l.text) && (l.text[exp] == '+' || l.text[exp] == '-') {
			exp++
		}
		if exp < len(l.text) && digit(l.text[exp]) {
			i = l.digits(exp, decimals)
		}
	}
	return i
}

// noJunk refuses a token directly followed by a letter; the message shows the token with it, as PostgreSQL does.
func (l *lexer) noJunk(t *token, problem string) {
	if l.at >= len(l.text) || !identStart(l.text[l.at]) {
		return
	}
	end := l.at + 1
	for end < len(l.text) && identPart(l.text[end]) {
		end++
	}
	if end == l.at+1 && l.text[l.at]|0x20 == 'e' && end < len(l.text) && (l.text[end] == '+' || l.text[end] == '-') {
		end++ // an exponent without digits
	}
	l.fail(problem, t.pos, l.text[t.start:end])
	t.kind, l.at = tBroken, end
}

// dollar reads $1, $tag$ text $tag$, or a lone dollar sign.
func (l *lexer) dollar(t *token) {
	if digit(l.peek(1)) {
		l.param(t)
		return
	}
	i := l.at + 1
	for i < len(l.text) && identPart(l.text[i]) && l.text[i] != '$' {
		i++
	}
	if i >= len(l.text) || l.text[i] != '$' {
		t.kind, t.text = tPunct, "$"
		l.at++
		return
	}
	tag := l.text[l.at : i+1]
	n := strings.Index(l.text[i+1:], tag)
	if n < 0 {
		l.broken(t, "unterminated dollar-quoted string")
		return
	}
	t.kind, t.text = tString, l.text[i+1:i+1+n]
	l.at = i + 1 + n + len(tag)
}

func (l *lexer) param(t *token) {
	i := l.digits(l.at+1, "0123456789")
	t.kind, t.text = tParam, l.text[l.at+1:i]
	l.at = i
	if _, err := strconv.ParseInt(t.text, 10, 32); err != nil {
		l.failWith(errs.Lexical.New("problem", "parameter number too large", "token", l.text[t.start:i]).At(int(t.pos)))
		t.kind = tBroken
		return
	}
	l.noJunk(t, "trailing junk after parameter")
}
