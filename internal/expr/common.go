package expr

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// commonType is PostgreSQL's choice for UNION, CASE and the like (chapter 10.5); ok is false where there is none.
func commonType(ts []types.T) (types.T, bool) {
	t, _, ok := chooseCommon(ts)
	return t, ok
}

// chooseCommon returns the common type, or the type that it cannot be matched with.
func chooseCommon(ts []types.T) (chosen, clash types.T, ok bool) {
	chosen = types.Unknown
	for _, t := range ts {
		switch {
		case t.Kind == types.KindUnknown, t.SameKind(chosen):
		case chosen.Kind == types.KindUnknown:
			chosen = t
		case categoryOf(t) != categoryOf(chosen):
			return chosen, t, false
		case !preferred(chosen) && implicit(chosen, t) && !implicit(t, chosen):
			chosen = t
		}
	}
	if chosen.Kind == types.KindUnknown {
		return types.Text, types.Unknown, true
	}
	for _, t := range ts {
		if !implicit(t, chosen) {
			return chosen, t, false
		}
	}
	return sharedMods(ts, chosen), types.Unknown, true
}

// sharedMods keeps length and precision only when all types have the same.
func sharedMods(ts []types.T, chosen types.T) types.T {
	for _, t := range ts {
		if t.Kind != types.KindUnknown && !t.Equal(chosen) {
			return withoutMods(chosen)
		}
	}
	return chosen
}

// CommonType is the type that the parts of CASE, COALESCE, UNION, VALUES, ARRAY (named by what, for the error) have in
// common.
func CommonType(what string, ts []types.T) (types.T, error) {
	t, clash, ok := chooseCommon(ts)
	if !ok {
		return t, errs.TypesMismatch.New("context", what, "left", typeName(t), "right", typeName(clash))
	}
	return t, nil
}
