package parser

import "github.com/tidemark-db/tidemark/internal/sql/ast"

// create reads CREATE and the words that say what.
func (p *parser) create() ast.Stmt {
	pos := p.advance().pos
	replace := p.accept("or", "replace")
	switch {
	case p.accept("recursive", "view"):
		p.unsupported("CREATE RECURSIVE VIEW")
	case p.at("unique"), p.at("index"):
		return p.createIndex(pos)
	case p.accept("materialized", "view"):
		return p.createView(&ast.CreateView{Pos: pos, OrReplace: replace, Materialized: true})
	case p.accept("sink"):
		return p.createSink(&ast.CreateSink{Pos: pos, OrReplace: replace})
	case p.accept("aggregate"):
		return p.createFunction(&ast.CreateFunction{Pos: pos, OrReplace: replace, Aggregate: true})
	}
	p.acceptAny("local", "global")
	temporary := p.acceptAny("temporary", "temp") != ""
	p.accept("unlogged")
	switch {
	case p.accept("table"):
		return p.createTable(&ast.CreateTable{Pos: pos, OrReplace: replace, Temporary: temporary})
	case p.accept("view"):
		return p.createView(&ast.CreateView{Pos: pos, OrReplace: replace, Temporary: temporary})
	case p.accept("source"):
		return p.createSource(&ast.CreateSource{Pos: pos, OrReplace: replace, Temporary: temporary})
	case p.accept("function"):
		return p.createFunction(&ast.CreateFunction{Pos: pos, OrReplace: replace, Temporary: temporary})
	case temporary || replace:
		p.unexpected()
	}
	return p.createSimple(pos)
}

// createSimple reads the objects that are a name with options.
func (p *parser) createSimple(pos ast.Pos) ast.Stmt {
	kind := p.acceptAny("schema", "database", "user", "role", "connection", "secret", "subscription")
	switch kind {
	case "schema":
		s := &ast.CreateSchema{Pos: pos, IfNotExists: p.ifNotExists()}
		if !p.at("authorization") {
			s.Name = p.name()
		}
		if p.accept("authorization") {
			s.Owner = p.role()
		}
		return s
	case "database":
		return p.createDatabase(pos)
	case "user", "role":
		s := &ast.CreateUser{Pos: pos, Role: kind == "role", IfNotExists: p.ifNotExists(), Name: p.role()}
		s.Options = p.userOptions()
		return s
	case "connection":
		return &ast.CreateConnection{Pos: pos, IfNotExists: p.ifNotExists(), Name: p.name(), Options: p.withOptions()}
	case "secret":
		s := &ast.CreateSecret{Pos: pos, IfNotExists: p.ifNotExists(), Name: p.name(), Options: p.withOptions()}
		if p.accept("as") {
			s.Value = p.expr()
		}
		return s
	case "subscription":
		s := &ast.CreateSubscription{Pos: pos, IfNotExists: p.ifNotExists(), Name: p.name()}
		p.expect("from")
		s.From = p.name()
		s.Options = p.withOptions()
		return s
	}
	p.refusedObject("CREATE")
	return nil
}

func (p *parser) createDatabase(pos ast.Pos) ast.Stmt {
	s := &ast.CreateDatabase{Pos: pos, IfNotExists: p.ifNotExists(), Name: p.name()}
	paren := p.atSeq("with", "(")
	if paren {
		s.Options = p.withOptions()
	} else {
		p.accept("with")
	}
	for p.err == nil && p.tok.label() {
		if p.accept("owner") {
			p.accept("=")
			s.Owner = p.role()
			continue
		}
		o := ast.Option{Pos: p.pos(), Key: p.label()}
		p.accept("=")
		o.Value = p.optionValue()
		s.Options = append(s.Options, o)
	}
	return s
}

