package parser

import "github.com/tidemark-db/tidemark/internal/sql/ast"

// tableExpr reads an item of FROM with the joins behind it.
func (p *parser) tableExpr() ast.TableExpr {
	outer := p.enter()
	left := p.joins(p.tablePrimary())
	p.leave(outer, p.height+1)
	return left
}

// joins reads JOINs behind the left side; they associate to the left.
func (p *parser) joins(left ast.TableExpr) ast.TableExpr {
	for n := 1; p.err == nil; n++ {
		j, conditional := p.joinKind()
		if j == nil {
			return left
		}
		j.Left = left
		j.Right = p.tablePrimary()
		if conditional {
			// a JOIN b JOIN c ON ... ON ...: the inner join takes the first condition.
			for p.err == nil && !p.at("on") && !p.at("using") {
				inner := p.nestedJoin(j.Right)
				if inner == nil {
					p.unexpected()
					break
				}
				j.Right = inner
			}
			p.joinCondition(j)
		}
		p.height++
		p.checkNesting(max(n, p.height))
		left = j
	}
	return left
}

// nestedJoin reads one join whose left side is the right side of a join that still waits for its condition.
func (p *parser) nestedJoin(left ast.TableExpr) ast.TableExpr {
	outer := p.enter()
	defer func() { p.leave(outer, p.height+1) }()
	j, conditional := p.joinKind()
	if j == nil {
		return nil
	}
	j.Left, j.Right = left, p.tablePrimary()
	if conditional {
		for p.err == nil && !p.at("on") && !p.at("using") {
			inner := p.nestedJoin(j.Right)
			if inner == nil {
				p.unexpected()
				break
			}
			j.Right = inner
		}
		p.joinCondition(j)
	}
	return j
}

// joinKind reads the words of a join; nil if none is next. conditional tells that ON or USING must follow.
func (p *parser) joinKind() (j *ast.Join, conditional bool) {
	pos := p.pos()
	switch {
	case p.accept("cross", "join"):
		return &ast.Join{Pos: pos, Kind: ast.CrossJoin}, false
	case p.atASOF():
		p.advance()
		j, _ = p.joinKind()
		if j == nil {
			p.unexpected()
			return nil, false
		}
		j.Pos, j.AsOf = pos, true
		return j, true
	case p.accept("natural"):
		j, _ = p.joinKind()
		if j == nil || j.Natural {
			p.unexpected()
			return nil, false
		}
		j.Pos, j.Natural = pos, true
		return j, false
	case p.accept("join"), p.accept("inner", "join"):
		return &ast.Join{Pos: pos, Kind: ast.InnerJoin}, true
	}
	kind := ast.JoinKind("")
	switch {
	case p.accept("left"):
		kind = ast.LeftJoin
	case p.accept("right"):
		kind = ast.RightJoin
	case p.accept("full"):
		kind = ast.FullJoin
	default:
		return nil, false
	}
	p.accept("outer")
	p.expect("join")
	return &ast.Join{Pos: pos, Kind: kind}, true
}

// atASOF reports whether ASOF begins a join, so that it is no alias.
func (p *parser) atASOF() bool {
	if !p.at("asof") {
		return false
	}
	next := p.peek(1)
	return next.is("join") || next.is("left") || next.is("inner")
}

func (p *parser) joinCondition(j *ast.Join) {
	if p.accept("on") {
		j.On = p.expr()
		return
	}
	p.expect("using")
	j.Using = p.identsInParens()
	if p.accept("as") {
		j.UsingAlias = p.colID()
	}
}

// tablePrimary reads a table, a function, a subquery or a parenthesised join.
func (p *parser) tablePrimary() ast.TableExpr {
	pos := p.pos()
	lateral := p.accept("lateral")
	switch {
	case p.at("("):
		return p.tableParen(pos, lateral)
	case p.at("rows") && p.peek(1).is("from"):
		return p.rowsFrom(pos, lateral)
	case p.at("only"):
		return p.aliased(p.relation())
	case lateral || p.atTableFunc():
		return p.tableFunc(pos, lateral)
	}
	return p.aliased(p.relation())
}

// relation reads [ONLY] name [*].
func (p *parser) relation() *ast.TableRef {
	ref := &ast.TableRef{Pos: p.pos(), Only: p.accept("only")}
	if ref.Only && p.accept("(") {
		ref.Name = p.name()
		p.expect(")")
		return ref
	}
	ref.Name = p.name()
	p.accept("*")
	return ref
}

// aliased reads FOR SYSTEM_TIME AS OF and the alias behind a relation, in either order.
func (p *parser) aliased(ref *ast.TableRef) *ast.TableRef {
	p.asOf(ref)
	ref.Alias = p.alias()
	if ref.AsOf == nil {
		p.asOf(ref)
	}
	if p.at("tablesample") {
		p.unsupported("TABLESAMPLE")
	}
	return ref
}

