package parser

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// keywordTypes are the type names that are keywords, with PostgreSQL's name for each.
var keywordTypes = map[string]string{
	"bigint": "int8", "bit": "bit", "boolean": "bool", "char": "bpchar", "character": "bpchar", "dec": "numeric",
	"decimal": "numeric", "double": "float8", "float": "float8", "int": "int4", "integer": "int4", "interval": "interval",
	"national": "bpchar", "nchar": "bpchar", "numeric": "numeric", "real": "float4", "smallint": "int2", "time": "time",
	"timestamp": "timestamp", "varchar": "varchar",
}

// typeKeyword reports whether the token begins a type that is spelled with keywords.
func typeKeyword(t token) bool {
	return t.kind == tWord && keywordTypes[t.text] != ""
}

// typeName reads a type with its array dimensions.
func (p *parser) typeName() *ast.TypeName {
	outer := p.enter()
	defer func() { p.leave(outer, p.height+1) }()
	pos := p.pos()
	setOf := p.accept("setof")
	t := p.simpleType()
	if t.Name == "interval" && t.Schema == "" && t.Interval == "" {
		t.Interval = p.intervalFields(t)
	}
	t.Pos, t.SetOf = pos, setOf
	if p.accept("array") {
		size := -1
		if p.accept("[") {
			size = int(p.integer())
			p.expect("]")
		}
		t.ArrayDims = append(t.ArrayDims, size)
		return t
	}
	for p.at("[") && (p.peek(1).is("]") || p.peek(1).kind == tNumber && p.peek(2).is("]")) {
		p.advance()
		size := -1
		if p.tok.kind == tNumber {
			size = int(p.integer())
		}
		p.expect("]")
		t.ArrayDims = append(t.ArrayDims, size)
	}
	return t
}

// simpleType reads a type without dimensions.
func (p *parser) simpleType() *ast.TypeName {
	t := &ast.TypeName{Pos: p.pos()}
	switch {
	case typeKeyword(p.tok) && !p.peek(1).is(".") && !(p.at("double") && !p.peek(1).is("precision")):
		p.keywordType(t)
	case p.at("struct") && p.peek(1).kind == tOp && strings.HasPrefix(p.peek(1).text, "<"):
		p.structType(t)
	case p.at("map") && p.peek(1).is("("):
		p.advance()
		t.Name = "map"
		t.Args = inParens(p, p.typeName)
	case p.tok.typeFunc():
		parts := []string{p.advance().text}
		for p.accept(".") {
			parts = append(parts, p.label())
		}
		setTypeName(t, parts)
		t.Mods = p.typeMods()
	default:
		p.unexpected()
	}
	return t
}

func setTypeName(t *ast.TypeName, parts []string) {
	n := ast.Name{Parts: parts}
	t.Database, t.Schema, t.Name = n.Database(), n.Schema(), n.Last()
}

func (p *parser) typeMods() []ast.Expr {
	if !p.at("(") {
		return nil
	}
	return inParens(p, p.expr)
}

// keywordType reads a type such as DOUBLE PRECISION, CHARACTER VARYING(5) or TIME(3) WITH TIME ZONE.
func (p *parser) keywordType(t *ast.TypeName) {
	word := p.advance().text
	t.Name = keywordTypes[word]
	switch word {
	case "double":
		p.expect("precision")
		return
	case "int", "integer", "bigint", "smallint", "real", "boolean":
		return
	case "float":
		p.floatPrecision(t)
		return
	case "bit":
		if p.accept("varying") {
			t.Name = "varbit"
		}
	case "national":
		if !p.accept("char") {
			p.expect("character")
		}
		p.varying(t)
	case "char", "character", "nchar":
		p.varying(t)
	}
	t.Mods = p.typeMods()
	switch word {
	case "char", "character", "nchar", "national", "bit":
		if t.Mods == nil && t.Name != "varchar" && t.Name != "varbit" {
			t.Mods = []ast.Expr{&ast.NumberLit{Pos: t.Pos, Text: "1"}} // CHAR is CHAR(1)
		}
	case "time", "timestamp":
		p.timeZone(t)
	}
}

func (p *parser) varying(t *ast.TypeName) {
	if p.accept("varying") {
		t.Name = "varchar"
	}
}

func (p *parser) timeZone(t *ast.TypeName) {
	switch {
	case p.accept("with", "time", "zone"):
		t.Name += "tz"
	case p.accept("without", "time", "zone"):
	}
}

// floatPrecision reads FLOAT(p): up to 24 bits are real, up to 53 double precision.
func (p *parser) floatPrecision(t *ast.TypeName) {
	if !p.accept("(") {
		return
	}
	pos := p.pos()
	bits := p.integer()
	p.expect(")")
	switch {
	case p.err != nil:
	case bits < 1:
		p.fail(errs.FloatPrecision.New("problem", "precision for type float must be at least 1 bit").At(int(pos)))
	case bits > 53:
		p.fail(errs.FloatPrecision.New("problem", "precision for type float must be less than 54 bits").At(int(pos)))
	case bits <= 24:
		t.Name = "float4"
	}
}

// structType reads struct<a int, b text>.
func (p *parser) structType(t *ast.TypeName) {
	p.advance()
	t.Name = "struct"
	p.splitSign("<")
	p.expect("<")
	t.Fields = []ast.StructField{}
	if p.splitSign(">"); p.accept(">") {
		return
	}
	t.Fields = list(p, func() ast.StructField {
		return ast.StructField{Name: ast.Ident{Pos: p.pos(), Name: p.label()}, Type: p.typeName()}
	})
	p.splitSign(">")
	p.expect(">")
}

// intervalFields reads the fields that restrict an interval: DAY TO SECOND(3).
func (p *parser) intervalFields(t *ast.TypeName) string {
	fields := p.acceptAny("year", "month", "day", "hour", "minute", "second")
	if fields == "" {
		return ""
	}
	if p.at("to") {
		p.advance()
		last := p.acceptAny("month", "hour", "minute", "second")
		if !intervalRange(fields, last) {
			p.unexpected()
		}
		fields += " to " + last
	}
	if strings.HasSuffix(fields, "second") && len(t.Mods) == 0 {
		t.Mods = p.typeMods()
	}
	return fields
}

func intervalRange(from, to string) bool {
	switch from {
	case "year":
		return to == "month"
	case "day":
		return to == "hour" || to == "minute" || to == "second"
	case "hour":
		return to == "minute" || to == "second"
	case "minute":
		return to == "second"
	}
	return false
}
