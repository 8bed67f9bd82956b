package parser

import "github.com/tidemark-db/tidemark/internal/sql/ast"

// specialCall reads the functions that are keywords or have a syntax of their own; nil if none is next.
func (p *parser) specialCall() ast.Expr {
	t := p.tok
	if t.text == "collation" && p.peek(1).is("for") {
		p.advance()
		p.advance()
		return p.keywordCall(t.pos, "pg_collation_for", inParens(p, p.expr)...)
	}
	if !p.peek(1).is("(") {
		return nil
	}
	switch t.text {
	case "coalesce", "greatest", "least", "nullif":
		p.advance()
		call := p.keywordCall(t.pos, t.text, inParens(p, p.expr)...)
		call.Syntax = ast.CallPlain
		return p.callTail(call)
	case "extract":
		return p.inSpecial(p.extract)
	case "overlay":
		return p.inSpecial(p.overlay)
	case "position":
		return p.inSpecial(p.position)
	case "substring":
		return p.inSpecial(p.substring)
	case "trim":
		return p.inSpecial(p.trim)
	case "normalize":
		return p.inSpecial(p.normalize)
	}
	return nil
}

// inSpecial reads word ( rule ).
func (p *parser) inSpecial(rule func(pos ast.Pos) *ast.FuncCall) ast.Expr {
	pos := p.advance().pos
	p.expect("(")
	call := rule(pos)
	p.expect(")")
	return call
}

// keywordCall builds a call in keyword syntax: see ast.FuncCall.
func (p *parser) keywordCall(pos ast.Pos, name string, args ...ast.Expr) *ast.FuncCall {
	call := &ast.FuncCall{Pos: pos, Name: ast.Name{Pos: pos, Parts: []string{name}}, Syntax: ast.CallKeyword}
	for _, a := range args {
		if a != nil {
			call.Args = append(call.Args, ast.Arg{Pos: a.Position(), Value: a})
		}
	}
	return call
}

// plainCall is a special function called in the ordinary way: substring(a, 1).
func (p *parser) plainCall(pos ast.Pos, name string, args ...ast.Expr) *ast.FuncCall {
	call := p.keywordCall(pos, name, args...)
	call.Syntax = ast.CallPlain
	return call
}

func (p *parser) extract(pos ast.Pos) *ast.FuncCall {
	field := &ast.StringLit{Pos: p.pos()}
	if p.tok.kind == tString {
		field.Value = p.advance().text
	} else {
		field.Value = p.label()
	}
	if p.accept(",") { // date_part's way, which RisingWave's users write too
		return p.plainCall(pos, "extract", field, p.expr())
	}
	p.expect("from")
	return p.keywordCall(pos, "extract", field, p.expr())
}

func (p *parser) overlay(pos ast.Pos) *ast.FuncCall {
	args := []ast.Expr{p.expr()}
	if !p.accept("placing") {
		for p.accept(",") {
			args = append(args, p.expr())
		}
		return p.plainCall(pos, "overlay", args...)
	}
	args = append(args, p.expr())
	p.expect("from")
	args = append(args, p.expr())
	if p.accept("for") {
		args = append(args, p.expr())
	}
	return p.keywordCall(pos, "overlay", args...)
}

func (p *parser) position(pos ast.Pos) *ast.FuncCall {
	needle := p.simpleExpr()
	if p.accept(",") {
		return p.plainCall(pos, "position", needle, p.expr())
	}
	p.expect("in")
	return p.keywordCall(pos, "position", p.simpleExpr(), needle)
}

func (p *parser) substring(pos ast.Pos) *ast.FuncCall {
	s := p.expr()
	switch {
	case p.accept("similar"):
		pattern := p.expr()
		p.expect("escape")
		return p.keywordCall(pos, "substring", s, p.keywordCall(pos, "similar_to_escape", pattern, p.expr()))
	case p.accept("from"):
		from := p.expr()
		if p.accept("for") {
			return p.keywordCall(pos, "substring", s, from, p.expr())
		}
		return p.keywordCall(pos, "substring", s, from)
	case p.at("for"):
		one := &ast.NumberLit{Pos: p.advance().pos, Text: "1"}
		count := p.expr()
		if p.accept("from") {
			return p.keywordCall(pos, "substring", s, p.expr(), count)
		}
		return p.keywordCall(pos, "substring", s, one, count)
	}
	args := []ast.Expr{s}
	for p.accept(",") {
		args = append(args, p.expr())
	}
	return p.plainCall(pos, "substring", args...)
}

func (p *parser) trim(pos ast.Pos) *ast.FuncCall {
	name := "btrim"
	switch p.acceptAny("both", "leading", "trailing") {
	case "leading":
		name = "ltrim"
	case "trailing":
		name = "rtrim"
	}
	if p.accept("from") {
		return p.keywordCall(pos, name, p.exprs()...)
	}
	first := p.expr()
	if p.accept("from") {
		return p.keywordCall(pos, name, append(p.exprs(), first)...)
	}
	args := []ast.Expr{first}
	for p.accept(",") {
		args = append(args, p.expr())
	}
	return p.keywordCall(pos, name, args...)
}

func (p *parser) normalize(pos ast.Pos) *ast.FuncCall {
	s := p.expr()
	if !p.accept(",") {
		return p.keywordCall(pos, "normalize", s)
	}
	form := &ast.StringLit{Pos: p.pos(), Value: p.acceptAny("nfc", "nfd", "nfkc", "nfkd")}
	if form.Value == "" {
		p.unexpected()
	}
	return p.keywordCall(pos, "normalize", s, form)
}
