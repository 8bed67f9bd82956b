package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/generate"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/bind"
)

// alter runs ALTER.
func (s *Session) alter(ctx context.Context, st *ast.Alter) (Result, error) {
	tag := done("ALTER " + string(st.Kind))
	switch st.Kind {
	case ast.SchemaObject:
		return tag, s.alterSchema(ctx, st)
	case ast.UserObject, ast.RoleObject:
		return done("ALTER ROLE"), s.alterUser(ctx, st)
	case ast.DatabaseObject:
		return nil, errs.Unsupported.New("feature", "ALTER "+string(st.Kind)).At(int(st.Pos))
	}
	for _, a := range st.Actions {
		rel, err := s.altered(st)
		if err != nil || rel == nil {
			return tag, err
		}
		if err := s.alterOne(ctx, rel, a); err != nil {
			return nil, err
		}
	}
	return tag, nil
}

// altered finds what ALTER names; nil when it is not there and IF EXISTS was said. As in PostgreSQL, ALTER TABLE takes
// whatever has columns.
func (s *Session) altered(st *ast.Alter) (*catalog.Relation, error) {
	rel, err := s.binder(nil).Relation(st.Name)
	if err != nil {
		if st.IfExists && errs.Of(err, errs.UndefinedTable) {
			s.notice("NOTICE", "relation \"%s\" does not exist, skipping", st.Name.Last())
			return nil, nil
		}
		return nil, err
	}
	if rel.Kind == catalog.KindSystem {
		return nil, errs.PermissionDenied.New("what", "\""+rel.Name+"\" is a system catalog")
	}
	if err := s.owns(kindName(rel.Kind), rel.Name, rel.Owner); err != nil {
		return nil, err
	}
	if want, ok := kindOf[st.Kind]; ok && rel.Kind != want && (st.Kind != ast.TableObject || swaps(st)) {
		return nil, errs.WrongObject.New("what", "\""+rel.Name+"\" is not "+oneOf(st.Kind)).At(int(st.Name.Pos))
	}
	return rel, nil
}

// swaps reports whether a statement exchanges two relations, which PostgreSQL does not know: it names their kind.
func swaps(st *ast.Alter) bool {
	return slices.ContainsFunc(st.Actions, func(a ast.AlterAction) bool { _, ok := a.(*ast.SwapWith); return ok })
}

func (s *Session) alterOne(ctx context.Context, rel *catalog.Relation, a ast.AlterAction) error {
	switch a := a.(type) {
	case *ast.SetParameter:
		if rel.Kind == catalog.KindSubscription && strings.EqualFold(a.Name, "retention") {
			return s.setRetention(ctx, rel, a)
		}
		if rel.Job == 0 {
			return errs.WrongObject.New("what", fmt.Sprintf("ALTER action SET %s cannot be performed on relation \"%s\"", strings.ToUpper(a.Name), rel.Name)).
				WithDetail("This operation is not supported for %ss.", kindName(rel.Kind)).
				WithHint("a %s has no job; `SHOW JOBS;` and `SHOW MATERIALIZED VIEWS;` tell what has", kindName(rel.Kind))
		}
		return s.setParameter(ctx, rel, a)
	case *ast.OwnerTo:
		return s.ownerTo(ctx, rel, a.Owner)
	case *ast.RenameTo:
		return s.rename(ctx, rel, rel.Schema, a.Name)
	case *ast.SetSchema:
		if _, ok := s.d.engine.Catalog().Schema(a.Schema.Name); !ok {
			return errs.UndefinedSchema.New("name", a.Schema.Name).At(int(a.Schema.Pos))
		}
		return s.rename(ctx, rel, a.Schema.Name, rel.Name)
	case *ast.SwapWith:
		return s.swap(ctx, rel, a)
	case *ast.RefreshSchema:
		return s.refreshSchema(ctx, rel, a)
	case *ast.AddColumn, *ast.DropColumn, *ast.AlterColumn, *ast.RenameColumn:
		if rel.Kind != catalog.KindTable {
			return errs.WrongObject.New("what", "\""+rel.Name+"\" is not a table")
		}
		if err := s.d.refuseCaptured(rel); err != nil {
			return err
		}
		if _, ok := a.(*ast.RenameColumn); ok && generate.Is(rel.With["connector"]) {
			return errs.Unsupported.New("feature", "renaming a column whose values are generated").At(int(a.Position()))
		}
		return s.alterColumn(ctx, rel, a)
	}
	return errs.Unsupported.New("feature", alterationName(a)).At(int(a.Position()))
}

