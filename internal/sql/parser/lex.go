package parser

import (
	"strings"
	"unicode/utf8"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// identBytesMax is PostgreSQL's NAMEDATALEN less its zero byte.
const identBytesMax = 63

// lexer cuts the text into tokens by PostgreSQL's rules. It is at byte at, which is character chars+1.
type lexer struct {
	text    string
	options Options
	at      int
	chars   int // characters before at
	err     *errs.Error
	noticed int // names before this offset were reported already; a look-ahead may read a token twice
	run     opRun
}

// next reads one token. After a lexical error it returns tBroken and err is set.
func (l *lexer) next() token {
	if !l.skipSpace() {
		return token{kind: tBroken, start: l.at, end: len(l.text), pos: ast.Pos(l.chars + 1)}
	}
	t := token{start: l.at, pos: ast.Pos(l.chars + 1)}
	if l.at < len(l.text) {
		l.scan(&t)
	}
	t.end = l.at
	l.chars += countChars(l.text[t.start:t.end])
	return t
}

// countChars counts characters the cheap way, since most text is ASCII.
func countChars(s string) int { return utf8.RuneCountInString(s) }

// scan reads the token that begins at l.at and moves l.at past it.
func (l *lexer) scan(t *token) {
	c, c2 := l.text[l.at], l.peek(1)
	switch {
	case (c == 'e' || c == 'E') && c2 == '\'':
		l.at++
		l.quoted(t, true)
	case (c == 'b' || c == 'B' || c == 'x' || c == 'X') && c2 == '\'':
		l.bits(t, c|0x20 == 'x')
	case (c == 'n' || c == 'N') && c2 == '\'':
		l.at++
		l.quoted(t, false)
	case (c == 'u' || c == 'U') && c2 == '&' && (l.peek(2) == '\'' || l.peek(2) == '"'):
		l.at += 2
		l.unicodeQuoted(t)
	case identStart(c):
		l.word(t)
	case c == '"':
		l.quotedIdent(t)
	case c == '\'':
		l.quoted(t, l.options.BackslashEscapes)
	case digit(c) || c == '.' && digit(c2):
		l.number(t)
	case c == '$':
		l.dollar(t)
	case strings.IndexByte(opChars, c) >= 0:
		l.operator(t)
	default:
		l.punct(t)
	}
}

func (l *lexer) peek(n int) byte {
	if l.at+n < len(l.text) {
		return l.text[l.at+n]
	}
	return 0
}

func identStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

func identPart(c byte) bool { return identStart(c) || digit(c) || c == '$' }

func digit(c byte) bool { return c >= '0' && c <= '9' }

func space(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// skipSpace skips white space and comments; false means an unterminated comment, which starts at l.at.
func (l *lexer) skipSpace() bool {
	from := l.at
	for l.at < len(l.text) {
		c := l.text[l.at]
		switch {
		case space(c):
			l.at++
		case c == '-' && l.peek(1) == '-':
			l.lineComment()
		case c == '/' && l.peek(1) == '*':
			l.chars += countChars(l.text[from:l.at])
			from = l.at
			if !l.blockComment() {
				return false
			}
		default:
			l.chars += countChars(l.text[from:l.at])
			return true
		}
	}
	l.chars += countChars(l.text[from:l.at])
	return true
}

func (l *lexer) lineComment() {
	if n := strings.IndexAny(l.text[l.at:], "\r\n"); n >= 0 {
		l.at += n
		return
	}
	l.at = len(l.text)
}

// blockComment skips a comment with those nested in it.
func (l *lexer) blockComment() bool {
	depth, i := 0, l.at
	for i+1 < len(l.text) {
		switch {
		case l.text[i] == '/' && l.text[i+1] == '*':
			depth++
			i += 2
		case l.text[i] == '*' && l.text[i+1] == '/':
			depth--
			i += 2
		default:
			i++
		}
		if depth == 0 {
			l.at = i
			return true
		}
	}
	l.fail("unterminated /* comment", ast.Pos(l.chars+1), l.text[l.at:])
	l.at, l.chars = len(l.text), l.chars+countChars(l.text[l.at:])
	return false
}

// fail notes a lexical error; the first one counts.
func (l *lexer) fail(problem string, pos ast.Pos, near string) {
	l.failWith(errs.Lexical.New("problem", problem, "token", near).At(int(pos)))
}

func (l *lexer) failWith(err *errs.Error) {
	if l.err == nil {
		l.err = err
	}
}

// broken turns t into an error token that reaches to the end of the text.
func (l *lexer) broken(t *token, problem string) {
	l.fail(problem, t.pos, l.text[t.start:])
	t.kind, l.at = tBroken, len(l.text)
}

func (l *lexer) word(t *token) {
	i := l.at
	for i < len(l.text) && identPart(l.text[i]) {
		i++
	}
	t.kind, t.text = tWord, fold(l.text[l.at:i])
	t.class = ast.Keyword(t.text)
	l.at = i
	l.truncate(t)
}

// fold lowers ASCII letters only, as PostgreSQL does in UTF-8 databases.
func fold(s string) string {
	for i := range len(s) {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if b[i] >= 'A' && b[i] <= 'Z' {
					b[i] |= 0x20
				}
			}
			return string(b)
		}
	}
	return s
}

