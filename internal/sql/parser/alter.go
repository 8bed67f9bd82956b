package parser

import "github.com/tidemark-db/tidemark/internal/sql/ast"

func (p *parser) alter() ast.Stmt {
	pos := p.advance().pos
	switch {
	case p.accept("system"):
		return p.alterSystem(pos)
	case p.accept("job"):
		return p.alterJob(pos)
	case p.accept("backfill"):
		return p.alterBackfill(pos)
	case p.accept("default", "privileges"):
		return p.alterDefaultPrivileges(pos)
	}
	at := p.tok
	a := &ast.Alter{Pos: pos, Kind: p.objectKind()}
	switch a.Kind {
	case "":
		p.refusedObject("ALTER")
		return a
	case ast.ColumnObject:
		p.unexpectedToken(at)
		return a
	case ast.SequenceObject, ast.TypeObject:
		p.unsupported("ALTER " + string(a.Kind))
		return a
	case ast.UserObject, ast.RoleObject:
		return p.alterUser(a)
	}
	a.IfExists = p.ifExists()
	a.Only = p.accept("only")
	if a.Kind == ast.FragmentObject {
		a.Name = ast.Name{Pos: p.pos(), Parts: list(p, func() string { p.integer(); return p.lastText() })}
	} else {
		a.Name = p.name()
	}
	if a.Kind == ast.FunctionObject || a.Kind == ast.AggregateObject {
		a.ArgTypes = p.argTypes()
	}
	a.Actions = list(p, p.alterAction)
	return a
}

// lastText returns the text of the token consumed last, a number.
func (p *parser) lastText() string {
	i := p.end
	for i > 0 && digit(p.lex.text[i-1]) {
		i--
	}
	return p.lex.text[i:p.end]
}

// alterAction reads one change; the rules are the same for all kinds of objects, the binder knows which can have which.
func (p *parser) alterAction() ast.AlterAction {
	pos := p.pos()
	switch {
	case p.accept("rename"):
		return p.rename(pos)
	case p.accept("add"):
		return p.add(pos)
	case p.accept("drop"):
		return p.dropPart(pos)
	case p.accept("alter"):
		return p.alterPart(pos)
	case p.accept("owner", "to"):
		return &ast.OwnerTo{Pos: pos, Owner: p.role()}
	case p.accept("set"):
		return p.alterSet(pos)
	case p.accept("reset"):
		return p.alterReset(pos)
	case p.accept("swap", "with"):
		return &ast.SwapWith{Pos: pos, Name: p.name()}
	case p.accept("refresh", "schema"):
		return &ast.RefreshSchema{Pos: pos}
	case p.accept("connector"):
		p.expect("with", "(")
		return &ast.ChangeOptions{Pos: pos, Verb: ast.ConnectorWith, Options: p.optionsRest()}
	case p.atSeq("with", "("):
		c := &ast.ChangeOptions{Pos: pos, Verb: ast.ConnectionWith, Options: p.withOptions()}
		if p.accept("as") {
			c.Value = p.expr()
		}
		return c
	case p.at("format"):
		return &ast.ChangeFormat{Pos: pos, Format: p.format()}
	case p.accept("as"):
		return p.changeQuery(pos)
	}
	p.refusedAlteration()
	p.unexpected()
	return &ast.RefreshSchema{Pos: pos}
}

// changeQuery reads AS query, or AS 'value' of ALTER SECRET.
func (p *parser) changeQuery(pos ast.Pos) ast.AlterAction {
	if !p.atQuery() {
		return &ast.ChangeOptions{Pos: pos, Verb: ast.ConnectionWith, Value: p.expr()}
	}
	return &ast.ChangeQuery{Pos: pos, Query: p.query()}
}

func (p *parser) rename(pos ast.Pos) ast.AlterAction {
	switch {
	case p.accept("to"):
		return &ast.RenameTo{Pos: pos, Name: p.colID()}
	case p.accept("constraint"):
		r := &ast.RenameConstraint{Pos: pos, Old: p.ident()}
		p.expect("to")
		r.New = p.ident()
		return r
	}
	p.accept("column")
	r := &ast.RenameColumn{Pos: pos, Old: p.ident()}
	p.expect("to")
	r.New = p.ident()
	return r
}

func (p *parser) add(pos ast.Pos) ast.AlterAction {
	switch p.tok.text {
	case "constraint", "primary", "unique", "check", "foreign":
		if p.tok.kind == tWord {
			return &ast.AddConstraint{Pos: pos, Constraint: p.tableConstraint()}
		}
	}
	p.accept("column")
	return &ast.AddColumn{Pos: pos, IfNotExists: p.ifNotExists(), Column: p.columnDef()}
}

func (p *parser) dropPart(pos ast.Pos) ast.AlterAction {
	if p.at("connector") && !p.peek(1).is("cascade") {
		p.advance()
		return &ast.DropConnector{Pos: pos}
	}
	if p.accept("constraint") {
		d := &ast.DropConstraint{Pos: pos, IfExists: p.ifExists(), Name: p.ident()}
		d.Cascade = p.accept("cascade")
		p.accept("restrict")
		return d
	}
	p.accept("column")
	d := &ast.DropColumn{Pos: pos, IfExists: p.ifExists(), Name: p.ident()}
	d.Cascade = p.accept("cascade")
	p.accept("restrict")
	return d
}

