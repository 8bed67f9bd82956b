// Package parser turns SQL text into ast. It is written by hand: a lexer with PostgreSQL's token rules, recursive descent
// for statements, operator precedence for expressions. Errors have PostgreSQL's words and character positions.
//
//	stmts, err := parser.ParseAll("SELECT 1; SELECT 2", parser.Options{})
package parser

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// nestingMax bounds how deep a statement nests, downwards (parentheses, subqueries) and upwards (a + b + c is a tree of
// height 3), so that no walk over a tree exhausts the stack. Chains of AND and OR are one node and do not count.
const nestingMax = 4000

// Options vary how text is read; the zero value is PostgreSQL's default.
type Options struct {
	BackslashEscapes bool              // standard_conforming_strings = off
	Notice           func(*errs.Error) // receives errs.IdentifierTruncated; may be nil
}

// Statement is one statement of a text, text[Start:End] without the semicolon and the space around it.
type Statement struct {
	Stmt       ast.Stmt // nil when Err is set
	Err        error
	Start, End int
}

// ParseAll parses statements separated by semicolons; empty ones are left out. After an error it goes on behind the next
// semicolon, so every statement is returned; err is the first error. Positions count from the start of the whole text.
func ParseAll(text string, o Options) ([]Statement, error) {
	if err := validText(text); err != nil {
		return nil, err
	}
	p := newParser(text, o)
	var all []Statement
	var first error
	for {
		for p.accept(";") {
		}
		if p.tok.kind == tEOF {
			return all, first
		}
		s := p.one()
		if first == nil && s.Err != nil {
			first = s.Err
		}
		all = append(all, s)
	}
}

// Parse parses a text that holds exactly one statement, or none: then it returns nil.
func Parse(text string) (ast.Stmt, error) {
	all, err := ParseAll(text, Options{})
	switch {
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, nil
	case len(all) > 1:
		return nil, errs.ManyStatements.New()
	}
	return all[0].Stmt, nil
}

// ParseExpr parses a text that is one scalar expression.
func ParseExpr(text string) (ast.Expr, error) {
	return parseWhole(text, (*parser).expr)
}

// ParseType parses a text that is one type name, as the input of regtype does.
func ParseType(text string) (*ast.TypeName, error) {
	return parseWhole(text, (*parser).typeName)
}

func parseWhole[T any](text string, parse func(*parser) T) (result T, err error) {
	if err := validText(text); err != nil {
		return result, err
	}
	p := newParser(text, Options{})
	node := parse(p)
	if p.tok.kind != tEOF {
		p.unexpected()
	}
	if p.err != nil {
		return result, p.err
	}
	return node, nil
}

// parser reads tokens one at a time with a short look-ahead. Its error is sticky: after the first one the current token
// is the end of input for ever, every rule unwinds through its normal path, and what they built is thrown away. So rules
// need no error checks; loops must stop at a token that is not theirs.
type parser struct {
	lex    lexer
	tok    token   // the current token
	ahead  []token // tokens read beyond the current one
	end    int     // where the last consumed token ends
	err    *errs.Error
	bad    token // where the error is
	depth  int   // how many expr and query calls are open
	height int   // of the highest tree built since an expr or query call reset it
}

func newParser(text string, o Options) *parser {
	p := &parser{lex: lexer{text: text, options: o}}
	p.tok = p.lex.next()
	return p
}

// one parses a statement up to a semicolon or the end, and moves there whatever happens.
func (p *parser) one() Statement {
	start := p.tok.start
	stmt := p.statement()
	if p.err == nil && !p.at(";") && p.tok.kind != tEOF {
		p.unexpected()
	}
	if p.err == nil {
		return Statement{Stmt: stmt, Start: start, End: p.end}
	}
	s := Statement{Err: p.err, Start: start}
	p.recover()
	s.End = p.end
	return s
}

// recover moves to the semicolon that ends the statement with the error.
func (p *parser) recover() {
	p.lex.err, p.err, p.ahead = nil, nil, nil
	p.depth, p.height = 0, 0
	p.tok = p.bad
	for p.tok.kind != tEOF && !p.at(";") {
		p.end = p.tok.end
		p.tok = p.lex.next()
		p.lex.err = nil
	}
}

// advance consumes the current token and returns it.
func (p *parser) advance() token {
	t := p.tok
	if p.err != nil {
		return t
	}
	p.end = t.end
	if len(p.ahead) > 0 {
		p.tok = p.ahead[0]
		p.ahead = p.ahead[:copy(p.ahead, p.ahead[1:])]
		return t
	}
	p.tok = p.lex.next()
	return t
}

// peek returns the n-th token after the current one.
func (p *parser) peek(n int) token {
	if p.err != nil {
		return p.tok
	}
	for len(p.ahead) < n {
		p.ahead = append(p.ahead, p.lex.next())
	}
	return p.ahead[n-1]
}

func (p *parser) pos() ast.Pos { return p.tok.pos }

// at reports whether the current token is the word or sign.
func (p *parser) at(text string) bool { return p.tok.is(text) }

// atSeq reports whether the next tokens are these.
func (p *parser) atSeq(texts ...string) bool {
	for i, text := range texts {
		t := p.tok
		if i > 0 {
			t = p.peek(i)
		}
		if !t.is(text) {
			return false
		}
	}
	return true
}

// accept consumes the tokens if they are next, all or none.
func (p *parser) accept(texts ...string) bool {
	if !p.atSeq(texts...) {
		return false
	}
	for range texts {
		p.advance()
	}
	return true
}

