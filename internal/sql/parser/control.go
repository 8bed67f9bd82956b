package parser

import (
	"strconv"

	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// control reads the statements on jobs and on the engine; their words are no keywords.
func (p *parser) control() ast.Stmt {
	t := p.tok
	switch t.text {
	case "flush":
		p.advance()
		return &ast.Flush{Pos: t.pos}
	case "recover":
		p.advance()
		return &ast.Recover{Pos: t.pos}
	case "wait":
		return p.wait()
	case "cancel":
		p.advance()
		if p.acceptAny("job", "jobs") == "" {
			p.unexpected()
		}
		return &ast.CancelJobs{Pos: t.pos, Jobs: list(p, p.integer)}
	case "kill":
		return p.kill()
	case "verify":
		return p.verify()
	case "recreate":
		p.advance()
		return &ast.Recreate{Pos: t.pos, Kind: p.kindOf("materialized view", "index"), Name: p.name()}
	case "check", "repair":
		return p.backfill()
	case "refresh":
		return p.refresh()
	case "unlisten":
		return p.unlisten()
	}
	p.refused()
	p.unexpected()
	return nil
}

func (p *parser) refresh() ast.Stmt {
	s := &ast.Refresh{Pos: p.advance().pos, Kind: p.kindOf("materialized view", "table", "source"), Concurrently: p.accept("concurrently"), Name: p.name()}
	s.WithNoData = p.accept("with", "no", "data")
	p.accept("with", "data")
	return s
}

// kindOf reads one of the kinds of objects.
func (p *parser) kindOf(kinds ...string) ast.ObjectKind {
	k := p.phrase(kinds...)
	if k == "" {
		p.accept("materialized")
		p.unexpected()
	}
	return ast.ObjectKind(upper(k))
}

func (p *parser) wait() ast.Stmt {
	s := &ast.Wait{Pos: p.advance().pos}
	if p.accept("all") || p.at(";") || p.tok.kind == tEOF {
		return s
	}
	s.Kind, s.Name = p.kindOf("table", "materialized view", "sink", "index", "source"), p.name()
	return s
}

func (p *parser) kill() ast.Stmt {
	s := &ast.Kill{Pos: p.advance().pos}
	if p.tok.kind == tString {
		s.Process = p.str()
	} else {
		s.Process = strconv.FormatInt(p.integer(), 10)
	}
	return s
}

// verify reads VERIFY MATERIALIZED VIEW v [SAMPLE n PERCENT].
func (p *parser) verify() ast.Stmt {
	s := &ast.Verify{Pos: p.advance().pos, Kind: p.kindOf("materialized view", "index"), Name: p.name()}
	if p.accept("sample") {
		s.Percent = p.signedNumber()
		p.expect("percent")
	}
	return s
}

// backfill reads CHECK BACKFILL v and REPAIR BACKFILL v [VNODE (...)] [FROM SCRATCH].
func (p *parser) backfill() ast.Stmt {
	s := &ast.Backfill{Pos: p.pos()}
	s.Repair = p.advance().text == "repair"
	p.expect("backfill")
	s.Name = p.name()
	s.VNodes = p.vnodes()
	s.FromScratch = p.accept("from", "scratch")
	return s
}

// maintenance reads LOCK, VACUUM and ANALYZE, which have no effect.
func (p *parser) maintenance() ast.Stmt {
	t := p.advance()
	if t.text == "lock" {
		return p.lock(t.pos)
	}
	s := &ast.Vacuum{Pos: t.pos, Analyze: t.text != "vacuum"}
	if p.at("(") {
		s.Options = inParens(p, p.looseOption)
	}
	for p.err == nil {
		pos, word := p.pos(), p.acceptAny("full", "freeze", "verbose", "analyze")
		if word == "" {
			break
		}
		s.Options = append(s.Options, ast.Option{Pos: pos, Key: word})
	}
	if p.tok.colID() {
		s.Tables = list(p, func() ast.Name {
			n := p.name()
			if p.at("(") {
				p.identsInParens()
			}
			return n
		})
	}
	return s
}

func (p *parser) lock(pos ast.Pos) ast.Stmt {
	p.accept("table")
	s := &ast.Lock{Pos: pos, Tables: list(p, p.relation)}
	if p.accept("in") {
		s.Mode = upper(p.phrase("access share", "row share", "row exclusive", "share update exclusive", "share row exclusive", "share",
			"exclusive", "access exclusive"))
		if s.Mode == "" {
			p.unexpected()
		}
		p.expect("mode")
	}
	s.Nowait = p.accept("nowait")
	return s
}
