package jsonpath

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

type tokenKind uint8

const (
	end tokenKind = iota
	word
	text   // in double quotes
	number // without sign
	named  // $variable
	symbol
)

type token struct {
	kind tokenKind
	text string // decoded
}

func (t token) is(s string) bool { return t.kind == symbol && t.text == s }

// keyword compares without regard to case.
func (t token) keyword(s string) bool { return t.kind == word && strings.EqualFold(t.text, s) }

type lexer struct {
	rest string
	err  error
}

var symbols = []string{"**", "==", "<=", ">=", "<>", "!=", "&&", "||"}

func (l *lexer) next() token {
	l.skip()
	if l.rest == "" || l.err != nil {
		return token{kind: end}
	}
	switch c := l.rest[0]; {
	case c == '"':
		return token{text, l.quoted()}
	case c >= '0' && c <= '9' || c == '.' && len(l.rest) > 1 && l.rest[1] >= '0' && l.rest[1] <= '9':
		return l.number()
	case c == '$' && len(l.rest) > 1 && (l.rest[1] == '"' || wordRune(l.rest[1:])):
		l.rest = l.rest[1:]
		if l.rest[0] == '"' {
			return token{named, l.quoted()}
		}
		return token{named, l.word()}
	case wordRune(l.rest):
		return token{word, l.word()}
	}
	for _, s := range symbols {
		if strings.HasPrefix(l.rest, s) {
			return l.take(symbol, len(s))
		}
	}
	_, n := utf8.DecodeRuneInString(l.rest)
	return l.take(symbol, n)
}

func (l *lexer) take(kind tokenKind, n int) token {
	t := token{kind, l.rest[:n]}
	l.rest = l.rest[n:]
	return t
}

// skip passes over blanks and comments.
func (l *lexer) skip() {
	for {
		l.rest = strings.TrimLeft(l.rest, " \t\n\r\f")
		if !strings.HasPrefix(l.rest, "/*") {
			return
		}
		_, after, ok := strings.Cut(l.rest[2:], "*/")
		if !ok {
			l.fail("unexpected end of comment at end")
			return
		}
		l.rest = after
	}
}

func wordRune(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

func (l *lexer) word() string {
	n := 0
	for n < len(l.rest) && wordRune(l.rest[n:]) {
		_, size := utf8.DecodeRuneInString(l.rest[n:])
		n += size
	}
	return l.take(word, n).text
}

// number takes digits, a fraction and an exponent.
func (l *lexer) number() token {
	n := digits(l.rest, 0)
	if n < len(l.rest) && l.rest[n] == '.' && !strings.HasPrefix(l.rest[n:], ".*") {
		n = digits(l.rest, n+1)
	}
	if n < len(l.rest) && (l.rest[n] == 'e' || l.rest[n] == 'E') {
		at := n + 1
		if at < len(l.rest) && (l.rest[at] == '+' || l.rest[at] == '-') {
			at++
		}
		if to := digits(l.rest, at); to > at {
			n = to
		}
	}
	if n < len(l.rest) && wordRune(l.rest[n:]) {
		l.fail("trailing junk after numeric literal at or near \"%s\"", l.rest[:n])
		return token{}
	}
	return l.take(number, n)
}

func digits(s string, from int) int {
	for from < len(s) && s[from] >= '0' && s[from] <= '9' {
		from++
	}
	return from
}

// quoted takes a string in double quotes, which is one of JSON.
func (l *lexer) quoted() string {
	for i := 1; i < len(l.rest); i++ {
		switch l.rest[i] {
		case '\\':
			i++
		case '"':
			v, err := types.ParseJSON(l.rest[:i+1])
			if err != nil {
				l.fail("invalid string at or near \"%s\"", l.rest[:i+1])
				return ""
			}
			l.rest = l.rest[i+1:]
			return v.Text()
		}
	}
	l.fail("unexpected end of quoted string at end")
	return ""
}

// fail notes the first error, and ends the text.
func (l *lexer) fail(format string, args ...any) {
	if l.err == nil {
		l.err = errs.PathSyntax.New("problem", fmt.Sprintf(format+" of jsonpath input", args...))
	}
	l.rest = ""
}
