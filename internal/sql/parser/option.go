package parser

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// withOptions reads WITH (k = v, ...) if it is next.
func (p *parser) withOptions() []ast.Option {
	if !p.accept("with", "(") {
		return nil
	}
	if p.at(")") { // as in PostgreSQL there is one at least
		p.unexpected()
	}
	return p.optionsRest()
}

// optionList reads (k = v, ...) if it is next.
func (p *parser) optionList() []ast.Option {
	if !p.accept("(") {
		return nil
	}
	return p.optionsRest()
}

// optionsRest reads options behind the parenthesis; none is fine, and so is a comma at the end.
func (p *parser) optionsRest() []ast.Option {
	options := []ast.Option{}
	for p.err == nil && !p.accept(")") {
		options = append(options, p.option())
		if !p.accept(",") && !p.at(")") {
			p.unexpected()
		}
	}
	return options
}

// option reads key = value; the key is dotted words or a string.
func (p *parser) option() ast.Option {
	o := ast.Option{Pos: p.pos(), Key: p.optionKey()}
	if !p.accept("=") {
		p.expect("=>")
	}
	o.Value = p.optionValue()
	return o
}

func (p *parser) optionKey() string {
	if p.tok.kind == tString {
		return p.advance().text
	}
	parts := []string{p.label()}
	for p.accept(".") {
		parts = append(parts, p.label())
	}
	return strings.Join(parts, ".")
}

// looseOption reads key [value], as COPY and EXPLAIN have it.
func (p *parser) looseOption() ast.Option {
	o := ast.Option{Pos: p.pos(), Key: p.optionKey()}
	p.accept("=")
	switch {
	case p.at(","), p.at(")"):
	default:
		o.Value = p.optionValue()
	}
	return o
}

func (p *parser) optionValue() ast.OptionValue {
	t := p.tok
	v := ast.OptionValue{Pos: t.pos}
	switch {
	case t.kind == tString:
		v.Kind, v.Text = ast.OptString, p.advance().text
	case t.kind == tNumber, t.is("-"), t.is("+"):
		v.Kind, v.Text = ast.OptNumber, p.signedNumber()
	case t.is("*"):
		p.advance()
		v.Kind = ast.OptStar
	case t.is("("):
		v.Kind, v.Items = ast.OptList, p.nestedValues()
	case t.word("secret") && p.peek(1).label():
		p.advance()
		v.Kind, v.Name = ast.OptSecret, p.name()
		v.AsFile = p.accept("as", "file")
	case t.word("fixed") && p.peek(1).is("("):
		p.advance()
		v.Kind, v.Edges = ast.OptOrder, p.edges()
	case t.label():
		v.Kind, v.Text = ast.OptWord, p.advance().text
	default:
		p.unexpected()
	}
	return v
}

func (p *parser) nestedValues() []ast.OptionValue {
	outer := p.enter()
	defer func() { p.leave(outer, p.height+1) }()
	return inParens(p, p.optionValue)
}

// edges reads (a -> b, c -> d).
func (p *parser) edges() []ast.Edge {
	p.expect("(")
	var edges []ast.Edge
	if p.accept(")") {
		return edges
	}
	edges = list(p, func() ast.Edge {
		e := ast.Edge{From: p.name()}
		p.expect("->")
		e.To = p.name()
		return e
	})
	p.expect(")")
	return edges
}

// signedNumber reads a number with its sign.
func (p *parser) signedNumber() string {
	sign := ""
	switch {
	case p.accept("-"):
		sign = "-"
	case p.accept("+"):
	}
	if p.tok.kind != tNumber {
		p.unexpected()
	}
	return sign + p.advance().text
}

// format reads FORMAT f ENCODE e (...) [KEY ENCODE e (...)] if it is next.
func (p *parser) format() *ast.RowFormat {
	if p.at("row") { // RisingWave's older way
		f := &ast.RowFormat{Pos: p.advance().pos, Format: "plain"}
		p.expect("format")
		f.Encode = p.label()
		return f
	}
	if !p.at("format") {
		return nil
	}
	f := &ast.RowFormat{Pos: p.advance().pos, Format: p.label()}
	p.expect("encode")
	f.Encode = p.label()
	f.Options = p.optionList()
	if p.accept("key", "encode") {
		f.KeyEncode = p.label()
		f.KeyOptions = p.optionList()
	}
	return f
}