// acceptAny consumes the current token if it is one of the words, and returns it.
func (p *parser) acceptAny(texts ...string) string {
	for _, text := range texts {
		if p.accept(text) {
			return text
		}
	}
	return ""
}

// expect consumes tokens that must be next.
func (p *parser) expect(texts ...string) {
	for _, text := range texts {
		if !p.accept(text) {
			p.unexpected()
			return
		}
	}
}

// unexpected reports the current token as a syntax error, or the lexical error that it is.
func (p *parser) unexpected() {
	switch {
	case p.tok.kind == tBroken && p.lex.err != nil:
		p.fail(p.lex.err)
	case p.tok.kind == tEOF:
		p.fail(errs.SyntaxAtEnd.New().At(int(p.tok.pos)))
	default:
		p.unexpectedToken(p.tok)
	}
}

func (p *parser) unexpectedToken(t token) {
	p.fail(errs.Syntax.New("token", p.lex.text[t.start:t.end]).At(int(t.pos)))
}

// fail records the first error and stops the parser: see parser.
func (p *parser) fail(err *errs.Error) {
	if p.err != nil {
		return
	}
	p.err, p.bad = err, p.tok
	p.lex.at, p.lex.chars = p.tok.end, int(p.tok.pos)-1+countChars(p.lex.text[p.tok.start:p.tok.end])
	p.ahead = nil
	p.tok = token{kind: tEOF, start: p.tok.start, end: p.tok.start, pos: p.tok.pos}
}

// unsupported stops at a construct that is understood but not there.
func (p *parser) unsupported(feature string) {
	p.fail(errs.Unsupported.New("feature", feature).At(int(p.tok.pos)))
}

// enter opens a level of nesting; leave closes it. built is the height of what was built inside it.
func (p *parser) enter() (outer int) {
	p.depth++
	p.checkNesting(p.depth)
	outer, p.height = p.height, 0
	return outer
}

func (p *parser) leave(outer, built int) {
	p.depth--
	p.height = max(outer, built)
}

func (p *parser) checkNesting(levels int) {
	if levels > nestingMax {
		p.fail(errs.TooComplex.New("limit", nestingMax).At(int(p.tok.pos)))
	}
}

// colID consumes the name of a column, table or other object.
func (p *parser) colID() string {
	if !p.tok.colID() {
		p.unexpected()
		return ""
	}
	return p.advance().text
}

// label consumes any word as a name.
func (p *parser) label() string {
	if !p.tok.label() {
		p.unexpected()
		return ""
	}
	return p.advance().text
}

// role consumes a role's name; RisingWave's clients quote it as a string too.
func (p *parser) role() string {
	if p.tok.kind == tString && p.tok.text == "" {
		p.unexpected()
		return ""
	}
	if w := p.tok; w.kind == tString || w.word("user") || w.word("current_user") || w.word("session_user") || w.word("current_role") {
		return p.advance().text
	}
	return p.nonReserved()
}

// nonReserved consumes a name that may be any but a reserved word.
func (p *parser) nonReserved() string {
	if !p.tok.colID() && !p.tok.typeFunc() {
		p.unexpected()
		return ""
	}
	return p.advance().text
}

func (p *parser) ident() ast.Ident {
	pos := p.pos()
	return ast.Ident{Pos: pos, Name: p.colID()}
}

// idents reads a, b, c.
func (p *parser) idents() []ast.Ident {
	return list(p, p.ident)
}

// identsInParens reads (a, b, c).
func (p *parser) identsInParens() []ast.Ident {
	p.expect("(")
	names := p.idents()
	p.expect(")")
	return names
}

// name reads a name with up to three dots.
func (p *parser) name() ast.Name {
	n := ast.Name{Pos: p.pos(), Parts: []string{p.colID()}}
	for p.accept(".") {
		n.Parts = append(n.Parts, p.label())
	}
	return n
}

func (p *parser) names() []ast.Name { return list(p, p.name) }

// str consumes a string constant.
func (p *parser) str() string {
	if p.tok.kind != tString {
		p.unexpected()
		return ""
	}
	return p.advance().text
}

// integer consumes an integer constant.
func (p *parser) integer() int64 {
	v, ok := parseInt(p.tok.text)
	if p.tok.kind != tNumber || !ok {
		p.unexpected()
		return 0
	}
	p.advance()
	return v
}

func (p *parser) signedInteger() int64 {
	if p.accept("-") {
		return -p.integer()
	}
	p.accept("+")
	return p.integer()
}

func (p *parser) ifExists() bool    { return p.accept("if", "exists") }
func (p *parser) ifNotExists() bool { return p.accept("if", "not", "exists") }

// words consumes the current tokens if they spell the phrase, whose words are separated by spaces.
func (p *parser) words(phrase string) bool { return p.accept(strings.Fields(phrase)...) }

// phrase consumes the first of the phrases that is next, and returns it.
func (p *parser) phrase(phrases ...string) string {
	for _, ph := range phrases {
		if p.words(ph) {
			return ph
		}
	}
	return ""
}

// list reads one or more items separated by commas.
func list[T any](p *parser, item func() T) []T {
	items := []T{item()}
	for p.accept(",") {
		items = append(items, item())
	}
	return items
}

// inParens reads ( list ).
func inParens[T any](p *parser, item func() T) []T {
	p.expect("(")
	items := list(p, item)
	p.expect(")")
	return items
}
