// Package ast has the syntax tree of Tidemark's SQL: plain data, one struct per construct, every node with the position
// where it starts. It knows nothing of catalogs or types; names are as written, folded by PostgreSQL's rules. Format
// prints a statement or expression as SQL that parses to the same tree:
//
//	text := ast.Format(stmt)
package ast

import "strings"

// Pos is a 1-based character position in the statement's text; 0 is unknown (a node made by a rewrite). It is embedded
// in nodes, which thereby have Position.
type Pos int

// Position returns where the node starts.
func (p Pos) Position() Pos { return p }

// Stmt is a statement.
type Stmt interface {
	Position() Pos
	stmt()
}

// Expr is a scalar expression.
type Expr interface {
	Position() Pos
	expr()
}

// Ident is one name with its position, where the binder may have to complain about it.
type Ident struct {
	Pos
	Name string
}

// Name is a possibly qualified name, outermost part first: database.schema.table.
type Name struct {
	Pos
	Parts []string
}

// Last returns the innermost part: the object's own name.
func (n Name) Last() string {
	if len(n.Parts) == 0 {
		return ""
	}
	return n.Parts[len(n.Parts)-1]
}

// Schema returns the part before the last one, or "".
func (n Name) Schema() string {
	if len(n.Parts) < 2 {
		return ""
	}
	return n.Parts[len(n.Parts)-2]
}

// Database returns the part before the schema, or "".
func (n Name) Database() string {
	if len(n.Parts) < 3 {
		return ""
	}
	return n.Parts[len(n.Parts)-3]
}

// String returns the parts joined by dots, unquoted, as error messages show names.
func (n Name) String() string { return strings.Join(n.Parts, ".") }

// Empty reports whether there is no name at all.
func (n Name) Empty() bool { return len(n.Parts) == 0 }
