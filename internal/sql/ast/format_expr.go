package ast

import (
	"strconv"
	"strings"
)

// expr prints e, in parentheses when it binds looser than least.
func (p *printer) expr(e Expr, least int) {
	if e == nil {
		return
	}
	if binding(e) < least {
		p.w("(")
		defer p.w(")")
	}
	if !p.atom(e) {
		p.operation(e)
	}
}

// atom prints constants, names and what stands in its own brackets; false if e is an operation.
func (p *printer) atom(e Expr) bool {
	switch e := e.(type) {
	case *ColumnRef:
		p.label(e.Parts)
	case *Star:
		p.star(e)
	case *NumberLit:
		p.w(e.Text)
	case *StringLit:
		p.str(e.Value)
	case *BitLit:
		if e.Hex {
			p.w("X")
		} else {
			p.w("B")
		}
		p.w("'", strings.ReplaceAll(e.Value, "'", "''"), "'")
	case *BoolLit:
		p.w(map[bool]string{true: "TRUE", false: "FALSE"}[e.Value])
	case *NullLit:
		p.w("NULL")
	case *Param:
		p.w("$", strconv.Itoa(e.Number))
	case *SecretRef:
		p.namedClause("SECRET ", e.Name)
	case *DefaultValue:
		p.w("DEFAULT")
	case *ValueKeyword:
		p.w(upperASCII(e.Name))
		p.when(e.Precision >= 0, "(", strconv.Itoa(e.Precision), ")")
	case *Exists:
		p.w("EXISTS ")
		p.subquery(e.Query)
	case *Subquery:
		p.subquery(e.Query)
	case *ArrayQuery:
		p.w("ARRAY")
		p.subquery(e.Query)
	default:
		return p.composite(e)
	}
	return true
}

// composite prints the atoms that hold expressions.
func (p *printer) composite(e Expr) bool {
	switch e := e.(type) {
	case *Case:
		p.caseExpr(e)
	case *Row:
		p.when(e.Explicit || len(e.Elems) < 2, "ROW")
		parens(p, e.Elems, func(x Expr) { p.expr(x, 0) })
	case *Array:
		p.w("ARRAY[")
		p.exprs(e.Elems)
		p.w("]")
	case *MapLit:
		p.w("MAP {")
		commas(p, ", ", e.Entries, func(m MapEntry) {
			p.expr(m.Key, 0)
			p.w(": ")
			p.expr(m.Value, 0)
		})
		p.w("}")
	case *Subscript:
		p.indirect(e.X)
		p.w("[")
		p.expr(e.Index, 0)
		p.w("]")
	case *Slice:
		p.indirect(e.X)
		p.w("[")
		p.expr(e.Low, 0)
		p.w(":")
		p.expr(e.High, 0)
		p.w("]")
	case *Field:
		p.fieldOf(e.X)
		p.w(".")
		p.ident(e.Name)
	case *CurrentOf:
		p.w("CURRENT OF ")
		p.ident(e.Cursor)
	case *FuncCall:
		p.call(e)
	case *Cast:
		return p.cast(e)
	default:
		return false
	}
	return true
}

// indirect prints what a subscript follows; most things need parentheses there.
func (p *printer) indirect(e Expr) {
	switch e.(type) {
	case *ColumnRef, *Param, *Subscript, *Slice, *Field:
		p.expr(e, 0)
	default:
		p.w("(")
		p.expr(e, 0)
		p.w(")")
	}
}

// fieldOf prints what .name follows: a column needs parentheses, or it would be a table.
func (p *printer) fieldOf(e Expr) {
	if _, column := e.(*ColumnRef); column {
		p.w("(")
		defer p.w(")")
		p.expr(e, 0)
		return
	}
	p.indirect(e)
}

func (p *printer) star(s *Star) {
	switch {
	case s.Of != nil:
		p.fieldOf(s.Of)
		p.w(".")
	case s.Qualifier != nil:
		p.label(s.Qualifier)
		p.w(".")
	}
	p.w("*")
	if s.Except != nil {
		p.w(" EXCEPT ")
		parens(p, s.Except, func(c *ColumnRef) { p.label(c.Parts) })
	}
}

func (p *printer) caseExpr(c *Case) {
	p.w("CASE")
	p.clause(" ", c.Operand)
	for _, w := range c.Whens {
		p.clause(" WHEN ", w.Cond)
		p.clause(" THEN ", w.Result)
	}
	p.clause(" ELSE ", c.Else)
	p.w(" END")
}

// cast prints casts that are atoms; false for x::t.
func (p *printer) cast(c *Cast) bool {
	switch c.Style {
	case CastColons:
		return false
	case CastLiteral:
		p.literalType(c)
		return true
	case CastTry:
		p.w("TRY_")
	}
	p.w("CAST(")
	p.expr(c.X, 0)
	p.w(" AS ")
	p.typeName(c.Type)
	p.w(")")
	return true
}

// literalType prints t 'text'; the fields of an interval stand behind the text.
func (p *printer) literalType(c *Cast) {
	t := *c.Type
	fields := t.Interval
	if t.Interval != "" {
		t.Interval = ""
		mods := t.Mods
		t.Mods = nil
		p.typeName(&t)
		p.w(" ")
		p.expr(c.X, 0)
		p.w(" ", upperASCII(fields))
		p.mods(mods)
		return
	}
	p.typeName(&t)
	p.w(" ")
	p.expr(c.X, 0)
}

