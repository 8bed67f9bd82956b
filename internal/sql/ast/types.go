package ast

// TypeName is a type as written. The spellings that are PostgreSQL keywords carry its internal names (INT is int4,
// DOUBLE PRECISION float8, TIMESTAMP WITH TIME ZONE timestamptz, CHAR(n) bpchar); every other name is as the user wrote it.
type TypeName struct {
	Pos
	Database string
	Schema   string
	Name     string
	Mods     []Expr        // numeric(10, 2), varchar(5), vector(3)
	Fields   []StructField // struct<a int, b text>
	Args     []*TypeName   // map(varchar, int): key and value
	Interval string        // interval day to second: "day to second"; "" is all fields
	// ArrayDims has one entry per dimension: its declared size, or -1. PostgreSQL, and Tidemark, ignore the sizes.
	ArrayDims []int
	SetOf     bool // only in CREATE FUNCTION ... RETURNS SETOF
}

// StructField is one field of a struct type.
type StructField struct {
	Name Ident
	Type *TypeName
}
