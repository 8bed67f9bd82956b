package pgcatalog

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// privileges is the has_..._privilege functions. Every user may use every object, so that they are true of all that exists.
// Only tables and schemas are looked up: drivers ask for these by name.
var privileges = map[string]answer{
	"has_table_privilege":      onRelation(1),
	"has_any_column_privilege": onRelation(1),
	"has_column_privilege":     onRelation(2),
	"has_sequence_privilege":   always,
	"has_schema_privilege":     onSchema,
	"has_database_privilege":   always,
	"has_function_privilege":   always,
	"has_type_privilege":       always,
	"has_language_privilege":   always,
	"has_tablespace_privilege": always,
	"pg_has_role":              always,
}

// onRelation answers for the relation that stands before the last arguments, by name or oid. A name that is none is an
// error, an oid that is none NULL.
func onRelation(last int) answer {
	return func(l *lookup, args types.Row) (any, error) {
		object := args[len(args)-1-last]
		name := object.Bytes()
		if name == "" {
			if _, ok := l.relation(int(object.Int())); ok || l.byOID[int(object.Int())] != nil {
				return true, nil
			}
			return nil, nil
		}
		oid, err := l.findRelation(name)
		if err == nil && oid == 0 {
			err = errs.UndefinedTable.New("name", name)
		}
		return true, err
	}
}

func onSchema(l *lookup, args types.Row) (any, error) {
	object := args[len(args)-2]
	name := object.Bytes()
	for _, s := range l.schemas {
		if s.name == name || name == "" && s.oid == int(object.Int()) {
			return true, nil
		}
	}
	if name == "" {
		return nil, nil
	}
	return nil, errs.UndefinedSchema.New("name", name)
}
