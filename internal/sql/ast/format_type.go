package ast

import "strconv"

// standardTypes are the standard's words for PostgreSQL's internal names.
var standardTypes = map[string]string{
	"int2": "smallint", "int4": "integer", "int8": "bigint", "float4": "real", "float8": "double precision", "bool": "boolean",
	"bpchar": "character", "varchar": "character varying", "varbit": "bit varying", "bit": "bit", "numeric": "numeric",
	"interval": "interval", "time": "time", "timestamp": "timestamp",
}

func (p *printer) typeName(t *TypeName) {
	if t == nil {
		return
	}
	p.when(t.SetOf, "SETOF ")
	p.baseType(t)
	for _, size := range t.ArrayDims {
		if size < 0 {
			p.w("[]")
		} else {
			p.w("[", strconv.Itoa(size), "]")
		}
	}
}

func (p *printer) baseType(t *TypeName) {
	switch {
	case t.Fields != nil:
		p.w("struct<")
		commas(p, ", ", t.Fields, func(f StructField) {
			p.ident(f.Name.Name)
			p.w(" ")
			p.typeName(f.Type)
		})
		p.w(">")
	case t.Args != nil:
		p.w("map")
		parens(p, t.Args, p.typeName)
	case t.Schema == "" && t.Name == "interval":
		p.w("interval")
		p.when(t.Interval != "", " ", t.Interval)
		p.mods(t.Mods)
	case t.Schema == "" && (t.Name == "timetz" || t.Name == "timestamptz"):
		p.w(t.Name[:len(t.Name)-2])
		p.mods(t.Mods)
		p.w(" with time zone")
	case t.Schema == "" && standardTypes[t.Name] != "" && standardMods(t):
		p.w(standardTypes[t.Name])
		p.mods(t.Mods)
	default:
		p.userType(t)
	}
}

// standardMods reports whether the standard's word can carry these modifiers: CHARACTER alone would be CHARACTER(1).
func standardMods(t *TypeName) bool {
	switch t.Name {
	case "bpchar", "bit":
		return t.Mods != nil
	case "varchar", "varbit", "numeric", "time", "timestamp":
		return true
	}
	return t.Mods == nil
}

// userType prints a type that is no keyword; a word that may name a type but no column stays unquoted.
func (p *printer) userType(t *TypeName) {
	if t.Database != "" {
		p.ident(t.Database)
		p.w(".")
	}
	if t.Schema != "" {
		p.ident(t.Schema)
		p.w(".")
	}
	p.ident(t.Name)
	p.mods(t.Mods)
}

func (p *printer) mods(mods []Expr) {
	if mods != nil {
		parens(p, mods, func(e Expr) { p.expr(e, 0) })
	}
}
