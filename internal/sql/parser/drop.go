package parser

import "github.com/tidemark-db/tidemark/internal/sql/ast"

// objectKind reads the words that name a kind of object; "" if none is next.
func (p *parser) objectKind() ast.ObjectKind {
	k := p.phrase("table", "materialized view", "view", "source", "sink", "index", "connection", "secret", "subscription", "function",
		"aggregate", "schema", "database", "user", "role", "column", "sequence", "type", "fragment", "language")
	return ast.ObjectKind(upper(k))
}

func (p *parser) drop() ast.Stmt {
	s := &ast.Drop{Pos: p.advance().pos}
	at := p.tok
	s.Kind = p.objectKind()
	switch s.Kind {
	case "":
		p.refusedObject("DROP")
		return s
	case ast.ColumnObject, ast.FragmentObject:
		p.unexpectedToken(at)
		return s
	}
	s.Concurrently = p.accept("concurrently")
	s.IfExists = p.ifExists()
	s.Names, s.ArgTypes = p.objects(s.Kind)
	switch {
	case p.accept("cascade"):
		s.Cascade = true
	case p.accept("restrict"):
		s.Restrict = true
	}
	return s
}

// objects reads names, with argument types where the objects are functions.
func (p *parser) objects(kind ast.ObjectKind) (names []ast.Name, args [][]*ast.TypeName) {
	switch kind {
	case ast.UserObject, ast.RoleObject:
		return list(p, func() ast.Name { return ast.Name{Pos: p.pos(), Parts: []string{p.role()}} }), nil
	case ast.FunctionObject, ast.AggregateObject:
		names = list(p, func() ast.Name {
			n := p.name()
			args = append(args, p.argTypes())
			return n
		})
		return names, args
	}
	return p.names(), nil
}

// argTypes reads the argument types of a function; nil without parentheses, empty with empty ones.
func (p *parser) argTypes() []*ast.TypeName {
	if !p.accept("(") {
		return nil
	}
	types := []*ast.TypeName{}
	if p.accept(")") {
		return types
	}
	for _, a := range list(p, p.funcParam) {
		types = append(types, a.Type)
	}
	p.expect(")")
	return types
}

func (p *parser) comment() ast.Stmt {
	s := &ast.Comment{Pos: p.advance().pos}
	p.expect("on")
	s.Kind = p.objectKind()
	if s.Kind == "" {
		p.unexpected()
	}
	s.Name = p.name()
	if s.Kind == ast.FunctionObject {
		p.argTypes()
	}
	p.expect("is")
	if p.accept("null") {
		return s
	}
	text := p.str()
	s.Text = &text
	return s
}
