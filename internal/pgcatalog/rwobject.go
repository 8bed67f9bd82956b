package pgcatalog

import (
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/types"
)

// rwObjects is the objects under RisingWave's names, for its clients and dashboards.
var rwObjects = map[string]rows{
	"rw_catalog.rw_schemas":            rwSchemaRows,
	"rw_catalog.rw_tables":             func(s *scan) { rwRows(s, rwTable, catalog.KindTable) },
	"rw_catalog.rw_materialized_views": func(s *scan) { rwRows(s, rwMaterializedView, catalog.KindMaterializedView) },
	"rw_catalog.rw_views":              func(s *scan) { rwRows(s, nil, catalog.KindView) },
	"rw_catalog.rw_indexes":            rwIndexRows,
	"rw_catalog.rw_sources":            func(s *scan) { rwRows(s, rwSource, catalog.KindSource) },
	"rw_catalog.rw_sinks":              func(s *scan) { rwRows(s, rwSink, catalog.KindSink) },
	"rw_catalog.rw_subscriptions":      func(s *scan) { rwRows(s, rwSubscription, catalog.KindSubscription) },
	"rw_catalog.rw_system_tables":      rwSystemRows,
	"rw_catalog.rw_relations":          rwRelationRows,
	"rw_catalog.rw_relation_info":      rwRelationInfoRows,
	"rw_catalog.rw_columns":            rwColumnRows,
	"rw_catalog.rw_description":        descriptionRows,
}

func rwSchemaRows(s *scan) {
	for _, n := range s.schemas {
		s.add(row{"id": n.oid, "name": n.name, "owner": userOID(n.owner)})
	}
}

// rwRow is what the rows of all kinds of relations have in common.
func (s *scan) rwRow(rel *catalog.Relation) row {
	return row{"id": int(rel.ID), "name": rel.Name, "schema_id": s.schemaOID(rel.Schema), "owner": userOID(rel.Owner),
		"definition": shown(rel.Definition, rel)}
}

// rwRows lists the relations of a kind; more, if any, adds what only the kind has.
func rwRows(s *scan, more func(*scan, *catalog.Relation) row, kind catalog.RelationKind) {
	for _, rel := range s.ofKind(kind) {
		r := s.rwRow(rel)
		if kind != catalog.KindView {
			r["created_at"], r["initialized_at"] = s.created(rel), s.created(rel)
		}
		if more != nil {
			maps.Copy(r, more(s, rel))
		}
		s.add(r)
	}
}

func rwTable(_ *scan, rel *catalog.Relation) row { return row{"append_only": rel.AppendOnly} }

func rwMaterializedView(s *scan, rel *catalog.Relation) row {
	status := "Created"
	if j, ok := s.job(rel.Job); ok && !j.Finished {
		status = "Creating"
	}
	return row{"schema_name": rel.Schema, "append_only": rel.AppendOnly, "status": status, "background_ddl": s.background(rel)}
}

// background reports whether a relation was created without a statement that waits for its job.
func (s *scan) background(rel *catalog.Relation) bool {
	j, ok := s.job(rel.Job)
	return ok && !j.Foreground
}

func rwSource(_ *scan, rel *catalog.Relation) row {
	names := mapped(rel.Visible(), func(at int) string { return rel.Columns[at].Name })
	return row{"connector": rel.With["connector"], "columns": names, "append_only": rel.AppendOnly,
		"format": orNull(rel.With["format"]), "row_encode": orNull(rel.With["encode"])}
}

func rwSink(s *scan, rel *catalog.Relation) row {
	return row{"connector": rel.With["connector"], "sink_type": rel.With["type"], "background_ddl": s.background(rel)}
}

func rwSubscription(_ *scan, rel *catalog.Relation) row {
	return row{"schema_name": rel.Schema, "retention_seconds": int(rel.Retention.Seconds())}
}

func rwIndexRows(s *scan) {
	for _, o := range s.indexes() {
		if o.primary {
			continue // RisingWave has no index for a primary key
		}
		r := s.rwRow(o.rel)
		maps.Copy(r, row{"primary_table_id": o.on.oid, "key_columns": oneBased(o.keys), "include_columns": oneBased(o.include),
			"created_at": s.created(o.rel), "initialized_at": s.created(o.rel), "background_ddl": s.background(o.rel)})
		s.add(r)
	}
}

func rwSystemRows(s *scan) {
	for _, rel := range s.set.Relations() {
		s.add(row{"id": int(rel.ID), "name": rel.Name, "schema_id": s.schemaOID(rel.Schema), "owner": userOID(rel.Owner)})
	}
}

func rwRelationRows(s *scan) {
	for _, rel := range s.relations() {
		r := s.rwRow(rel)
		r["relation_type"] = kindWord(rel.Kind)
		s.add(r)
	}
}

func rwRelationInfoRows(s *scan) {
	for _, rel := range s.info.Catalog.Relations() {
		s.add(row{
			"schemaname": rel.Schema, "relationname": rel.Name, "relationowner": userOID(rel.Owner), "definition": shown(rel.Definition, rel),
			"relationtype": kindWord(rel.Kind), "relationid": int(rel.ID), "relationtimezone": "UTC",
			"created_at": s.created(rel), "initialized_at": s.created(rel),
		})
	}
}

// rwColumnRows lists hidden columns too, which is what this relation is asked for.
func rwColumnRows(s *scan) {
	for _, rel := range s.relations() {
		for i, c := range rel.Columns {
			s.add(row{
				"relation_id": int(rel.ID), "name": c.Name, "position": i + 1, "is_hidden": c.Hidden,
				"is_primary_key": slices.Contains(rel.Key, i), "is_distribution_key": slices.Contains(distribution(rel), i),
				"is_generated": c.Generated != "", "is_nullable": !c.NotNull, "generation_expression": orNull(c.Generated),
				"data_type": types.SQLName(c.Type), "type_oid": int(types.OID(c.Type)), "type_len": int(types.Size(c.Type)),
				"udt_type": types.TypeName(c.Type),
			})
		}
	}
}

// distribution is the columns that choose a row's vnode.
func distribution(rel *catalog.Relation) []int {
	if len(rel.DistKey) > 0 {
		return rel.DistKey
	}
	return rel.Key
}