// alterPart reads ALTER [COLUMN] name change, or ALTER WATERMARK.
func (p *parser) alterPart(pos ast.Pos) ast.AlterAction {
	if p.atSeq("watermark", "for") {
		return &ast.AlterWatermark{Pos: pos, Watermark: p.watermark()}
	}
	p.accept("column")
	c := &ast.AlterColumn{Pos: pos, Name: p.ident()}
	switch {
	case p.accept("set", "default"):
		c.Change, c.Expr = ast.ColumnSetDefault, p.expr()
	case p.accept("drop", "default"):
		c.Change = ast.ColumnDropDefault
	case p.accept("set", "not", "null"):
		c.Change = ast.ColumnSetNotNull
	case p.accept("drop", "not", "null"):
		c.Change = ast.ColumnDropNotNull
	case p.accept("set", "data", "type"), p.accept("type"):
		c.Change, c.Type = ast.ColumnSetType, p.typeName()
		if p.accept("using") {
			c.Expr = p.expr()
		}
	default:
		p.unexpected()
	}
	return c
}

// alterSet reads SET SCHEMA s, SET (k = v), SET CONFIG (...), SET name = value.
func (p *parser) alterSet(pos ast.Pos) ast.AlterAction {
	switch {
	case p.accept("schema"):
		return &ast.SetSchema{Pos: pos, Schema: p.ident()}
	case p.at("("):
		return &ast.ChangeOptions{Pos: pos, Verb: ast.SetOptions, Options: p.optionList()}
	case p.atSeq("config", "("):
		p.advance()
		return &ast.ChangeOptions{Pos: pos, Verb: ast.SetConfig, Options: p.optionList()}
	}
	return p.setParameter(pos)
}

// setParameter reads name = value [DEFERRED]; TO stands for = too.
func (p *parser) setParameter(pos ast.Pos) *ast.SetParameter {
	s := &ast.SetParameter{Pos: pos, Name: p.optionKey()}
	if !p.accept("=") {
		p.accept("to")
	}
	s.Value = p.optionValue()
	s.Deferred = p.accept("deferred")
	return s
}

func (p *parser) alterReset(pos ast.Pos) ast.AlterAction {
	verb := ast.ResetOptions
	if p.atSeq("config", "(") {
		p.advance()
		verb = ast.ResetConfig
	}
	if !p.at("(") {
		return &ast.ResetParameter{Pos: pos, Name: p.optionKey(), Deferred: p.accept("deferred")}
	}
	c := &ast.ChangeOptions{Pos: pos, Verb: verb}
	c.Options = inParens(p, func() ast.Option { return ast.Option{Pos: p.pos(), Key: p.optionKey()} })
	return c
}

func (p *parser) alterUser(a *ast.Alter) ast.Stmt {
	a.Name = ast.Name{Pos: p.pos(), Parts: []string{p.role()}}
	pos := p.pos()
	switch {
	case p.at("set"), p.at("reset"), p.at("rename"):
		a.Actions = []ast.AlterAction{p.alterAction()}
	default:
		a.Actions = []ast.AlterAction{&ast.ChangeUser{Pos: pos, Options: p.userOptions()}}
	}
	return a
}

func (p *parser) alterSystem(pos ast.Pos) ast.Stmt {
	s := &ast.AlterSystem{Pos: pos}
	if p.accept("reset") {
		s.Reset, s.Name = true, p.optionKey()
		return s
	}
	p.expect("set")
	set := p.setParameter(pos)
	s.Name, s.Value = set.Name, set.Value
	return s
}

func (p *parser) alterJob(pos ast.Pos) ast.Stmt {
	s := &ast.AlterJob{Pos: pos, Job: p.integer()}
	s.Action, s.Param = p.jobAction()
	return s
}

// jobAction reads PAUSE, RESUME, or SET name = value.
func (p *parser) jobAction() (string, *ast.SetParameter) {
	pos := p.pos()
	switch p.acceptAny("pause", "resume", "set") {
	case "pause":
		return "PAUSE", nil
	case "resume":
		return "RESUME", nil
	case "set":
		return "SET", p.setParameter(pos)
	}
	p.unexpected()
	return "", nil
}

func (p *parser) alterBackfill(pos ast.Pos) ast.Stmt {
	s := &ast.AlterBackfill{Pos: pos, Name: p.name()}
	s.Action, s.Param = p.jobAction()
	s.VNodes = p.vnodes()
	return s
}

// vnodes reads VNODE n or VNODE (n, ...) if it is next.
func (p *parser) vnodes() []int64 {
	if !p.accept("vnode") {
		return nil
	}
	if p.at("(") {
		return inParens(p, p.integer)
	}
	return []int64{p.integer()}
}
