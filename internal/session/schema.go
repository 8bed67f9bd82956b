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

// createSchema runs CREATE SCHEMA.
func (s *Session) createSchema(ctx context.Context, st *ast.CreateSchema) (Result, error) {
	name := st.Name.Last()
	if name == "" {
		name = st.Owner
	}
	if err := schemaName(name); err != nil {
		return nil, err
	}
	oid, err := s.d.engine.NextRelation(ctx)
	if err != nil {
		return nil, err
	}
	return done("CREATE SCHEMA"), s.d.engine.Change(ctx, func(c *catalog.Snapshot) ([]kv.Write, error) {
		if _, ok := c.Schema(name); ok {
			if st.IfNotExists {
				s.notice("NOTICE", "schema \"%s\" already exists, skipping", name)
				return nil, nil
			}
			return nil, errs.DuplicateSchema.New("name", name)
		}
		db, _ := c.FindDatabase(c.Database)
		if !c.May(s.startup.User, db.Owner, db.Grants, "CREATE", false) {
			return nil, errs.PermissionDenied.New("what", "for database "+c.Database)
		}
		owner := s.startup.User
		if st.Owner != "" {
			owner = st.Owner
		}
		if _, ok := c.User(owner); !ok {
			return nil, errs.UndefinedUser.New("name", owner)
		}
		sc := catalog.Schema{ID: oid, Name: name, Owner: owner, Grants: c.DefaultsFor(s.startup.User, "", string(ast.SchemaObject))}
		c.PutSchema(sc)
		return []kv.Write{meta.PutSchema(sc)}, nil
	})
}

// schemaName refuses the names that the system keeps for itself.
func schemaName(name string) error {
	if strings.HasPrefix(name, "pg_") {
		return errs.ReservedName.New("what", "unacceptable schema name \""+name+"\"", "why", "The prefix \"pg_\" is reserved for system schemas.")
	}
	return nil
}

// dropSchemas runs DROP SCHEMA.
func (s *Session) dropSchemas(ctx context.Context, st *ast.Drop) error {
	for _, name := range st.Names {
		schema := name.Last()
		if _, ok := s.d.engine.Catalog().Schema(schema); !ok {
			if st.IfExists {
				s.notice("NOTICE", "schema \"%s\" does not exist, skipping", schema)
				continue
			}
			return errs.UndefinedSchema.New("name", schema)
		}
		sc, _ := s.d.engine.Catalog().Schema(schema)
		if err := s.owns("schema", sc.Name, sc.Owner); err != nil {
			return err
		}
		if err := s.emptySchema(ctx, schema, st.Cascade); err != nil {
			return err
		}
		err := s.d.engine.Change(ctx, func(c *catalog.Snapshot) ([]kv.Write, error) {
			writes := []kv.Write{meta.DropSchema(schema)}
			for _, f := range c.Functions() {
				if f.Schema != schema {
					continue
				}
				if !st.Cascade {
					return nil, cannotDrop("schema "+schema, []string{"function " + f.Signature() + " depends on schema " + schema})
				}
				c.DropFunction(f.ID)
				writes = append(writes, meta.DropFunction(f.ID))
			}
			c.DropSchema(schema)
			return writes, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// emptySchema drops what is in a schema, with CASCADE, or refuses.
func (s *Session) emptySchema(ctx context.Context, schema string, cascade bool) error {
	return s.dropCascading(ctx, func(c *catalog.Snapshot) (all, named []*catalog.Relation, err error) {
		var lines []string
		for _, r := range c.Relations() {
			if r.Schema != schema {
				continue
			}
			deps := dependants(c, r)
			for _, d := range deps {
				if !slices.Contains(all, d) {
					all = append(all, d)
				}
			}
			if r.Kind != catalog.KindIndex {
				lines = append(lines, described(c, s.path(), r)+" depends on schema "+schema)
			}
		}
		for i, d := range slices.Backward(all) {
			if line := dependLine(c, s.path(), d, all[i+1:]); d.Schema != schema && line != "" {
				lines = append(lines, line)
			}
		}
		if len(all) > 0 && !cascade {
			return nil, nil, cannotDrop("schema "+schema, lines)
		}
		return all, nil, nil
	})
}
