package ast

import "strings"

func (p *printer) subquery(q *Query) {
	p.w("(")
	p.query(q)
	p.w(")")
}

func (p *printer) query(q *Query) {
	p.with(q.With)
	p.body(q.Body)
	p.orderBy(q.OrderBy)
	switch {
	case q.WithTies:
		p.w(" FETCH FIRST ")
		p.fetchCount(q.Limit)
		p.w(" ROWS WITH TIES")
	case q.Limit != nil:
		p.clause(" LIMIT ", q.Limit)
	}
	p.clause(" OFFSET ", q.Offset)
	for _, l := range q.Locking {
		p.w(" FOR ", upperASCII(l.Strength))
		if l.Of != nil {
			p.w(" OF ")
			p.names(l.Of)
		}
		p.when(l.Wait != "", " ", upperASCII(l.Wait))
	}
	p.when(q.EmitOnClose, " EMIT ON WINDOW CLOSE")
}

// fetchCount prints the count of FETCH FIRST: a constant as it is, anything else in parentheses.
func (p *printer) fetchCount(e Expr) {
	switch e.(type) {
	case *NumberLit, *Param, *ColumnRef:
		p.expr(e, 0)
	default:
		p.w("(")
		p.expr(e, 0)
		p.w(")")
	}
}

func (p *printer) with(w *With) {
	if w == nil {
		return
	}
	p.w("WITH ")
	p.when(w.Recursive, "RECURSIVE ")
	commas(p, ", ", w.Items, p.cte)
	p.w(" ")
}

func (p *printer) cte(c *CTE) {
	p.ident(c.Name.Name)
	if c.Columns != nil {
		p.w(" ")
		p.idents(c.Columns)
	}
	p.w(" AS ")
	if !c.Changelog.Empty() {
		p.namedClause("CHANGELOG FROM ", c.Changelog)
		return
	}
	p.when(c.Materialized != "", c.Materialized, " ")
	p.w("(")
	p.stmt(c.Stmt)
	p.w(")")
}

func (p *printer) body(b Body) {
	switch b := b.(type) {
	case *Query:
		p.subquery(b)
	case *Select:
		p.selectBlock(b)
	case *Values:
		p.w("VALUES ")
		commas(p, ", ", b.Rows, func(row []Expr) { parens(p, row, func(e Expr) { p.expr(e, 0) }) })
	case *SetOp:
		p.setOp(b)
	}
}

// setOp prints operands in parentheses where they would otherwise belong to another operation.
func (p *printer) setOp(s *SetOp) {
	p.operand(s.Left, s, false)
	p.w(" ", string(s.Kind))
	p.when(s.All, " ALL")
	p.when(s.Corresponding, " CORRESPONDING")
	if s.CorrespondingBy != nil {
		p.w(" BY ")
		p.idents(s.CorrespondingBy)
	}
	p.w(" ")
	p.operand(s.Right, s, true)
}

func (p *printer) operand(b Body, s *SetOp, right bool) {
	inner, ok := b.(*SetOp)
	if ok && (right || s.Kind == Intersect && inner.Kind != Intersect) {
		p.w("(")
		defer p.w(")")
	}
	p.body(b)
}

func (p *printer) selectBlock(s *Select) {
	p.w("SELECT")
	p.when(s.Distinct, " DISTINCT")
	if s.DistinctOn != nil {
		p.w(" DISTINCT ON (")
		p.exprs(s.DistinctOn)
		p.w(")")
	}
	if s.Items != nil {
		p.w(" ")
		commas(p, ", ", s.Items, p.selectItem)
	}
	p.from(" FROM ", s.From)
	p.clause(" WHERE ", s.Where)
	if s.GroupBy != nil || s.GroupAll {
		p.w(" GROUP BY ")
		p.when(s.GroupDistinct, "DISTINCT ")
		p.when(s.GroupAll, "ALL")
		commas(p, ", ", s.GroupBy, p.groupItem)
	}
	p.clause(" HAVING ", s.Having)
	if s.Windows != nil {
		p.w(" WINDOW ")
		commas(p, ", ", s.Windows, func(w NamedWindow) {
			p.ident(w.Name.Name)
			p.w(" AS ")
			p.window(w.Def)
		})
	}
}