func (p *parser) createView(v *ast.CreateView) ast.Stmt {
	v.IfNotExists = p.ifNotExists()
	v.Name = p.name()
	if p.at("(") {
		v.Columns = p.identsInParens()
	}
	for p.err == nil && !p.at("as") {
		switch {
		case p.atSeq("with", "("):
			v.Options = append(v.Options, p.withOptions()...)
		case p.accept("distributed", "by"):
			v.DistributedBy = p.identsInParens()
		default:
			p.unexpected()
		}
	}
	p.expect("as")
	v.Query = p.query()
	switch {
	case p.accept("with", "no", "data"):
		v.WithNoData = true
	case p.accept("with", "data"):
	case p.words("with cascaded check option"), p.words("with local check option"), p.words("with check option"):
		p.unsupported("WITH CHECK OPTION")
	}
	return v
}

func (p *parser) createSink(s *ast.CreateSink) ast.Stmt {
	s.IfNotExists = p.ifNotExists()
	s.Name = p.name()
	if p.accept("into") {
		s.Into = p.name()
		if p.at("(") {
			s.IntoColumns = p.identsInParens()
		}
	}
	if p.accept("from") {
		s.From = p.name()
	} else {
		p.expect("as")
		s.Query = p.query()
	}
	s.Options = p.withOptions()
	s.Format = p.format()
	return s
}

func (p *parser) createIndex(pos ast.Pos) ast.Stmt {
	s := &ast.CreateIndex{Pos: pos, Unique: p.accept("unique")}
	p.expect("index")
	s.Concurrently = p.accept("concurrently")
	s.IfNotExists = p.ifNotExists()
	if !p.at("on") { // an index is in the schema of its table
		s.Name = ast.Name{Pos: p.pos(), Parts: []string{p.colID()}}
	}
	p.expect("on")
	p.accept("only")
	s.Table = p.name()
	if p.accept("using") {
		s.Method = p.colID()
	}
	s.Columns = inParens(p, p.indexColumn)
	for p.err == nil {
		switch {
		case p.accept("include"):
			s.Include = inParens(p, p.expr)
		case p.accept("distributed", "by"):
			s.Distributed = inParens(p, p.expr)
		case p.atSeq("with", "("):
			s.Options = p.withOptions()
		case p.accept("where"):
			s.Where = p.expr()
		default:
			return s
		}
	}
	return s
}

// indexColumn reads a key with its collation, operator class and direction. PostgreSQL wants parentheses around
// operators in a key, RisingWave does not.
func (p *parser) indexColumn() ast.IndexColumn {
	c := ast.IndexColumn{OrderItem: ast.OrderItem{Pos: p.pos(), Expr: p.exprAbove(precOther)}}
	if collate, ok := c.Expr.(*ast.Collate); ok {
		c.Expr, c.Collation = collate.X, collate.Name
	}
	if p.tok.colID() && !p.at("nulls") {
		c.OpClass = p.name()
	}
	p.sortDirection(&c.OrderItem)
	return c
}

// userOptions reads the options of CREATE USER and ALTER USER.
func (p *parser) userOptions() []ast.UserOption {
	p.accept("with")
	var options []ast.UserOption
	for p.err == nil && (p.tok.kind == tWord || p.tok.kind == tQuoted) {
		if p.tok.kind == tQuoted { // PostgreSQL's options are identifiers
			p.tok.kind = tWord
		}
		o := ast.UserOption{Pos: p.pos()}
		key := p.phrase("encrypted password", "password", "connection limit", "valid until", "in role", "in group", "role", "admin",
			"user", "sysid", "oauth", "superuser", "nosuperuser", "createdb", "nocreatedb", "createrole", "nocreaterole", "createuser",
			"nocreateuser", "inherit", "noinherit", "login", "nologin", "replication", "noreplication", "bypassrls", "nobypassrls",
			"noadmin")
		o.Key = upper(key)
		switch key {
		case "":
			p.unexpected()
		case "encrypted password", "password", "valid until":
			o.Value = p.optionValue()
		case "connection limit", "sysid":
			o.Value = ast.OptionValue{Pos: p.pos(), Kind: ast.OptNumber, Text: p.signedNumber()}
		case "in role", "in group", "role", "user":
			o.Value = p.columnsOption()
		case "oauth":
			o.Options = p.optionList()
		}
		options = append(options, o)
	}
	return options
}
