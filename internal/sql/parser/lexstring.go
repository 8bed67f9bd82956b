package parser

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// quoted reads a string constant whose opening quote is at l.at, with the pieces that continue it on later lines.
func (l *lexer) quoted(t *token, escapes bool) {
	t.kind = tString
	body, ok := l.quotedBody(escapes)
	if !ok {
		l.broken(t, "unterminated quoted string")
		return
	}
	for l.continues() {
		more, ok := l.quotedBody(escapes)
		if !ok {
			l.broken(t, "unterminated quoted string")
			return
		}
		body += more
	}
	t.text = body
	if escapes && strings.IndexByte(body, '\\') >= 0 {
		l.unescape(t)
	}
}

// quotedBody reads from the quote at l.at to the closing one; doubled quotes become single ones, escapes stay.
func (l *lexer) quotedBody(escapes bool) (string, bool) {
	quote := l.text[l.at]
	from := l.at + 1
	doubled := false
	for i := from; i < len(l.text); i++ {
		switch {
		case l.text[i] == '\\' && escapes:
			i++
		case l.text[i] != quote:
		case i+1 < len(l.text) && l.text[i+1] == quote:
			doubled = true
			i++
		default:
			l.at = i + 1
			body := l.text[from:i]
			if doubled && escapes {
				return joinDoubled(body), true
			}
			if doubled {
				body = strings.ReplaceAll(body, string([]byte{quote, quote}), string(quote))
			}
			return body, true
		}
	}
	return "", false
}

// joinDoubled makes ” a single quote, but leaves \' alone: unescape reads that.
func joinDoubled(body string) string {
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		b.WriteByte(body[i])
		switch {
		case body[i] == '\\' && i+1 < len(body):
			i++
			b.WriteByte(body[i])
		case body[i] == '\'':
			i++
		}
	}
	return b.String()
}

// continues moves to the next piece of a string: a quote after white space that holds a line break.
func (l *lexer) continues() bool {
	i, newline := l.at, false
	for i < len(l.text) {
		c := l.text[i]
		switch {
		case c == '\n' || c == '\r':
			newline = true
			i++
		case space(c):
			i++
		case newline && strings.HasPrefix(l.text[i:], "--"):
			if n := strings.IndexAny(l.text[i:], "\r\n"); n >= 0 {
				i += n
				continue
			}
			return false
		case c == '\'' && newline:
			l.at = i
			return true
		default:
			return false
		}
	}
	return false
}

// bits reads B'...' or X'...'; the type's input function checks the digits.
func (l *lexer) bits(t *token, hex bool) {
	l.at++
	body, ok := l.quotedBody(false)
	if !ok {
		problem := "unterminated bit string literal"
		if hex {
			problem = "unterminated hexadecimal string literal"
		}
		l.broken(t, problem)
		return
	}
	t.kind, t.text = tBits, body
	if hex {
		t.kind = tHex
	}
}

func (l *lexer) quotedIdent(t *token) {
	body, ok := l.quotedBody(false)
	if !ok {
		l.broken(t, "unterminated quoted identifier")
		return
	}
	t.kind, t.text = tQuoted, body
	l.checkIdent(t)
}

func (l *lexer) checkIdent(t *token) {
	if t.text == "" {
		l.fail("zero-length delimited identifier", t.pos, l.text[t.start:l.at])
		t.kind = tBroken
		return
	}
	l.truncate(t)
}

// unescape replaces the backslash escapes of an E” string.
func (l *lexer) unescape(t *token) {
	s, b := t.text, strings.Builder{}
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			i++
			continue
		}
		n := l.escape(t, t.pos+ast.Pos(2+countChars(s[:i])), s[i+1:], &b)
		if n == 0 {
			t.kind = tBroken
			return
		}
		i += 1 + n
	}
	t.text = b.String()
	l.checkUTF8(t)
}

// escape decodes what follows a backslash and returns its length, 0 on error.
func (l *lexer) escape(t *token, pos ast.Pos, s string, b *strings.Builder) int {
	switch c := s[0]; c {
	case 'b', 'f', 'n', 'r', 't', 'v':
		b.WriteByte("\b\f\n\r\t\v"[strings.IndexByte("bfnrtv", c)])
		return 1
	case 'x':
		n := countHex(s[1:], 2)
		if n == 0 {
			b.WriteByte('x')
			return 1
		}
		b.WriteByte(byte(hexValue(s[1 : 1+n])))
		return 1 + n
	case 'u', 'U':
		return l.unicodeEscape(t, pos, s, b)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		n, v := 0, 0
		for ; n < 3 && n < len(s) && s[n] >= '0' && s[n] <= '7'; n++ {
			v = v*8 + int(s[n]-'0')
		}
		b.WriteByte(byte(v))
		return n
	default:
		b.WriteByte(c)
		return 1
	}
}

