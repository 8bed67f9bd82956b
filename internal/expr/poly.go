package expr

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/types"
)

// The polymorphic types of declared arguments. All AnyElement and AnyArray arguments of one call agree on the element
// type; Any arguments need not agree. They occur in signatures only, never as the type of a value.
const (
	kindAny types.Kind = 240 + iota
	kindAnyElement
	kindAnyArray
	kindAnyStruct
	kindAnyCompatible
	kindAnyCompatibleArray
	kindAnyNonArray
	kindAnyMap
)

var (
	Any                = types.T{Kind: kindAny}                // any type, on its own
	AnyElement         = types.T{Kind: kindAnyElement}         // one type for all
	AnyArray           = types.T{Kind: kindAnyArray}           // an array of it
	AnyStruct          = types.T{Kind: kindAnyStruct}          // any struct
	AnyCompatible      = types.T{Kind: kindAnyCompatible}      // one type for all, found like that of CASE
	AnyCompatibleArray = types.T{Kind: kindAnyCompatibleArray} // an array of it
	AnyNonArray        = types.T{Kind: kindAnyNonArray}        // any type but an array, on its own
	AnyMap             = types.T{Kind: kindAnyMap}             // any map, on its own
)

func polymorphic(t types.T) bool { return t.Kind >= kindAny }

// typeName is types.BaseName that knows the polymorphic types.
func typeName(t types.T) string {
	switch t.Kind {
	case kindAny:
		return `"any"`
	case kindAnyElement:
		return "anyelement"
	case kindAnyArray:
		return "anyarray"
	case kindAnyStruct:
		return "record"
	case kindAnyCompatible:
		return "anycompatible"
	case kindAnyCompatibleArray:
		return "anycompatiblearray"
	case kindAnyNonArray:
		return "anynonarray"
	case kindAnyMap:
		return "map"
	case types.KindUnknown:
		return "unknown"
	}
	return types.BaseName(t)
}

// bindPolymorphic replaces the polymorphic types of the declared arguments by what the actual ones stand for.
func (s Signature) bindPolymorphic(actual []types.T) ([]types.T, bool) {
	out := make([]types.T, len(actual))
	elem, ok := s.elementType(actual)
	if !ok {
		return nil, false
	}
	for i, a := range actual {
		switch d := s.Arg(i); d.Kind {
		case kindAny, kindAnyNonArray:
			if d.Kind == kindAnyNonArray && a.Kind == types.KindArray {
				return nil, false
			}
			out[i] = a
			if a.Kind == types.KindUnknown {
				out[i] = types.Text
			}
		case kindAnyStruct, kindAnyMap:
			if want := map[types.Kind]types.Kind{kindAnyStruct: types.KindStruct, kindAnyMap: types.KindMap}[d.Kind]; a.Kind != want {
				return nil, false
			}
			out[i] = a
		case kindAnyElement, kindAnyCompatible:
			out[i] = elem
		case kindAnyArray, kindAnyCompatibleArray:
			if a.Kind != types.KindArray && a.Kind != types.KindUnknown {
				return nil, false
			}
			out[i] = types.ArrayOf(elem)
		default:
			out[i] = d
		}
	}
	return out, true
}

// elementType finds the type that the AnyElement and AnyArray arguments stand for.
func (s Signature) elementType(actual []types.T) (types.T, bool) {
	elem, found, compatible := types.Text, false, []types.T(nil)
	for i, a := range actual {
		kind := s.Arg(i).Kind
		switch kind {
		case kindAnyArray, kindAnyCompatibleArray:
			if a.Kind == types.KindArray {
				a = *a.Elem
			} else if a.Kind != types.KindUnknown {
				return elem, false
			}
		case kindAnyElement, kindAnyCompatible:
		default:
			continue
		}
		switch {
		case kind == kindAnyCompatible || kind == kindAnyCompatibleArray:
			compatible = append(compatible, a)
		case a.Kind == types.KindUnknown:
		case found && !elem.SameKind(a):
			return elem, false
		default:
			elem, found = a, true
		}
	}
	if compatible != nil {
		return commonType(compatible)
	}
	return withoutMods(elem), true
}

// withoutMods is the type without length, precision or scale.
func withoutMods(t types.T) types.T {
	t.Width, t.Scale = 0, 0
	return t
}

// indeterminate reports whether a signature has arguments of one type, and all of them are literals without a type.
func indeterminate(s Signature, actual []types.T) bool {
	found := false
	for i, a := range actual {
		switch s.Arg(i).Kind {
		case kindAnyElement, kindAnyArray:
			if a.Kind != types.KindUnknown {
				return false
			}
			found = true
		}
	}
	return found
}

// polymorphic reports whether an argument is declared with a polymorphic type.
func (s Signature) polymorphic() bool { return slices.ContainsFunc(s.Args, polymorphic) }
