package pgcatalog

import (
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/types"
)

// tidemarkFamily is Tidemark's own relations.
var tidemarkFamily = map[string]rows{
	"tm_catalog.tm_jobs":       jobRows,
	"tm_catalog.tm_errors":     errorRows,
	"tm_catalog.tm_memory":     memoryRows,
	"tm_catalog.tm_relations":  relationRows,
	"tm_catalog.tm_watermarks": watermarkRows,
	"tm_catalog.tm_sources":    sourceRows,

	"tm_catalog.tm_captured_tables": capturedRows,
}

func jobRows(s *scan) {
	for _, j := range s.info.Jobs {
		r := row{
			"job": int(j.ID), "relation": int(j.Relation), "state": j.State, "progress": j.Progress, "rows_scanned": int(j.RowsScanned),
			"rows_total": int(j.RowsTotal), "rows_per_second": j.RowsPerSecond, "lag": j.Lag, "as_of": j.AsOf,
			"waits_for": orNull(j.WaitsFor), "reason": orNull(j.Reason), "created": j.Created,
			"sql": shown(j.SQL, s.target(j)),
		}
		if rel := s.target(j); rel != nil {
			r["schema"], r["name"], r["kind"] = rel.Schema, rel.Name, kindWord(rel.Kind)
		}
		if j.AsOf.IsZero() {
			r["lag"] = nil // nothing is known before the first epoch
		}
		s.add(r)
	}
}

func errorRows(s *scan) {
	names := map[int]string{}
	for _, j := range s.info.Jobs {
		names[int(j.ID)] = targetName(s.target(j))
	}
	for _, e := range s.info.Errors {
		s.add(row{"job": int(e.Job), "name": orNull(names[int(e.Job)]), "code": e.Code, "text": e.Text, "detail": orNull(e.Detail),
			"count": int(e.Count), "first": e.First, "last": e.Last})
	}
}

func memoryRows(s *scan) {
	if s.info.Memory == nil {
		return
	}
	for _, m := range s.info.Memory() {
		r := row{"account": m.Account, "parent": orNull(m.Parent), "bytes": int(m.Bytes), "peak": int(m.Peak)}
		if m.Limit > 0 {
			r["bytes_max"] = int(m.Limit)
		}
		s.add(r)
	}
}

// watermarkRows are how far the times of the tables with a watermark have come.
func watermarkRows(s *scan) {
	for _, rel := range s.info.Catalog.Relations() {
		if rel.Watermark == nil || s.info.Watermark == nil {
			continue
		}
		c := rel.Columns[rel.Watermark.Col]
		r := row{"schema": rel.Schema, "table": rel.Name, "column": c.Name}
		at, late, ok := s.info.Watermark(rel.ID)
		if ok {
			r["watermark"] = types.Format(c.Type, types.NewInt(at), types.Ctx{})
		}
		r["late_rows"] = int(late)
		s.add(r)
	}
}

func relationRows(s *scan) {
	for _, rel := range s.info.Catalog.Relations() {
		r := row{
			"id": int(rel.ID), "schema": rel.Schema, "name": rel.Name, "kind": kindWord(rel.Kind), "owner": rel.Owner,
			"columns": len(rel.Visible()), "append_only": rel.AppendOnly, "comment": orNull(rel.Comment),
			"definition": orNull(shown(rel.Definition, rel)), "depends_on": mapped(rel.DependsOn, toInt),
		}
		if rel.Job != 0 {
			r["job"] = int(rel.Job)
		}
		if rel.Table != 0 {
			r["table_id"], r["vnodes"] = int(rel.Table), rel.Vnodes
			r["key"], r["distribution_key"] = columnNames(rel, rel.Key), columnNames(rel, distribution(rel))
		}
		if len(primaryKeyOf(rel)) > 0 {
			r["on_conflict"] = rel.OnConflict.String()
		}
		s.add(r)
	}
}

func toInt[T ~uint32](v T) int { return int(v) }

func columnNames(rel *catalog.Relation, positions []int) []string {
	return mapped(positions, func(at int) string { return rel.Columns[at].Name })
}
