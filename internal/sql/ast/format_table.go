package ast

func (p *printer) createTable(s *CreateTable) {
	p.createWords(s.OrReplace, s.Temporary, "TABLE", s.IfNotExists)
	p.namedClause(" ", s.Name)
	p.elements(&s.TableBody)
	p.when(bareTable(s), " ()")
	p.when(s.AppendOnly, " APPEND ONLY")
	p.when(s.OnConflict != "", " ON CONFLICT ", string(s.OnConflict))
	if s.VersionColumns != nil {
		p.w(" WITH VERSION COLUMN ")
		p.idents(s.VersionColumns)
	}
	p.distributed(s.DistributedBy)
	p.bodyTail(&s.TableBody)
	if s.Engine != "" {
		p.w(" ENGINE = ")
		p.word(s.Engine)
	}
	if s.Validate != nil {
		p.w(" VALIDATE")
		p.namedClause(" SECRET ", s.ValidateSecret)
		p.clause(" AS ", s.Validate)
	}
	if s.Query != nil {
		p.w(" AS ")
		p.query(s.Query)
		p.when(s.WithNoData, " WITH NO DATA")
	}
}

// elements prints ( columns, constraints, watermarks ).
func (p *printer) elements(b *TableBody) {
	n := 0
	next := func() {
		if n == 0 {
			p.w(" (")
		} else {
			p.w(", ")
		}
		n++
	}
	if b.Wildcard {
		next()
		p.w("*")
	}
	for _, c := range b.Columns {
		next()
		p.columnDef(c)
	}
	for i := range b.Constraints {
		next()
		p.constraint(&b.Constraints[i])
	}
	for i := range b.Watermarks {
		next()
		p.watermark(&b.Watermarks[i])
	}
	p.when(n > 0, ")")
}

// bareTable reports whether nothing but () says that this is a table.
func bareTable(s *CreateTable) bool {
	b := &s.TableBody
	return !b.Wildcard && len(b.Columns)+len(b.Constraints)+len(b.Watermarks)+len(b.Include) == 0 && b.Options == nil &&
		b.Format == nil && b.Upstream == nil && s.Query == nil
}

// bodyTail prints the clauses behind the elements.
func (p *printer) bodyTail(b *TableBody) {
	for _, in := range b.Include {
		p.w(" INCLUDE ")
		p.word(in.Kind)
		if in.Field != "" {
			p.w(" ")
			p.str(in.Field)
		}
		if in.Type != nil {
			p.w(" ")
			p.typeName(in.Type)
		}
		p.when(in.Alias != "", " AS ", QuoteIdent(in.Alias))
	}
	p.withOptions(b.Options)
	p.format(b.Format)
	if b.Upstream != nil {
		p.namedClause(" FROM ", b.Upstream.Source)
		p.w(" TABLE ")
		p.str(b.Upstream.Table)
	}
}

func (p *printer) watermark(w *Watermark) {
	p.w("WATERMARK FOR ")
	p.ident(w.Column.Name)
	p.clause(" AS ", w.Expr)
	p.when(w.WithTTL, " WITH TTL")
}

func (p *printer) columnDef(c *ColumnDef) {
	p.ident(c.Name)
	if c.Type != nil {
		p.w(" ")
		p.typeName(c.Type)
	}
	p.namedClause(" COLLATE ", c.Collation)
	for i := range c.Constraints {
		p.w(" ")
		p.constraint(&c.Constraints[i])
	}
}

func (p *printer) constraint(k *Constraint) {
	p.when(k.Name != "", "CONSTRAINT ", QuoteIdent(k.Name), " ")
	switch k.Kind {
	case Default:
		p.w("DEFAULT ")
		p.simple(k.Expr)
	case Check:
		p.clause("CHECK (", k.Expr)
		p.w(")")
	case Generated:
		if !k.Stored {
			p.clause("AS ", k.Expr)
			return
		}
		p.clause("GENERATED ALWAYS AS (", k.Expr)
		p.w(") STORED")
	case Identity:
		p.w("GENERATED ", map[bool]string{true: "BY DEFAULT", false: "ALWAYS"}[k.ByDefault], " AS IDENTITY")
	case ForeignKey:
		if k.Columns != nil {
			p.w("FOREIGN KEY ")
			p.idents(k.Columns)
			p.w(" ")
		}
		p.references(k)
	default:
		p.w(string(k.Kind))
		if k.Columns != nil {
			p.w(" ")
			p.idents(k.Columns)
		}
	}
}

func (p *printer) references(k *Constraint) {
	p.namedClause("REFERENCES ", k.References)
	if k.RefColumns != nil {
		p.w(" ")
		p.idents(k.RefColumns)
	}
	p.when(k.OnDelete != "", " ON DELETE ", k.OnDelete)
	p.when(k.OnUpdate != "", " ON UPDATE ", k.OnUpdate)
}
