package ast

import "strings"

// session prints what sets, shows and explains.
func (p *printer) session(s Stmt) {
	switch s := s.(type) {
	case *SetVar:
		p.w("SET ")
		p.when(s.Scope != "", string(s.Scope), " ")
		p.variable(s.Name)
		p.w(" = ")
		p.when(s.Values == nil, "DEFAULT")
		commas(p, ", ", s.Values, p.optionValue)
	case *SetTransaction:
		p.when(s.Session, "SET SESSION CHARACTERISTICS AS TRANSACTION")
		p.when(!s.Session, "SET TRANSACTION")
		p.txnModes(s.Modes)
	case *Reset:
		p.w("RESET ")
		p.variableOrAll(s.Name)
	case *ShowVar:
		p.w("SHOW ")
		p.variableOrAll(s.Name)
	case *Use:
		p.w("USE ", QuoteIdent(s.Database))
	case *Discard:
		p.w("DISCARD ", s.What)
	case *Unlisten:
		p.w("UNLISTEN ")
		if s.Channel == "" {
			p.w("*")
			break
		}
		p.w(QuoteIdent(s.Channel))
	case *Show:
		p.show(s)
	default:
		p.explanation(s)
	}
}

func (p *printer) variable(name string) { p.label(strings.Split(name, ".")) }

func (p *printer) variableOrAll(name string) {
	if name == "all" {
		p.w("ALL")
		return
	}
	p.variable(name)
}

func (p *printer) show(s *Show) {
	p.w("SHOW ", upperASCII(s.What))
	if !s.Name.Empty() {
		from := " FROM "
		if strings.HasPrefix(s.What, "create ") || s.What == "backfill" {
			from = " "
		}
		p.namedClause(from, s.Name)
	}
	p.when(s.By != "", " BY ", upperASCII(s.By))
	if s.Like != nil {
		p.w(" LIKE ")
		p.str(*s.Like)
	}
	p.clause(" WHERE ", s.Where)
}

func (p *printer) explanation(s Stmt) {
	switch s := s.(type) {
	case *Describe:
		p.w("DESCRIBE ")
		p.when(s.What != "", upperASCII(s.What), " ")
		if s.What == "fragment" {
			p.integer(s.ID)
		} else {
			p.name(s.Name)
		}
	case *Explain:
		p.w("EXPLAIN ")
		p.explainOptions(s.Options)
		p.stmt(s.Stmt)
	case *ExplainJob:
		p.w("EXPLAIN ")
		p.explainOptions(s.Options)
		p.w(string(s.Kind), " ")
		if s.Name.Empty() {
			p.integer(s.ID)
		} else {
			p.name(s.Name)
		}
	case *ExplainError:
		p.w("EXPLAIN ERROR ")
		p.str(s.Code)
	}
}

func (p *printer) explainOptions(options []Option) {
	if len(options) > 0 {
		p.looseOptions(options)
		p.w(" ")
	}
}

// prepared prints prepared statements and cursors.
func (p *printer) prepared(s Stmt) {
	switch s := s.(type) {
	case *Prepare:
		p.w("PREPARE ", QuoteIdent(s.Name))
		p.when(s.Types != nil, " ")
		p.argTypes(s.Types)
		p.w(" AS ")
		p.stmt(s.Stmt)
	case *Execute:
		p.w("EXECUTE ", QuoteIdent(s.Name))
		if s.Args != nil {
			p.w(" ")
			parens(p, s.Args, func(e Expr) { p.expr(e, 0) })
		}
	case *Deallocate:
		p.w("DEALLOCATE ")
		p.nameOrAll(s.Name)
	case *CloseCursor:
		p.w("CLOSE ")
		p.nameOrAll(s.Name)
	case *DeclareCursor:
		p.declare(s)
	case *FetchCursor:
		p.fetch(s)
	}
}

func (p *printer) nameOrAll(name string) {
	if name == "" {
		p.w("ALL")
		return
	}
	p.ident(name)
}

func (p *printer) declare(s *DeclareCursor) {
	p.w("DECLARE ", QuoteIdent(s.Name))
	if !s.Subscription.Empty() {
		p.namedClause(" SUBSCRIPTION CURSOR FOR ", s.Subscription)
		p.clause(" SINCE ", s.Since)
		p.when(s.Full, " FULL")
		return
	}
	hold := ""
	for _, o := range s.Options {
		if strings.HasSuffix(o, "HOLD") {
			hold += " " + o
			continue
		}
		p.w(" ", o)
	}
	p.w(" CURSOR", hold, " FOR ")
	p.query(s.Query)
}

func (p *printer) fetch(s *FetchCursor) {
	p.w(map[bool]string{true: "MOVE ", false: "FETCH "}[s.Move], s.Direction)
	switch s.Direction {
	case "ABSOLUTE", "RELATIVE", "FORWARD", "BACKWARD":
		p.w(" ")
		if s.All {
			p.w("ALL")
		} else {
			p.integer(s.Count)
		}
	}
	p.w(" FROM ", QuoteIdent(s.Cursor))
	p.withOptions(s.Options)
}

func (p *printer) transaction(s Stmt) {
	switch s := s.(type) {
	case *Begin:
		p.w(map[bool]string{true: "START TRANSACTION", false: "BEGIN"}[s.Start])
		p.txnModes(s.Modes)
	case *Commit:
		p.w("COMMIT")
		p.when(s.Chain, " AND CHAIN")
	case *Rollback:
		p.w("ROLLBACK")
		p.when(s.Savepoint != "", " TO SAVEPOINT ", QuoteIdent(s.Savepoint))
		p.when(s.Chain, " AND CHAIN")
	case *Savepoint:
		p.w("SAVEPOINT ", QuoteIdent(s.Name))
	case *ReleaseSavepoint:
		p.w("RELEASE SAVEPOINT ", QuoteIdent(s.Name))
	}
}

func (p *printer) txnModes(modes []TxnMode) {
	if modes != nil {
		p.w(" ")
		commas(p, ", ", modes, func(m TxnMode) { p.w(string(m)) })
	}
}
