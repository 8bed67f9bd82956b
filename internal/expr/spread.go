package expr

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// A function that takes its last argument many times can be given an array of them: concat(VARIADIC array['a', 'b']). Each
// such function has a twin whose last argument is the array. Twins are found by ResolveSpread and by their ID only.

// spreadPrefix begins the names of the twins.
const spreadPrefix = "variadic "

// addSpreads makes the twins of the functions so far.
func (r *Registry) addSpreads() {
	for _, f := range r.funcs {
		if f.Kind != KindFunction || !f.Variadic {
			continue
		}
		last := len(f.Args) - 1
		g := *f
		g.Variadic, g.Name, g.Args = false, spreadPrefix+f.Name, slices.Clone(f.Args)
		if g.Args[last] = types.ArrayOf(f.Args[last]); polymorphic(f.Args[last]) {
			g.Args[last] = AnyArray
		}
		g.Ret = func(args []types.T) types.T {
			return f.Ret(append(slices.Clone(args[:last]), *args[last].Elem))
		}
		g.Strict, g.Eval = true, spread(f, last)
		r.byID[g.ID()] = &g
		if r.spread[f.Name] == nil {
			r.spread[f.Name] = &overloads{}
		}
		r.spread[f.Name].funcs = append(r.spread[f.Name].funcs, &g)
		r.spread[f.Name].sigs = append(r.spread[f.Name].sigs, g.Signature)
	}
}

// ResolveSpread is Resolve for a call whose last argument, an array, stands for many.
func (r *Registry) ResolveSpread(name string, args []types.T) (*Func, []types.T, error) {
	f, to, err := resolveIn(r.spread[name], spreadPrefix+name, args, false)
	if err != nil {
		return nil, nil, noMatch(name, args, false, false)
	}
	return f, to, nil
}

// spread runs a function row by row over the fixed arguments and the elements of the array.
func spread(f *Func, fixed int) Eval {
	return func(ctx *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		elem := *args[fixed].Type.Elem
		return perRow(ctx, sel, out, func(i int) error {
			one := make([]*chunk.Vec, 0, fixed+1)
			for _, a := range args[:fixed] {
				one = append(one, single(a.Type, a.Datum(i)))
			}
			for _, d := range types.DecodeArray(elem, args[fixed].Strs[i]) {
				if f.Strict && d.IsNull() {
					out.SetNull(i)
					return nil
				}
				one = append(one, single(elem, d))
			}
			result := chunk.MakeVec(out.Type, 1)
			alone := *ctx
			alone.OnError = nil // perRow reports the row
			if err := f.Eval(&alone, one, nil, result); err != nil {
				return err
			}
			out.Set(i, result.Datum(0))
			return nil
		})
	}
}

func single(t types.T, d types.Datum) *chunk.Vec {
	v := chunk.NewVec(t, 1)
	v.Append(d)
	return v
}
