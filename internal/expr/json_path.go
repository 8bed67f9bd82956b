package expr

import (
	"iter"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/jsonpath"
	"github.com/tidemark-db/tidemark/internal/types"
)

// pathCache keeps paths that were read, and compiles the patterns in them.
type pathCache struct {
	compiled[string, *jsonpath.Path]
}

func (c *pathCache) get(path string) (*jsonpath.Path, error) {
	return c.compiled.get(path, func() (*jsonpath.Path, error) { return jsonpath.Parse(path, compileRegexp) })
}

// pathCall is a document, a path, and, if given, an object of variables and whether errors are silent.
type pathCall struct {
	doc, vars types.JSON
	path      string
	silent    bool
}

// items are those of the path; known is false for an error that nobody is to hear of.
func (c *pathCache) items(call pathCall) (items []types.JSON, known bool, err error) {
	path, err := c.get(call.path)
	if err != nil {
		return nil, false, err
	}
	items, err = path.Query(call.doc, call.vars)
	if err != nil && call.silent && jsonpath.Forgiven(err) {
		return nil, false, nil
	}
	return items, err == nil, err
}

// addJSONPath adds the functions and operators over one item of a path. Paths are text; a literal is read with the first row.
func addJSONPath(b *builder) {
	j, text := types.JSONB, types.Text
	c := b.paths
	each := func(name string, ret types.T, f func(items []types.JSON, silent bool) (types.Datum, error), doc string) {
		over := fn(func(_ *Ctx, r row) (types.Datum, error) {
			call := pathCall{doc: r.json(0), path: r.str(1)}
			if r.n() > 2 {
				call.vars = r.json(2)
			}
			call.silent = r.n() > 3 && r.bool(3)
			items, known, err := c.items(call)
			if err != nil || !known {
				return types.Null, err
			}
			return f(items, call.silent)
		})
		for _, args := range pathArgs() {
			b.fn(name, in(args...).out(ret), over, doc)
		}
	}
	exists := func(items []types.JSON, _ bool) (types.Datum, error) { return types.NewBool(len(items) > 0), nil }
	each("jsonb_path_exists", types.Bool, exists, "whether a path has an item")
	each("jsonb_path_match", types.Bool, pathMatch, "the value of a path that is a predicate")
	each("jsonb_path_query_array", j, func(items []types.JSON, _ bool) (types.Datum, error) {
		return types.NewJSON(types.JSONArrayOf(items)), nil
	}, "the items of a path as an array")
	each("jsonb_path_query_first", j, func(items []types.JSON, _ bool) (types.Datum, error) {
		if len(items) == 0 {
			return types.Null, nil
		}
		return types.NewJSON(items[0]), nil
	}, "the first item of a path")
	silently := func(f func([]types.JSON, bool) (types.Datum, error)) impl {
		return fn(func(_ *Ctx, r row) (types.Datum, error) {
			items, known, err := c.items(pathCall{doc: r.json(0), path: r.str(1), silent: true})
			if err != nil || !known {
				return types.Null, err
			}
			return f(items, true)
		})
	}
	b.op("@?", in(j, text).out(types.Bool), silently(exists), "whether a path has an item")
	b.op("@@", in(j, text).out(types.Bool), silently(pathMatch), "the value of a path that is a predicate")
}

// pathArgs are the forms of the arguments: with and without variables and the switch for silence.
func pathArgs() [][]types.T {
	all := []types.T{types.JSONB, types.Text, types.JSONB, types.Bool}
	return [][]types.T{all[:2], all[:3], all}
}

// pathMatch is the one item of a predicate.
func pathMatch(items []types.JSON, silent bool) (types.Datum, error) {
	if len(items) == 1 {
		switch items[0].Kind() {
		case types.JSONBool:
			return types.NewBool(items[0].Bool()), nil
		case types.JSONNull:
			return types.Null, nil
		}
	}
	if silent {
		return types.Null, nil
	}
	return types.Null, errs.PathSingle.New("problem", "single boolean result is expected")
}

// addJSONPathSet adds the function that yields the items of a path.
func (r *Registry) addJSONPathSet() {
	for _, args := range pathArgs() {
		r.set("jsonb_path_query", in(args...).out(types.JSONB), r.pathQuery, "the items of a path")
	}
}

func (r *Registry) pathQuery(_ *Ctx, _ []types.T, args types.Row) iter.Seq2[types.Row, error] {
	call := pathCall{doc: args[0].JSON(), path: args[1].Bytes()}
	if len(args) > 2 {
		call.vars = args[2].JSON()
	}
	call.silent = len(args) > 3 && args[3].Bool()
	items, _, err := r.paths.items(call)
	if err != nil {
		return failure(err)
	}
	return func(yield func(types.Row, error) bool) {
		for _, v := range items {
			if !yield(types.Row{types.NewJSON(v)}, nil) {
				return
			}
		}
	}
}
