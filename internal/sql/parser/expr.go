package parser

import (
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// The precedences of PostgreSQL's operators, loosest first.
const (
	precOr = iota + 1
	precAnd
	precNot
	precIs
	precCompare
	precMatch // BETWEEN, IN, LIKE, ILIKE, SIMILAR
	precOther // every operator without a line of its own
	precAdd
	precMul
	precPower
	precAt
	precCollate
	precSign
)

func (p *parser) expr() ast.Expr { return p.exprAbove(0) }

func (p *parser) exprs() []ast.Expr { return list(p, p.expr) }

// exprAbove reads an expression whose infix operators bind at least as tight as prec.
func (p *parser) exprAbove(prec int) ast.Expr {
	outer := p.enter()
	left := p.prefix()
	return p.infixes(left, prec, false, outer)
}

// simpleExpr is PostgreSQL's b_expr: no logic, no tests but IS DISTINCT FROM, no LIKE, IN or BETWEEN. It stands where
// those words could belong to what surrounds the expression.
func (p *parser) simpleExpr() ast.Expr {
	outer := p.enter()
	left := p.prefix()
	return p.infixes(left, 0, true, outer)
}

// exprFrom goes on with an expression whose first operand was read already.
func (p *parser) exprFrom(left ast.Expr) ast.Expr {
	built := p.height
	outer := p.enter()
	p.height = built
	return p.infixes(p.postfix(left, true), 0, false, outer)
}

// infixes reads operators and their right operands as long as they bind tight enough.
func (p *parser) infixes(left ast.Expr, prec int, simple bool, outer int) ast.Expr {
	height := p.height + 1
	p.checkNesting(height)
	closed := 0 // the precedence that may not follow itself: a < b < c is an error
	for p.err == nil {
		op := p.infix()
		if op == 0 || op < prec || simple && !p.simpleInfix(op) {
			break
		}
		if op == closed {
			p.unexpected()
			break
		}
		p.height = 0
		before := left
		left, closed = p.applyInfix(left, op)
		if left != before {
			height = max(height, p.height) + 1
		} else {
			height = max(height, p.height+1)
		}
		p.checkNesting(height)
	}
	p.leave(outer, height)
	return left
}

// simpleInfix reports whether the operator at the current token belongs to simpleExpr.
func (p *parser) simpleInfix(op int) bool {
	switch op {
	case precOr, precAnd, precNot, precMatch, precAt, precCollate:
		return false
	case precIs:
		return p.at("is") && (p.peek(1).is("distinct") || p.peek(1).is("not") && p.peek(2).is("distinct"))
	}
	return true
}

// infix returns the precedence of the current token as an infix operator, 0 if it is none.
func (p *parser) infix() int {
	switch p.tok.kind {
	case tWord:
		return p.infixWord()
	case tOp:
		return infixSign(p.tok.text)
	}
	return 0
}

func (p *parser) infixWord() int {
	switch p.tok.text {
	case "or":
		return precOr
	case "and":
		return precAnd
	case "is", "isnull", "notnull":
		return precIs
	case "like", "ilike", "between", "in":
		return precMatch
	case "similar":
		if p.peek(1).is("to") {
			return precMatch
		}
	case "not":
		switch p.peek(1).text {
		case "like", "ilike", "between", "in", "similar":
			return precMatch
		}
	case "operator":
		if p.peek(1).is("(") {
			return precOther
		}
	case "overlaps":
		return precOther
	case "at":
		if p.peek(1).is("time") {
			return precAt
		}
	case "collate":
		return precCollate
	}
	return 0
}

func infixSign(sign string) int {
	switch sign {
	case "=", "<", ">", "<=", ">=", "<>":
		return precCompare
	case "+", "-":
		return precAdd
	case "*", "/", "%":
		return precMul
	case "^":
		return precPower
	case "=>", ":=":
		return 0
	}
	return precOther
}

// applyInfix consumes the operator and its right side. closed is its precedence when it does not associate.
func (p *parser) applyInfix(left ast.Expr, op int) (result ast.Expr, closed int) {
	switch op {
	case precOr, precAnd:
		return p.logic(left, op), 0
	case precIs:
		return p.test(left)
	case precMatch:
		return p.match(left)
	case precAt:
		pos := p.advance().pos
		p.expect("time", "zone")
		return &ast.AtTimeZone{Pos: pos, X: left, Zone: p.exprAbove(precAt + 1)}, 0
	case precCollate:
		pos := p.advance().pos
		return &ast.Collate{Pos: pos, X: left, Name: p.name()}, 0
	}
	if p.at("overlaps") {
		return p.overlaps(left), 0
	}
	pos := p.pos()
	name := p.operatorName()
	if q := p.quantified(left, name, pos); q != nil {
		return q, 0
	}
	right := p.exprAbove(op + 1)
	if op == precCompare {
		closed = precCompare
	}
	return &ast.Binary{Pos: pos, Op: name, Left: left, Right: right}, closed
}

// logic adds an operand to a chain of AND or OR, or begins one. As in PostgreSQL, (a AND b) AND c is one chain.
func (p *parser) logic(left ast.Expr, prec int) ast.Expr {
	pos := p.advance().pos
	op := ast.And
	if prec == precOr {
		op = ast.Or
	}
	right := p.exprAbove(prec + 1)
	if chain, ok := left.(*ast.Logic); ok && chain.Op == op {
		chain.Args = append(chain.Args, right)
		return chain
	}
	return &ast.Logic{Pos: pos, Op: op, Args: []ast.Expr{left, right}}
}

// operatorName consumes an operator, or OPERATOR(schema.op).
func (p *parser) operatorName() ast.Operator {
	if !p.accept("operator") {
		return ast.Operator{Name: p.advance().text}
	}
	p.expect("(")
	var op ast.Operator
	for p.tok.kind == tWord || p.tok.kind == tQuoted {
		op.Schema = p.colID()
		p.expect(".")
	}
	if p.tok.kind != tOp {
		p.unexpected()
		return op
	}
	op.Name = p.advance().text
	p.expect(")")
	return op
}

// quantified reads ANY (...), SOME (...) or ALL (...) after an operator; nil if none follows.
func (p *parser) quantified(left ast.Expr, op ast.Operator, pos ast.Pos) ast.Expr {
	word := p.tok
	if !(word.word("any") || word.word("some") || word.word("all")) || !p.peek(1).is("(") {
		return nil
	}
	p.advance()
	q := &ast.Quantified{Pos: pos, X: left, Op: op, All: word.text == "all"}
	q.Query, q.Array = p.queryOrExpr()
	return q
}

// test reads what follows IS, and ISNULL and NOTNULL.
func (p *parser) test(left ast.Expr) (ast.Expr, int) {
	pos := p.pos()
	switch word := p.advance().text; word {
	case "isnull", "notnull":
		return &ast.Test{Pos: pos, X: left, Kind: ast.IsNull, Not: word == "notnull"}, 0
	}
	not := p.accept("not")
	if p.accept("distinct") {
		p.expect("from")
		return &ast.Distinct{Pos: pos, Left: left, Right: p.exprAbove(precIs + 1), Not: not}, precIs
	}
	t := &ast.Test{Pos: pos, X: left, Not: not}
	switch word := p.acceptAny("null", "true", "false", "unknown", "json", "nfc", "nfd", "nfkc", "nfkd", "normalized"); word {
	case "null":
		t.Kind = ast.IsNull
	case "true":
		t.Kind = ast.IsTrue
	case "false":
		t.Kind = ast.IsFalse
	case "unknown":
		t.Kind = ast.IsUnknown
	case "json":
		p.testJSON(t)
	case "normalized":
		t.Kind = ast.IsNormalized
	case "":
		p.unexpected()
	default:
		t.Kind, t.Form = ast.IsNormalized, word
		p.expect("normalized")
	}
	return t, 0
}

func (p *parser) testJSON(t *ast.Test) {
	t.Kind = ast.IsJSON
	switch p.acceptAny("value", "array", "object", "scalar") {
	case "value":
		t.Kind = ast.IsJSONValue
	case "array":
		t.Kind = ast.IsJSONArray
	case "object":
		t.Kind = ast.IsJSONObject
	case "scalar":
		t.Kind = ast.IsJSONScalar
	}
	switch {
	case p.accept("with", "unique"):
		t.Unique = true
		p.accept("keys")
	case p.accept("without", "unique"):
		p.accept("keys")
	}
}

// match reads [NOT] LIKE, ILIKE, SIMILAR TO, BETWEEN and IN.
func (p *parser) match(left ast.Expr) (ast.Expr, int) {
	pos := p.pos()
	not := p.accept("not")
	switch {
	case p.accept("between"):
		return p.between(left, pos, not), precMatch
	case p.accept("in"):
		return p.in(left, pos, not), 0
	case p.accept("similar", "to"):
		return p.pattern(left, ast.SimilarTo, pos, not)
	case p.accept("like"):
		return p.pattern(left, ast.Like, pos, not)
	case p.accept("ilike"):
		return p.pattern(left, ast.ILike, pos, not)
	}
	p.unexpected()
	return left, 0
}

func (p *parser) pattern(left ast.Expr, kind ast.LikeKind, pos ast.Pos, not bool) (ast.Expr, int) {
	if kind != ast.SimilarTo {
		if q := p.quantified(left, likeOperator(kind, not), pos); q != nil {
			return q, 0
		}
	}
	m := &ast.Match{Pos: pos, Kind: kind, X: left, Not: not, Pattern: p.exprAbove(precMatch + 1)}
	if p.accept("escape") {
		m.Escape = p.exprAbove(precMatch + 1)
	}
	return m, precMatch
}

// likeOperator is the operator that LIKE ANY (...) means.
func likeOperator(kind ast.LikeKind, not bool) ast.Operator {
	name := "~~"
	if kind == ast.ILike {
		name = "~~*"
	}
	if not {
		name = "!" + name
	}
	return ast.Operator{Name: name}
}

func (p *parser) between(left ast.Expr, pos ast.Pos, not bool) ast.Expr {
	b := &ast.Between{Pos: pos, X: left, Not: not, Symmetric: p.accept("symmetric")}
	if !b.Symmetric {
		p.accept("asymmetric")
	}
	b.Low = p.simpleExpr()
	p.expect("and")
	b.High = p.exprAbove(precMatch + 1)
	return b
}

func (p *parser) in(left ast.Expr, pos ast.Pos, not bool) ast.Expr {
	in := &ast.In{Pos: pos, X: left, Not: not}
	p.expect("(")
	if p.atQuery() {
		in.Query, in.List = p.queryOrList()
	} else {
		in.List = p.exprs()
	}
	p.expect(")")
	return in
}

// overlaps reads (a, b) OVERLAPS (c, d).
func (p *parser) overlaps(left ast.Expr) ast.Expr {
	pos := p.advance().pos
	call := &ast.FuncCall{Pos: pos, Name: ast.Name{Pos: pos, Parts: []string{"overlaps"}}, Syntax: ast.CallKeyword}
	at := p.pos()
	right := p.exprAbove(precOther + 1)
	for _, side := range []ast.Expr{left, right} {
		row, ok := side.(*ast.Row)
		if !ok || len(row.Elems) != 2 {
			p.failAt(at, "OVERLAPS needs a pair on either side")
			return call
		}
		for _, e := range row.Elems {
			call.Args = append(call.Args, ast.Arg{Pos: e.Position(), Value: e})
		}
	}
	return call
}
