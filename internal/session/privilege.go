package session

import (
	"context"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// access refuses what the session's user may not do with a relation. System relations are everybody's to read.
func (s *Session) access(r *catalog.Relation, privilege string) error {
	if r.Kind == catalog.KindSystem || s.d.engine.Catalog().May(s.startup.User, r.Owner, r.Grants, privilege, false) {
		return nil
	}
	return errs.PermissionDenied.New("what", "for "+kindName(r.Kind)+" "+r.Name)
}

// owns refuses to change what belongs to another user.
func (s *Session) owns(kind, name, owner string) error {
	if s.d.engine.Catalog().Owns(s.startup.User, owner) {
		return nil
	}
	return errs.NotOwner.New("kind", kind, "name", name)
}

// mayCreate refuses to make something in a schema where the user has no right to.
func (s *Session) mayCreate(schema string) error {
	c := s.d.engine.Catalog()
	sc, ok := c.Schema(schema)
	if !ok || c.May(s.startup.User, sc.Owner, sc.Grants, "CREATE", false) {
		return nil
	}
	return errs.PermissionDenied.New("what", "for schema "+schema)
}

// rights are the privileges that there are on a kind of object; those of ALL.
var rights = map[ast.ObjectKind][]string{
	ast.TableObject:            {"SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"},
	ast.ViewObject:             {"SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"},
	ast.MaterializedViewObject: {"SELECT"},
	ast.SourceObject:           {"SELECT"},
	ast.SinkObject:             {"SELECT"},
	ast.SubscriptionObject:     {"SELECT"},
	ast.SchemaObject:           {"CREATE", "USAGE"},
	ast.DatabaseObject:         {"CREATE", "CONNECT", "TEMPORARY"},
	ast.FunctionObject:         {"EXECUTE"},
	ast.ConnectionObject:       {"USAGE"},
	ast.SecretObject:           {"USAGE"},
}

// privilegesOf are the privileges that a GRANT names, ALL spelled out.
func privilegesOf(g *ast.Grant) ([]string, error) {
	all, ok := rights[g.Kind]
	if !ok {
		return nil, errs.Unsupported.New("feature", "GRANT ON "+string(g.Kind)).At(int(g.Pos))
	}
	var out []string
	for _, p := range g.Privileges {
		name := p.Name
		if name == "TEMP" {
			name = "TEMPORARY"
		}
		switch {
		case name == "ALL":
			out = append(out, all...)
		case !slices.Contains(all, name):
			return nil, errs.InvalidPrivilege.New("privilege", name, "kind", strings.ToLower(string(g.Kind))).At(int(p.Pos))
		default:
			out = append(out, name)
		}
	}
	return out, nil
}

// granting is one GRANT or REVOKE against a catalog.
type granting struct {
	*ast.Grant
	by         string
	privileges []string
	may        func(owner string, has catalog.Grants, privilege string) bool
}

// apply returns the grants of an object after the statement.
func (g *granting) apply(owner string, has catalog.Grants, what string) (catalog.Grants, error) {
	for _, p := range g.privileges {
		if !g.may(owner, has, p) {
			return nil, errs.PermissionDenied.New("what", "for "+what)
		}
		for _, to := range g.Grantees {
			n := catalog.Grant{To: to, By: g.by, Privilege: p, Option: g.WithOption}
			if !g.Revoke {
				has = has.With(n)
				continue
			}
			n.By = g.GrantedBy
			has = has.Without(n, g.WithOption)
		}
	}
	return has, nil
}

// granted prepares a GRANT or REVOKE: who gives what.
func (s *Session) granted(c *catalog.Snapshot, st *ast.Grant) (*granting, error) {
	privileges, err := privilegesOf(st)
	if err != nil {
		return nil, err
	}
	for _, u := range append(slices.Clone(st.Grantees), st.GrantedBy) {
		if _, ok := c.User(u); !ok && u != "" && u != catalog.Public {
			return nil, errs.UndefinedUser.New("name", u)
		}
	}
	g := &granting{Grant: st, by: s.startup.User, privileges: privileges}
	if st.GrantedBy != "" {
		g.by = st.GrantedBy
	}
	g.may = func(owner string, has catalog.Grants, privilege string) bool {
		return c.May(g.by, owner, has, privilege, true)
	}
	return g, nil
}

// grant runs GRANT and REVOKE.
func (s *Session) grant(ctx context.Context, st *ast.Grant) (Result, error) {
	tag := done("GRANT")
	if st.Revoke {
		tag = done("REVOKE")
	}
	if st.Kind == "" {
		return nil, errs.Unsupported.New("feature", "membership in roles").At(int(st.Pos))
	}
	b := s.binder(nil)
	return tag, s.d.engine.Change(ctx, func(c *catalog.Snapshot) ([]kv.Write, error) {
		g, err := s.granted(c, st)
		if err != nil {
			return nil, err
		}
		switch st.Kind {
		case ast.SchemaObject:
			return g.onSchemas(c)
		case ast.DatabaseObject:
			return g.onDatabases(c)
		case ast.FunctionObject:
			return g.onFunctions(c, s.functionOf)
		case ast.ConnectionObject, ast.SecretObject:
			return nil, errs.Unsupported.New("feature", "GRANT ON "+string(st.Kind)).At(int(st.Pos))
		}
		b.Catalog = c
		var rels []*catalog.Relation
		if st.AllInSchema {
			rels, err = allIn(c, st)
		} else {
			for _, n := range st.Names {
				r, lookup := b.Relation(n)
				if lookup != nil {
					return nil, lookup
				}
				rels = append(rels, r)
			}
		}
		if err != nil {
			return nil, err
		}
		return g.onRelations(c, rels)
	})
}

// allIn finds the objects of ON ALL ... IN SCHEMA. As in PostgreSQL, tables are all that can be read.
func allIn(c *catalog.Snapshot, st *ast.Grant) ([]*catalog.Relation, error) {
	var out []*catalog.Relation
	for _, n := range st.Names {
		if _, ok := c.Schema(n.Last()); !ok || n.Schema() != "" {
			return nil, errs.UndefinedSchema.New("name", n.String()).At(int(n.Pos))
		}
		for _, r := range c.Relations() {
			table := st.Kind == ast.TableObject && r.Kind != catalog.KindSink && r.Kind != catalog.KindSubscription
			if r.Schema == n.Last() && (table || r.Kind == kindOf[st.Kind]) {
				out = append(out, r)
			}
		}
	}
	return out, nil
}

func (g *granting) onRelations(c *catalog.Snapshot, rels []*catalog.Relation) ([]kv.Write, error) {
	var writes []kv.Write
	for _, r := range rels {
		next := *r
		var err error
		if next.Grants, err = g.apply(r.Owner, r.Grants, kindName(r.Kind)+" "+r.Name); err != nil {
			return nil, err
		}
		c.Put(&next)
		writes = append(writes, meta.PutRelation(&next))
	}
	return writes, nil
}

func (g *granting) onSchemas(c *catalog.Snapshot) ([]kv.Write, error) {
	var writes []kv.Write
	for _, n := range g.Names {
		sc, ok := c.Schema(n.Last())
		if !ok {
			return nil, errs.UndefinedSchema.New("name", n.Last()).At(int(n.Pos))
		}
		var err error
		if sc.Grants, err = g.apply(sc.Owner, sc.Grants, "schema "+sc.Name); err != nil {
			return nil, err
		}
		c.PutSchema(sc)
		writes = append(writes, meta.PutSchema(sc))
	}
	return writes, nil
}

func (g *granting) onDatabases(c *catalog.Snapshot) ([]kv.Write, error) {
	var writes []kv.Write
	for _, n := range g.Names {
		d, ok := c.FindDatabase(n.Last())
		if !ok {
			return nil, errs.UndefinedDatabase.New("name", n.Last()).At(int(n.Pos))
		}
		var err error
		if d.Grants, err = g.apply(d.Owner, d.Grants, "database "+d.Name); err != nil {
			return nil, err
		}
		c.PutDatabase(d)
		writes = append(writes, meta.PutDatabase(d))
	}
	return writes, nil
}

func (g *granting) onFunctions(c *catalog.Snapshot, find func(ast.Name, []*ast.TypeName) (*catalog.Function, error)) ([]kv.Write, error) {
	var writes []kv.Write
	for i, n := range g.Names {
		f, err := find(n, argTypesAt(g.ArgTypes, i))
		if err != nil {
			return nil, err
		}
		if f == nil {
			return nil, errs.UndefinedFunction.New("signature", n.String()+"()").At(int(n.Pos))
		}
		next := *f
		if next.Grants, err = g.apply(f.Owner, f.Grants, "function "+f.Name); err != nil {
			return nil, err
		}
		c.PutFunction(&next)
		writes = append(writes, meta.PutFunction(&next))
	}
	return writes, nil
}

// alterDefaults runs ALTER DEFAULT PRIVILEGES: rights on what will be made.
func (s *Session) alterDefaults(ctx context.Context, st *ast.AlterDefaultPrivileges) (Result, error) {
	return done("ALTER DEFAULT PRIVILEGES"), s.d.engine.Change(ctx, func(c *catalog.Snapshot) ([]kv.Write, error) {
		if len(st.InSchemas) > 0 && st.Grant.Kind == ast.SchemaObject {
			return nil, errs.InvalidGrant.New("what", "cannot use IN SCHEMA clause when using GRANT/REVOKE ON SCHEMAS")
		}
		g, err := s.granted(c, st.Grant)
		if err != nil {
			return nil, err
		}
		owners, schemas := st.ForUsers, st.InSchemas
		if len(owners) == 0 {
			owners = []string{s.startup.User}
		}
		for _, schema := range schemas {
			if _, ok := c.Schema(schema); !ok {
				return nil, errs.UndefinedSchema.New("name", schema)
			}
		}
		if len(schemas) == 0 {
			schemas = []string{""}
		}
		defaults := slices.Clone(c.Defaults())
		for _, owner := range owners {
			if err := s.mayActFor(c, owner); err != nil {
				return nil, err
			}
			for _, schema := range schemas {
				defaults = g.defaults(defaults, owner, schema)
			}
		}
		c.SetDefaults(defaults)
		return []kv.Write{meta.PutDefaults(defaults)}, nil
	})
}

// mayActFor refuses to set the defaults of another user.
func (s *Session) mayActFor(c *catalog.Snapshot, owner string) error {
	if _, ok := c.User(owner); !ok {
		return errs.UndefinedUser.New("name", owner)
	}
	if !c.Owns(s.startup.User, owner) {
		return errs.PermissionDenied.New("what", "to change default privileges")
	}
	return nil
}

// defaults applies the statement to the rights on objects of one user in one schema.
func (g *granting) defaults(all []catalog.DefaultGrant, owner, schema string) []catalog.DefaultGrant {
	kind := string(g.Kind)
	var rest []catalog.DefaultGrant
	var has catalog.Grants
	for _, d := range all {
		if d.Owner == owner && d.Schema == schema && d.Kind == kind {
			has = append(has, d.Grant)
		} else {
			rest = append(rest, d)
		}
	}
	for _, p := range g.privileges {
		for _, to := range g.Grantees {
			n := catalog.Grant{To: to, By: owner, Privilege: p, Option: g.WithOption}
			if g.Revoke {
				has = has.Without(n, g.WithOption)
			} else {
				has = has.With(n)
			}
		}
	}
	for _, h := range has {
		rest = append(rest, catalog.DefaultGrant{Owner: owner, Schema: schema, Kind: kind, Grant: h})
	}
	return rest
}
