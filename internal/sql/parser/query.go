package parser

import "github.com/tidemark-db/tidemark/internal/sql/ast"

// query reads a query with its WITH and everything behind it.
func (p *parser) query() *ast.Query {
	var with *ast.With
	if p.at("with") {
		with = p.with()
	}
	return p.queryAfterWith(with)
}

func (p *parser) queryAfterWith(with *ast.With) *ast.Query {
	outer := p.enter()
	pos := p.pos()
	if with != nil {
		pos = with.Pos
	}
	q := &ast.Query{Pos: pos, With: with}
	q.Body = p.setOps(p.queryTerm(), 0)
	p.queryTail(q)
	p.leave(outer, p.height+1)
	return simplify(q)
}

// queryFrom goes on with a query whose first operand, in parentheses, was read already.
func (p *parser) queryFrom(first *ast.Query, with *ast.With) *ast.Query {
	q := &ast.Query{Pos: first.Pos, With: with, Body: operand(first)}
	q.Body = p.setOps(q.Body, 0)
	p.queryTail(q)
	return simplify(q)
}

// simplify removes the shell around a parenthesised query that adds nothing to it.
func simplify(q *ast.Query) *ast.Query {
	if inner, ok := q.Body.(*ast.Query); ok && bare(q) {
		return inner
	}
	return q
}

// operand is a parenthesised query as a part of a larger one; parentheses around a plain body mean nothing.
func operand(q *ast.Query) ast.Body {
	if bare(q) {
		return q.Body
	}
	return q
}

func bare(q *ast.Query) bool {
	return q.With == nil && q.OrderBy == nil && q.Limit == nil && q.Offset == nil && q.Locking == nil && !q.EmitOnClose
}

func (p *parser) with() *ast.With {
	w := &ast.With{Pos: p.advance().pos}
	w.Recursive = p.accept("recursive")
	w.Items = list(p, p.cte)
	return w
}

func (p *parser) cte() *ast.CTE {
	c := &ast.CTE{Pos: p.pos(), Name: p.ident()}
	if p.at("(") {
		c.Columns = p.identsInParens()
	}
	p.expect("as")
	if p.accept("changelog", "from") {
		c.Changelog = p.name()
		return c
	}
	c.Materialized = map[string]string{"materialized": "MATERIALIZED", "not materialized": "NOT MATERIALIZED"}[p.phrase(
		"materialized", "not materialized")]
	p.expect("(")
	c.Stmt = p.dmlOrQuery()
	p.expect(")")
	return c
}

// setOps reads UNION, EXCEPT and INTERSECT, which binds tighter, behind the first operand.
func (p *parser) setOps(left ast.Body, prec int) ast.Body {
	for n := 1; p.err == nil; n++ {
		kind, this := p.setKind()
		if kind == "" || this <= prec {
			break
		}
		op := &ast.SetOp{Pos: p.advance().pos, Kind: kind, Left: left}
		op.All = p.accept("all")
		if !op.All {
			p.accept("distinct")
		}
		if p.accept("corresponding") {
			op.Corresponding = true
			if p.accept("by") {
				op.CorrespondingBy = p.identsInParens()
			}
		}
		outer := p.enter()
		op.Right = p.setOps(p.queryTerm(), this)
		p.leave(outer, p.height+1)
		p.height++
		p.checkNesting(max(n, p.height))
		left = op
	}
	return left
}

func (p *parser) setKind() (ast.SetKind, int) {
	switch {
	case p.tok.kind != tWord:
		return "", 0
	case p.tok.text == "union":
		return ast.Union, 1
	case p.tok.text == "except":
		return ast.Except, 1
	case p.tok.text == "intersect":
		return ast.Intersect, 2
	}
	return "", 0
}

