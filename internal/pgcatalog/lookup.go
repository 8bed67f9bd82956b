package pgcatalog

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/id"
)

// lookup finds objects by oid and name in what a session sees.
type lookup struct {
	set     *Set
	info    Info
	objects []*object
	byOID   map[int]*object
	byName  map[string]*object // schema.name
	schemas []schema
}

// schema is a row of pg_namespace.
type schema struct {
	oid                  int
	name, owner, comment string
	grants               catalog.Grants
}

func newLookup(set *Set, info Info) *lookup {
	l := &lookup{set: set, info: info, byOID: map[int]*object{}, byName: map[string]*object{}}
	for _, s := range systemSchemas {
		l.schemas = append(l.schemas, schema{s.oid, s.name, bootstrapUser, s.comment, catalog.Grants{{To: catalog.Public, By: bootstrapUser, Privilege: "USAGE"}}})
	}
	for _, s := range info.Catalog.Schemas() {
		if !slices.ContainsFunc(l.schemas, func(o schema) bool { return o.name == s.Name }) {
			l.schemas = append(l.schemas, schema{int(s.ID), s.Name, s.Owner, s.Comment, s.Grants})
		}
	}
	l.listObjects()
	return l
}

// relations are the system relations, then those of the catalog.
func (l *lookup) relations() []*catalog.Relation {
	return slices.Concat(l.set.Relations(), l.info.Catalog.Relations())
}

// ofKind lists the catalog's relations of one kind, by id.
func (l *lookup) ofKind(kinds ...catalog.RelationKind) []*catalog.Relation {
	var out []*catalog.Relation
	for _, rel := range l.info.Catalog.Relations() {
		if slices.Contains(kinds, rel.Kind) {
			out = append(out, rel)
		}
	}
	return out
}

// relation finds a relation by oid, a system relation too.
func (l *lookup) relation(oid int) (*catalog.Relation, bool) {
	if rel, ok := l.info.Catalog.Relation(id.Relation(oid)); ok {
		return rel, true
	}
	rel, ok := l.set.byID[id.Relation(oid)]
	return rel, ok
}

// schemaOID is 0 for a schema that does not exist.
func (l *lookup) schemaOID(name string) int {
	for _, s := range l.schemas {
		if s.name == name {
			return s.oid
		}
	}
	return 0
}

// path is the effective search path.
func (l *lookup) path() []string {
	if slices.Contains(l.info.SearchPath, "pg_catalog") {
		return l.info.SearchPath
	}
	return append([]string{"pg_catalog"}, l.info.SearchPath...)
}

// visible tells whether the object is what its bare name finds.
func (l *lookup) visible(o *object) bool {
	for _, schema := range l.path() {
		if found := l.byName[schema+"."+o.name]; found != nil {
			return found == o
		}
	}
	return false
}

// job finds what is known of a job.
func (l *lookup) job(j id.Job) (JobInfo, bool) {
	i := slices.IndexFunc(l.info.Jobs, func(k JobInfo) bool { return k.ID == j })
	if i < 0 || j == 0 {
		return JobInfo{}, false
	}
	return l.info.Jobs[i], true
}

// created is the time at which a relation's job was made, or NULL.
func (l *lookup) created(rel *catalog.Relation) any {
	j, _ := l.job(rel.Job)
	return j.Created
}

// size is the bytes that a relation takes, 0 when that is not known.
func (l *lookup) size(r id.Relation) int64 {
	if l.info.Sizes == nil {
		return 0
	}
	return l.info.Sizes(r)
}

// orNull is nil for the empty string.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// oneBased turns positions into attribute numbers.
func oneBased(positions []int) []int {
	out := make([]int, len(positions))
	for i, p := range positions {
		out[i] = p + 1
	}
	return out
}

// yesNo is information_schema's form of a boolean.
func yesNo(b bool) string {
	if b {
		return "YES"
	}
	return "NO"
}
