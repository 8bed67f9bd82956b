package pgcatalog

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/types"
)

// functionFamily is functions and languages. Operators are syntax here, so that pg_operator is empty.
var functionFamily = map[string]rows{
	"pg_catalog.pg_proc":          functionRows,
	"pg_catalog.pg_aggregate":     aggregateRows,
	"pg_catalog.pg_language":      languageRows,
	"information_schema.routines": routineRows,
	"rw_catalog.rw_functions":     func(*scan) {}, // functions that users made: there are none
	"pg_catalog.pg_keywords":      keywordRows,
}

// functionArguments prints the arguments as pg_get_function_arguments does.
func functionArguments(f FunctionInfo) string {
	return strings.Join(mapped(f.Args, argumentType), ", ")
}

func functionResult(f FunctionInfo) string {
	if f.Set {
		return "SETOF " + argumentType(f.Returns)
	}
	return argumentType(f.Returns)
}

// argumentType names a type; those that pg_type does not have are polymorphic.
func argumentType(t types.T) string {
	switch {
	case t.Kind == types.KindUnknown:
		return "anyelement"
	case anyArray(t):
		return "anyarray"
	}
	return types.BaseName(t)
}

// signature tells overloads apart.
func signature(f FunctionInfo) string { return f.Name + "(" + functionArguments(f) + ")" }

// anyArray is how an argument that takes any array is noted.
func anyArray(t types.T) bool { return t.Kind == types.KindArray && t.Elem.Kind == types.KindUnknown }

// Oids of the polymorphic types.
const (
	anyArrayOID   = 2277
	anyElementOID = 2283
	cstringOID    = 2275
	internalOID   = 2281
	byteaOID      = 17
)

// argumentOID is the oid of an argument's type.
func argumentOID(t types.T) int {
	switch {
	case t.Kind == types.KindUnknown:
		return anyElementOID
	case anyArray(t):
		return anyArrayOID
	}
	return int(types.OID(t))
}

func functionRows(s *scan) {
	for _, f := range s.info.Functions {
		language := internalLanguage
		rows := 0.0
		if f.Set {
			rows = 1000
		}
		s.add(row{
			"oid": functionOID(f), "proname": f.Name, "pronamespace": catalogSchema, "proowner": bootstrapUserOID,
			"prolang": language, "procost": 1.0, "prorows": rows, "prokind": string(rune(f.Kind)), "proisstrict": f.Strict,
			"proretset": f.Set, "provolatile": "s", "proparallel": "s", "pronargs": len(f.Args),
			"prorettype": argumentOID(f.Returns), "proargtypes": mapped(f.Args, argumentOID), "prosrc": f.Name,
		})
	}
	inputOutputRows(s)
	madeFunctionRows(s)
}

// inputOutputRows is the functions that read and write the forms of types. They can not be called.
func inputOutputRows(s *scan) {
	facts := append([]typeFact{typeFacts(types.ArrayOf(types.Int4))}, typeTable...)
	for _, f := range facts {
		t := anyArrayOID
		if f.kind != types.KindArray {
			t = int(types.OID(types.T{Kind: f.kind}))
		}
		for _, io := range []struct {
			oid     int
			suffix  string
			args    []int
			returns int
		}{
			{f.input, "in", []int{cstringOID}, t}, {f.output, "out", []int{t}, cstringOID},
			{f.receive, "recv", []int{internalOID}, t}, {f.send(), "send", []int{t}, byteaOID},
		} {
			s.add(row{"oid": io.oid, "proname": f.io + io.suffix, "pronamespace": catalogSchema, "proowner": bootstrapUserOID,
				"prolang": internalLanguage, "procost": 1.0, "prokind": string(rune(Function)), "proisstrict": true, "provolatile": "i",
				"proparallel": "s", "pronargs": 1, "prorettype": io.returns, "proargtypes": io.args, "prosrc": f.io + io.suffix})
		}
	}
}

func aggregateRows(s *scan) {
	for _, f := range s.info.Functions {
		if f.Kind == Aggregate {
			s.add(row{"aggfnoid": functionOID(f), "aggkind": "n", "aggfinalmodify": "r", "aggmfinalmodify": "r"})
		}
	}
}

func languageRows(s *scan) {
	s.add(row{"oid": internalLanguage, "lanname": "internal", "lanowner": bootstrapUserOID})
	s.add(row{"oid": sqlLanguage, "lanname": "sql", "lanowner": bootstrapUserOID, "lanpltrusted": true})
}

func routineRows(s *scan) {
	for _, f := range s.info.Functions {
		kind := any("FUNCTION")
		if f.Kind != Function {
			kind = nil // the standard has no aggregates
		}
		specific := f.Name + "_" + types.Format(types.Oid, types.NewInt(int64(functionOID(f))), types.Ctx{})
		s.add(row{
			"specific_catalog": s.info.Database, "specific_schema": "pg_catalog", "specific_name": specific,
			"routine_catalog": s.info.Database, "routine_schema": "pg_catalog", "routine_name": f.Name, "routine_type": kind,
			"data_type": argumentType(f.Returns), "type_udt_catalog": s.info.Database, "type_udt_schema": "pg_catalog",
			"type_udt_name": udtName(f.Returns), "routine_body": "EXTERNAL", "external_language": "INTERNAL",
			"parameter_style": "GENERAL", "is_deterministic": "NO", "sql_data_access": "MODIFIES", "security_type": "INVOKER",
			"schema_level_routine": "YES", "max_dynamic_result_sets": 0,
		})
	}
}

// udtName is the type's name in pg_type.
func udtName(t types.T) string {
	if t.Kind == types.KindUnknown || anyArray(t) {
		return argumentType(t)
	}
	return types.TypeName(t)
}
