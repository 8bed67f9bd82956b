package parser

import "github.com/tidemark-db/tidemark/internal/sql/ast"

// grant reads GRANT and REVOKE, of privileges on objects or of roles.
func (p *parser) grant() ast.Stmt {
	g := &ast.Grant{Pos: p.pos()}
	g.Revoke = p.advance().text == "revoke"
	if g.Revoke {
		g.WithOption = p.words("grant option for") || p.words("admin option for")
	}
	g.Privileges = p.privileges()
	if p.accept("on") {
		upperNames(g.Privileges)
		p.grantObjects(g)
	} else { // GRANT role TO role
		for _, r := range g.Privileges {
			g.Roles = append(g.Roles, r.Name)
		}
		g.Privileges = nil
	}
	p.grantees(g)
	return g
}

func (p *parser) privileges() []ast.Privilege {
	if pos := p.pos(); p.accept("all") {
		p.accept("privileges")
		r := ast.Privilege{Pos: pos, Name: "all"}
		if p.at("(") {
			r.Columns = p.identsInParens()
		}
		return []ast.Privilege{r}
	}
	return list(p, func() ast.Privilege {
		r := ast.Privilege{Pos: p.pos(), Name: p.label()}
		if p.at("(") {
			r.Columns = p.identsInParens()
		}
		return r
	})
}

func upperNames(privileges []ast.Privilege) {
	for i := range privileges {
		privileges[i].Name = upper(privileges[i].Name)
	}
}

// grantObjects reads what stands behind ON.
func (p *parser) grantObjects(g *ast.Grant) {
	if p.accept("all") {
		plural := p.phrase("tables", "materialized views", "views", "sources", "sinks", "subscriptions", "functions", "connections",
			"secrets", "sequences")
		if plural == "" {
			p.unexpected()
			return
		}
		g.Kind, g.AllInSchema = ast.ObjectKind(upper(plural[:len(plural)-1])), true
		p.expect("in", "schema")
		g.Names = p.names()
		return
	}
	g.Kind = p.objectKind()
	if g.Kind == "" {
		g.Kind = ast.TableObject
	}
	g.Names, g.ArgTypes = p.objects(g.Kind)
}

func (p *parser) grantees(g *ast.Grant) {
	if g.Revoke {
		p.expect("from")
	} else {
		p.expect("to")
	}
	g.Grantees = list(p, func() string {
		p.accept("group")
		return p.role()
	})
	if !g.Revoke {
		g.WithOption = p.words("with grant option") || p.words("with admin option")
	}
	if p.words("granted by") {
		g.GrantedBy = p.role()
	}
	g.Cascade = p.accept("cascade")
	p.accept("restrict")
}

// alterDefaultPrivileges reads [FOR USER a] [IN SCHEMA s] and a grant on TABLES or other plural.
func (p *parser) alterDefaultPrivileges(pos ast.Pos) ast.Stmt {
	s := &ast.AlterDefaultPrivileges{Pos: pos}
	if p.accept("for") {
		if p.acceptAny("user", "role") == "" {
			p.unexpected()
		}
		s.ForUsers = list(p, p.role)
	}
	if p.accept("in", "schema") {
		s.InSchemas = list(p, p.colID)
	}
	g := &ast.Grant{Pos: p.pos(), Revoke: p.at("revoke")}
	if p.acceptAny("grant", "revoke") == "" {
		p.unexpected()
	}
	if g.Revoke {
		g.WithOption = p.words("grant option for")
	}
	g.Privileges = p.privileges()
	upperNames(g.Privileges)
	p.expect("on")
	plural := p.phrase("tables", "materialized views", "views", "sources", "sinks", "subscriptions", "functions", "connections", "secrets",
		"sequences", "schemas")
	if plural == "" {
		p.unexpected()
	} else {
		g.Kind = ast.ObjectKind(upper(plural[:len(plural)-1]))
	}
	p.grantees(g)
	s.Grant = g
	return s
}
