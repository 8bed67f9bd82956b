package parser

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// sessionStatement reads what sets, shows or explains.
func (p *parser) sessionStatement() ast.Stmt {
	switch p.tok.text {
	case "explain":
		return p.explain()
	case "describe", "desc":
		return p.describe()
	case "show":
		return p.show()
	case "set":
		return p.set()
	case "reset":
		return p.reset()
	case "use":
		return &ast.Use{Pos: p.advance().pos, Database: p.colID()}
	case "discard":
		s := &ast.Discard{Pos: p.advance().pos, What: upper(p.acceptAny("all", "plans", "sequences", "temp", "temporary"))}
		if s.What == "" {
			p.unexpected()
		}
		return s
	}
	return p.prepared()
}

func (p *parser) prepared() ast.Stmt {
	p.refusedPhase()
	pos := p.pos()
	switch p.advance().text {
	case "prepare":
		s := &ast.Prepare{Pos: pos, Name: p.colID()}
		if p.at("(") {
			s.Types = inParens(p, p.typeName)
		}
		p.expect("as")
		s.Stmt = p.dmlOrQuery()
		return s
	case "execute":
		s := &ast.Execute{Pos: pos, Name: p.colID()}
		if p.at("(") {
			s.Args = inParens(p, p.expr)
		}
		return s
	}
	p.accept("prepare")
	s := &ast.Deallocate{Pos: pos}
	if !p.accept("all") {
		s.Name = p.colID()
	}
	return s
}

func (p *parser) set() ast.Stmt {
	pos := p.advance().pos
	scope := ast.ScopeDefault
	switch {
	case p.accept("transaction"):
		return &ast.SetTransaction{Pos: pos, Modes: p.txnModes()}
	case p.words("session characteristics as transaction"):
		return &ast.SetTransaction{Pos: pos, Session: true, Modes: p.txnModes()}
	case p.at("session") && !p.atAssign(1) && !p.peek(1).is("authorization"):
		p.advance()
		scope = ast.ScopeSession
	case p.at("local") && !p.atAssign(1):
		p.advance()
		scope = ast.ScopeLocal
	}
	s := &ast.SetVar{Pos: pos, Scope: scope}
	if p.setSpecial(s) {
		return s
	}
	s.Name = p.variable()
	if !p.accept("=") {
		p.expect("to")
	}
	if !p.accept("default") {
		s.Values = list(p, p.setValue)
	}
	return s
}

// atAssign reports whether the n-th token ahead is = or TO.
func (p *parser) atAssign(n int) bool { return p.peek(n).is("=") || p.peek(n).is("to") }

// setSpecial reads the variables that have a syntax of their own.
func (p *parser) setSpecial(s *ast.SetVar) bool {
	if p.atAssign(1) {
		return false
	}
	switch {
	case p.accept("time", "zone"):
		s.Name = "timezone"
		if p.accept("local") || p.accept("default") {
			return true
		}
		if p.at("interval") {
			c, ok := p.wordPrimary().(*ast.Cast)
			if !ok {
				p.unexpected()
				return true
			}
			lit, _ := c.X.(*ast.StringLit)
			s.Values = []ast.OptionValue{{Pos: c.Pos, Kind: ast.OptString, Text: lit.Value}}
			return true
		}
		s.Values = []ast.OptionValue{p.setValue()}
	case p.accept("names"):
		s.Name = "client_encoding"
		if p.tok.kind == tString {
			s.Values = []ast.OptionValue{p.setValue()}
		}
		p.accept("default")
	case p.accept("schema"):
		s.Name, s.Values = "search_path", []ast.OptionValue{p.stringOption()}
	case p.accept("role"):
		s.Name, s.Values = "role", []ast.OptionValue{p.setValue()}
	case p.accept("session", "authorization"), s.Scope == ast.ScopeSession && p.accept("authorization"):
		s.Name, s.Values = "session_authorization", p.unlessDefault()
	default:
		return false
	}
	return true
}

func (p *parser) unlessDefault() []ast.OptionValue {
	if p.accept("default") {
		return nil
	}
	return []ast.OptionValue{p.setValue()}
}

// setValue reads a value of SET. ON is reserved, yet a value here.
func (p *parser) setValue() ast.OptionValue { return p.optionValue() }

// variable reads a variable's name, joined by dots.
func (p *parser) variable() string {
	if p.at("=") || p.at("to") {
		p.unexpected()
	}
	return strings.Join(p.name().Parts, ".")
}

func (p *parser) reset() ast.Stmt {
	pos := p.advance().pos
	switch {
	case p.accept("all"):
		return &ast.Reset{Pos: pos, Name: "all"}
	case p.accept("time", "zone"):
		return &ast.Reset{Pos: pos, Name: "timezone"}
	case p.accept("transaction", "isolation", "level"):
		return &ast.Reset{Pos: pos, Name: "transaction_isolation"}
	case p.accept("session", "authorization"):
		return &ast.Reset{Pos: pos, Name: "session_authorization"}
	}
	return &ast.Reset{Pos: pos, Name: p.variable()}
}

// explain reads EXPLAIN in its three meanings: of a statement, of a running job, of an error code.
func (p *parser) explain() ast.Stmt {
	pos := p.advance().pos
	if p.accept("error") {
		return &ast.ExplainError{Pos: pos, Code: p.str()}
	}
	s := &ast.Explain{Pos: pos}
	if p.at("(") && !p.atQuery() {
		s.Options = inParens(p, p.looseOption)
	} else {
		for _, word := range []string{"analyze", "verbose"} {
			if at := p.pos(); p.accept(word) || word == "analyze" && p.accept("analyse") {
				s.Options = append(s.Options, ast.Option{Pos: at, Key: word})
			}
		}
	}
	if s.Options != nil && p.at("(") && !p.atQuery() {
		s.Options = append(s.Options, inParens(p, p.looseOption)...)
	}
	if job := p.explainJob(s); job != nil {
		return job
	}
	s.Stmt = p.statement()
	return s
}

// explainJob reads the object of EXPLAIN ANALYZE TABLE t and its kin; nil if a statement follows.
func (p *parser) explainJob(s *ast.Explain) ast.Stmt {
	analyze := false
	for _, o := range s.Options {
		analyze = analyze || o.Key == "analyze"
	}
	if !analyze {
		return nil
	}
	j := &ast.ExplainJob{Pos: s.Pos, Options: s.Options}
	switch {
	case p.accept("id"), p.at("fragment"):
		j.Kind = "ID"
		if p.accept("fragment") {
			j.Kind = ast.FragmentObject
		}
		j.ID = p.integer()
	case p.at("table"), p.at("index"), p.at("sink"), p.at("source"), p.atSeq("materialized", "view"):
		j.Kind = p.objectKind()
		j.Name = p.name()
	default:
		return nil
	}
	return j
}

func (p *parser) describe() ast.Stmt {
	d := &ast.Describe{Pos: p.advance().pos}
	switch {
	case p.at("fragment") && p.peek(1).kind == tNumber:
		p.advance()
		d.What, d.ID = "fragment", p.integer()
	case p.at("fragments") && p.peek(1).colID():
		p.advance()
		d.What, d.Name = "fragments", p.name()
	default:
		d.Name = p.name()
	}
	return d
}
