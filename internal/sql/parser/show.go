package parser

import "github.com/tidemark-db/tidemark/internal/sql/ast"

// show reads SHOW of objects, or of a variable.
func (p *parser) show() ast.Stmt {
	pos := p.advance().pos
	if p.at("create") {
		p.advance()
		kind := p.objectKind()
		if kind == "" {
			p.unexpected()
		}
		return &ast.Show{Pos: pos, What: "create " + fold(string(kind)), Name: p.name()}
	}
	if p.at("backfill") && p.peek(1).colID() {
		p.advance()
		s := &ast.Show{Pos: pos, What: "backfill", Name: p.name()}
		if p.accept("by") {
			s.By = p.acceptAny("range", "vnode")
			if s.By == "" {
				p.unexpected()
			}
		}
		return s
	}
	if s := p.showObjects(pos); s != nil {
		return s
	}
	return p.showVariable(pos)
}

// showObjects reads the lists of objects; nil if a variable is meant.
func (p *parser) showObjects(pos ast.Pos) ast.Stmt {
	what := p.phrase("tables", "internal tables", "databases", "schemas", "views", "materialized views", "sources", "sinks",
		"subscription cursors", "subscriptions", "columns", "connections", "secrets", "functions", "indexes", "cluster", "jobs",
		"processlist", "cursors", "parameters", "users", "roles", "errors", "backfills")
	if what == "" {
		return nil
	}
	s := &ast.Show{Pos: pos, What: what}
	switch {
	case p.accept("from"), p.accept("in"), p.accept("on"):
		s.Name = p.name()
	case what == "columns":
		p.expect("from")
	}
	if p.accept("like") {
		text := p.str()
		s.Like = &text
	} else if p.accept("where") {
		s.Where = p.expr()
	}
	return s
}

func (p *parser) showVariable(pos ast.Pos) ast.Stmt {
	switch {
	case p.accept("all"):
		return &ast.ShowVar{Pos: pos, Name: "all"}
	case p.accept("time", "zone"):
		return &ast.ShowVar{Pos: pos, Name: "timezone"}
	case p.accept("transaction", "isolation", "level"):
		return &ast.ShowVar{Pos: pos, Name: "transaction_isolation"}
	case p.accept("session", "authorization"):
		return &ast.ShowVar{Pos: pos, Name: "session_authorization"}
	}
	return &ast.ShowVar{Pos: pos, Name: p.variable()}
}
