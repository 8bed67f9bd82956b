package jsonpath

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

const (
	// nestingMax bounds expressions within expressions.
	nestingMax = 500
	// operatorsMax bounds the operators of a path: those in a row make a tree as deep as they are many.
	operatorsMax = 10_000
)

type parser struct {
	lexer
	tok, ahead token
	compile    Compile
	depth      int
	operated   int // how many operators there were
	filters    int // that enclose the place: @ means something there
	subscripts int // and these for last
}

// Parse reads a path.
func Parse(path string, compile Compile) (*Path, error) {
	p := &parser{lexer: lexer{rest: path}, compile: compile}
	p.ahead = p.next()
	p.advance()
	out := &Path{}
	if p.tok.keyword("strict") || p.tok.keyword("lax") {
		out.strict = p.tok.keyword("strict")
		p.advance()
	}
	out.root = p.or()
	if p.err == nil && p.tok.kind != end {
		p.unexpected()
	}
	if p.err != nil {
		return nil, p.err
	}
	return out, nil
}

func (p *parser) advance() token {
	t := p.tok
	p.tok, p.ahead = p.ahead, p.next()
	return t
}

func (p *parser) unexpected() {
	if p.tok.kind == end {
		p.fail("syntax error at end")
	} else {
		p.fail("syntax error at or near \"%s\"", p.tok.text)
	}
	p.tok, p.ahead = token{}, token{}
}

func (p *parser) expect(s string) {
	if !p.tok.is(s) {
		p.unexpected()
		return
	}
	p.advance()
}

func (p *parser) accept(s string) bool {
	ok := p.tok.is(s)
	if ok {
		p.advance()
	}
	return ok
}

// operator passes over an operator.
func (p *parser) operator() {
	p.advance()
	if p.operated++; p.operated > operatorsMax {
		p.fail("too many levels")
	}
}

// must requires a predicate, or an expression.
func (p *parser) must(n node, wantPredicate bool) node {
	if p.err == nil && predicate(n) != wantPredicate {
		p.unexpected()
	}
	return n
}

func (p *parser) or() node {
	n := p.and()
	for p.tok.is("||") {
		p.must(n, true)
		p.operator()
		n = logic{false, n, p.must(p.and(), true)}
	}
	return n
}

func (p *parser) and() node {
	n := p.test()
	for p.tok.is("&&") {
		p.must(n, true)
		p.operator()
		n = logic{true, n, p.must(p.test(), true)}
	}
	return n
}

// test reads a comparison or what else makes a predicate of expressions.
func (p *parser) test() node {
	if p.depth++; p.depth > nestingMax {
		p.fail("too many levels")
	}
	defer func() { p.depth-- }()
	if p.accept("!") {
		if !p.tok.is("(") && !p.tok.keyword("exists") {
			p.unexpected()
		}
		return negation{p.must(p.primary(), true)}
	}
	l := p.additive()
	switch {
	case p.tok.keyword("starts") && p.ahead.keyword("with"):
		p.advance()
		p.advance()
		return beginsWith{p.must(l, false), p.prefix()}
	case p.tok.keyword("like_regex"):
		p.advance()
		return p.likeRegex(p.must(l, false))
	}
	for _, op := range []string{"==", "!=", "<>", "<=", ">=", "<", ">"} {
		if p.accept(op) {
			if op == "<>" {
				op = "!="
			}
			return comparison{op, p.must(l, false), p.must(p.additive(), false)}
		}
	}
	return l
}

func (p *parser) prefix() node {
	if p.tok.kind != text && p.tok.kind != named {
		p.unexpected()
	}
	return p.primary()
}

func (p *parser) additive() node {
	return p.operators([]string{"+", "-"}, func() node {
		return p.operators([]string{"*", "/", "%"}, p.signed)
	})
}

func (p *parser) operators(ops []string, operand func() node) node {
	l := operand()
	for p.err == nil {
		op := ""
		for _, o := range ops {
			if p.tok.is(o) {
				op = o
			}
		}
		if op == "" {
			return l
		}
		p.must(l, false)
		p.operator()
		l = arithmetic{op, l, p.must(operand(), false)}
	}
	return l
}

func (p *parser) signed() node {
	if !p.tok.is("+") && !p.tok.is("-") {
		return p.accessors(p.primary())
	}
	if p.depth++; p.depth > nestingMax {
		p.fail("too many levels")
	}
	defer func() { p.depth-- }()
	minus := p.advance().text == "-"
	return sign{minus, p.must(p.signed(), false)}
}

func (p *parser) primary() node {
	switch t := p.tok; t.kind {
	case text:
		p.advance()
		return literal{types.JSONStringOf(t.text)}
	case number:
		p.advance()
		return literal{numberOf(t.text)}
	case named:
		p.advance()
		return variable{t.text}
	case word:
		return p.keyword()
	}
	switch {
	case p.accept("$"):
		return rootItem{}
	case p.accept("@"):
		if p.filters == 0 && p.err == nil {
			p.err = errs.PathSyntax.New("problem", "@ is not allowed in root expressions")
		}
		return currentItem{}
	case p.accept("("):
		n := p.or()
		p.expect(")")
		if p.tok.keyword("is") && p.ahead.keyword("unknown") {
			p.advance()
			p.advance()
			return unknown{p.must(n, true)}
		}
		return n
	}
	p.unexpected()
	return nil
}

// numberOf is a number as JSON writes it.
func numberOf(s string) types.JSON {
	d, err := types.Parse(types.Numeric, s, types.Ctx{})
	if err != nil {
		return "0"
	}
	return types.JSONNumberOf(d.Num())
}

func (p *parser) keyword() node {
	switch t := p.tok; {
	case t.text == "true" || t.text == "false" || t.text == "null":
		p.advance()
		return literal{types.JSON(t.text)}
	case t.keyword("last"):
		p.advance()
		if p.subscripts == 0 && p.err == nil {
			p.err = errs.PathSyntax.New("problem", "LAST is allowed only in array subscripts")
		}
		return lastIndex{}
	case t.keyword("exists") && p.ahead.is("("):
		p.advance()
		p.advance()
		x := p.must(p.or(), false)
		p.expect(")")
		return existence{x}
	}
	p.unexpected()
	return nil
}
