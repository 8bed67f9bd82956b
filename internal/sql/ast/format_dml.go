package ast

func (p *printer) dml(s Stmt) {
	switch s := s.(type) {
	case *Insert:
		p.insert(s)
	case *Update:
		p.with(s.With)
		p.w("UPDATE ")
		p.tableRef(s.Table)
		p.sets(s.Sets)
		p.from(" FROM ", s.From)
		p.clause(" WHERE ", s.Where)
		p.returning(s.Returning)
	case *Delete:
		p.with(s.With)
		p.w("DELETE FROM ")
		p.tableRef(s.Table)
		p.from(" USING ", s.Using)
		p.clause(" WHERE ", s.Where)
		p.returning(s.Returning)
	case *Truncate:
		p.w("TRUNCATE ")
		commas(p, ", ", s.Tables, p.tableRef)
		p.when(s.RestartIdentity, " RESTART IDENTITY")
		p.when(s.Cascade, " CASCADE")
	case *Copy:
		p.copy(s)
	}
}

func (p *printer) insert(s *Insert) {
	p.with(s.With)
	p.w("INSERT INTO ")
	p.tableRef(s.Table)
	if s.Columns != nil {
		p.w(" ")
		p.idents(s.Columns)
	}
	p.when(s.Overriding != "", " OVERRIDING ", s.Overriding, " VALUE")
	if s.Query == nil {
		p.w(" DEFAULT VALUES")
	} else {
		p.w(" ")
		p.query(s.Query)
	}
	if s.OnConflict != nil {
		p.onConflict(s.OnConflict)
	}
	p.returning(s.Returning)
}

func (p *printer) onConflict(c *OnConflict) {
	p.w(" ON CONFLICT")
	if c.Target != nil {
		p.w(" ")
		parens(p, c.Target, p.orderItem)
		p.clause(" WHERE ", c.TargetWhere)
	}
	if c.Constraint != "" {
		p.w(" ON CONSTRAINT ")
		p.ident(c.Constraint)
	}
	if !c.DoUpdate {
		p.w(" DO NOTHING")
		return
	}
	p.w(" DO UPDATE")
	p.sets(c.Sets)
	p.clause(" WHERE ", c.Where)
}

func (p *printer) sets(list []SetClause) {
	p.w(" SET ")
	commas(p, ", ", list, func(s SetClause) {
		switch {
		case s.Tuple:
			p.idents(s.Columns)
		case s.Part != nil:
			p.expr(s.Part, 0)
		default:
			p.ident(s.Columns[0].Name)
		}
		p.clause(" = ", s.Value)
	})
}

func (p *printer) returning(items []SelectItem) {
	if items != nil {
		p.w(" RETURNING ")
		commas(p, ", ", items, p.selectItem)
	}
}

func (p *printer) copy(s *Copy) {
	p.w("COPY ")
	if s.Query != nil {
		p.w("(")
		p.stmt(s.Query)
		p.w(")")
	} else {
		p.name(s.Table)
		if s.Columns != nil {
			p.w(" ")
			p.idents(s.Columns)
		}
	}
	p.w(map[bool]string{true: " TO ", false: " FROM "}[s.To])
	switch s.End {
	case CopyProgram:
		p.w("PROGRAM ")
		p.str(s.Path)
	case CopyFile:
		p.str(s.Path)
	default:
		p.w(string(s.End))
	}
	if s.Options != nil {
		p.w(" WITH ")
		p.looseOptions(s.Options)
	}
	p.clause(" WHERE ", s.Where)
}
