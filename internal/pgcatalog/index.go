package pgcatalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/types"
)

// indexFamily is indexes and constraints. The only constraint that the catalogs show is the primary key, as PostgreSQL 15
// keeps NOT NULL with the column.
var indexFamily = map[string]rows{
	"pg_catalog.pg_index":             indexRows,
	"pg_catalog.pg_indexes":           indexesRows,
	"pg_catalog.pg_constraint":        constraintRows,
	"pg_catalog.pg_stat_user_indexes": statIndexRows,
}

// indexes lists the objects that are indexes.
func (l *lookup) indexes() []*object {
	var out []*object
	for _, o := range l.objects {
		if o.on != nil {
			out = append(out, o)
		}
	}
	return out
}

func indexRows(s *scan) {
	for _, o := range s.indexes() {
		var collations, classes, options []int
		for _, at := range o.keys {
			t := o.on.rel.Columns[at].Type
			collations = append(collations, typeFacts(t).collation)
			classes = append(classes, operatorClass(t))
			options = append(options, 0)
		}
		s.add(row{
			"indexrelid": o.oid, "indrelid": o.on.oid, "indnatts": len(o.keys) + len(o.include), "indnkeyatts": len(o.keys),
			"indisunique": o.primary, "indisprimary": o.primary, "indimmediate": true, "indisvalid": true, "indisready": true,
			"indislive": true, "indkey": oneBased(slices.Concat(o.keys, o.include)), "indcollation": collations,
			"indclass": classes, "indoption": options,
		})
	}
}

func indexesRows(s *scan) {
	for _, o := range s.indexes() {
		s.add(row{"schemaname": o.schema, "tablename": o.on.name, "indexname": o.name, "indexdef": o.indexDefinition()})
	}
}

func statIndexRows(s *scan) {
	for _, o := range s.indexes() {
		s.add(row{"relid": o.on.oid, "indexrelid": o.oid, "schemaname": o.schema, "relname": o.on.name, "indexrelname": o.name})
	}
}

func constraintRows(s *scan) {
	for _, o := range s.indexes() {
		if !o.primary {
			continue
		}
		s.add(row{
			"oid": primaryKey + o.on.oid, "conname": o.name, "connamespace": s.schemaOID(o.schema), "contype": "p",
			"convalidated": true, "conrelid": o.on.oid, "conindid": o.oid, "conislocal": true, "connoinherit": true,
			"conkey": oneBased(o.keys), "confupdtype": " ", "confdeltype": " ", "confmatchtype": " ",
		})
	}
}

// indexDefinition is the statement as pg_get_indexdef prints it.
func (o *object) indexDefinition() string {
	unique, include := "", ""
	if o.primary {
		unique = "UNIQUE "
	}
	if len(o.include) > 0 {
		include = " INCLUDE (" + o.on.names(o.include) + ")"
	}
	return fmt.Sprintf("CREATE %sINDEX %s ON %s.%s USING btree (%s)%s", unique, quoteIdent(o.name), quoteIdent(o.on.schema),
		quoteIdent(o.on.name), o.on.names(o.keys), include)
}

// names lists columns, quoted where they must be.
func (o *object) names(positions []int) string {
	return strings.Join(mapped(positions, func(at int) string { return quoteIdent(o.rel.Columns[at].Name) }), ", ")
}

// mapped applies f to each element.
func mapped[A, B any](in []A, f func(A) B) []B {
	out := make([]B, len(in))
	for i, a := range in {
		out[i] = f(a)
	}
	return out
}

// operatorClass is the oid of the type's default class of btree.
func operatorClass(t types.T) int {
	for _, c := range operatorClasses {
		if t.Kind == c.kind {
			return c.oid
		}
	}
	return 0
}
