package pgcatalog

import "github.com/tidemark-db/tidemark/internal/catalog"

// dependencyFamily is what depends on what.
var dependencyFamily = map[string]rows{
	"pg_catalog.pg_depend":                dependRows,
	"information_schema.view_table_usage": viewUsageRows,
	"rw_catalog.rw_depend":                rwDependRows,
}

// dependRows: a view depends on what it reads through its rule, an index on its table, a constraint's index on the
// constraint.
func dependRows(s *scan) {
	for _, rel := range s.info.Catalog.Relations() {
		class, oid := classPgClass, int(rel.ID)
		if rel.Kind == catalog.KindView || rel.Kind == catalog.KindMaterializedView {
			class, oid = classRewrite, ruleOID(rel)
			s.add(row{"classid": class, "objid": oid, "refclassid": classPgClass, "refobjid": int(rel.ID), "deptype": "i"})
		}
		kind := "n"
		if rel.Kind == catalog.KindIndex {
			kind = "a"
		}
		for _, on := range rel.DependsOn {
			s.add(row{"classid": class, "objid": oid, "refclassid": classPgClass, "refobjid": int(on), "deptype": kind})
		}
	}
	for _, o := range s.indexes() {
		if o.primary {
			s.add(row{"classid": classPgClass, "objid": o.oid, "refclassid": classConstraint, "refobjid": primaryKey + o.on.oid, "deptype": "i"})
			s.add(row{"classid": classConstraint, "objid": primaryKey + o.on.oid, "refclassid": classPgClass, "refobjid": o.on.oid, "deptype": "a"})
		}
	}
}

func rwDependRows(s *scan) {
	for _, rel := range s.info.Catalog.Relations() {
		for _, on := range rel.DependsOn {
			s.add(row{"objid": int(rel.ID), "refobjid": int(on)})
		}
	}
}

func viewUsageRows(s *scan) {
	for _, rel := range s.ofKind(catalog.KindView) {
		for _, on := range rel.DependsOn {
			if table, ok := s.relation(int(on)); ok {
				s.add(row{"view_catalog": s.info.Database, "view_schema": rel.Schema, "view_name": rel.Name,
					"table_catalog": s.info.Database, "table_schema": table.Schema, "table_name": table.Name})
			}
		}
	}
}
