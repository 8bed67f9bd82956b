package parser

import "github.com/tidemark-db/tidemark/internal/sql/ast"

func startOf(with *ast.With, pos ast.Pos) ast.Pos {
	if with != nil {
		return with.Pos
	}
	return pos
}

func (p *parser) insert(with *ast.With) ast.Stmt {
	s := &ast.Insert{Pos: startOf(with, p.pos()), With: with}
	p.expect("insert", "into")
	s.Table = &ast.TableRef{Pos: p.pos(), Name: p.name()}
	if pos := p.pos(); p.accept("as") {
		s.Table.Alias = ast.Alias{Pos: pos, Name: p.colID()}
	}
	if p.at("(") && !p.atQuery() {
		s.Columns = p.identsInParens()
	}
	if p.accept("overriding") {
		s.Overriding = "USER"
		if p.accept("system") {
			s.Overriding = "SYSTEM"
		} else {
			p.expect("user")
		}
		p.expect("value")
	}
	if !p.accept("default", "values") {
		s.Query = p.query()
	}
	if p.atSeq("on", "conflict") {
		s.OnConflict = p.onConflict()
	}
	s.Returning = p.returning()
	return s
}

func (p *parser) onConflict() *ast.OnConflict {
	c := &ast.OnConflict{Pos: p.pos()}
	p.expect("on", "conflict")
	switch {
	case p.accept("on", "constraint"):
		c.Constraint = p.colID()
	case p.at("("):
		c.Target = inParens(p, func() ast.OrderItem { return p.orderItem(p.expr) })
		if p.accept("where") {
			c.TargetWhere = p.expr()
		}
	}
	p.expect("do")
	if p.accept("nothing") {
		return c
	}
	p.expect("update", "set")
	c.DoUpdate = true
	c.Sets = list(p, p.setClause)
	if p.accept("where") {
		c.Where = p.expr()
	}
	return c
}

func (p *parser) setClause() ast.SetClause {
	s := ast.SetClause{Pos: p.pos()}
	if p.at("(") {
		s.Tuple, s.Columns = true, p.identsInParens()
	} else {
		s.Columns = []ast.Ident{p.ident()}
		if p.at(".") {
			p.unsupported("assigning to a field of a column")
		}
		for steps := 1; p.at("[") && p.err == nil; steps++ {
			p.checkNesting(steps)
			if s.Part == nil {
				s.Part = &ast.ColumnRef{Pos: s.Columns[0].Pos, Parts: []string{s.Columns[0].Name}}
			}
			s.Part = p.subscript(s.Part)
		}
	}
	p.expect("=")
	s.Value = p.expr()
	return s
}

func (p *parser) returning() []ast.SelectItem {
	if !p.accept("returning") {
		return nil
	}
	return list(p, p.selectItem)
}

// target reads the table of UPDATE and DELETE with its alias.
func (p *parser) target() *ast.TableRef {
	ref := p.relation()
	pos := p.pos()
	switch {
	case p.accept("as"):
		ref.Alias = ast.Alias{Pos: pos, Name: p.colID()}
	case p.tok.colID() && !p.at("set"):
		ref.Alias = ast.Alias{Pos: pos, Name: p.advance().text}
	}
	return ref
}

func (p *parser) update(with *ast.With) ast.Stmt {
	s := &ast.Update{Pos: startOf(with, p.pos()), With: with}
	p.expect("update")
	s.Table = p.target()
	p.expect("set")
	s.Sets = list(p, p.setClause)
	if p.accept("from") {
		s.From = list(p, p.tableExpr)
	}
	s.Where = p.whereOrCurrent()
	s.Returning = p.returning()
	return s
}

func (p *parser) delete(with *ast.With) ast.Stmt {
	s := &ast.Delete{Pos: startOf(with, p.pos()), With: with}
	p.expect("delete", "from")
	s.Table = p.target()
	if p.accept("using") {
		s.Using = list(p, p.tableExpr)
	}
	s.Where = p.whereOrCurrent()
	s.Returning = p.returning()
	return s
}

// whereOrCurrent reads WHERE condition or WHERE CURRENT OF cursor.
func (p *parser) whereOrCurrent() ast.Expr {
	if !p.accept("where") {
		return nil
	}
	if pos := p.pos(); p.accept("current", "of") {
		return &ast.CurrentOf{Pos: pos, Cursor: p.colID()}
	}
	return p.expr()
}

func (p *parser) truncate() ast.Stmt {
	s := &ast.Truncate{Pos: p.advance().pos}
	p.accept("table")
	s.Tables = list(p, p.relation)
	if p.accept("restart", "identity") {
		s.RestartIdentity = true
	} else {
		p.accept("continue", "identity")
	}
	s.Cascade = p.accept("cascade")
	p.accept("restrict")
	return s
}
