package parser

import (
	"strconv"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// failAt reports a misuse that PostgreSQL's grammar words by itself.
func (p *parser) failAt(pos ast.Pos, problem string) {
	p.fail(errs.Misplaced.New("problem", problem).At(int(pos)))
}

// prefix reads an operand with its prefix operators.
func (p *parser) prefix() ast.Expr {
	t := p.tok
	switch {
	case t.kind == tOp && t.text == "|":
		return p.lambda()
	case t.kind == tOp && (t.text == "+" || t.text == "-"):
		p.advance()
		return &ast.Unary{Pos: t.pos, Op: ast.Operator{Name: t.text}, X: p.exprAbove(precSign)}
	case t.kind == tOp && infixSign(t.text) == precOther, t.word("operator") && p.peek(1).is("("):
		op := p.operatorName()
		return &ast.Unary{Pos: t.pos, Op: op, X: p.exprAbove(precOther + 1)}
	case t.word("not"):
		p.advance()
		return &ast.Not{Pos: t.pos, X: p.exprAbove(precNot)}
	}
	return p.postfix(p.primary())
}

// lambda reads |x, y| body.
func (p *parser) lambda() ast.Expr {
	l := &ast.Lambda{Pos: p.advance().pos, Params: p.idents()}
	p.splitSign("|")
	p.expect("|")
	l.Body = p.expr()
	return l
}

// splitSign cuts the sign off the front of a longer operator: |x|-x has the token |-, and struct<struct<a int>> has >>.
func (p *parser) splitSign(sign string) {
	t := p.tok
	if t.kind != tOp || len(t.text) <= len(sign) || t.text[:len(sign)] != sign || p.err != nil {
		return
	}
	p.lex.at, p.lex.chars = t.start+len(sign), int(t.pos)-1+len(sign)
	p.ahead = nil
	p.tok.text, p.tok.end = sign, p.lex.at
}

// primary reads an operand without postfix operators.
func (p *parser) primary() ast.Expr {
	t := p.tok
	switch t.kind {
	case tNumber:
		p.advance()
		return &ast.NumberLit{Pos: t.pos, Text: t.text}
	case tString:
		p.advance()
		return &ast.StringLit{Pos: t.pos, Value: t.text}
	case tBits, tHex:
		p.advance()
		return &ast.BitLit{Pos: t.pos, Hex: t.kind == tHex, Value: t.text}
	case tParam:
		p.advance()
		n, _ := strconv.Atoi(t.text)
		return &ast.Param{Pos: t.pos, Number: n}
	case tWord:
		return p.wordPrimary()
	case tQuoted:
		return p.reference()
	}
	if !t.is("(") {
		p.unexpected()
		return &ast.NullLit{Pos: t.pos}
	}
	q, e := p.paren()
	if q != nil {
		return &ast.Subquery{Pos: t.pos, Query: q}
	}
	return &grouped{e}
}

// grouped marks an expression that stood in parentheses until postfix has seen it: only then .name is a field of it.
type grouped struct{ ast.Expr }

// postfix reads subscripts, casts and field accesses behind an operand.
func (p *parser) postfix(x ast.Expr, inParens ...bool) ast.Expr {
	fields := len(inParens) > 0
	if g, ok := x.(*grouped); ok {
		x, fields = g.Expr, true
	}
	switch x.(type) {
	case *ast.Param, *ast.Subquery:
		fields = true
	}
	for steps := 1; p.err == nil; steps++ {
		t := p.tok
		switch {
		case t.is("::"):
			p.advance()
			x, fields = &ast.Cast{Pos: t.pos, X: x, Type: p.typeName(), Style: ast.CastColons}, false
		case t.is("["):
			x, fields = p.subscript(x), true
		case t.is(".") && fields:
			x = p.field(x)
		default:
			return x
		}
		p.height++
		p.checkNesting(steps)
	}
	return x
}

func (p *parser) field(x ast.Expr) ast.Expr {
	pos := p.advance().pos
	if p.at("*") {
		p.advance()
		return &ast.Star{Pos: pos, Of: x, Except: p.exceptList()}
	}
	return &ast.Field{Pos: pos, X: x, Name: p.label()}
}

func (p *parser) subscript(x ast.Expr) ast.Expr {
	pos := p.advance().pos
	var low ast.Expr
	if !p.at(":") {
		low = p.expr()
		if p.accept("]") {
			return &ast.Subscript{Pos: pos, X: x, Index: low}
		}
	}
	p.expect(":")
	s := &ast.Slice{Pos: pos, X: x, Low: low}
	if !p.at("]") {
		s.High = p.expr()
	}
	p.expect("]")
	return s
}

// wordPrimary reads an operand that begins with an unquoted word.
func (p *parser) wordPrimary() ast.Expr {
	t := p.tok
	switch t.text {
	case "null":
		p.advance()
		return &ast.NullLit{Pos: t.pos}
	case "true", "false":
		p.advance()
		return &ast.BoolLit{Pos: t.pos, Value: t.text == "true"}
	case "default":
		p.advance()
		return &ast.DefaultValue{Pos: t.pos}
	case "case":
		return p.caseExpr()
	case "cast":
		return p.cast(ast.CastAs)
	case "array":
		return p.array()
	case "row", "exists", "try_cast", "grouping":
		if e := p.parenWord(); e != nil {
			return e
		}
	case "map":
		if p.peek(1).is("{") {
			return p.mapLiteral()
		}
	case "current_date", "current_time", "current_timestamp", "localtime", "localtimestamp", "current_user", "current_role",
		"session_user", "user", "current_catalog", "current_schema":
		if t.text != "current_schema" || !p.peek(1).is("(") {
			return p.valueKeyword()
		}
	}
	if e := p.specialCall(); e != nil {
		return e
	}
	if typeKeyword(t) {
		if e := p.typedLiteral(); e != nil {
			return e
		}
	}
	return p.reference()
}

// parenWord reads the constructs that are a word with parentheses; nil if the word is only a name.
func (p *parser) parenWord() ast.Expr {
	t := p.tok
	if !p.peek(1).is("(") {
		return nil
	}
	switch t.text {
	case "row":
		p.advance()
		row := &ast.Row{Pos: t.pos, Explicit: true}
		if p.accept("(", ")") {
			return row
		}
		row.Elems = inParens(p, p.expr)
		return row
	case "exists":
		p.advance()
		return &ast.Exists{Pos: t.pos, Query: p.subquery()}
	case "try_cast":
		return p.cast(ast.CastTry)
	}
	p.advance()
	call := &ast.FuncCall{Pos: t.pos, Name: ast.Name{Pos: t.pos, Parts: []string{t.text}}}
	for _, e := range inParens(p, p.expr) {
		call.Args = append(call.Args, ast.Arg{Pos: e.Position(), Value: e})
	}
	return call
}

func (p *parser) valueKeyword() ast.Expr {
	t := p.advance()
	v := &ast.ValueKeyword{Pos: t.pos, Name: t.text, Precision: -1}
	switch t.text {
	case "current_time", "current_timestamp", "localtime", "localtimestamp":
		if p.accept("(") {
			v.Precision = int(p.integer())
			p.expect(")")
		}
	}
	return v
}

func (p *parser) caseExpr() ast.Expr {
	c := &ast.Case{Pos: p.advance().pos}
	if !p.at("when") {
		c.Operand = p.expr()
	}
	if !p.at("when") {
		p.unexpected()
	}
	for p.accept("when") {
		w := ast.When{Cond: p.expr()}
		p.expect("then")
		w.Result = p.expr()
		c.Whens = append(c.Whens, w)
	}
	if p.accept("else") {
		c.Else = p.expr()
	}
	p.expect("end")
	return c
}

func (p *parser) cast(style ast.CastStyle) ast.Expr {
	c := &ast.Cast{Pos: p.advance().pos, Style: style}
	p.expect("(")
	c.X = p.expr()
	p.expect("as")
	c.Type = p.typeName()
	p.expect(")")
	return c
}

func (p *parser) array() ast.Expr {
	pos := p.advance().pos
	if p.at("(") {
		return &ast.ArrayQuery{Pos: pos, Query: p.subquery()}
	}
	return p.arrayElems(pos)
}

// arrayElems reads [a, b] or [[a, b], [c, d]].
func (p *parser) arrayElems(pos ast.Pos) ast.Expr {
	outer := p.enter()
	defer func() { p.leave(outer, p.height+1) }()
	a := &ast.Array{Pos: pos}
	p.expect("[")
	if p.accept("]") {
		return a
	}
	a.Elems = list(p, func() ast.Expr {
		if p.at("[") {
			return p.arrayElems(p.pos())
		}
		return p.expr()
	})
	p.expect("]")
	return a
}

// mapLiteral reads MAP {k: v, ...}.
func (p *parser) mapLiteral() ast.Expr {
	m := &ast.MapLit{Pos: p.advance().pos}
	p.expect("{")
	if p.accept("}") {
		return m
	}
	m.Entries = list(p, func() ast.MapEntry {
		e := ast.MapEntry{Key: p.expr()}
		p.expect(":")
		e.Value = p.expr()
		return e
	})
	p.expect("}")
	return m
}

// typedLiteral reads a type whose name is a keyword with a string: timestamp with time zone '...'. It looks ahead first,
// because such a keyword alone is a column's name.
func (p *parser) typedLiteral() ast.Expr {
	t := p.tok
	if !p.typeThenString() {
		return nil
	}
	typ := p.simpleType()
	value := &ast.StringLit{Pos: p.pos(), Value: p.str()}
	if typ != nil && typ.Name == "interval" && typ.Interval == "" && len(typ.Mods) == 0 {
		typ.Interval = p.intervalFields(typ)
	}
	return &ast.Cast{Pos: t.pos, X: value, Type: typ, Style: ast.CastLiteral}
}

// typeThenString looks past the words, signs and numbers of a type for a string.
func (p *parser) typeThenString() bool {
	for n := 1; n <= typeLookahead; n++ {
		switch t := p.peek(n); {
		case t.kind == tString:
			return true
		case t.kind == tNumber, t.is("("), t.is(")"), t.is(","):
		case t.word("with"), t.word("without"), t.word("time"), t.word("zone"), t.word("precision"), t.word("varying"),
			t.word("character"), t.word("char"):
		default:
			return false
		}
	}
	return false
}

// typeLookahead is longer than any type that is spelled with keywords: timestamp ( 3 ) without time zone.
const typeLookahead = 8

// reference reads a column reference, t.*, a function call or name 'literal'.
func (p *parser) reference() ast.Expr {
	t := p.tok
	if !t.colID() && !(t.typeFunc() && (p.peek(1).is("(") || p.peek(1).is("."))) {
		p.unexpected()
		return &ast.NullLit{Pos: t.pos}
	}
	if t.word("aggregate") && p.peek(1).is(":") && p.peek(2).label() && p.peek(3).is("(") {
		return p.scalarAggregate()
	}
	name := ast.Name{Pos: t.pos, Parts: []string{p.advance().text}}
	for p.at(".") {
		p.advance()
		if p.accept("*") {
			return &ast.Star{Pos: t.pos, Qualifier: name.Parts, Except: p.exceptList()}
		}
		name.Parts = append(name.Parts, p.label())
	}
	plainCol := len(name.Parts) == 1 && t.kind == tWord && t.class == ast.ColName
	switch {
	case p.at("(") && !plainCol:
		return p.call(name)
	case p.tok.kind == tString && !plainCol:
		typ := &ast.TypeName{Pos: t.pos}
		setTypeName(typ, name.Parts)
		lit := p.advance()
		return &ast.Cast{Pos: t.pos, X: &ast.StringLit{Pos: lit.pos, Value: lit.text}, Type: typ, Style: ast.CastLiteral}
	}
	return &ast.ColumnRef{Pos: t.pos, Parts: name.Parts}
}

// scalarAggregate reads aggregate:f(x), which gathers x in an array and applies f to it.
func (p *parser) scalarAggregate() ast.Expr {
	pos := p.advance().pos
	p.expect(":")
	c := &ast.FuncCall{Pos: pos, Name: ast.Name{Pos: p.pos(), Parts: []string{p.label()}}, ScalarAggregate: true}
	p.callArgs(c)
	return p.callTail(c)
}

// exceptList reads EXCEPT (columns) behind a star, unless it is the set operation.
func (p *parser) exceptList() []*ast.ColumnRef {
	if !p.atSeq("except", "(") || startsQuery(p.peek(2)) || p.peek(2).is("(") {
		return nil
	}
	p.advance()
	return inParens(p, func() *ast.ColumnRef {
		n := p.name()
		return &ast.ColumnRef{Pos: n.Pos, Parts: n.Parts}
	})
}
