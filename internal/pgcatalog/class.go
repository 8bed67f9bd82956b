package pgcatalog

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
)

// classFamily is what is said of relations as a whole.
var classFamily = map[string]rows{
	"pg_catalog.pg_class":              classRows,
	"pg_catalog.pg_namespace":          namespaceRows,
	"pg_catalog.pg_description":        descriptionRows,
	"pg_catalog.pg_stat_all_tables":    func(s *scan) { statRows(s, false) },
	"pg_catalog.pg_stat_user_tables":   func(s *scan) { statRows(s, true) },
	"pg_catalog.pg_statio_all_tables":  func(s *scan) { statRows(s, false) },
	"pg_catalog.pg_statio_user_tables": func(s *scan) { statRows(s, true) },
	"pg_catalog.pg_am":                 accessMethodRows,
}

func classRows(s *scan) {
	indexed := map[*object]bool{}
	for _, o := range s.objects {
		indexed[o.on] = true
	}
	for _, o := range s.objects {
		positions, _ := o.columns()
		s.add(row{
			"oid": o.oid, "relname": o.name, "relnamespace": s.schemaOID(o.schema), "relowner": userOID(o.rel.Owner),
			"relam": o.accessMethod(), "relfilenode": o.fileNode(), "reltuples": float64(-1), "relhasindex": indexed[o],
			"relpersistence": "p", "relkind": o.kind, "relnatts": len(positions), "relispopulated": true,
			"relhasrules": o.kind == kindView, "relreplident": o.replicaIdentity(), "reloptions": sourceOptions(o.rel),
			"relacl": acl(o.rel.Owner, o.rel.Grants, tableRights),
		})
	}
}

func (o *object) accessMethod() int {
	switch o.kind {
	case kindTable, kindMaterializedView:
		return heapMethod
	case kindIndex:
		return btreeMethod
	}
	return 0
}

func (o *object) fileNode() int {
	if o.kind == kindView {
		return 0
	}
	return o.oid
}

func (o *object) replicaIdentity() string {
	if o.kind == kindTable {
		return "d"
	}
	return "n"
}

// sourceOptions are the options of a source or CDC table but for those that may hold a secret.
func sourceOptions(rel *catalog.Relation) []string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(rel.With)) {
		if shownOption(k) {
			out = append(out, fmt.Sprintf("%s=%s", k, rel.With[k]))
		}
	}
	return out
}

// shownOption is true of options that say what is read, not how to log in.
func shownOption(name string) bool {
	return slices.Contains([]string{"connector", "topic", "table.name", "schema.name", "database.name", "type", "primary_key"}, name)
}

func namespaceRows(s *scan) {
	for _, n := range s.schemas {
		s.add(row{"oid": n.oid, "nspname": n.name, "nspowner": userOID(n.owner), "nspacl": acl(n.owner, n.grants, schemaRights)})
	}
}

func descriptionRows(s *scan) {
	for _, n := range s.schemas {
		if n.comment != "" {
			s.add(row{"objoid": n.oid, "classoid": classPgNamespace, "description": n.comment})
		}
	}
	for _, rel := range s.info.Catalog.Relations() {
		if rel.Comment != "" {
			s.add(row{"objoid": int(rel.ID), "classoid": classPgClass, "description": rel.Comment})
		}
		for i, c := range rel.Columns {
			if rel.Kind == catalog.KindIndex {
				break // its columns are copies of the table's
			}
			if c.Comment != "" {
				s.add(row{"objoid": int(rel.ID), "classoid": classPgClass, "objsubid": i + 1, "description": c.Comment})
			}
		}
	}
	for _, f := range s.info.Functions {
		if f.Doc != "" {
			s.add(row{"objoid": functionOID(f), "classoid": classPgProc, "description": f.Doc})
		}
	}
}

// statRows lists tables and materialized views; nothing is counted per table.
func statRows(s *scan, usersOnly bool) {
	for _, o := range s.objects {
		if stored := o.kind == kindTable || o.kind == kindMaterializedView; !stored || usersOnly && o.oid < firstUserOID {
			continue
		}
		s.add(row{"relid": o.oid, "schemaname": o.schema, "relname": o.name})
	}
}

func accessMethodRows(s *scan) {
	s.add(row{"oid": heapMethod, "amname": "heap", "amtype": "t"})
	s.add(row{"oid": btreeMethod, "amname": "btree", "amtype": "i"})
}
