package parser

import "github.com/tidemark-db/tidemark/internal/sql/ast"

func (p *parser) cursor() ast.Stmt {
	pos := p.pos()
	switch word := p.advance().text; word {
	case "declare":
		return p.declare(pos)
	case "close":
		s := &ast.CloseCursor{Pos: pos}
		if !p.accept("all") {
			s.Name = p.colID()
		}
		return s
	default:
		return p.fetch(pos, word == "move")
	}
}

func (p *parser) declare(pos ast.Pos) ast.Stmt {
	s := &ast.DeclareCursor{Pos: pos, Name: p.colID()}
	if p.accept("subscription", "cursor") {
		p.expect("for")
		s.Subscription = p.name()
		switch {
		case p.accept("since"):
			s.Since = p.expr()
		case p.accept("full"):
			s.Full = true
		}
		return s
	}
	p.cursorOptions(s, "binary", "insensitive", "asensitive", "no scroll", "scroll")
	p.expect("cursor")
	p.cursorOptions(s, "with hold", "without hold")
	p.expect("for")
	s.Query = p.query()
	return s
}

func (p *parser) cursorOptions(s *ast.DeclareCursor, options ...string) {
	for p.err == nil {
		o := p.phrase(options...)
		if o == "" {
			return
		}
		s.Options = append(s.Options, upper(o))
	}
}

// fetch reads [direction] [FROM | IN] cursor [WITH (options)].
func (p *parser) fetch(pos ast.Pos, move bool) ast.Stmt {
	s := &ast.FetchCursor{Pos: pos, Move: move, Direction: "FORWARD", Count: 1}
	switch {
	case p.tok.kind == tNumber, p.at("-"), p.at("+"):
		s.Count = p.signedInteger()
	case p.accept("all"):
		s.All = true
	default:
		p.fetchDirection(s)
	}
	if !p.accept("from") {
		p.accept("in")
	}
	s.Cursor = p.colID()
	s.Options = p.withOptions()
	return s
}

// fetchDirection reads a word of direction, unless the word is the cursor's name.
func (p *parser) fetchDirection(s *ast.FetchCursor) {
	if next := p.peek(1); next.kind == tEOF || next.is(";") || next.is("with") {
		return
	}
	switch dir := p.acceptAny("next", "prior", "first", "last", "absolute", "relative", "forward", "backward"); dir {
	case "":
	case "absolute", "relative":
		s.Direction, s.Count = upper(dir), p.signedInteger()
	case "forward", "backward":
		s.Direction = upper(dir)
		switch {
		case p.accept("all"):
			s.All = true
		case p.tok.kind == tNumber, p.at("-"):
			s.Count = p.signedInteger()
		}
	default:
		s.Direction = upper(dir)
	}
}
