package ast

// object prints what is said of existing objects: DROP, COMMENT, GRANT.
func (p *printer) object(s Stmt) {
	switch s := s.(type) {
	case *Drop:
		p.w("DROP ", string(s.Kind), " ")
		p.when(s.Concurrently, "CONCURRENTLY ")
		p.when(s.IfExists, "IF EXISTS ")
		p.functions(s.Names, s.ArgTypes)
		p.when(s.Cascade, " CASCADE")
		p.when(s.Restrict, " RESTRICT")
	case *Comment:
		p.w("COMMENT ON ", string(s.Kind), " ")
		p.name(s.Name)
		p.w(" IS ")
		if s.Text == nil {
			p.w("NULL")
		} else {
			p.str(*s.Text)
		}
	case *Grant:
		p.grant(s)
	}
}

// functions prints names with their argument types, where they have them.
func (p *printer) functions(names []Name, args [][]*TypeName) {
	for i, n := range names {
		p.when(i > 0, ", ")
		p.name(n)
		if i < len(args) {
			p.argTypes(args[i])
		}
	}
}

func (p *printer) argTypes(types []*TypeName) {
	if types != nil {
		parens(p, types, p.typeName)
	}
}

func (p *printer) grant(g *Grant) {
	p.w(map[bool]string{true: "REVOKE ", false: "GRANT "}[g.Revoke])
	role := g.Kind == ""
	if g.Revoke && g.WithOption {
		p.w(map[bool]string{true: "ADMIN", false: "GRANT"}[role], " OPTION FOR ")
	}
	if role {
		commas(p, ", ", g.Roles, p.ident)
	} else {
		commas(p, ", ", g.Privileges, p.privilege)
		p.grantTarget(g)
	}
	p.w(map[bool]string{true: " FROM ", false: " TO "}[g.Revoke])
	commas(p, ", ", g.Grantees, p.ident)
	if !g.Revoke && g.WithOption {
		p.w(" WITH ", map[bool]string{true: "ADMIN", false: "GRANT"}[role], " OPTION")
	}
	p.when(g.GrantedBy != "", " GRANTED BY ", QuoteIdent(g.GrantedBy))
	p.when(g.Cascade, " CASCADE")
}

func (p *printer) privilege(r Privilege) {
	p.w(r.Name)
	if r.Columns != nil {
		p.w(" ")
		p.idents(r.Columns)
	}
}

// grantTarget prints ON what. A default privilege has a kind and no names.
func (p *printer) grantTarget(g *Grant) {
	switch {
	case g.AllInSchema:
		p.w(" ON ALL ", string(g.Kind), "S IN SCHEMA ")
		p.names(g.Names)
	case g.Names == nil:
		p.w(" ON ", string(g.Kind), "S")
	default:
		p.w(" ON ", string(g.Kind), " ")
		p.functions(g.Names, g.ArgTypes)
	}
}
