package parser

import "github.com/tidemark-db/tidemark/internal/sql/ast"

// statement reads one statement; its first word decides.
func (p *parser) statement() ast.Stmt {
	outer := p.enter()
	defer func() { p.leave(outer, p.height) }()
	if p.tok.kind != tWord {
		if p.at("(") {
			return p.query()
		}
		p.unexpected()
		return nil
	}
	switch p.tok.text {
	case "select", "values", "table", "with", "insert", "update", "delete":
		return p.dmlOrQuery()
	case "create":
		return p.create()
	case "replace": // RisingWave's REPLACE SINK
		pos := p.advance().pos
		p.expect("sink")
		return p.createSink(&ast.CreateSink{Pos: pos, OrReplace: true})
	case "drop":
		return p.drop()
	case "alter":
		return p.alter()
	case "explain", "describe", "desc", "show", "set", "reset", "prepare", "execute", "deallocate", "use", "discard":
		return p.sessionStatement()
	case "begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release":
		return p.transaction()
	case "declare", "fetch", "move", "close":
		return p.cursor()
	case "copy":
		return p.copy()
	case "truncate":
		return p.truncate()
	case "comment":
		return p.comment()
	case "grant", "revoke":
		return p.grant()
	case "lock", "vacuum", "analyze", "analyse":
		return p.maintenance()
	}
	return p.control()
}

// dmlOrQuery reads a query or a data-modifying statement, which may begin with WITH.
func (p *parser) dmlOrQuery() ast.Stmt {
	var with *ast.With
	if p.at("with") {
		with = p.with()
	}
	switch {
	case p.at("insert"):
		return p.insert(with)
	case p.at("update"):
		return p.update(with)
	case p.at("delete"):
		return p.delete(with)
	}
	return p.queryAfterWith(with)
}
