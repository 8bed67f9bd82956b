package expr

import (
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Quantified is Left op ANY (Array) or Left op ALL (Array). Fn takes the left value and an element.
type Quantified struct {
	Fn          *Func
	All         bool
	Left, Array Expr
}

// Type is boolean.
func (e *Quantified) Type() types.T { return types.Bool }

// Children returns the left operand and the array.
func (e *Quantified) Children() []Expr { return []Expr{e.Left, e.Array} }

// WithChildren returns a copy over other operands.
func (e *Quantified) WithChildren(parts []Expr) Expr {
	return &Quantified{Fn: e.Fn, All: e.All, Left: parts[0], Array: parts[1]}
}

// EqualExpr reports whether both are the same comparison.
func (e *Quantified) EqualExpr(o Expr) bool {
	q, ok := o.(*Quantified)
	return ok && e.Fn == q.Fn && e.All == q.All && Equal(e.Left, q.Left) && Equal(e.Array, q.Array)
}

// String prints it as SQL does.
func (e *Quantified) String() string {
	word := "ANY"
	if e.All {
		word = "ALL"
	}
	return "(" + String(e.Left) + " " + e.Fn.Name + " " + word + " (" + String(e.Array) + "))"
}

// Quantified makes left op ANY|ALL (array).
func (r *Registry) Quantified(op string, all bool, left, array Expr) (Expr, error) {
	elem := left.Type()
	switch t := array.Type(); t.Kind {
	case types.KindArray:
		elem = *t.Elem
	case types.KindUnknown:
	default:
		return nil, errs.TypesMismatch.New("context", "op ANY/ALL (array)", "left", typeName(left.Type()), "right", typeName(t))
	}
	f, to, err := r.ResolveOperator(op, []types.T{left.Type(), elem})
	if err != nil {
		return nil, err
	}
	if left, err = r.coerceArg(left, to[0]); err != nil {
		return nil, err
	}
	if array, err = r.coerceArg(array, types.ArrayOf(to[1])); err != nil {
		return nil, err
	}
	return &Quantified{Fn: f, All: all, Left: left, Array: array}, nil
}

// Eval compares each left value with all elements of its array at once.
func (e *Quantified) Eval(ctx *Ctx, c *chunk.Chunk, sel []int32) (*chunk.Vec, error) {
	left, err := e.Left.Eval(ctx, c, sel)
	if err != nil {
		return nil, err
	}
	array, err := e.Array.Eval(ctx, c, sel)
	if err != nil {
		return nil, err
	}
	out := chunk.MakeVec(types.Bool, c.Rows())
	elem := *array.Type.Elem
	for i := range rows(sel, c.Rows()) {
		if array.IsNull(i) {
			out.SetNull(i)
			continue
		}
		values := types.DecodeArray(elem, array.Strs[i])
		d, err := e.compare(ctx, i, left, elem, values)
		if err != nil {
			return nil, err
		}
		out.Set(i, d)
	}
	return out, nil
}

// compare folds the outcomes: ANY is their OR, ALL their AND.
func (e *Quantified) compare(ctx *Ctx, i int, left *chunk.Vec, elem types.T, values []types.Datum) (types.Datum, error) {
	n := len(values)
	if n == 0 {
		return types.NewBool(e.All), nil
	}
	l, r := chunk.NewVec(left.Type, n), chunk.NewVec(elem, n)
	for _, v := range values {
		l.Append(left.Datum(i))
		r.Append(v)
	}
	pair := &Call{Fn: e.Fn, Args: []Expr{&Col{0, left.Type, ""}, &Col{1, elem, ""}}, T: types.Bool}
	row := *ctx
	if ctx.OnError != nil {
		row.OnError = func(_ int, err error) { ctx.OnError(i, err) }
	}
	res, err := pair.Eval(&row, chunk.New(nil, []*chunk.Vec{l, r}, n), nil)
	if err != nil {
		return types.Null, err
	}
	null := false
	for k := range n {
		switch {
		case res.IsNull(k):
			null = true
		case res.Bools[k] != e.All:
			return types.NewBool(!e.All), nil
		}
	}
	if null {
		return types.Null, nil
	}
	return types.NewBool(e.All), nil
}