// unicodeEscape decodes u0000 and U00000000, surrogate pairs included.
func (l *lexer) unicodeEscape(t *token, pos ast.Pos, s string, b *strings.Builder) int {
	size := 4
	if s[0] == 'U' {
		size = 8
	}
	if countHex(s[1:], size) < size {
		l.failWith(errs.InvalidEscape.New().At(int(pos)).WithHint(`Unicode escapes must be \uXXXX or \UXXXXXXXX.`))
		return 0
	}
	r, n := rune(hexValue(s[1:1+size])), 1+size
	if utf16.IsSurrogate(r) {
		rest := s[n:]
		if len(rest) >= 6 && rest[0] == '\\' && rest[1] == 'u' && countHex(rest[2:], 4) == 4 {
			r, n = utf16.DecodeRune(r, rune(hexValue(rest[2:6]))), n+6
		} else {
			r = utf8.RuneError
		}
		if r == utf8.RuneError {
			l.fail("invalid Unicode surrogate pair", pos, l.text[t.start:l.at])
			return 0
		}
	}
	if r <= 0 || !utf8.ValidRune(r) {
		l.fail("invalid Unicode escape value", pos, l.text[t.start:l.at])
		return 0
	}
	b.WriteRune(r)
	return n
}

func countHex(s string, limit int) int {
	n := 0
	for n < limit && n < len(s) && strings.IndexByte("0123456789abcdefABCDEF", s[n]) >= 0 {
		n++
	}
	return n
}

func hexValue(s string) (v uint32) {
	for i := range len(s) {
		c := s[i]
		switch {
		case digit(c):
			v = v<<4 | uint32(c-'0')
		default:
			v = v<<4 | uint32(c|0x20-'a'+10)
		}
	}
	return v
}

// checkUTF8 refuses a string whose escapes spell bytes that are no text.
func (l *lexer) checkUTF8(t *token) {
	if err := validText(t.text); err != nil {
		l.failWith(err)
		t.kind = tBroken
	}
}

// validText returns an error when s is not UTF-8 or has a zero byte.
func validText(s string) *errs.Error {
	bad := strings.IndexByte(s, 0)
	if !utf8.ValidString(s) {
		for i, r := range s {
			if _, n := utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && n == 1 {
				bad = i
				break
			}
		}
	}
	if bad < 0 {
		return nil
	}
	return errs.InvalidBytes.New("bytes", fmt.Sprintf("0x%02x", s[bad]))
}

// unicodeQuoted reads U&'...' or U&"..." with an optional UESCAPE; the quote is at l.at.
func (l *lexer) unicodeQuoted(t *token) {
	ident := l.text[l.at] == '"'
	body, ok := l.quotedBody(false)
	if !ok {
		problem := "unterminated quoted string"
		if ident {
			problem = "unterminated quoted identifier"
		}
		l.broken(t, problem)
		return
	}
	for !ident && l.continues() {
		more, ok := l.quotedBody(false)
		if !ok {
			l.broken(t, "unterminated quoted string")
			return
		}
		body += more
	}
	t.kind, t.text = tString, body
	if ident {
		t.kind = tQuoted
	}
	l.decodeUnicode(t, l.uescape())
	if ident && t.kind == tQuoted {
		l.checkIdent(t)
	}
}

// uescape reads UESCAPE 'c' if it follows, and returns the escape character.
func (l *lexer) uescape() byte {
	at := l.at
	for at < len(l.text) && space(l.text[at]) {
		at++
	}
	const word = "uescape"
	if len(l.text) < at+len(word) || !strings.EqualFold(l.text[at:at+len(word)], word) {
		return '\\'
	}
	at += len(word)
	for at < len(l.text) && space(l.text[at]) {
		at++
	}
	if at+2 >= len(l.text) || l.text[at] != '\'' || l.text[at+2] != '\'' {
		l.fail("invalid Unicode escape character", ast.Pos(l.chars+countChars(l.text[l.at:at])+1), l.text[at:])
		return '\\'
	}
	l.at = at + 3
	return l.text[at+1]
}

// decodeUnicode replaces \0000 and \+000000 of a U& token.
func (l *lexer) decodeUnicode(t *token, esc byte) {
	s, b := t.text, strings.Builder{}
	for i := 0; i < len(s); {
		if s[i] != esc {
			b.WriteByte(s[i])
			i++
			continue
		}
		rest := s[i+1:]
		pos := t.pos + ast.Pos(3+countChars(s[:i]))
		switch {
		case strings.HasPrefix(rest, string(esc)):
			b.WriteByte(esc)
			i += 2
		case countHex(rest, 4) == 4:
			n := l.unicodeEscape(t, pos, "u"+escapeTail(rest, esc), &b)
			if n > 5 {
				n-- // a pair is one byte shorter here than as \u0000\u0000
			}
			i += max(n, 1)
		case strings.HasPrefix(rest, "+") && countHex(rest[1:], 6) == 6:
			l.unicodeEscape(t, pos, "U00"+rest[1:7], &b)
			i += 8
		default:
			l.failWith(errs.Misplaced.New("problem", "invalid Unicode escape").At(int(pos)).WithHint(`Unicode escapes must be \XXXX or \+XXXXXX.`))
			t.kind = tBroken
			return
		}
		if l.err != nil {
			t.kind = tBroken
			return
		}
	}
	t.text = b.String()
}

// escapeTail rewrites the second half of a surrogate pair, \0000, to the \u0000 that unicodeEscape reads.
func escapeTail(s string, esc byte) string {
	if len(s) >= 9 && s[4] == esc && countHex(s[5:], 4) == 4 {
		return s[:4] + `\u` + s[5:9]
	}
	return s[:4]
}
