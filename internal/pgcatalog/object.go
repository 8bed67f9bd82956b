package pgcatalog

import (
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
)

// object is a row of pg_class: a relation, or the index that PostgreSQL's catalogs have for a primary key. Sources are
// listed as tables ('r') whose reloptions tell the connector: psql and most tools read of foreign tables only together
// with a foreign server. Sinks and subscriptions can not be read from and are not in pg_class.
type object struct {
	oid     int
	schema  string
	name    string
	kind    string // pg_class.relkind
	rel     *catalog.Relation
	on      *object // of an index: its table
	keys    []int   // of an index: positions in on's columns
	include []int   // of an index: further columns
	primary bool
}

// Kinds of pg_class.relkind.
const (
	kindTable            = "r"
	kindView             = "v"
	kindMaterializedView = "m"
	kindIndex            = "i"
)

func relkind(k catalog.RelationKind) (string, bool) {
	switch k {
	case catalog.KindTable, catalog.KindSource:
		return kindTable, true
	case catalog.KindView, catalog.KindSystem:
		return kindView, true
	case catalog.KindMaterializedView:
		return kindMaterializedView, true
	case catalog.KindIndex:
		return kindIndex, true
	}
	return "", false
}

// kindWord is what a kind of relation is called in rw_catalog and tm_catalog.
func kindWord(k catalog.RelationKind) string {
	switch k {
	case catalog.KindTable:
		return "table"
	case catalog.KindView:
		return "view"
	case catalog.KindMaterializedView:
		return "materialized view"
	case catalog.KindIndex:
		return "index"
	case catalog.KindSource:
		return "source"
	case catalog.KindSink:
		return "sink"
	case catalog.KindSystem:
		return "system table"
	case catalog.KindSubscription:
		return "subscription"
	}
	return "unknown"
}

// listObjects makes the objects of all relations, each index after its table.
func (l *lookup) listObjects() {
	for _, rel := range l.relations() {
		kind, ok := relkind(rel.Kind)
		if !ok || rel.Kind == catalog.KindIndex {
			continue
		}
		o := &object{oid: int(rel.ID), schema: rel.Schema, name: rel.Name, kind: kind, rel: rel}
		l.addObject(o)
		if keys := primaryKeyOf(rel); len(keys) > 0 {
			l.addObject(&object{oid: primaryKeyIndex + o.oid, schema: rel.Schema, name: rel.Name + "_pkey", kind: kindIndex,
				rel: rel, on: o, keys: keys, primary: true})
		}
	}
	for _, rel := range l.info.Catalog.Relations() {
		if on := l.byOID[int(rel.Indexed)]; rel.Kind == catalog.KindIndex && on != nil {
			keys, include := indexColumns(rel, on.rel)
			l.addObject(&object{oid: int(rel.ID), schema: rel.Schema, name: rel.Name, kind: kindIndex, rel: rel, on: on,
				keys: keys, include: include})
		}
	}
}

func (l *lookup) addObject(o *object) {
	l.objects = append(l.objects, o)
	l.byOID[o.oid] = o
	if key := o.schema + "." + o.name; l.byName[key] == nil {
		l.byName[key] = o
	}
}

// primaryKeyOf is the declared primary key; that of a table without one is its hidden row id and is not shown.
func primaryKeyOf(rel *catalog.Relation) []int {
	if rel.Kind != catalog.KindTable || rel.RowID {
		return nil
	}
	return rel.Key
}

// columns are the shown columns of the object with their positions; those of an index are of its table.
func (o *object) columns() (positions []int, of *catalog.Relation) {
	if o.on != nil {
		return slices.Concat(o.keys, o.include), o.on.rel
	}
	return o.rel.Visible(), o.rel
}

// indexColumns finds the columns of an index in its table. An index stores all columns of the table, the indexed ones
// first; how many these are its statement tells.
func indexColumns(index, on *catalog.Relation) (keys, include []int) {
	named, included := namesIn(index.Definition, "ON"), namesIn(index.Definition, "INCLUDE")
	for i := range index.Columns {
		at := slices.IndexFunc(on.Columns, func(c catalog.Column) bool { return c.Name == index.Columns[i].Name })
		if at < 0 {
			continue
		}
		switch {
		case i < max(named, 1):
			keys = append(keys, at)
		case i < named+included:
			include = append(include, at)
		}
	}
	return keys, include
}

// namesIn counts the items of the first list in parentheses after a key word. Names with commas or parentheses in quotes
// are counted as one, as quoted text is skipped.
func namesIn(sql, word string) int {
	start := strings.Index(strings.ToUpper(sql), " "+word+" ")
	if word == "INCLUDE" {
		start = strings.Index(strings.ToUpper(sql), word)
	}
	if start < 0 {
		return 0
	}
	depth, count, quoted := 0, 0, false
	for _, c := range sql[start:] {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(':
			if depth++; depth == 1 {
				count = 1
			}
		case c == ',' && depth == 1:
			count++
		case c == ')':
			if depth--; depth == 0 {
				return count
			}
		}
	}
	return count
}
