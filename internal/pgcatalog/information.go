package pgcatalog

import (
	"strconv"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/types"
)

// informationFamily is the standard's relations about tables and columns. As in PostgreSQL materialized views are not
// tables to the standard; they are listed nevertheless, as "MATERIALIZED VIEW", since tools find tables here.
var informationFamily = map[string]rows{
	"information_schema.tables":   informationTableRows,
	"information_schema.columns":  informationColumnRows,
	"information_schema.views":    informationViewRows,
	"information_schema.schemata": schemataRows,
}

func tableType(rel *catalog.Relation) (string, bool) {
	switch rel.Kind {
	case catalog.KindTable, catalog.KindSource:
		return "BASE TABLE", true
	case catalog.KindView, catalog.KindSystem:
		return "VIEW", true
	case catalog.KindMaterializedView:
		return "MATERIALIZED VIEW", true
	}
	return "", false
}

func informationTableRows(s *scan) {
	for _, rel := range s.relations() {
		if kind, ok := tableType(rel); ok {
			s.add(row{"table_catalog": s.info.Database, "table_schema": rel.Schema, "table_name": rel.Name, "table_type": kind,
				"is_insertable_into": yesNo(rel.Kind == catalog.KindTable), "is_typed": "NO"})
		}
	}
}

func informationViewRows(s *scan) {
	for _, rel := range s.relations() {
		if kind, _ := tableType(rel); kind != "VIEW" {
			continue
		}
		s.add(row{"table_catalog": s.info.Database, "table_schema": rel.Schema, "table_name": rel.Name,
			"view_definition": orNull(viewQuery(rel)), "check_option": "NONE", "is_updatable": "NO", "is_insertable_into": "NO",
			"is_trigger_updatable": "NO", "is_trigger_deletable": "NO", "is_trigger_insertable_into": "NO"})
	}
}

func schemataRows(s *scan) {
	for _, n := range s.schemas {
		s.add(row{"catalog_name": s.info.Database, "schema_name": n.name, "schema_owner": n.owner})
	}
}

func informationColumnRows(s *scan) {
	for _, rel := range s.relations() {
		if _, ok := tableType(rel); !ok {
			continue
		}
		for _, at := range rel.Visible() {
			c := shownColumn(rel, at, false)
			r := row{
				"table_catalog": s.info.Database, "table_schema": rel.Schema, "table_name": rel.Name, "column_name": c.Name,
				"ordinal_position": at + 1, "column_default": orNull(c.Default), "is_nullable": yesNo(!c.NotNull),
				"udt_catalog": s.info.Database, "udt_schema": "pg_catalog", "udt_name": types.TypeName(c.Type),
				"dtd_identifier": strconv.Itoa(at + 1), "is_self_referencing": "NO", "is_identity": "NO", "identity_cycle": "NO",
				"is_generated": generatedWord(c), "generation_expression": orNull(c.Generated),
				"is_updatable": yesNo(rel.Kind == catalog.KindTable && c.Generated == ""),
			}
			describeType(r, c.Type)
			s.add(r)
		}
	}
}

func generatedWord(c catalog.Column) string {
	if c.Generated != "" {
		return "ALWAYS"
	}
	return "NEVER"
}

// describeType adds the columns by which the standard describes a type.
func describeType(r row, t types.T) {
	r["data_type"] = types.BaseName(t)
	switch t.Kind {
	case types.KindArray:
		r["data_type"] = "ARRAY"
	case types.KindBpchar, types.KindVarchar, types.KindText:
		r["character_octet_length"] = textBytesMax
		if t.Width > 0 {
			r["character_maximum_length"], r["character_octet_length"] = int(t.Width), int(t.Width)*utf8Max
		}
	case types.KindInt2, types.KindInt4, types.KindInt8:
		r["numeric_precision"], r["numeric_precision_radix"], r["numeric_scale"] = int(types.Size(t))*8, 2, 0
	case types.KindFloat4:
		r["numeric_precision"], r["numeric_precision_radix"] = 24, 2
	case types.KindFloat8:
		r["numeric_precision"], r["numeric_precision_radix"] = 53, 2
	case types.KindNumeric:
		r["numeric_precision_radix"] = 10
		if t.Width > 0 {
			r["numeric_precision"], r["numeric_scale"] = int(t.Width), int(t.Scale)
		}
	case types.KindDate:
		r["datetime_precision"] = 0
	case types.KindTime, types.KindTimestamp, types.KindTimestamptz, types.KindInterval:
		r["datetime_precision"] = fractionDigits
		if t.Scale > 0 {
			r["datetime_precision"] = int(t.Scale) - 1
		}
	}
}

const (
	textBytesMax   = 1 << 30 // PostgreSQL's bound of a text value
	utf8Max        = 4       // bytes of a character
	fractionDigits = 6
)