// queryTerm reads SELECT, VALUES, TABLE or a parenthesised query.
func (p *parser) queryTerm() ast.Body {
	pos := p.pos()
	switch {
	case p.at("select"):
		return p.selectBlock()
	case p.accept("values"):
		return &ast.Values{Pos: pos, Rows: list(p, p.valuesRow)}
	case p.accept("table"):
		ref := p.relation()
		return &ast.Select{Pos: pos, Items: []ast.SelectItem{{Pos: pos, Expr: &ast.Star{Pos: pos}}}, From: []ast.TableExpr{ref}}
	case p.at("("):
		outer := p.enter()
		q := p.subquery()
		p.leave(outer, p.height+1)
		if q == nil {
			return nil
		}
		return operand(q)
	}
	p.unexpected()
	return &ast.Values{Pos: pos}
}

func (p *parser) valuesRow() []ast.Expr { return inParens(p, p.expr) }

func (p *parser) selectBlock() *ast.Select {
	s := &ast.Select{Pos: p.advance().pos}
	switch {
	case p.accept("distinct"):
		if p.accept("on") {
			s.DistinctOn = inParens(p, p.expr)
		} else {
			s.Distinct = true
		}
	case p.accept("all"):
	}
	if !p.atSelectEnd() {
		s.Items = list(p, p.selectItem)
	}
	if p.at("into") {
		p.unsupported("SELECT INTO")
	}
	if p.accept("from") {
		s.From = list(p, p.tableExpr)
	}
	if p.accept("where") {
		s.Where = p.expr()
	}
	if p.accept("group") {
		p.expect("by")
		p.groupBy(s)
	}
	if p.accept("having") {
		s.Having = p.expr()
	}
	if p.accept("window") {
		s.Windows = list(p, func() ast.NamedWindow {
			w := ast.NamedWindow{Name: p.ident()}
			p.expect("as")
			w.Def = p.windowDef()
			return w
		})
	}
	return s
}

// atSelectEnd reports whether the select list is empty, which PostgreSQL allows.
func (p *parser) atSelectEnd() bool {
	switch p.tok.text {
	case "from", "where", "group", "having", "window", "union", "intersect", "except", "order", "limit", "offset", "fetch",
		"for", "into":
		return p.tok.kind == tWord
	}
	return p.tok.kind == tEOF && p.err == nil || p.at(")") || p.at(";")
}

// selectItem reads expr [AS label], *, or t.*.
func (p *parser) selectItem() ast.SelectItem {
	item := ast.SelectItem{Pos: p.pos()}
	if p.at("*") {
		item.Expr = &ast.Star{Pos: p.advance().pos, Except: p.exceptList()}
		return item
	}
	item.Expr = p.expr()
	switch {
	case p.accept("as"):
		item.Alias = p.label()
	case p.tok.kind == tQuoted, p.tok.kind == tWord && ast.BareLabel(p.tok.text) && !p.atEmit():
		item.Alias = p.advance().text
	}
	if _, star := item.Expr.(*ast.Star); star { // t.* AS a: PostgreSQL reads the label and ignores it
		item.Alias = ""
	}
	return item
}

// atEmit reports whether EMIT ON WINDOW CLOSE or EMIT IMMEDIATELY follows, so that EMIT is no alias.
func (p *parser) atEmit() bool {
	return p.at("emit") && (p.peek(1).is("immediately") || p.peek(1).is("on") && p.peek(2).is("window"))
}

func (p *parser) groupBy(s *ast.Select) {
	switch {
	case p.accept("distinct"):
		s.GroupDistinct = true
	case p.accept("all"):
		if p.atSelectEnd() || p.continuesQuery() || p.atEmit() || p.at("with") {
			s.GroupAll = true
			return
		}
	}
	s.GroupBy = list(p, p.groupItem)
}

