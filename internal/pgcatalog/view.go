package pgcatalog

import (
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
)

// viewFamily lists tables and views under PostgreSQL's readable names.
var viewFamily = map[string]rows{
	"pg_catalog.pg_tables":   tableRows,
	"pg_catalog.pg_views":    viewRows,
	"pg_catalog.pg_matviews": materializedViewRows,
	"pg_catalog.pg_rewrite":  rewriteRows,
}

func (l *lookup) hasIndex(rel *catalog.Relation) bool {
	for _, o := range l.indexes() {
		if o.on.rel == rel {
			return true
		}
	}
	return false
}

func tableRows(s *scan) {
	for _, rel := range s.ofKind(catalog.KindTable, catalog.KindSource) {
		s.add(row{"schemaname": rel.Schema, "tablename": rel.Name, "tableowner": rel.Owner, "hasindexes": s.hasIndex(rel),
			"hasrules": false, "hastriggers": false, "rowsecurity": false})
	}
}

func viewRows(s *scan) {
	for _, rel := range s.relations() {
		if rel.Kind == catalog.KindView || rel.Kind == catalog.KindSystem {
			s.add(row{"schemaname": rel.Schema, "viewname": rel.Name, "viewowner": rel.Owner, "definition": orNull(viewQuery(rel))})
		}
	}
}

func materializedViewRows(s *scan) {
	for _, rel := range s.ofKind(catalog.KindMaterializedView) {
		s.add(row{"schemaname": rel.Schema, "matviewname": rel.Name, "matviewowner": rel.Owner, "hasindexes": s.hasIndex(rel),
			"ispopulated": true, "definition": orNull(viewQuery(rel))})
	}
}

// viewQuery is the SELECT of a view, ended by a semicolon as pg_get_viewdef does. That of a materialized view, where it is
// not kept apart, is what follows AS in its statement.
func viewQuery(rel *catalog.Relation) string {
	query := rel.Query
	if query == "" {
		query = afterAs(rel.Definition)
	}
	if query == "" {
		return ""
	}
	return " " + strings.TrimSuffix(strings.TrimSpace(query), ";") + ";"
}

// afterAs finds what follows the first AS that is followed by a query.
func afterAs(definition string) string {
	upper := strings.ToUpper(definition)
	for from := 0; ; {
		at := strings.Index(upper[from:], "AS")
		if at < 0 {
			return ""
		}
		from += at + len("AS")
		word := strings.TrimLeft(upper[from:], " \t\r\n(")
		for _, start := range []string{"SELECT", "WITH", "VALUES", "TABLE"} {
			if strings.HasPrefix(word, start) && len(word) < len(upper)-from {
				return definition[from:]
			}
		}
	}
}

// rewriteRows has the rule that PostgreSQL keeps for each view; tools find a view's dependencies through it.
func rewriteRows(s *scan) {
	for _, rel := range s.ofKind(catalog.KindView, catalog.KindMaterializedView) {
		s.add(row{"oid": ruleOID(rel), "rulename": "_RETURN", "ev_class": int(rel.ID), "ev_type": "1", "ev_enabled": "O",
			"is_instead": true})
	}
}

func ruleOID(rel *catalog.Relation) int { return ruleRange + int(rel.ID) }
