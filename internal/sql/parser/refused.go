package parser

import "github.com/tidemark-db/tidemark/internal/sql/ast"

// refusedStatements are PostgreSQL's statements that do not exist here, by their first word. They are refused by name, since a
// syntax error would send people looking for a typing mistake.
var refusedStatements = map[string]bool{"listen": true, "notify": true, "cluster": true, "reindex": true, "checkpoint": true,
	"load": true, "do": true, "call": true, "merge": true, "import": true, "reassign": true, "security": true}

// refused stops at a statement that PostgreSQL has and Tidemark does not.
func (p *parser) refused() {
	if refusedStatements[p.tok.text] {
		p.unsupported(upper(p.tok.text))
	}
}

// refusedPhase stops at the phases of a commit in two of them.
func (p *parser) refusedPhase() {
	if p.atSeq("prepare", "transaction") || p.atSeq("commit", "prepared") || p.atSeq("rollback", "prepared") {
		p.unsupported(upper(p.tok.text + " " + p.peek(1).text))
	}
}

// refusedObject stops at a kind of object that can not be created or dropped.
func (p *parser) refusedObject(verb string) {
	switch p.tok.text {
	case "sequence", "type", "domain", "extension", "trigger", "rule", "policy", "publication", "server", "tablespace", "language",
		"cast", "operator", "collation", "statistics", "procedure", "conversion", "transform":
		p.unsupported(verb + " " + upper(p.tok.text))
	case "event", "foreign", "text", "access":
		p.unsupported(verb + " " + upper(p.tok.text+" "+p.peek(1).text))
	}
	p.unexpected()
}

// refusedAlteration stops at a change of a table that PostgreSQL knows.
func (p *parser) refusedAlteration() {
	switch p.tok.text {
	case "enable", "disable", "force", "no":
		what := "ALTER TABLE " + upper(p.tok.text+" "+p.peek(1).text)
		if p.peek(1).is("row") || p.peek(2).is("row") {
			what = "ROW LEVEL SECURITY"
		}
		p.unsupported(what)
	case "attach", "detach":
		p.unsupported("a partitioned table")
	case "cluster", "inherit", "of", "replica", "validate":
		p.unsupported("ALTER TABLE " + upper(p.tok.text))
	}
}

// unlisten reads UNLISTEN, which pools of connections send before they lend one again. Nobody listens, so it does nothing.
func (p *parser) unlisten() ast.Stmt {
	s := &ast.Unlisten{Pos: p.advance().pos}
	if !p.accept("*") {
		s.Channel = p.colID()
	}
	return s
}
