package agg

import (
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Registry has the aggregate functions. It is made once by NewRegistry and never changes.
type Registry struct {
	funcs  []*Func
	byName map[string][]*Func
}

// NewRegistry builds the registry of all built-in aggregates.
func NewRegistry() *Registry {
	r := &Registry{byName: map[string][]*Func{}}
	for _, add := range []func(*Registry){
		addCount, addSums, addAverages, addExtremes, addBools, addBits, addVariances, addRegression,
		addCollections, addFirstLast, addPercentiles,
	} {
		add(r)
	}
	return r
}

func (r *Registry) add(f *Func) {
	r.funcs = append(r.funcs, f)
	r.byName[f.Name] = append(r.byName[f.Name], f)
}

// Funcs lists all aggregates, for the reference and pg_proc.
func (r *Registry) Funcs() []*Func { return slices.Clone(r.funcs) }

// Has reports whether an aggregate of the name exists.
func (r *Registry) Has(name string) bool { return r.byName[name] != nil }

// Resolve finds the aggregate for arguments of the given types, and the types that they are to be coerced to. count(*)
// has no arguments. Those of an ordered-set aggregate are its WITHIN GROUP columns; its direct arguments go through
// WithDirect.
func (r *Registry) Resolve(name string, args []types.T) (*Func, []types.T, error) {
	fs := r.byName[name]
	sigs := make([]expr.Signature, len(fs))
	for i, f := range fs {
		sigs[i] = f.Signature()
	}
	i, coerced, several, ok := expr.Pick(sigs, args, false)
	switch {
	case ok:
		return fs[i], coerced, nil
	case several:
		return nil, nil, errs.AmbiguousFunction.New("signature", expr.Signature{Name: name, Args: args})
	}
	return nil, nil, errs.UndefinedFunction.New("signature", expr.Signature{Name: name, Args: args})
}

// Signature is the name and declared arguments.
func (f *Func) Signature() expr.Signature {
	return expr.Signature{Name: f.Name, Args: f.Args, Variadic: f.Variadic}
}

// ID names the overload for storage; ByID finds it again.
func (f *Func) ID() string { return f.Signature().String() }

// ByID finds the overload that a stored plan names.
func (r *Registry) ByID(id string) (*Func, error) {
	name, _, _ := strings.Cut(id, "(")
	for _, f := range r.byName[name] {
		if f.ID() == id {
			return f, nil
		}
	}
	return nil, errs.UnknownExpression.New("id", id)
}

// WithDirect returns the aggregate with its direct arguments, which have been coerced to f.Direct (percentile functions
// take an array of fractions too). Functions without direct arguments return themselves.
func (f *Func) WithDirect(direct []types.Datum, ts []types.T) (*Func, error) {
	if f.withDirect == nil {
		return f, nil
	}
	o, err := f.withDirect(direct, ts)
	if err != nil {
		return nil, err
	}
	g := *f
	g.Ordered = o
	if len(ts) > 0 && ts[0].Kind == types.KindArray {
		g.Ret = func(args []types.T) types.T { return types.ArrayOf(f.Ret(args)) }
	}
	return &g, nil
}

// fixed makes the result type of a function that has only one.
func fixed(t types.T) func([]types.T) types.T { return func([]types.T) types.T { return t } }

// firstArg is the result type of functions that return one of their inputs.
func firstArg(args []types.T) types.T {
	t := args[0]
	t.Width, t.Scale = 0, 0
	return t
}
