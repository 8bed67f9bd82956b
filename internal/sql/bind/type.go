package bind

import (
	"strconv"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Type finds the type that a name means.
func Type(n *ast.TypeName) (types.T, error) {
	t, err := baseType(n)
	if err != nil {
		return t, at(err, n.Pos)
	}
	for range n.ArrayDims {
		t = types.ArrayOf(t)
	}
	return t, nil
}

// mapOf is the type map(key, value).
func mapOf(n *ast.TypeName) (types.T, error) {
	key, err := Type(n.Args[0])
	if err != nil {
		return key, err
	}
	value, err := Type(n.Args[1])
	if err != nil {
		return value, err
	}
	return mapType(key, value)
}

func baseType(n *ast.TypeName) (types.T, error) {
	if len(n.Fields) > 0 {
		var fields []types.Field
		for _, f := range n.Fields {
			t, err := Type(f.Type)
			if err != nil {
				return t, err
			}
			fields = append(fields, types.Field{Name: f.Name.Name, Type: t})
		}
		return types.StructOf(fields...), nil
	}
	if n.Name == "map" && len(n.Args) == 2 {
		return mapOf(n)
	}
	t, err := types.Lookup(n.Name)
	if err == nil && n.Interval != "" {
		t = types.WithIntervalFields(t, n.Interval)
	}
	if err != nil || len(n.Mods) == 0 {
		return t, err
	}
	var mods []int32
	for _, m := range n.Mods {
		lit, ok := m.(*ast.NumberLit)
		if !ok {
			return t, errs.TypeModifier.New("type", n.Name).At(int(m.Position()))
		}
		v, err := strconv.ParseInt(lit.Text, 10, 32)
		if err != nil {
			return t, errs.TypeModifier.New("type", n.Name).At(int(m.Position()))
		}
		mods = append(mods, int32(v))
	}
	return types.WithMods(t, mods)
}