func (p *parser) asOf(ref *ast.TableRef) {
	pos := p.pos()
	version := p.atSeq("for", "system_version")
	if !version && !p.atSeq("for", "system_time") {
		return
	}
	p.advance()
	p.advance()
	p.expect("as", "of")
	ref.AsOf = &ast.AsOf{Pos: pos, Version: version, Expr: p.expr()}
}

// alias reads [AS] name [(columns)], or AS (columns with types).
func (p *parser) alias() ast.Alias {
	a := ast.Alias{Pos: p.pos()}
	switch {
	case p.accept("as"):
		if !p.at("(") {
			a.Name = p.colID()
		}
	case p.tok.colID() && !p.notAlias():
		a.Name = p.advance().text
	default:
		return ast.Alias{}
	}
	if p.at("(") {
		p.aliasColumns(&a)
	}
	return a
}

// notAlias reports whether a word that could be an alias is the start of a clause.
func (p *parser) notAlias() bool {
	return p.atEmit() || p.atASOF() || p.at("set") || p.at("tablesample")
}

func (p *parser) aliasColumns(a *ast.Alias) {
	p.expect("(")
	typed := a.Name == "" || !p.peek(1).is(",") && !p.peek(1).is(")")
	if typed {
		a.Defs = list(p, p.columnType)
	} else {
		a.Columns = p.idents()
	}
	p.expect(")")
}

func (p *parser) columnType() ast.ColumnType {
	return ast.ColumnType{Name: p.ident(), Type: p.typeName()}
}

// atTableFunc reports whether name( follows, the name perhaps qualified.
func (p *parser) atTableFunc() bool {
	if !p.tok.label() {
		return false
	}
	n := 1
	for p.peek(n).is(".") && p.peek(n+1).label() {
		n += 2
	}
	return p.peek(n).is("(")
}

func (p *parser) tableFunc(pos ast.Pos, lateral bool) ast.TableExpr {
	f := &ast.TableFunc{Pos: pos, Lateral: lateral, Calls: []*ast.FuncCall{p.funcInFrom()}}
	p.tableFuncTail(f)
	return f
}

func (p *parser) tableFuncTail(f *ast.TableFunc) {
	if p.accept("with", "ordinality") {
		f.Ordinality = true
	}
	f.Alias = p.alias()
}

// funcInFrom reads a call; what looks like one and is not (CAST) is an error.
func (p *parser) funcInFrom() *ast.FuncCall {
	at := p.tok
	call, ok := p.primary().(*ast.FuncCall)
	if !ok {
		if p.err == nil {
			p.unexpectedToken(at)
		}
		return &ast.FuncCall{Pos: at.pos}
	}
	return call
}

func (p *parser) rowsFrom(pos ast.Pos, lateral bool) ast.TableExpr {
	p.advance()
	p.advance()
	f := &ast.TableFunc{Pos: pos, Lateral: lateral, RowsFrom: true, Calls: inParens(p, p.funcInFrom)}
	p.tableFuncTail(f)
	return f
}

// tableParen reads ( query ) alias, or ( join ) alias. As in expressions, which of them shows only behind the first
// operand when parentheses are doubled.
func (p *parser) tableParen(pos ast.Pos, lateral bool) ast.TableExpr {
	q, t := p.tableOrQuery()
	if q != nil {
		return &ast.DerivedTable{Pos: pos, Query: q, Lateral: lateral, Alias: p.alias()}
	}
	if j, ok := t.(*ast.Join); ok && p.at("as") || p.tok.colID() && ok && !p.notAlias() {
		j.Alias = p.alias()
	}
	return t
}

func (p *parser) tableOrQuery() (*ast.Query, ast.TableExpr) {
	pos := p.pos()
	outer := p.enter()
	defer func() { p.leave(outer, p.height+1) }()
	p.expect("(")
	if startsQuery(p.tok) {
		q := p.query()
		p.expect(")")
		return q, nil
	}
	if !p.at("(") {
		return nil, p.joinParen(p.tableExpr())
	}
	q, t := p.tableOrQuery()
	switch {
	case q != nil && p.continuesQuery():
		q = p.queryFrom(q, nil)
		fallthrough
	case q != nil && p.at(")"):
		p.expect(")")
		return q, nil
	case q != nil:
		t = &ast.DerivedTable{Pos: pos, Query: q, Alias: p.alias()}
	default:
		if j, ok := t.(*ast.Join); ok && (p.at("as") || p.tok.colID() && !p.notAlias()) {
			j.Alias = p.alias()
		}
	}
	return nil, p.joinParen(p.joins(t))
}

// joinParen closes the parenthesis around a join; nothing else may stand in one.
func (p *parser) joinParen(t ast.TableExpr) ast.TableExpr {
	if _, ok := t.(*ast.Join); !ok {
		p.unexpected()
	}
	p.expect(")")
	return t
}
