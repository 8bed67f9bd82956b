package parser

import "github.com/tidemark-db/tidemark/internal/sql/ast"

func (p *parser) createFunction(f *ast.CreateFunction) ast.Stmt {
	f.IfNotExists = p.ifNotExists()
	f.Name = p.name()
	p.expect("(")
	if !p.accept(")") {
		f.Params = list(p, p.funcParam)
		p.expect(")")
	}
	if p.accept("returns") {
		if p.accept("table") {
			f.Table = inParens(p, p.columnType)
		} else {
			f.Returns = p.typeName()
		}
	}
	for p.err == nil && p.functionClause(f) {
	}
	return f
}

// funcParam reads [mode] [name] type [DEFAULT expr].
func (p *parser) funcParam() ast.FuncParam {
	a := ast.FuncParam{Pos: p.pos()}
	a.Mode = upper(p.acceptAny("in", "out", "inout", "variadic"))
	if next := p.peek(1); (p.tok.typeFunc() || p.tok.colID()) && !typeKeyword(p.tok) &&
		!next.is(",") && !next.is(")") && !next.is("(") && !next.is("[") && !next.is(".") && !next.is("=") && !next.is("default") && next.kind != tOp {
		a.Name = p.advance().text
	}
	a.Type = p.typeName()
	if p.accept("default") || p.accept("=") {
		a.Default = p.expr()
	}
	return a
}

// functionClause reads one clause behind the signature; false if none is next.
func (p *parser) functionClause(f *ast.CreateFunction) bool {
	switch {
	case p.accept("language"):
		f.Language = p.nonReservedOrString()
	case p.accept("runtime"):
		p.accept("=")
		f.Runtime = p.nonReservedOrString()
	case p.accept("as"):
		f.As = list(p, p.nonReservedOrString)
	case p.accept("return"):
		f.Return = p.expr()
	case p.accept("using"):
		f.Using = upper(p.acceptAny("link", "base64"))
		if f.Using == "" {
			p.unexpected()
		}
		f.UsingValue = p.str()
	case p.atSeq("with", "("):
		f.Options = p.withOptions()
	case p.accept("cost"):
		f.Behavior = append(f.Behavior, "COST "+p.signedNumber())
	case p.accept("rows"):
		f.Behavior = append(f.Behavior, "ROWS "+p.signedNumber())
	default:
		b := p.phrase("immutable", "stable", "volatile", "strict", "called on null input", "returns null on null input",
			"not leakproof", "leakproof", "security definer", "security invoker", "external security definer",
			"external security invoker", "parallel safe", "parallel unsafe", "parallel restricted", "window")
		if b == "" {
			return false
		}
		f.Behavior = append(f.Behavior, upper(b))
	}
	return true
}

func (p *parser) nonReservedOrString() string {
	if p.tok.kind == tString {
		return p.advance().text
	}
	return p.nonReserved()
}