// operation prints prefix, infix and postfix operators.
func (p *printer) operation(e Expr) {
	switch e := e.(type) {
	case *Logic:
		p.logic(e)
	case *Not:
		p.w("NOT ")
		p.expr(e.X, bindNot)
	case *Unary:
		p.operator(e.Op)
		p.when(e.Op.Schema != "" || len(e.Op.Name) > 1 || binding(e) == bindOther, " ")
		if _, nested := e.X.(*Unary); nested {
			p.w("(")
			defer p.w(")")
		}
		p.expr(e.X, binding(e)+1)
	case *Binary:
		p.binary(e)
	case *Quantified:
		p.quantified(e)
	case *AtTimeZone:
		p.expr(e.X, bindAt)
		p.w(" AT TIME ZONE ")
		p.expr(e.Zone, bindAt+1)
	case *Collate:
		p.expr(e.X, bindCollate)
		p.w(" COLLATE ")
		p.name(e.Name)
	case *Cast:
		p.expr(e.X, bindCast)
		p.w("::")
		p.typeName(e.Type)
	case *Lambda:
		p.w("|")
		commas(p, ", ", e.Params, func(n Ident) { p.ident(n.Name) })
		p.w("| ")
		p.expr(e.Body, 0)
	default:
		p.predicate(e)
	}
}

func (p *printer) logic(l *Logic) {
	commas(p, " "+string(l.Op)+" ", l.Args, func(x Expr) {
		if binding(x) == binding(l) { // a right operand that is a chain of its own: keep its parentheses
			p.w("(")
			defer p.w(")")
		}
		p.expr(x, binding(l))
	})
}

func (p *printer) binary(b *Binary) {
	bind := binding(b)
	left := bind
	if bind == bindCompare {
		left++ // comparisons do not associate
	}
	p.expr(b.Left, left)
	p.w(" ")
	p.operator(b.Op)
	p.w(" ")
	p.expr(b.Right, bind+1)
}

func (p *printer) operator(op Operator) {
	if op.Schema == "" {
		p.w(op.Name)
		return
	}
	p.w("OPERATOR(")
	p.ident(op.Schema)
	p.w(".", op.Name, ")")
}

func (p *printer) quantified(q *Quantified) {
	p.expr(q.X, bindOther+1)
	p.w(" ")
	p.operator(q.Op)
	if q.All {
		p.w(" ALL ")
	} else {
		p.w(" ANY ")
	}
	if q.Query != nil {
		p.subquery(q.Query)
		return
	}
	p.w("(")
	p.expr(q.Array, 0)
	p.w(")")
}

// predicate prints the tests.
func (p *printer) predicate(e Expr) {
	switch e := e.(type) {
	case *Test:
		least := bindIs
		if _, open := e.X.(*Distinct); open { // it ends with an operand, after which another IS is an error
			least++
		}
		p.expr(e.X, least)
		p.w(" IS ")
		p.when(e.Not, "NOT ")
		p.when(e.Form != "", upperASCII(e.Form), " ")
		p.w(string(e.Kind))
		p.when(e.Unique, " WITH UNIQUE KEYS")
	case *Distinct:
		p.expr(e.Left, bindIs+1)
		p.w(" IS ")
		p.when(e.Not, "NOT ")
		p.w("DISTINCT FROM ")
		p.expr(e.Right, bindIs+1)
	case *Match:
		p.expr(e.X, bindMatch+1)
		p.when(e.Not, " NOT")
		p.w(" ", string(e.Kind), " ")
		p.expr(e.Pattern, bindMatch+1)
		if e.Escape != nil {
			p.w(" ESCAPE ")
			p.expr(e.Escape, bindMatch+1)
		}
	case *Between:
		p.expr(e.X, bindMatch+1)
		p.when(e.Not, " NOT")
		p.w(" BETWEEN ")
		p.when(e.Symmetric, "SYMMETRIC ")
		p.simple(e.Low)
		p.w(" AND ")
		p.expr(e.High, bindMatch+1)
	case *In:
		p.expr(e.X, bindMatch+1)
		p.when(e.Not, " NOT")
		p.w(" IN ")
		if e.Query != nil {
			p.subquery(e.Query)
		} else {
			parens(p, e.List, func(x Expr) { p.expr(x, 0) })
		}
	}
}

// simple prints an expression where the grammar has PostgreSQL's b_expr: what is none stands in parentheses.
func (p *printer) simple(e Expr) {
	if simpleExpr(e) {
		p.expr(e, 0)
		return
	}
	p.w("(")
	p.expr(e, 0)
	p.w(")")
}

func simpleExpr(e Expr) bool {
	switch e := e.(type) {
	case *Unary:
		return simpleExpr(e.X)
	case *Binary:
		return simpleExpr(e.Left) && simpleExpr(e.Right)
	}
	return binding(e) >= bindCast
}

// upperASCII raises a keyword.
func upperASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 0x20
		}
	}
	return string(b)
}