// ownerTo gives a relation, and the indexes on it, to another user.
func (s *Session) ownerTo(ctx context.Context, rel *catalog.Relation, owner string) error {
	return s.d.engine.Change(ctx, func(c *catalog.Snapshot) ([]kv.Write, error) {
		if _, ok := c.User(owner); !ok {
			return nil, errs.UndefinedUser.New("name", owner)
		}
		var writes []kv.Write
		for _, r := range append(indexesOn(c, rel.ID), rel) {
			next := *r
			next.Owner = owner
			c.Put(&next)
			writes = append(writes, meta.PutRelation(&next))
		}
		return writes, nil
	})
}

// rename gives a relation another name or schema; indexes follow their table into the schema.
func (s *Session) rename(ctx context.Context, rel *catalog.Relation, schema, name string) error {
	return s.renameAll(ctx, func(c *catalog.Snapshot) (map[*catalog.Relation]ast.Name, error) {
		if old, ok := c.Find(schema, name); ok && (old.ID != rel.ID || schema == rel.Schema) {
			return nil, errs.DuplicateTable.New("name", name)
		}
		out := map[*catalog.Relation]ast.Name{rel: qualified(schema, name)}
		if schema != rel.Schema {
			for _, ix := range indexesOn(c, rel.ID) {
				if _, ok := c.Find(schema, ix.Name); ok {
					return nil, errs.DuplicateTable.New("name", ix.Name)
				}
				out[ix] = qualified(schema, ix.Name)
			}
		}
		return out, nil
	})
}

// swap exchanges the names of two relations of one kind. Views stay with the relation that they read.
func (s *Session) swap(ctx context.Context, rel *catalog.Relation, a *ast.SwapWith) error {
	other, err := s.binder(nil).Relation(a.Name)
	if err != nil {
		return err
	}
	if other.Kind != rel.Kind {
		return errs.WrongObject.New("what", "\""+rel.Name+"\" and \""+other.Name+"\" are not of the same kind").At(int(a.Name.Pos))
	}
	return s.renameAll(ctx, func(*catalog.Snapshot) (map[*catalog.Relation]ast.Name, error) {
		return map[*catalog.Relation]ast.Name{rel: qualified(other.Schema, other.Name), other: qualified(rel.Schema, rel.Name)}, nil
	})
}

func qualified(schema, name string) ast.Name { return ast.Name{Parts: []string{schema, name}} }

// renameAll gives relations new names and writes the statements and queries of what reads them anew.
func (s *Session) renameAll(ctx context.Context, choose func(*catalog.Snapshot) (map[*catalog.Relation]ast.Name, error)) error {
	b := s.binder(nil)
	return s.d.engine.Change(ctx, func(c *catalog.Snapshot) ([]kv.Write, error) {
		names, err := choose(c)
		if err != nil {
			return nil, err
		}
		r := bind.Renaming{Relations: map[id.Relation]ast.Name{}}
		for rel, name := range names {
			r.Relations[rel.ID] = name
		}
		return renamed(b, c, r)
	})
}

