package parser

import "github.com/tidemark-db/tidemark/internal/sql/ast"

func (p *parser) copy() ast.Stmt {
	s := &ast.Copy{Pos: p.advance().pos}
	if p.accept("(") {
		s.Query = p.dmlOrQuery()
		p.expect(")")
		p.expect("to")
		s.To = true
	} else {
		s.Table = p.name()
		if p.at("(") {
			s.Columns = p.identsInParens()
		}
		s.To = p.accept("to")
		if !s.To {
			p.expect("from")
		}
	}
	p.copyEnd(s)
	p.copyOptions(s)
	if p.accept("where") {
		s.Where = p.expr()
	}
	return s
}

func (p *parser) copyEnd(s *ast.Copy) {
	switch {
	case p.accept("stdin"), p.accept("stdout"): // PostgreSQL takes either word for either direction
		s.End = ast.CopyStdin
		if s.To {
			s.End = ast.CopyStdout
		}
	case p.accept("program"):
		s.End, s.Path = ast.CopyProgram, p.str()
	default:
		s.End, s.Path = ast.CopyFile, p.str()
	}
}

// copyOptions reads [USING] DELIMITERS and both forms of the option list.
func (p *parser) copyOptions(s *ast.Copy) {
	p.accept("with")
	if p.at("(") {
		s.Options = inParens(p, p.looseOption)
		return
	}
	for p.err == nil {
		o := ast.Option{Pos: p.pos()}
		switch {
		case p.at("binary"), p.at("csv"):
			o.Key, o.Value = "format", p.wordOption(p.tok.text)
		case p.at("header"), p.at("freeze"):
			o.Key = p.tok.text
			o.Value = p.wordOption("true")
		case p.at("delimiter"), p.at("null"), p.at("quote"), p.at("escape"), p.at("encoding"):
			o.Key = p.advance().text
			p.accept("as")
			o.Value = p.stringOption()
		case p.accept("force", "quote"):
			o.Key, o.Value = "force_quote", p.columnsOption()
		case p.accept("force", "not", "null"):
			o.Key, o.Value = "force_not_null", p.columnsOption()
		case p.accept("force", "null"):
			o.Key, o.Value = "force_null", p.columnsOption()
		default:
			return
		}
		s.Options = append(s.Options, o)
	}
}

// wordOption consumes the current word, which stands for the value.
func (p *parser) wordOption(value string) ast.OptionValue {
	return ast.OptionValue{Pos: p.advance().pos, Kind: ast.OptWord, Text: value}
}

func (p *parser) stringOption() ast.OptionValue {
	return ast.OptionValue{Pos: p.pos(), Kind: ast.OptString, Text: p.str()}
}

func (p *parser) columnsOption() ast.OptionValue {
	v := ast.OptionValue{Pos: p.pos(), Kind: ast.OptList}
	if p.accept("*") {
		v.Kind = ast.OptStar
		return v
	}
	for _, c := range p.idents() {
		v.Items = append(v.Items, ast.OptionValue{Pos: c.Pos, Kind: ast.OptWord, Text: c.Name})
	}
	return v
}
