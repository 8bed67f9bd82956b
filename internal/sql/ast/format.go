package ast

import (
	"strconv"
	"strings"
)

// Format prints a statement as SQL that parses to the same tree, positions aside.
func Format(s Stmt) string {
	p := &printer{}
	p.stmt(s)
	return p.b.String()
}

// FormatExpr prints an expression as SQL.
func FormatExpr(e Expr) string {
	p := &printer{}
	p.expr(e, 0)
	return p.b.String()
}

// FormatType prints a type as SQL, in the standard's words where it has them.
func FormatType(t *TypeName) string {
	p := &printer{}
	p.typeName(t)
	return p.b.String()
}

// printer collects the text. Words in upper case carry their own spaces.
type printer struct {
	b strings.Builder
}

func (p *printer) w(parts ...string) {
	for _, s := range parts {
		p.b.WriteString(s)
	}
}

// when writes the parts if the condition holds.
func (p *printer) when(cond bool, parts ...string) {
	if cond {
		p.w(parts...)
	}
}

func (p *printer) ident(name string)    { p.w(QuoteIdent(name)) }
func (p *printer) str(text string)      { p.w(QuoteString(text)) }
func (p *printer) integer(n int64)      { p.w(strconv.FormatInt(n, 10)) }
func (p *printer) label(parts []string) { commas(p, ".", parts, p.ident) }

// name prints a name. Only the first part must be quoted when it is a reserved word, but all are: it reads the same.
func (p *printer) name(n Name) { p.label(n.Parts) }

// commas prints items with a separator between them.
func commas[T any](p *printer, sep string, items []T, item func(T)) {
	for i, x := range items {
		if i > 0 {
			p.w(sep)
		}
		item(x)
	}
}

// parens prints ( item, item ).
func parens[T any](p *printer, items []T, item func(T)) {
	p.w("(")
	commas(p, ", ", items, item)
	p.w(")")
}

func (p *printer) idents(names []Ident) {
	parens(p, names, func(n Ident) { p.ident(n.Name) })
}

func (p *printer) names(names []Name) { commas(p, ", ", names, p.name) }

func (p *printer) exprs(list []Expr) { commas(p, ", ", list, func(e Expr) { p.expr(e, 0) }) }

// clause prints a keyword and an expression, if there is one.
func (p *printer) clause(keyword string, e Expr) {
	if e != nil {
		p.w(keyword)
		p.expr(e, 0)
	}
}

// namedClause prints a keyword and a name, if there is one.
func (p *printer) namedClause(keyword string, n Name) {
	if !n.Empty() {
		p.w(keyword)
		p.name(n)
	}
}

func (p *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case nil:
	case *Query:
		p.query(s)
	case *Insert, *Update, *Delete, *Truncate, *Copy:
		p.dml(s)
	case *CreateTable, *CreateSource, *CreateSink, *CreateView, *CreateIndex, *CreateSchema, *CreateDatabase, *CreateUser,
		*CreateConnection, *CreateSecret, *CreateSubscription, *CreateFunction:
		p.create(s)
	case *Drop, *Comment, *Grant:
		p.object(s)
	case *Alter, *AlterSystem, *AlterJob, *AlterBackfill, *AlterDefaultPrivileges:
		p.alter(s)
	case *SetVar, *SetTransaction, *Reset, *ShowVar, *Show, *Describe, *Explain, *ExplainJob, *ExplainError, *Use, *Discard, *Unlisten:
		p.session(s)
	case *Prepare, *Execute, *Deallocate, *DeclareCursor, *FetchCursor, *CloseCursor:
		p.prepared(s)
	case *Begin, *Commit, *Rollback, *Savepoint, *ReleaseSavepoint:
		p.transaction(s)
	default:
		p.control(s)
	}
}
