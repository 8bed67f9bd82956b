package expr

import (
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

func addBoolean(b *builder) {
	test := in(types.Bool).out(types.Bool)
	b.syntax("not", test, f1(func(a bool) bool { return !a }), "true for false and false for true")
	b.syntax("is null", in(Any).out(types.Bool), impl{eval: isNull(false)}, "whether the value is NULL").nulls()
	b.syntax("is not null", in(Any).out(types.Bool), impl{eval: isNull(true)}, "whether the value is not NULL").nulls()
	for _, t := range []struct {
		name        string
		want, other bool // the result for true, for false
		null        bool // and for NULL
	}{
		{"is true", true, false, false}, {"is not true", false, true, true},
		{"is false", false, true, false}, {"is not false", true, false, true},
		{"is unknown", false, false, true}, {"is not unknown", true, true, false},
	} {
		b.syntax(t.name, test, impl{eval: boolTest(t.want, t.other, t.null)}, "test of a truth value").nulls()
	}
	pair := in(types.Bool, types.Bool).out(types.Bool)
	b.fn("booleq", pair, f2(func(a, c bool) bool { return a == c }), "whether both are equal")
	b.fn("boolne", pair, f2(func(a, c bool) bool { return a != c }), "whether they differ")
	b.fn("num_nulls", in(Any).many().out(types.Int4), countNulls(true), "how many arguments are NULL").nulls()
	b.fn("num_nonnulls", in(Any).many().out(types.Int4), countNulls(false), "how many arguments are not NULL").nulls()
}

// isNull tests for NULL. A row is NULL when all its fields are, and not NULL when none is.
func isNull(negate bool) Eval {
	return func(_ *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		v := args[0]
		for i := range rows(sel, out.Len()) {
			null := v.IsNull(i)
			if !null && v.Type.Kind == types.KindStruct && len(v.Type.Fields) > 0 {
				all, none := structNulls(v.Type, v.Strs[i])
				out.Bools[i] = !negate && all || negate && none
				continue
			}
			out.Bools[i] = null != negate
		}
		return nil
	}
}

func structNulls(t types.T, s string) (all, none bool) {
	all, none = true, true
	for _, d := range types.DecodeStruct(t, s) {
		all, none = all && d.IsNull(), none && !d.IsNull()
	}
	return all, none
}

func boolTest(onTrue, onFalse, onNull bool) Eval {
	return func(_ *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		for i := range rows(sel, out.Len()) {
			switch {
			case args[0].IsNull(i):
				out.Bools[i] = onNull
			case args[0].Bools[i]:
				out.Bools[i] = onTrue
			default:
				out.Bools[i] = onFalse
			}
		}
		return nil
	}
}

func countNulls(null bool) impl {
	return fn(func(_ *Ctx, r row) (types.Datum, error) {
		n := int64(0)
		for k := range r.n() {
			if r.null(k) == null {
				n++
			}
		}
		return types.NewInt(n), nil
	}).total()
}
