package jsonpath

import (
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// accessors reads what follows an expression.
func (p *parser) accessors(n node) node {
	var steps []step
	for p.err == nil {
		switch {
		case p.accept("."):
			steps = append(steps, p.dotted())
		case p.accept("["):
			steps = append(steps, p.subscripted())
		case p.accept("?"):
			p.expect("(")
			p.filters++
			when := p.must(p.or(), true)
			p.filters--
			p.expect(")")
			steps = append(steps, step{kind: filter, when: when})
		case len(steps) == 0:
			return n
		default:
			return chain{n, steps}
		}
	}
	return n
}

func (p *parser) dotted() step {
	switch t := p.tok; {
	case p.accept("*"):
		return step{kind: allMembers}
	case p.accept("**"):
		return p.levels()
	case t.kind == text:
		p.advance()
		return step{kind: member, name: t.text}
	case t.kind == word:
		p.advance()
		if p.tok.is("(") {
			return p.method(t.text)
		}
		return step{kind: member, name: t.text}
	}
	p.unexpected()
	return step{}
}

func (p *parser) method(name string) step {
	switch name = strings.ToLower(name); name {
	case "type", "size", "abs", "floor", "ceiling", "double":
	case "datetime", "keyvalue":
		p.err = errs.Unsupported.New("feature", "the method "+name+"() of a path")
	default:
		p.unexpected()
	}
	p.expect("(")
	p.expect(")")
	return step{kind: method, name: name}
}

// levels reads {n}, {n to m} and their like behind **.
func (p *parser) levels() step {
	s := step{kind: descent, to: deepest}
	if !p.accept("{") {
		return s
	}
	s.from = p.level()
	s.to = s.from
	if p.tok.keyword("to") {
		p.advance()
		s.to = p.level()
	}
	p.expect("}")
	return s
}

func (p *parser) level() int {
	if p.tok.keyword("last") {
		p.advance()
		return deepest
	}
	n, err := strconv.Atoi(p.tok.text)
	if err != nil || p.tok.kind != number {
		p.unexpected()
	}
	p.advance()
	return n
}

func (p *parser) subscripted() step {
	if p.tok.is("*") && p.ahead.is("]") {
		p.advance()
		p.advance()
		return step{kind: allElements}
	}
	s := step{kind: elements}
	p.subscripts++
	defer func() { p.subscripts-- }()
	for {
		i := index{from: p.must(p.additive(), false)}
		if p.tok.keyword("to") {
			p.advance()
			i.to = p.must(p.additive(), false)
		}
		s.subs = append(s.subs, i)
		if !p.accept(",") {
			break
		}
	}
	p.expect("]")
	return s
}
