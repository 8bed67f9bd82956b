package pgcatalog

import (
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/types"
)

// sizes is the functions that tell how many bytes something takes. An index is stored like a view and counted by itself.
var sizes = map[string]answer{
	"pg_relation_size":       relationSize,
	"pg_table_size":          relationSize,
	"pg_total_relation_size": totalSize,
	"pg_indexes_size":        indexesSize,
	"pg_database_size":       databaseSize,
	"pg_relation_filenode":   relationFile,
	"pg_tablespace_location": func(*lookup, types.Row) (any, error) { return "", nil },
}

func relationSize(l *lookup, args types.Row) (any, error) {
	o := l.byOID[int(args[0].Int())]
	switch {
	case o == nil:
		return nil, nil
	case o.primary: // rows are stored in the order of the primary key, it takes no bytes
		return int64(0), nil
	}
	return l.size(o.rel.ID), nil
}

func (l *lookup) indexSizes(table id.Relation) (sum int64) {
	for _, rel := range l.info.Catalog.Relations() {
		if rel.Indexed == table && table != 0 {
			sum += l.size(rel.ID)
		}
	}
	return sum
}

func indexesSize(l *lookup, args types.Row) (any, error) {
	if l.byOID[int(args[0].Int())] == nil {
		return nil, nil
	}
	return l.indexSizes(id.Relation(args[0].Int())), nil
}

func totalSize(l *lookup, args types.Row) (any, error) {
	own, err := relationSize(l, args)
	if own == nil || err != nil {
		return nil, err
	}
	return own.(int64) + l.indexSizes(id.Relation(args[0].Int())), nil
}

func databaseSize(l *lookup, _ types.Row) (any, error) {
	sum := int64(0)
	for _, rel := range l.info.Catalog.Relations() {
		sum += l.size(rel.ID)
	}
	return sum, nil
}

func relationFile(l *lookup, args types.Row) (any, error) {
	if o := l.byOID[int(args[0].Int())]; o != nil && o.fileNode() != 0 {
		return o.fileNode(), nil
	}
	return nil, nil
}