func (p *parser) groupItem() ast.GroupItem {
	g := ast.GroupItem{Pos: p.pos()}
	switch {
	case p.accept("(", ")"):
		g.Kind = ast.GroupEmpty
	case p.atSeq("rollup", "("), p.atSeq("cube", "("):
		g.Kind = ast.GroupRollup
		if p.advance().text == "cube" {
			g.Kind = ast.GroupCube
		}
		g.Items = inParens(p, func() ast.GroupItem { return ast.GroupItem{Pos: p.pos(), Expr: p.expr()} })
	case p.accept("grouping", "sets"):
		outer := p.enter()
		g.Kind = ast.GroupSets
		g.Items = inParens(p, p.groupItem)
		p.leave(outer, p.height+1)
	default:
		g.Expr = p.expr()
	}
	return g
}

// orderBy reads ORDER BY if it is next.
func (p *parser) orderBy() []ast.OrderItem {
	if !p.accept("order") {
		return nil
	}
	p.expect("by")
	return list(p, func() ast.OrderItem { return p.orderItem(p.expr) })
}

// orderItem reads a sort key; the rule reads its expression.
func (p *parser) orderItem(rule func() ast.Expr) ast.OrderItem {
	o := ast.OrderItem{Pos: p.pos(), Expr: rule()}
	p.sortDirection(&o)
	return o
}

func (p *parser) sortDirection(o *ast.OrderItem) {
	switch {
	case p.accept("asc"):
	case p.accept("desc"):
		o.Desc = true
	case p.accept("using"):
		if p.tok.kind != tOp && !p.at("operator") {
			p.unexpected()
			return
		}
		o.Using = p.operatorName()
	}
	switch {
	case p.accept("nulls", "first"):
		o.Nulls = ast.NullsFirst
	case p.accept("nulls", "last"):
		o.Nulls = ast.NullsLast
	}
}

// queryTail reads ORDER BY, LIMIT, OFFSET, FETCH, FOR and EMIT, in any order as PostgreSQL does.
func (p *parser) queryTail(q *ast.Query) {
	q.OrderBy = p.orderBy()
	limited, offset := false, false
	for p.err == nil {
		switch {
		case !limited && (p.at("limit") || p.at("fetch")):
			limited = true
			p.limit(q)
		case !offset && p.accept("offset"):
			offset = true
			q.Offset = p.expr()
			p.acceptAny("row", "rows")
		case p.at("for"):
			p.locking(q)
		case p.atEmit():
			p.advance()
			if !p.accept("immediately") {
				p.expect("on", "window", "close")
				q.EmitOnClose = true
			}
		default:
			return
		}
	}
}

// limit reads LIMIT n, LIMIT ALL, or FETCH FIRST n ROWS ONLY | WITH TIES.
func (p *parser) limit(q *ast.Query) {
	if pos := p.pos(); p.accept("limit") {
		if p.accept("all") {
			return
		}
		q.Limit = p.expr()
		if p.at(",") {
			p.failAt(pos, "LIMIT #,# syntax is not supported")
			if p.err != nil {
				p.err.Hint = "Use separate LIMIT and OFFSET clauses."
			}
		}
		return
	}
	p.advance()
	if p.acceptAny("first", "next") == "" {
		p.unexpected()
	}
	pos := p.pos()
	q.Limit = &ast.NumberLit{Pos: pos, Text: "1"}
	if !p.at("row") && !p.at("rows") {
		q.Limit = p.prefix()
	}
	if p.acceptAny("row", "rows") == "" {
		p.unexpected()
	}
	if p.accept("with", "ties") {
		q.WithTies = true
		if q.OrderBy == nil {
			p.failAt(0, "WITH TIES cannot be specified without ORDER BY clause")
		}
		return
	}
	p.expect("only")
}

func (p *parser) locking(q *ast.Query) {
	l := ast.Locking{Pos: p.advance().pos}
	l.Strength = p.phrase("update", "no key update", "share", "key share", "read only")
	if l.Strength == "" {
		p.unexpected()
		return
	}
	if l.Strength == "read only" {
		return
	}
	if p.accept("of") {
		l.Of = p.names()
	}
	l.Wait = p.phrase("nowait", "skip locked")
	q.Locking = append(q.Locking, l)
}
