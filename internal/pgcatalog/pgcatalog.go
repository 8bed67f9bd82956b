// Package pgcatalog has the system relations of pg_catalog, information_schema, rw_catalog and tm_catalog: their columns,
// their rows, made on demand from a catalog snapshot, and the functions that answer from the same facts.
//
//	set := pgcatalog.New()
//	rel, _ := set.Find("pg_catalog", "pg_class")
//	c, err := set.Rows(rel, []int{0, 1}, pgcatalog.Info{Catalog: snapshot, User: "root", Database: "dev"})
package pgcatalog

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
)

// Set is the system relations. It never changes after New and may be shared by all sessions.
type Set struct {
	relations []*catalog.Relation // by id
	byName    map[string]*catalog.Relation
	byID      map[id.Relation]*catalog.Relation
	rows      map[id.Relation]rows
}

// New makes the set.
func New() *Set {
	s := &Set{byName: map[string]*catalog.Relation{}, byID: map[id.Relation]*catalog.Relation{}, rows: map[id.Relation]rows{}}
	makers := makers()
	for _, schema := range systemSchemas {
		for _, rel := range declared(schema.name) {
			s.relations = append(s.relations, rel)
			s.byName[rel.Qualified()] = rel
			s.byID[rel.ID] = rel
			s.rows[rel.ID] = makers[rel.Qualified()]
		}
	}
	slices.SortFunc(s.relations, func(a, b *catalog.Relation) int { return int(a.ID) - int(b.ID) })
	return s
}

// Find finds a system relation by schema and name.
func (s *Set) Find(schema, name string) (*catalog.Relation, bool) {
	rel, ok := s.byName[schema+"."+name]
	return rel, ok
}

// Relations lists the system relations by id. The caller must not change them.
func (s *Set) Relations() []*catalog.Relation { return s.relations }

// Rows makes the rows of a system relation, with the given columns in that order.
func (s *Set) Rows(rel *catalog.Relation, cols []int, info Info) (*chunk.Chunk, error) {
	if s.byID[rel.ID] != rel {
		return nil, errs.Internal.New("what", "no system relation "+rel.Qualified())
	}
	sc := newScan(s, rel, cols, info)
	if make := s.rows[rel.ID]; make != nil {
		make(sc)
	}
	return sc.chunk()
}

// rows makes the rows of one relation by calling scan.add; a relation without is empty.
type rows func(*scan)

// makers finds the rows of a relation by its qualified name. A relation of the columns folder that no family names is
// one that is always empty here.
func makers() map[string]rows {
	out := map[string]rows{}
	for _, family := range []map[string]rows{
		classFamily, columnFamily, indexFamily, typeFamily, functionFamily, roleFamily, databaseFamily, settingsFamily,
		activityFamily, viewFamily, dependencyFamily, informationFamily, informationKeys, rwObjects, rwJobs, tidemarkFamily, privilegeFamily,
	} {
		for name, r := range family {
			out[name] = r
		}
	}
	return out
}
