package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// kindOf maps what DROP names to the catalog's kinds.
var kindOf = map[ast.ObjectKind]catalog.RelationKind{ast.TableObject: catalog.KindTable, ast.ViewObject: catalog.KindView,
	ast.MaterializedViewObject: catalog.KindMaterializedView, ast.IndexObject: catalog.KindIndex, ast.SourceObject: catalog.KindSource,
	ast.SinkObject: catalog.KindSink, ast.SubscriptionObject: catalog.KindSubscription}

// drop runs DROP.
func (s *Session) drop(ctx context.Context, st *ast.Drop) (Result, error) {
	tag := "DROP " + string(st.Kind)
	switch st.Kind {
	case ast.SchemaObject:
		return done(tag), s.dropSchemas(ctx, st)
	case ast.UserObject, ast.RoleObject:
		return done("DROP ROLE"), s.dropUsers(ctx, st)
	case ast.FunctionObject:
		return done(tag), s.dropFunctions(ctx, st)
	}
	kind, ok := kindOf[st.Kind]
	if !ok {
		return nil, errs.Unsupported.New("feature", "DROP "+string(st.Kind)).At(int(st.Pos))
	}
	return done(tag), s.dropCascading(ctx, func(c *catalog.Snapshot) (all, named []*catalog.Relation, err error) {
		for _, name := range st.Names {
			rel, err := s.dropTarget(c, st, name, kind)
			if err != nil {
				return nil, nil, err
			}
			if rel == nil {
				continue
			}
			if err := s.owns(kindName(rel.Kind), rel.Name, rel.Owner); err != nil {
				return nil, nil, err
			}
			named = append(named, rel)
			deps := dependants(c, rel)
			if !st.Cascade && slices.ContainsFunc(deps, func(r *catalog.Relation) bool { return r != rel && !follows(r, rel) }) {
				return nil, nil, dependError(c, s.path(), described(c, s.path(), rel), rel, deps)
			}
			for _, r := range deps {
				if !slices.Contains(all, r) {
					all = append(all, r)
				}
			}
		}
		return all, named, nil
	})
}

// follows reports whether a relation goes with another without CASCADE: an index, or a sink into it.
func follows(r, rel *catalog.Relation) bool {
	return r.Kind == catalog.KindIndex || r.Drains() && r.Into == rel.ID
}

// dropTarget finds what DROP names; nil when it is not there and IF EXISTS was said.
func (s *Session) dropTarget(c *catalog.Snapshot, st *ast.Drop, name ast.Name, kind catalog.RelationKind) (*catalog.Relation, error) {
	path := s.path()
	if name.Schema() != "" {
		path = []string{name.Schema()}
	}
	rel, ok := c.Lookup(path, name.Last())
	switch {
	case !ok && st.IfExists:
		s.notice("NOTICE", "%s \"%s\" does not exist, skipping", strings.ToLower(string(st.Kind)), name.Last())
		return nil, nil
	case !ok && kind == catalog.KindIndex:
		return nil, errs.UndefinedObject.New("kind", "index", "name", name.String())
	case !ok:
		e := errs.UndefinedTable.New("name", name.String())
		e.Message = fmt.Sprintf("%s \"%s\" does not exist", strings.ToLower(string(st.Kind)), name.String())
		return nil, e
	case rel.Kind != kind:
		return nil, errs.WrongObject.New("what", fmt.Sprintf("\"%s\" is not %s", rel.Name, oneOf(st.Kind))).
			WithHint("Use DROP %s to remove %s.", strings.ToUpper(rel.Kind.String()), oneOf(rel.Kind.String()))
	}
	return rel, nil
}

// dependants returns everything that reads a relation, directly or not, each before what it reads; the relation is last.
// Sinks into a table go with it.
func dependants(c *catalog.Snapshot, rel *catalog.Relation) []*catalog.Relation {
	var out []*catalog.Relation
	var visit func(r *catalog.Relation)
	visit = func(r *catalog.Relation) {
		if slices.Contains(out, r) {
			return
		}
		for _, d := range slices.Backward(append(c.Dependants(r.ID), c.SinksInto(r.ID)...)) {
			visit(d)
		}
		out = append(out, r)
	}
	visit(rel)
	return out
}

// comment runs COMMENT ON.
func (s *Session) comment(ctx context.Context, st *ast.Comment) (Result, error) {
	name := st.Name
	member := ""
	if st.Kind == ast.ColumnObject && len(name.Parts) > 1 {
		member = name.Last()
		name.Parts = name.Parts[:len(name.Parts)-1]
	}
	words := ""
	if st.Text != nil {
		words = *st.Text
	}
	rel, err := s.binder(nil).Relation(name)
	if err != nil {
		return nil, err
	}
	if err := s.owns(kindName(rel.Kind), rel.Name, rel.Owner); err != nil {
		return nil, err
	}
	if member != "" {
		if _, err := column(rel, ast.Ident{Name: member, Pos: name.Pos}); err != nil {
			return nil, err
		}
	}
	return done("COMMENT"), s.d.engine.Change(ctx, func(c *catalog.Snapshot) ([]kv.Write, error) {
		r := *rel
		r.Columns = slices.Clone(r.Columns)
		if member == "" {
			r.Comment = words
		}
		for i := range r.Columns {
			if member != "" && r.Columns[i].Name == member {
				r.Columns[i].Comment = words
			}
		}
		c.Put(&r)
		return []kv.Write{meta.PutRelation(&r)}, nil
	})
}
