package parser

import "github.com/tidemark-db/tidemark/internal/sql/ast"

func (p *parser) transaction() ast.Stmt {
	p.refusedPhase()
	pos := p.pos()
	switch p.advance().text {
	case "begin":
		p.acceptAny("work", "transaction")
		return &ast.Begin{Pos: pos, Modes: p.txnModesMaybe()}
	case "start":
		p.expect("transaction")
		return &ast.Begin{Pos: pos, Start: true, Modes: p.txnModesMaybe()}
	case "commit", "end":
		p.acceptAny("work", "transaction")
		return &ast.Commit{Pos: pos, Chain: p.chain()}
	case "savepoint":
		return &ast.Savepoint{Pos: pos, Name: p.colID()}
	case "release":
		p.accept("savepoint")
		return &ast.ReleaseSavepoint{Pos: pos, Name: p.colID()}
	case "abort":
		p.acceptAny("work", "transaction")
		return &ast.Rollback{Pos: pos, Chain: p.chain()}
	}
	p.acceptAny("work", "transaction")
	s := &ast.Rollback{Pos: pos}
	if p.accept("to") {
		p.accept("savepoint")
		s.Savepoint = p.colID()
		return s
	}
	s.Chain = p.chain()
	return s
}

func (p *parser) chain() bool {
	if p.accept("and", "no", "chain") {
		return false
	}
	return p.accept("and", "chain")
}

func (p *parser) txnModesMaybe() []ast.TxnMode {
	if p.tok.kind != tWord {
		return nil
	}
	return p.txnModes()
}

// txnModes reads one or more modes; commas between them are optional, as in PostgreSQL.
func (p *parser) txnModes() []ast.TxnMode {
	var modes []ast.TxnMode
	for {
		m := p.phrase("isolation level serializable", "isolation level repeatable read", "isolation level read committed",
			"isolation level read uncommitted", "read only", "read write", "not deferrable", "deferrable")
		if m == "" {
			p.unexpectedIn("isolation", "level", "read", "not")
			return modes
		}
		modes = append(modes, ast.TxnMode(upper(m)))
		if !p.accept(",") && p.tok.kind != tWord {
			return modes
		}
	}
}

// unexpectedIn reports the token behind those words of a phrase that are there.
func (p *parser) unexpectedIn(words ...string) {
	for _, w := range words {
		p.accept(w)
	}
	p.unexpected()
}
