package ast

// createWords prints CREATE with the words in front of the kind.
func (p *printer) createWords(replace, temporary bool, kind string, ifNotExists bool) {
	p.w("CREATE ")
	p.when(replace, "OR REPLACE ")
	p.when(temporary, "TEMPORARY ")
	p.w(kind)
	p.when(ifNotExists, " IF NOT EXISTS")
}

func (p *printer) create(s Stmt) {
	switch s := s.(type) {
	case *CreateTable:
		p.createTable(s)
	case *CreateSource:
		p.createWords(s.OrReplace, s.Temporary, "SOURCE", s.IfNotExists)
		p.namedClause(" ", s.Name)
		p.elements(&s.TableBody)
		p.bodyTail(&s.TableBody)
	case *CreateSink:
		p.createSink(s)
	case *CreateView:
		p.createView(s)
	case *CreateIndex:
		p.createIndex(s)
	case *CreateUser:
		p.createWords(false, false, map[bool]string{true: "ROLE", false: "USER"}[s.Role], s.IfNotExists)
		p.w(" ")
		p.ident(s.Name)
		p.userOptions(s.Options)
	case *CreateFunction:
		p.createFunction(s)
	default:
		p.createSimple(s)
	}
}

func (p *printer) createSimple(s Stmt) {
	switch s := s.(type) {
	case *CreateSchema:
		p.createWords(false, false, "SCHEMA", s.IfNotExists)
		p.namedClause(" ", s.Name)
		p.when(s.Owner != "", " AUTHORIZATION ", QuoteIdent(s.Owner))
	case *CreateDatabase:
		p.createWords(false, false, "DATABASE", s.IfNotExists)
		p.namedClause(" ", s.Name)
		p.withOptions(s.Options)
		p.when(s.Owner != "", " OWNER ", QuoteIdent(s.Owner))
	case *CreateConnection:
		p.createWords(false, false, "CONNECTION", s.IfNotExists)
		p.namedClause(" ", s.Name)
		p.withOptions(s.Options)
	case *CreateSecret:
		p.createWords(false, false, "SECRET", s.IfNotExists)
		p.namedClause(" ", s.Name)
		p.withOptions(s.Options)
		p.clause(" AS ", s.Value)
	case *CreateSubscription:
		p.createWords(false, false, "SUBSCRIPTION", s.IfNotExists)
		p.namedClause(" ", s.Name)
		p.namedClause(" FROM ", s.From)
		p.withOptions(s.Options)
	}
}

func (p *printer) createSink(s *CreateSink) {
	p.createWords(s.OrReplace, false, "SINK", s.IfNotExists)
	p.namedClause(" ", s.Name)
	p.namedClause(" INTO ", s.Into)
	if s.IntoColumns != nil {
		p.w(" ")
		p.idents(s.IntoColumns)
	}
	p.namedClause(" FROM ", s.From)
	if s.Query != nil {
		p.w(" AS ")
		p.query(s.Query)
	}
	p.withOptions(s.Options)
	p.format(s.Format)
}

func (p *printer) createView(s *CreateView) {
	kind := "VIEW"
	if s.Materialized {
		kind = "MATERIALIZED VIEW"
	}
	p.createWords(s.OrReplace, s.Temporary, kind, s.IfNotExists)
	p.namedClause(" ", s.Name)
	if s.Columns != nil {
		p.w(" ")
		p.idents(s.Columns)
	}
	p.withOptions(s.Options)
	p.distributed(s.DistributedBy)
	p.w(" AS ")
	p.query(s.Query)
	p.when(s.WithNoData, " WITH NO DATA")
}

func (p *printer) distributed(columns []Ident) {
	if columns != nil {
		p.w(" DISTRIBUTED BY ")
		p.idents(columns)
	}
}

func (p *printer) createIndex(s *CreateIndex) {
	p.w("CREATE ")
	p.when(s.Unique, "UNIQUE ")
	p.w("INDEX")
	p.when(s.Concurrently, " CONCURRENTLY")
	p.when(s.IfNotExists, " IF NOT EXISTS")
	p.namedClause(" ", s.Name)
	p.namedClause(" ON ", s.Table)
	p.when(s.Method != "", " USING ", QuoteIdent(s.Method))
	p.w(" ")
	parens(p, s.Columns, p.indexColumn)
	if s.Include != nil {
		p.w(" INCLUDE ")
		parens(p, s.Include, func(e Expr) { p.expr(e, 0) })
	}
	if s.Distributed != nil {
		p.w(" DISTRIBUTED BY ")
		parens(p, s.Distributed, func(e Expr) { p.expr(e, 0) })
	}
	p.withOptions(s.Options)
	p.clause(" WHERE ", s.Where)
}

func (p *printer) indexColumn(c IndexColumn) {
	_, collated := c.Expr.(*Collate)
	p.when(collated, "(")
	p.expr(c.Expr, bindAtom)
	p.when(collated, ")")
	p.namedClause(" COLLATE ", c.Collation)
	p.namedClause(" ", c.OpClass)
	p.direction(c.OrderItem)
}

func (p *printer) userOptions(list []UserOption) {
	for _, o := range list {
		p.w(" ", o.Key)
		switch {
		case o.Options != nil:
			p.w(" ")
			p.options(o.Options)
		case o.Value.Kind == OptList:
			p.w(" ")
			commas(p, ", ", o.Value.Items, func(v OptionValue) { p.ident(v.Text) })
		case o.Value.Kind != OptNone:
			p.w(" ")
			p.optionValue(o.Value)
		}
	}
}

func (p *printer) createFunction(s *CreateFunction) {
	p.createWords(s.OrReplace, s.Temporary, map[bool]string{true: "AGGREGATE", false: "FUNCTION"}[s.Aggregate], s.IfNotExists)
	p.namedClause(" ", s.Name)
	parens(p, s.Params, func(a FuncParam) {
		p.when(a.Mode != "", a.Mode, " ")
		p.when(a.Name != "", QuoteIdent(a.Name), " ")
		p.typeName(a.Type)
		p.clause(" DEFAULT ", a.Default)
	})
	if s.Returns != nil {
		p.w(" RETURNS ")
		p.typeName(s.Returns)
	}
	if s.Table != nil {
		p.w(" RETURNS TABLE ")
		parens(p, s.Table, p.columnType)
	}
	if s.Language != "" {
		p.w(" LANGUAGE ")
		p.ident(s.Language)
	}
	if s.Runtime != "" {
		p.w(" RUNTIME ")
		p.ident(s.Runtime)
	}
	for _, b := range s.Behavior {
		p.w(" ", b)
	}
	if s.As != nil {
		p.w(" AS ")
		commas(p, ", ", s.As, p.str)
	}
	p.clause(" RETURN ", s.Return)
	if s.Using != "" {
		p.w(" USING ", s.Using, " ")
		p.str(s.UsingValue)
	}
	p.withOptions(s.Options)
}
