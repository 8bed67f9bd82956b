package pgcatalog

import (
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/types"
)

// FunctionsOf lists the built-in functions for Info.Functions. It is the same for all sessions of an engine; make it once.
func FunctionsOf(functions *expr.Registry, aggregates *agg.Registry) []FunctionInfo {
	var out []FunctionInfo
	for _, f := range functions.Funcs() {
		if f.Kind == expr.KindFunction {
			out = append(out, FunctionInfo{Name: f.Name, Args: storable(f.Args), Returns: resultOf(f.Args, f.Ret), Kind: Function,
				Strict: f.Strict, Doc: f.Doc})
		}
	}
	for _, f := range functions.SetFuncs() {
		row := func(args []types.T) types.T { return rowType(f.Fields(args)) }
		out = append(out, FunctionInfo{Name: f.Name, Args: storable(f.Args), Returns: resultOf(f.Args, row), Kind: Function,
			Set: true, Strict: f.Strict, Doc: f.Doc})
	}
	for _, f := range aggregates.Funcs() {
		out = append(out, FunctionInfo{Name: f.Name, Args: storable(f.Args), Returns: resultOf(f.Args, f.Ret), Kind: Aggregate, Doc: f.Doc})
	}
	return out
}

// rowType is what a set-returning function's rows are: one column is its own type.
func rowType(fields []types.Field) types.T {
	if len(fields) == 1 {
		return fields[0].Type
	}
	return types.StructOf(fields...)
}

// storable replaces the polymorphic types, which exist in signatures only.
func storable(args []types.T) []types.T {
	return mapped(args, func(t types.T) types.T {
		switch {
		case t.Kind == expr.AnyArray.Kind || t.Kind == expr.AnyCompatibleArray.Kind:
			return types.ArrayOf(types.Unknown)
		case t.Kind == expr.AnyStruct.Kind:
			return types.StructOf()
		case !concrete(t):
			return types.Unknown
		}
		return t
	})
}

// concrete tells whether values can have the type.
func concrete(t types.T) bool { return t.Kind <= types.KindChar }

// resultOf is the result type; it is polymorphic where it follows that of the arguments, which two tries tell.
func resultOf(args []types.T, ret func([]types.T) types.T) types.T {
	ofInts, ofTexts := ret(filled(args, types.Int4)), ret(filled(args, types.Text))
	switch {
	case ofInts.SameKind(ofTexts):
		return storable([]types.T{ofInts})[0]
	case ofInts.Kind == types.KindArray && ofTexts.Kind == types.KindArray:
		return types.ArrayOf(types.Unknown)
	case ofInts.Kind == types.KindStruct:
		return ofInts
	}
	return types.Unknown
}

// filled puts a type in the place of the polymorphic ones.
func filled(args []types.T, elem types.T) []types.T {
	return mapped(storable(args), func(t types.T) types.T {
		switch {
		case t.Kind == types.KindArray && t.Elem.Kind == types.KindUnknown:
			return types.ArrayOf(elem)
		case t.Kind == types.KindUnknown:
			return elem
		}
		return t
	})
}
