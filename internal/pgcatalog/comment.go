package pgcatalog

import "github.com/tidemark-db/tidemark/internal/types"

// comments is the functions that tell what COMMENT ON has said. An object without comment gives NULL.
var comments = map[string]answer{
	"obj_description":   objectComment,
	"col_description":   columnComment,
	"shobj_description": sharedComment,
}

// objectComment looks in all catalogs, or in the one that is named.
func objectComment(l *lookup, args types.Row) (any, error) {
	oid, in := int(args[0].Int()), ""
	if len(args) > 1 {
		in = args[1].Bytes()
	}
	if in == "" || in == "pg_class" {
		if rel, ok := l.info.Catalog.Relation(toRelation(oid)); ok {
			return orNull(rel.Comment), nil
		}
	}
	if in == "" || in == "pg_namespace" {
		for _, s := range l.schemas {
			if s.oid == oid {
				return orNull(s.comment), nil
			}
		}
	}
	if in == "" || in == "pg_proc" {
		if f, ok := l.function(oid); ok {
			return orNull(f.Doc), nil
		}
	}
	return nil, nil
}

func columnComment(l *lookup, args types.Row) (any, error) {
	rel, ok := l.relation(int(args[0].Int()))
	if at := int(args[1].Int()); ok && at >= 1 && at <= len(rel.Columns) {
		return orNull(rel.Columns[at-1].Comment), nil
	}
	return nil, nil
}

func sharedComment(_ *lookup, args types.Row) (any, error) {
	if int(args[0].Int()) == databaseOID && args[1].Bytes() == "pg_database" {
		return databaseComment, nil
	}
	return nil, nil
}
