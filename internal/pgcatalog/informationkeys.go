package pgcatalog

import "maps"

// informationKeys is the standard's relations about constraints. Primary keys are the only ones: there are no foreign keys.
var informationKeys = map[string]rows{
	"information_schema.table_constraints":       tableConstraintRows,
	"information_schema.key_column_usage":        keyColumnRows,
	"information_schema.constraint_column_usage": constraintColumnRows,
	"information_schema.constraint_table_usage":  constraintTableRows,
}

// keyRow is what rows about a primary key have in common.
func (s *scan) keyRow(o *object, more row) {
	r := row{"constraint_catalog": s.info.Database, "constraint_schema": o.schema, "constraint_name": o.name,
		"table_catalog": s.info.Database, "table_schema": o.on.schema, "table_name": o.on.name}
	maps.Copy(r, more)
	s.add(r)
}

func (l *lookup) primaryKeys() []*object {
	var out []*object
	for _, o := range l.indexes() {
		if o.primary {
			out = append(out, o)
		}
	}
	return out
}

func tableConstraintRows(s *scan) {
	for _, o := range s.primaryKeys() {
		s.keyRow(o, row{"constraint_type": "PRIMARY KEY", "is_deferrable": "NO", "initially_deferred": "NO", "enforced": "YES"})
	}
}

func constraintTableRows(s *scan) {
	for _, o := range s.primaryKeys() {
		s.keyRow(o, nil)
	}
}

func keyColumnRows(s *scan) {
	for _, o := range s.primaryKeys() {
		for i, at := range o.keys {
			s.keyRow(o, row{"column_name": o.rel.Columns[at].Name, "ordinal_position": i + 1})
		}
	}
}

func constraintColumnRows(s *scan) {
	for _, o := range s.primaryKeys() {
		for _, at := range o.keys {
			s.keyRow(o, row{"column_name": o.rel.Columns[at].Name})
		}
	}
}