func (p *printer) selectItem(s SelectItem) {
	p.expr(s.Expr, 0)
	if s.Alias != "" {
		p.w(" AS ")
		p.ident(s.Alias)
	}
}

func (p *printer) groupItem(g GroupItem) {
	switch g.Kind {
	case GroupExpr:
		p.groupExpr(FormatExpr(g.Expr))
	case GroupEmpty:
		p.w("()")
	default:
		p.w(string(g.Kind), " ")
		parens(p, g.Items, p.groupItem)
	}
}

// groupExpr keeps an expression that begins with a call of a function named rollup or cube apart from the grouping of that name.
func (p *printer) groupExpr(text string) {
	if strings.HasPrefix(text, "rollup(") || strings.HasPrefix(text, "cube(") {
		text = "(" + text + ")"
	}
	p.w(text)
}

func (p *printer) orderBy(items []OrderItem) {
	if items != nil {
		p.orderItems(" ORDER BY ", items)
	}
}

func (p *printer) orderItems(keyword string, items []OrderItem) {
	p.w(keyword)
	commas(p, ", ", items, p.orderItem)
}

func (p *printer) orderItem(o OrderItem) {
	p.expr(o.Expr, 0)
	p.direction(o)
}

func (p *printer) direction(o OrderItem) {
	p.when(o.Desc, " DESC")
	if o.Using.Name != "" {
		p.w(" USING ")
		p.operator(o.Using)
	}
	p.when(o.Nulls != "", " ", string(o.Nulls))
}

func (p *printer) from(keyword string, items []TableExpr) {
	if items != nil {
		p.w(keyword)
		commas(p, ", ", items, p.tableExpr)
	}
}

func (p *printer) tableExpr(t TableExpr) {
	switch t := t.(type) {
	case *TableRef:
		p.tableRef(t)
	case *DerivedTable:
		p.when(t.Lateral, "LATERAL ")
		p.subquery(t.Query)
		p.alias(t.Alias)
	case *TableFunc:
		p.tableFunc(t)
	case *Join:
		p.join(t)
	}
}

func (p *printer) tableRef(t *TableRef) {
	p.when(t.Only, "ONLY ")
	p.name(t.Name)
	if t.AsOf != nil {
		p.w(" FOR ", map[bool]string{true: "SYSTEM_VERSION", false: "SYSTEM_TIME"}[t.AsOf.Version])
		p.clause(" AS OF ", t.AsOf.Expr)
	}
	p.alias(t.Alias)
}

func (p *printer) tableFunc(t *TableFunc) {
	p.when(t.Lateral, "LATERAL ")
	if t.RowsFrom {
		p.w("ROWS FROM ")
		parens(p, t.Calls, p.call)
	} else {
		commas(p, ", ", t.Calls, p.call)
	}
	p.when(t.Ordinality, " WITH ORDINALITY")
	p.alias(t.Alias)
}

func (p *printer) alias(a Alias) {
	if a.Name == "" && a.Defs == nil {
		return
	}
	p.w(" AS ")
	p.when(a.Name != "", QuoteIdent(a.Name))
	if a.Columns != nil {
		p.idents(a.Columns)
	}
	if a.Defs != nil {
		parens(p, a.Defs, p.columnType)
	}
}

func (p *printer) columnType(c ColumnType) {
	p.ident(c.Name.Name)
	p.w(" ")
	p.typeName(c.Type)
}

func (p *printer) join(j *Join) {
	if j.Alias.Name != "" {
		p.w("(")
	}
	p.tableExpr(j.Left)
	p.w(" ")
	p.when(j.Natural, "NATURAL ")
	p.when(j.AsOf, "ASOF ")
	p.w(string(j.Kind), " ")
	if inner, nested := j.Right.(*Join); nested && inner.Alias.Name == "" {
		p.w("(")
		p.tableExpr(j.Right)
		p.w(")")
	} else {
		p.tableExpr(j.Right)
	}
	if j.Using != nil {
		p.w(" USING ")
		p.idents(j.Using)
		p.when(j.UsingAlias != "", " AS ", QuoteIdent(j.UsingAlias))
	}
	p.clause(" ON ", j.On)
	if j.Alias.Name != "" {
		p.w(")")
		p.alias(j.Alias)
	}
}