// renamed writes all relations anew that a renaming concerns. The edited catalog has the old names until all are made.
func renamed(b *bind.Binder, c *catalog.Snapshot, r bind.Renaming) ([]kv.Write, error) {
	b.Catalog = c
	shadows := slices.DeleteFunc(c.Shadows(), func(s *catalog.Relation) bool { return s.Definition == "" })
	for _, s := range shadows {
		if name, ok := r.Relations[s.Shadow]; ok {
			r.Relations[s.ID] = name
		}
	}
	var next []*catalog.Relation
	for _, rel := range append(c.Relations(), shadows...) {
		if _, ok := r.Relations[rel.ID]; !ok && !reads(rel, r) {
			continue
		}
		n, err := b.Renamed(rel, r)
		if err != nil {
			return nil, err
		}
		next = append(next, n)
	}
	for _, n := range next {
		c.Drop(n.ID)
	}
	var writes []kv.Write
	for _, n := range next {
		c.Put(n)
		writes = append(writes, meta.PutRelation(n))
	}
	return writes, nil
}

// reads reports whether a relation is made of any that a renaming concerns, or writes to one.
func reads(rel *catalog.Relation, r bind.Renaming) bool {
	others := rel.DependsOn
	if rel.Drains() {
		others = append(slices.Clip(others), rel.Into)
	}
	for _, up := range others {
		if _, ok := r.Relations[up]; ok || up == r.Of {
			return true
		}
	}
	return rel.ID == r.Of
}

// indexesOn returns the indexes on a relation.
func indexesOn(c *catalog.Snapshot, on id.Relation) []*catalog.Relation {
	var out []*catalog.Relation
	for _, r := range c.Dependants(on) {
		if r.Kind == catalog.KindIndex && r.Indexed == on && r.Shadow == 0 {
			out = append(out, r)
		}
	}
	return out
}

// alterSchema renames a schema with all that is in it, or gives it to another user.
func (s *Session) alterSchema(ctx context.Context, st *ast.Alter) error {
	b := s.binder(nil)
	for _, a := range st.Actions {
		err := s.d.engine.Change(ctx, func(c *catalog.Snapshot) ([]kv.Write, error) {
			sc, ok := c.Schema(st.Name.Last())
			if !ok {
				return nil, errs.UndefinedSchema.New("name", st.Name.Last()).At(int(st.Name.Pos))
			}
			if err := s.owns("schema", sc.Name, sc.Owner); err != nil {
				return nil, err
			}
			switch a := a.(type) {
			case *ast.OwnerTo:
				if _, ok := c.User(a.Owner); !ok {
					return nil, errs.UndefinedUser.New("name", a.Owner)
				}
				sc.Owner = a.Owner
				c.PutSchema(sc)
				return []kv.Write{meta.PutSchema(sc)}, nil
			case *ast.RenameTo:
				if err := schemaName(a.Name); err != nil {
					return nil, err
				}
				return renameSchema(b, c, sc, a.Name)
			}
			return nil, errs.Unsupported.New("feature", "this form of ALTER SCHEMA").At(int(a.Position()))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func renameSchema(b *bind.Binder, c *catalog.Snapshot, sc catalog.Schema, name string) ([]kv.Write, error) {
	if _, ok := c.Schema(name); ok {
		return nil, errs.DuplicateSchema.New("name", name)
	}
	r := bind.Renaming{Relations: map[id.Relation]ast.Name{}}
	for _, rel := range c.Relations() {
		if rel.Schema == sc.Name {
			r.Relations[rel.ID] = qualified(name, rel.Name)
		}
	}
	writes, err := renamed(b, c, r)
	if err != nil {
		return nil, err
	}
	writes = append(writes, meta.DropSchema(sc.Name))
	c.DropSchema(sc.Name)
	sc.Name = name
	c.PutSchema(sc)
	return append(writes, meta.PutSchema(sc)), nil
}

// edit changes a relation's row of the catalog, but not its names.
func (s *Session) edit(ctx context.Context, rel *catalog.Relation, change func(*catalog.Relation)) error {
	return s.d.engine.Change(ctx, func(c *catalog.Snapshot) ([]kv.Write, error) {
		now, ok := c.Relation(rel.ID)
		if !ok {
			return nil, errs.UndefinedTable.New("name", rel.Name)
		}
		r := *now
		change(&r)
		c.Put(&r)
		return []kv.Write{meta.PutRelation(&r)}, nil
	})
}
