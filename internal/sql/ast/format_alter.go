package ast

func (p *printer) alter(s Stmt) {
	switch s := s.(type) {
	case *Alter:
		p.w("ALTER ", string(s.Kind), " ")
		p.when(s.IfExists, "IF EXISTS ")
		p.when(s.Only, "ONLY ")
		p.alterName(s)
		p.w(" ")
		commas(p, ", ", s.Actions, p.alterAction)
	case *AlterSystem:
		p.w("ALTER SYSTEM ")
		if s.Reset {
			p.w("RESET ")
			p.optionKey(s.Name)
			return
		}
		p.setParameter(&SetParameter{Name: s.Name, Value: s.Value})
	case *AlterJob:
		p.w("ALTER JOB ")
		p.integer(s.Job)
		p.jobAction(s.Action, s.Param)
	case *AlterBackfill:
		p.w("ALTER BACKFILL ")
		p.name(s.Name)
		p.jobAction(s.Action, s.Param)
		p.vnodes(s.VNodes)
	case *AlterDefaultPrivileges:
		p.w("ALTER DEFAULT PRIVILEGES ")
		if s.ForUsers != nil {
			p.w("FOR USER ")
			commas(p, ", ", s.ForUsers, p.ident)
			p.w(" ")
		}
		if s.InSchemas != nil {
			p.w("IN SCHEMA ")
			commas(p, ", ", s.InSchemas, p.ident)
			p.w(" ")
		}
		p.grant(s.Grant)
	}
}

func (p *printer) alterName(s *Alter) {
	if s.Kind == FragmentObject { // numbers
		commas(p, ", ", s.Name.Parts, func(n string) { p.w(n) })
		return
	}
	p.name(s.Name)
	p.argTypes(s.ArgTypes)
}

func (p *printer) jobAction(action string, param *SetParameter) {
	if param != nil {
		p.w(" ")
		p.setParameter(param)
		return
	}
	p.w(" ", action)
}

func (p *printer) vnodes(list []int64) {
	if list != nil {
		p.w(" VNODE ")
		parens(p, list, p.integer)
	}
}

func (p *printer) setParameter(s *SetParameter) {
	p.w("SET ")
	p.optionKey(s.Name)
	p.w(" = ")
	p.optionValue(s.Value)
	p.when(s.Deferred, " DEFERRED")
}

func (p *printer) alterAction(a AlterAction) {
	switch a := a.(type) {
	case *RenameTo:
		p.w("RENAME TO ", QuoteIdent(a.Name))
	case *RenameColumn:
		p.w("RENAME COLUMN ", QuoteIdent(a.Old.Name), " TO ", QuoteIdent(a.New.Name))
	case *RenameConstraint:
		p.w("RENAME CONSTRAINT ", QuoteIdent(a.Old.Name), " TO ", QuoteIdent(a.New.Name))
	case *AddColumn:
		p.w("ADD COLUMN ")
		p.when(a.IfNotExists, "IF NOT EXISTS ")
		p.columnDef(a.Column)
	case *DropColumn:
		p.dropPart("COLUMN", a.IfExists, a.Name, a.Cascade)
	case *AlterColumn:
		p.alterColumn(a)
	case *AddConstraint:
		p.w("ADD ")
		p.constraint(&a.Constraint)
	case *DropConstraint:
		p.dropPart("CONSTRAINT", a.IfExists, a.Name, a.Cascade)
	case *OwnerTo:
		p.w("OWNER TO ", QuoteIdent(a.Owner))
	case *SetSchema:
		p.w("SET SCHEMA ", QuoteIdent(a.Schema.Name))
	case *SwapWith:
		p.namedClause("SWAP WITH ", a.Name)
	case *SetParameter:
		p.setParameter(a)
	default:
		p.alterConnector(a)
	}
}

func (p *printer) alterConnector(a AlterAction) {
	switch a := a.(type) {
	case *ResetParameter:
		p.w("RESET ")
		p.optionKey(a.Name)
		p.when(a.Deferred, " DEFERRED")
	case *ChangeOptions:
		p.changeOptions(a)
	case *RefreshSchema:
		p.w("REFRESH SCHEMA")
	case *DropConnector:
		p.w("DROP CONNECTOR")
	case *ChangeFormat:
		p.format(a.Format)
	case *AlterWatermark:
		p.w("ALTER ")
		p.watermark(&a.Watermark)
	case *ChangeQuery:
		p.w("AS ")
		p.query(a.Query)
	case *ChangeUser:
		p.w("WITH")
		p.userOptions(a.Options)
	}
}

func (p *printer) dropPart(what string, ifExists bool, name Ident, cascade bool) {
	p.w("DROP ", what, " ")
	p.when(ifExists, "IF EXISTS ")
	p.ident(name.Name)
	p.when(cascade, " CASCADE")
}

func (p *printer) alterColumn(a *AlterColumn) {
	p.w("ALTER COLUMN ", QuoteIdent(a.Name.Name), " ", string(a.Change))
	switch a.Change {
	case ColumnSetDefault:
		p.clause(" ", a.Expr)
	case ColumnSetType:
		p.w(" ")
		p.typeName(a.Type)
		p.clause(" USING ", a.Expr)
	}
}

func (p *printer) changeOptions(c *ChangeOptions) {
	switch c.Verb {
	case ResetOptions, ResetConfig:
		p.w(string(c.Verb), " ")
		p.looseOptions(c.Options)
		return
	case ConnectionWith: // ALTER SECRET may have a value only
		if c.Options == nil {
			p.clause("AS ", c.Value)
			return
		}
	}
	p.w(string(c.Verb), " ")
	p.options(c.Options)
	p.clause(" AS ", c.Value)
}
