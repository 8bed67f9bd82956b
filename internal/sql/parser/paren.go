package parser

import "github.com/tidemark-db/tidemark/internal/sql/ast"

// What follows "(" may be a query or an expression, and ((SELECT 1) + 1) shows it late. These rules read a query as far
// as it is one, and hand it as the first operand to the expression if that goes on.

// atQuery reports whether the current token begins a query, perhaps behind more parentheses.
func (p *parser) atQuery() bool {
	t := p.tok
	for n := 1; t.is("(") && n <= parenLookahead; n++ {
		t = p.peek(n)
	}
	return startsQuery(t)
}

// parenLookahead bounds how many parentheses are looked through; a query behind more is still found, one level at a time.
const parenLookahead = 16

func startsQuery(t token) bool {
	return t.word("select") || t.word("values") || t.word("with") || t.word("table")
}

// paren reads ( query ) or ( expr [, expr] ), the opening parenthesis being the current token. Exactly one of the results
// is set.
func (p *parser) paren() (*ast.Query, ast.Expr) {
	pos := p.advance().pos
	outer := p.enter()
	defer func() { p.leave(outer, p.height+1) }()
	if startsQuery(p.tok) {
		q := p.query()
		p.expect(")")
		return q, nil
	}
	if !p.at("(") || !p.atQuery() {
		return nil, p.parenRest(p.expr(), pos)
	}
	at := p.pos()
	q, e := p.paren()
	switch {
	case q == nil:
		return nil, p.parenRest(p.exprFrom(e), pos)
	case p.at(")"):
		p.advance()
		return q, nil
	case p.continuesQuery():
		q = p.queryFrom(q, nil)
		p.expect(")")
		return q, nil
	}
	return nil, p.parenRest(p.exprFrom(&ast.Subquery{Pos: at, Query: q}), pos)
}

// parenRest reads the rest of a parenthesised expression or row.
func (p *parser) parenRest(first ast.Expr, pos ast.Pos) ast.Expr {
	if !p.at(",") {
		p.expect(")")
		return first
	}
	row := &ast.Row{Pos: pos, Elems: []ast.Expr{first}}
	for p.accept(",") {
		row.Elems = append(row.Elems, p.expr())
	}
	p.expect(")")
	return row
}

// continuesQuery reports whether a parenthesised query goes on as a larger one.
func (p *parser) continuesQuery() bool {
	switch p.tok.text {
	case "union", "intersect", "except", "order", "limit", "offset", "fetch", "for":
		return p.tok.kind == tWord
	}
	return false
}

// queryOrExpr reads ( query ) or ( expr ), as ANY takes it.
func (p *parser) queryOrExpr() (*ast.Query, ast.Expr) {
	if !p.at("(") {
		p.unexpected()
		return nil, nil
	}
	return p.paren()
}

// queryOrList reads what stands in IN ( ... ) when it begins like a query: a query, or a list whose first item does.
func (p *parser) queryOrList() (*ast.Query, []ast.Expr) {
	if !p.at("(") {
		return p.query(), nil
	}
	at := p.pos()
	q, e := p.paren()
	if q != nil {
		if p.at(")") {
			return q, nil
		}
		if p.continuesQuery() {
			return p.queryFrom(q, nil), nil
		}
		e = &ast.Subquery{Pos: at, Query: q}
	}
	items := []ast.Expr{p.exprFrom(e)}
	for p.accept(",") {
		items = append(items, p.expr())
	}
	return nil, items
}

// subquery reads ( query ).
func (p *parser) subquery() *ast.Query {
	p.expect("(")
	q := p.query()
	p.expect(")")
	return q
}