// truncate cuts a name to what PostgreSQL keeps, at a character boundary.
func (l *lexer) truncate(t *token) {
	if len(t.text) <= identBytesMax {
		return
	}
	cut := identBytesMax
	for cut > 0 && !utf8.RuneStart(t.text[cut]) {
		cut--
	}
	if l.options.Notice != nil && t.start >= l.noticed {
		l.noticed = l.at
		l.options.Notice(errs.IdentifierTruncated.New("cut", t.text[:cut], "name", t.text).At(int(t.pos)))
	}
	t.text = t.text[:cut]
}

const (
	opChars = "~!@#^&|`?+-*/%<>="
	// An operator may end in + or - only if it holds one of these.
	opTrailChars = "~!@#^&|`?%"
)

// opRun is a run of operator characters that ends before other text or a comment. It is remembered, since of a run that
// ends in + or - each of these is an operator of its own.
type opRun struct {
	start, end int
	marked     int // where the last of opTrailChars is; -1: nowhere
	body       int // where the last character is that is neither + nor -; -1: nowhere
}

// findRun finds the run that the next character is in.
func (l *lexer) findRun() opRun {
	r := opRun{start: l.at, end: l.at, marked: -1, body: -1}
	for ; r.end < len(l.text) && strings.IndexByte(opChars, l.text[r.end]) >= 0; r.end++ {
		if c := l.text[r.end:min(r.end+2, len(l.text))]; r.end > r.start && (c == "--" || c == "/*") {
			break
		}
		switch c := l.text[r.end]; {
		case strings.IndexByte(opTrailChars, c) >= 0:
			r.marked, r.body = r.end, r.end
		case c != '+' && c != '-':
			r.body = r.end
		}
	}
	return r
}

// operator takes the longest run of operator characters that is one operator.
func (l *lexer) operator(t *token) {
	if l.at < l.run.start || l.at >= l.run.end {
		l.run = l.findRun()
	}
	op := l.text[l.at:l.run.end]
	if l.run.marked < l.at {
		op = l.text[l.at : max(l.at, l.run.body)+1]
	}
	l.at += len(op)
	t.kind, t.text = tOp, op
	if op == "!=" {
		t.text = "<>"
	}
	if len(op) > identBytesMax {
		l.fail("operator too long", t.pos, op)
		t.kind = tBroken
	}
}

func (l *lexer) punct(t *token) {
	n := 1
	switch two := l.text[l.at:min(l.at+2, len(l.text))]; {
	case two == "::" || two == "..":
		n = 2
	case two == ":=":
		l.at += 2
		t.kind, t.text = tOp, two
		return
	}
	t.kind, t.text = tPunct, l.text[l.at:l.at+n]
	l.at += n
}
