package catalog

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/id"
)

// DefaultSchema is where unqualified names are created.
const DefaultSchema = "public"

// Snapshot is the catalog at one version.
type Snapshot struct {
	Version   uint64
	Database  string
	schemas   map[string]Schema
	relations map[id.Relation]*Relation
	shadows   map[id.Relation]*Relation // by the relation whose place they are to take
	byName    map[string]*Relation      // schema \x00 name
	users     map[string]User
	databases map[string]Database
	functions map[string][]*Function // by schema \x00 name
	defaults  []DefaultGrant
}

// FirstDatabase is the number of the database that every store has.
const FirstDatabase id.Relation = 5

// OpenToAll is what everybody may do with a new database, as in PostgreSQL.
func OpenToAll(owner string) Grants {
	return Grants{{To: Public, By: owner, Privilege: "CONNECT"}, {To: Public, By: owner, Privilege: "TEMPORARY"}}
}

// Root is the superuser that every store has.
const Root = "root"

// Database is a namespace of schemas.
type Database struct {
	ID     id.Relation
	Name   string
	Owner  string
	Grants Grants
}

// Schema is a namespace.
type Schema struct {
	ID      id.Relation
	Name    string
	Owner   string
	Comment string
	Grants  Grants
}

// NewSnapshot returns a catalog with the given schemas and nothing in them.
func NewSnapshot(database string, schemas ...Schema) *Snapshot {
	s := &Snapshot{Database: database, schemas: map[string]Schema{}, relations: map[id.Relation]*Relation{},
		byName: map[string]*Relation{}, users: map[string]User{}, shadows: map[id.Relation]*Relation{}}
	s.functions = map[string][]*Function{}
	s.databases = map[string]Database{database: {ID: FirstDatabase, Name: database, Owner: Root, Grants: OpenToAll(Root)}}
	for _, c := range schemas {
		s.schemas[c.Name] = c
	}
	return s
}

func nameKey(schema, name string) string { return schema + "\x00" + name }

// Relation finds a relation by its id.
func (s *Snapshot) Relation(r id.Relation) (*Relation, bool) {
	rel, ok := s.relations[r]
	return rel, ok
}

// Shadow finds the relation that is to take the place of another.
func (s *Snapshot) Shadow(of id.Relation) (*Relation, bool) {
	rel, ok := s.shadows[of]
	return rel, ok
}

// Shadows returns all such relations by id.
func (s *Snapshot) Shadows() []*Relation { return byID(maps.Values(s.shadows)) }

// Find finds a relation by schema and name.
func (s *Snapshot) Find(schema, name string) (*Relation, bool) {
	rel, ok := s.byName[nameKey(schema, name)]
	return rel, ok
}

// Lookup finds an unqualified name along a search path.
func (s *Snapshot) Lookup(path []string, name string) (*Relation, bool) {
	for _, schema := range path {
		if rel, ok := s.Find(schema, name); ok {
			return rel, true
		}
	}
	return nil, false
}

// Schema finds a schema.
func (s *Snapshot) Schema(name string) (Schema, bool) {
	c, ok := s.schemas[name]
	return c, ok
}

// Schemas returns all schemas by name.
func (s *Snapshot) Schemas() []Schema {
	return slices.SortedFunc(maps.Values(s.schemas), func(a, b Schema) int { return strings.Compare(a.Name, b.Name) })
}

// Relations returns all relations by id. Shadows are not among them: nobody but their jobs knows of them.
func (s *Snapshot) Relations() []*Relation {
	return slices.DeleteFunc(byID(maps.Values(s.relations)), func(r *Relation) bool { return r.Shadow != 0 })
}

func byID(rels iter.Seq[*Relation]) []*Relation {
	return slices.SortedFunc(rels, func(a, b *Relation) int { return int(a.ID) - int(b.ID) })
}

// User finds a user; Users returns all by name.
func (s *Snapshot) User(name string) (User, bool) {
	u, ok := s.users[name]
	return u, ok
}

func (s *Snapshot) Users() []User {
	return slices.SortedFunc(maps.Values(s.users), func(a, b User) int { return strings.Compare(a.Name, b.Name) })
}

// Dependants returns the relations that read r directly, by id; then the shadows that do.
func (s *Snapshot) Dependants(r id.Relation) []*Relation {
	var out []*Relation
	for _, rel := range append(s.Relations(), s.Shadows()...) {
		if slices.Contains(rel.DependsOn, r) {
			out = append(out, rel)
		}
	}
	return out
}

// Reads reports whether a relation that reads others reads r, directly or not, now or once shadows are in their places.
func (s *Snapshot) Reads(others []id.Relation, r id.Relation) bool {
	seen := map[id.Relation]bool{}
	var visit func(id.Relation) bool
	visit = func(at id.Relation) bool {
		if at == r || seen[at] {
			return at == r
		}
		seen[at] = true
		rel, there := s.relations[at]
		next, replaced := s.shadows[at]
		return there && slices.ContainsFunc(rel.DependsOn, visit) || replaced && slices.ContainsFunc(next.DependsOn, visit)
	}
	return slices.ContainsFunc(others, visit)
}

// SinksInto lists the sinks that write to a table.
func (s *Snapshot) SinksInto(table id.Relation) []*Relation {
	return slices.DeleteFunc(s.Relations(), func(r *Relation) bool { return !r.Drains() || r.Into != table })
}

// Edit returns a copy to change; the receiver stays as it is.
func (s *Snapshot) Edit() *Snapshot {
	return &Snapshot{Version: s.Version + 1, Database: s.Database, schemas: maps.Clone(s.schemas),
		relations: maps.Clone(s.relations), shadows: maps.Clone(s.shadows), byName: maps.Clone(s.byName), users: maps.Clone(s.users),
		databases: maps.Clone(s.databases), functions: maps.Clone(s.functions), defaults: s.defaults}
}

// Put adds or replaces a relation; only for a snapshot that is being edited.
func (s *Snapshot) Put(r *Relation) {
	s.Drop(r.ID)
	s.relations[r.ID] = r
	if r.Shadow != 0 {
		s.shadows[r.Shadow] = r
		return
	}
	s.byName[nameKey(r.Schema, r.Name)] = r
}

// Drop removes a relation; only for a snapshot that is being edited.
func (s *Snapshot) Drop(r id.Relation) {
	old, ok := s.relations[r]
	switch {
	case !ok:
		return
	case old.Shadow != 0:
		delete(s.shadows, old.Shadow)
	default:
		delete(s.byName, nameKey(old.Schema, old.Name))
	}
	delete(s.relations, r)
}

// PutSchema, DropSchema, PutUser and DropUser change a snapshot that is being edited.
func (s *Snapshot) PutSchema(c Schema)     { s.schemas[c.Name] = c }
func (s *Snapshot) DropSchema(name string) { delete(s.schemas, name) }
func (s *Snapshot) PutUser(u User)         { s.users[u.Name] = u }
func (s *Snapshot) DropUser(name string)   { delete(s.users, name) }

// FindDatabase finds a database; Databases returns all by name.
func (s *Snapshot) FindDatabase(name string) (Database, bool) {
	d, ok := s.databases[name]
	return d, ok
}

func (s *Snapshot) Databases() []Database {
	return slices.SortedFunc(maps.Values(s.databases), func(a, b Database) int { return strings.Compare(a.Name, b.Name) })
}

// PutDatabase and DropDatabase change a snapshot that is being edited.
func (s *Snapshot) PutDatabase(d Database)   { s.databases[d.Name] = d }
func (s *Snapshot) DropDatabase(name string) { delete(s.databases, name) }
