package expr

import (
	"iter"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// SetFunc is one overload of a set-returning function. It is immutable.
type SetFunc struct {
	Signature
	Doc string
	// Fields are the columns of the result for the actual argument types.
	Fields func(args []types.T) []types.Field
	// Rows yields the result rows one after the other, so that memory is bounded whatever their number. A row is valid
	// until the next one. An error ends the rows. A strict function is not run with NULLs: it has no rows then.
	Rows   func(ctx *Ctx, ts []types.T, args types.Row) iter.Seq2[types.Row, error]
	Strict bool
}

// ID names the overload for storage.
func (f *SetFunc) ID() string { return f.Signature.String() }

// Run yields the rows for the arguments, none for a strict function with a NULL.
func (f *SetFunc) Run(ctx *Ctx, ts []types.T, args types.Row) iter.Seq2[types.Row, error] {
	for _, a := range args {
		if f.Strict && a.IsNull() {
			return func(func(types.Row, error) bool) {}
		}
	}
	return f.Rows(ctx, ts, args)
}

// SetFuncs lists the set-returning functions.
func (r *Registry) SetFuncs() []*SetFunc { return r.sets }

// IsSet reports whether a set-returning function of the name exists.
func (r *Registry) IsSet(name string) bool { return r.setBy[name] != nil }

// SetByID finds the overload that a stored plan names.
func (r *Registry) SetByID(id string) (*SetFunc, error) {
	name, _, _ := strings.Cut(id, "(")
	for _, f := range r.setBy[name] {
		if f.ID() == id {
			return f, nil
		}
	}
	return nil, errs.UnknownExpression.New("id", id)
}

// ResolveSet finds the set-returning function for the arguments and coerces them.
func (r *Registry) ResolveSet(name string, args []Expr) (*SetFunc, []Expr, error) {
	fs := r.setBy[name]
	sigs := make([]Signature, len(fs))
	for i, f := range fs {
		sigs[i] = f.Signature
	}
	i, to, several, ok := Pick(sigs, Types(args), false)
	if !ok {
		return nil, nil, noMatch(name, Types(args), false, several)
	}
	out := make([]Expr, len(args))
	for k, a := range args {
		c, err := r.coerceArg(a, to[k])
		if err != nil {
			return nil, nil, err
		}
		out[k] = c
	}
	return fs[i], out, nil
}

// set adds a strict set-returning function of one column named as the function.
func (r *Registry) set(name string, d decl, rows func(*Ctx, []types.T, types.Row) iter.Seq2[types.Row, error], doc string) *SetFunc {
	return r.setOf(name, d, func(args []types.T) []types.Field {
		return []types.Field{{Name: name, Type: d.ret(args)}}
	}, rows, doc)
}

// setOf is set for results of several columns.
func (r *Registry) setOf(name string, d decl, fields func([]types.T) []types.Field, rows func(*Ctx, []types.T, types.Row) iter.Seq2[types.Row, error], doc string) *SetFunc {
	f := &SetFunc{Signature: Signature{Name: name, Args: d.args, Variadic: d.variadic}, Doc: doc, Fields: fields, Rows: rows, Strict: true}
	r.sets = append(r.sets, f)
	r.setBy[name] = append(r.setBy[name], f)
	return f
}

// values yields a list as rows of one column.
func values(ds []types.Datum) iter.Seq2[types.Row, error] {
	return func(yield func(types.Row, error) bool) {
		row := make(types.Row, 1)
		for _, d := range ds {
			row[0] = d
			if !yield(row, nil) {
				return
			}
		}
	}
}

// failure yields an error.
func failure(err error) iter.Seq2[types.Row, error] {
	return func(yield func(types.Row, error) bool) { yield(nil, err) }
}
