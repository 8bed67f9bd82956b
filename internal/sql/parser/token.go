package parser

import "github.com/tidemark-db/tidemark/internal/sql/ast"

// kind is the class of a token.
type kind uint8

const (
	tEOF    kind = iota
	tWord        // unquoted identifier or keyword, folded; class tells which
	tQuoted      // "identifier" or U&"identifier"
	tString      // any form of character constant, decoded
	tNumber
	tBits // B'...'
	tHex  // X'...'
	tParam
	tOp     // an operator, also = < > + - * / % ^, <= >= <> (for != too), => and :=
	tPunct  // ( ) [ ] { } , ; . : :: .. and any character that SQL has no use for
	tBroken // a lexical error; lexer.err says which
)

// token is one lexical unit. start and end are byte offsets, pos is the character position that errors carry.
type token struct {
	kind       kind
	class      ast.KeywordClass
	start, end int
	pos        ast.Pos
	text       string
}

func (t token) is(text string) bool {
	return t.text == text && (t.kind == tWord || t.kind == tOp || t.kind == tPunct)
}

func (t token) word(text string) bool { return t.kind == tWord && t.text == text }

// colID reports whether the token can name a column, table or other object.
func (t token) colID() bool {
	return t.kind == tQuoted || t.kind == tWord && t.class <= ast.ColName
}

// typeFunc reports whether the token can name a function or type.
func (t token) typeFunc() bool {
	return t.kind == tQuoted || t.kind == tWord && t.class != ast.ColName && t.class != ast.Reserved
}

// label reports whether the token can follow AS in a select list, or a dot.
func (t token) label() bool { return t.kind == tQuoted || t.kind == tWord }
