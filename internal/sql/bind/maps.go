package bind

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// mapType checks the type of the keys.
func mapType(key, value types.T) (types.T, error) {
	if !types.ValidMapKey(key) {
		return types.T{}, errs.MapType.New("problem", "invalid map key type: "+types.BaseName(key))
	}
	return types.MapOf(key, value), nil
}

// mapLiteral binds MAP {k: v, ...}; keys have one type, and values.
func (c context) mapLiteral(e *ast.MapLit) (expr.Expr, error) {
	if len(e.Entries) == 0 {
		return nil, errs.EmptyMap.New().At(int(e.Pos))
	}
	keys, values := make([]ast.Expr, len(e.Entries)), make([]ast.Expr, len(e.Entries))
	for i, entry := range e.Entries {
		keys[i], values[i] = entry.Key, entry.Value
	}
	return c.mapFunc("map_from_key_values", e.Pos, &ast.Array{Pos: e.Pos, Elems: keys}, &ast.Array{Pos: e.Pos, Elems: values})
}

// mapAs binds MAP {...} under a cast.
func (c context) mapAs(e *ast.MapLit, t types.T, how expr.CastContext) (expr.Expr, error) {
	keys, values := &ast.Array{Pos: e.Pos}, &ast.Array{Pos: e.Pos}
	for _, entry := range e.Entries {
		keys.Elems, values.Elems = append(keys.Elems, entry.Key), append(values.Elems, entry.Value)
	}
	k, err := c.arrayAs(keys, types.ArrayOf(t.MapKey()), how)
	if err != nil {
		return nil, err
	}
	v, err := c.arrayAs(values, types.ArrayOf(t.MapValue()), how)
	if err != nil {
		return nil, err
	}
	x, err := c.b.Funcs.Call("map_from_key_values", k, v)
	return x, at(err, e.Pos)
}

// subscript binds x[i]: an element of an array, or the value of a key.
func (c context) subscript(e *ast.Subscript) (expr.Expr, error) {
	x, err := c.expr(e.X)
	if err != nil {
		return nil, err
	}
	if x.Type().Kind == types.KindMap {
		return c.mapFunc("map_access", e.Pos, e.X, e.Index)
	}
	i, err := c.position(e.Index)
	if err != nil {
		return nil, err
	}
	x, err = c.b.Funcs.Syntax("subscript", x, i)
	return x, at(err, e.Pos)
}

// position binds a subscript, which is cast to integer as what is stored is.
func (c context) position(e ast.Expr) (expr.Expr, error) {
	x, err := c.expr(e)
	if err != nil || !c.b.Funcs.CanCast(x.Type(), types.Int4, expr.CastAssignment) {
		return x, err
	}
	x, err = c.b.cast(x, types.Int4, expr.CastAssignment)
	return x, at(err, e.Position())
}

// mapFunc binds a function of maps, which other functions of these names do not exist for.
func (c context) mapFunc(name string, pos ast.Pos, es ...ast.Expr) (expr.Expr, error) {
	args, err := c.list(es)
	if err != nil {
		return nil, err
	}
	if err := c.mapArgs(name, args); err != nil {
		return nil, at(err, pos)
	}
	x, err := c.b.Funcs.Call(name, args...)
	return x, at(err, pos)
}

// mapArgs checks what a map is made of, and casts keys, values and maps to the types of the first argument.
func (c context) mapArgs(name string, args []expr.Expr) error {
	if len(args) == 0 {
		return nil
	}
	t := args[0].Type()
	switch name {
	case "map_from_key_values":
		if len(args) != 2 || t.Kind != types.KindArray || args[1].Type().Kind != types.KindArray {
			return errs.UndefinedFunction.New("signature", signature(name, args))
		}
		_, err := mapType(*t.Elem, *args[1].Type().Elem)
		return err
	case "map_from_entries":
		return mapEntriesType(t)
	}
	if t.Kind != types.KindMap {
		return nil
	}
	want := map[string][]types.T{"map_access": {t.MapKey()}, "map_contains": {t.MapKey()}, "map_delete": {t.MapKey()},
		"map_insert": {t.MapKey(), t.MapValue()}, "map_cat": {t}}[name]
	for i, to := range want {
		if i+1 >= len(args) {
			return nil
		}
		var err error
		if args[i+1], err = c.b.cast(args[i+1], to, expr.CastAssignment); err != nil {
			return err
		}
	}
	return nil
}

func mapEntriesType(t types.T) error {
	switch {
	case t.Kind != types.KindArray:
		return errs.UndefinedFunction.New("signature", "map_from_entries("+types.BaseName(t)+")")
	case t.Elem.Kind != types.KindStruct:
		return errs.MapType.New("problem", "invalid map entries type, expected struct, got: "+types.BaseName(*t.Elem))
	case len(t.Elem.Fields) != 2:
		return errs.MapType.New("problem", "the entries of a map must have two fields, a key and a value")
	}
	_, err := mapType(t.Elem.Fields[0].Type, t.Elem.Fields[1].Type)
	return err
}

// mapFilter binds map_filter(map, |key, value| condition): the condition is computed for the entries of the map.
func (c context) mapFilter(e *ast.FuncCall) (expr.Expr, error) {
	expected := errs.LambdaExpected.New("function", "map_filter", "params", "|key, value|").At(int(e.Pos))
	if len(e.Args) != 2 {
		return nil, expected
	}
	l, ok := e.Args[1].Value.(*ast.Lambda)
	if !ok || len(l.Params) != 2 {
		return nil, expected
	}
	m, err := c.expr(e.Args[0].Value)
	if err != nil {
		return nil, err
	}
	t := m.Type()
	if t.Kind != types.KindMap {
		return nil, errs.WrongType.New("what", "the first argument of map_filter", "want", "map", "have", types.SQLName(t)).At(int(e.Args[0].Value.Position()))
	}
	body, captured, err := c.lambda(l, t.MapKey(), t.MapValue())
	if err == nil {
		body, err = c.b.boolean(body, l.Body, "map_filter")
	}
	if err != nil {
		return nil, err
	}
	entries, err := c.b.Funcs.Call("map_entries", m)
	if err != nil {
		return nil, err
	}
	flags := &expr.Transform{Array: entries, Body: c.ofEntry(body, *t.Elem), Captured: captured}
	x, err := c.b.Funcs.Call("map_filter", m, flags)
	return x, at(err, e.Pos)
}

// ofEntry states an expression over key and value for an entry.
func (c context) ofEntry(body expr.Expr, entry types.T) expr.Expr {
	return expr.Rewrite(body, func(e expr.Expr) expr.Expr {
		col, ok := e.(*expr.Col)
		switch {
		case !ok:
			return e
		case col.Index < len(entry.Fields):
			return c.b.Funcs.Field(&expr.Col{Index: 0, T: entry, Name: "entry"}, col.Index)
		}
		return &expr.Col{Index: col.Index - 1, T: col.T, Name: col.Name}
	})
}
