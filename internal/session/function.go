package session

import (
	"context"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/bind"
	"github.com/tidemark-db/tidemark/internal/types"
)

// createFunction runs CREATE FUNCTION of a function in SQL.
func (s *Session) createFunction(ctx context.Context, st *ast.CreateFunction) (Result, error) {
	tag := done("CREATE FUNCTION")
	schema, err := s.schema(st.Name.Schema())
	if err != nil {
		return nil, err
	}
	if err := s.mayCreate(schema); err != nil {
		return nil, err
	}
	f, err := s.binder(nil).CreateFunction(st, schema)
	if err != nil {
		return nil, err
	}
	f.Owner = s.startup.User
	if f.ID, err = s.d.engine.NextRelation(ctx); err != nil {
		return nil, err
	}
	return tag, s.d.engine.Change(ctx, func(c *catalog.Snapshot) ([]kv.Write, error) {
		f.Grants = c.DefaultsFor(f.Owner, schema, string(ast.FunctionObject))
		for _, old := range c.FunctionsNamed(schema, f.Name) {
			if !old.TakesTypes(paramTypes(f)) {
				continue
			}
			switch {
			case st.IfNotExists:
				s.notice("NOTICE", "function \"%s\" already exists, skipping", f.Name)
				return nil, nil
			case !st.OrReplace:
				return nil, errs.DuplicateFunction.New("name", f.Name).At(int(st.Pos))
			case !c.Owns(f.Owner, old.Owner):
				return nil, errs.NotOwner.New("kind", "function", "name", f.Name)
			}
			f.ID, f.Owner, f.Grants = old.ID, old.Owner, old.Grants
		}
		c.PutFunction(f)
		return []kv.Write{meta.PutFunction(f)}, nil
	})
}

func paramTypes(f *catalog.Function) []types.T {
	out := make([]types.T, len(f.Params))
	for i, p := range f.Params {
		out[i] = p.Type
	}
	return out
}

// dropFunctions runs DROP FUNCTION. With CASCADE the views that call one go too.
func (s *Session) dropFunctions(ctx context.Context, st *ast.Drop) error {
	for i, n := range st.Names {
		f, err := s.functionOf(n, argTypesAt(st.ArgTypes, i))
		if err != nil {
			return err
		}
		if f == nil {
			if !st.IfExists {
				return errs.UndefinedFunction.New("signature", n.String()+"()").At(int(n.Pos))
			}
			s.notice("NOTICE", "function %s() does not exist, skipping", n.String())
			continue
		}
		if err := s.owns("function", f.Name, f.Owner); err != nil {
			return err
		}
		if err := s.dropFunction(ctx, f, st.Cascade); err != nil {
			return err
		}
	}
	return nil
}

func argTypesAt(all [][]*ast.TypeName, i int) []*ast.TypeName {
	if i < len(all) {
		return all[i]
	}
	return nil
}

// functionOf finds the function that a name with argument types means, or the only one of the name; nil when there is none.
func (s *Session) functionOf(n ast.Name, args []*ast.TypeName) (*catalog.Function, error) {
	var ts []types.T
	for _, a := range args {
		t, err := bind.Type(a)
		if err != nil {
			return nil, err
		}
		ts = append(ts, t)
	}
	for _, schema := range s.pathOf(n) {
		all := s.d.engine.Catalog().FunctionsNamed(schema, n.Last())
		if args == nil && len(all) > 1 {
			return nil, errs.FunctionNotUnique.New("name", n.Last()).At(int(n.Pos))
		}
		for _, f := range all {
			if args == nil || f.TakesTypes(ts) {
				return f, nil
			}
		}
	}
	return nil, nil
}

func (s *Session) dropFunction(ctx context.Context, f *catalog.Function, cascade bool) error {
	if cascade {
		err := s.dropCascading(ctx, func(c *catalog.Snapshot) (all, named []*catalog.Relation, err error) {
			for _, v := range c.Dependants(f.ID) {
				for _, d := range dependants(c, v) {
					if !slices.Contains(all, d) {
						all = append(all, d)
					}
				}
			}
			return all, nil, nil
		})
		if err != nil {
			return err
		}
	}
	return s.d.engine.Change(ctx, func(c *catalog.Snapshot) ([]kv.Write, error) {
		if deps := c.Dependants(f.ID); len(deps) > 0 {
			var lines []string
			for _, d := range deps {
				lines = append(lines, described(c, s.path(), d)+" depends on function "+f.Signature())
			}
			return nil, cannotDrop("function "+f.Signature(), lines)
		}
		c.DropFunction(f.ID)
		return []kv.Write{meta.DropFunction(f.ID)}, nil
	})
}
