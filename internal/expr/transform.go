package expr

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Transform is array_transform(Array, |x| Body). Column 0 of Body is the element; the columns after it are Captured, what
// Body reads of the row around it.
type Transform struct {
	Array, Body Expr
	Captured    []Expr
}

// Type is an array of the body's type.
func (e *Transform) Type() types.T { return types.ArrayOf(e.Body.Type()) }

// Children returns what is computed over the row: the array and what the body reads. The body is over other columns.
func (e *Transform) Children() []Expr { return append([]Expr{e.Array}, e.Captured...) }

// WithChildren returns a copy over another array and other captured values.
func (e *Transform) WithChildren(parts []Expr) Expr {
	return &Transform{Array: parts[0], Body: e.Body, Captured: parts[1:]}
}

// EqualExpr reports whether both do the same to the same array.
func (e *Transform) EqualExpr(o Expr) bool {
	t, ok := o.(*Transform)
	return ok && Equal(e.Array, t.Array) && Equal(e.Body, t.Body) && slices.EqualFunc(e.Captured, t.Captured, Equal)
}

// String prints it with the columns of the body as they are named.
func (e *Transform) String() string {
	return "array_transform(" + String(e.Array) + ", " + String(e.Body) + ")"
}

// Eval computes the body for the elements of all rows at once. A row with an element that fails is NULL where failures
// are reported.
func (e *Transform) Eval(ctx *Ctx, c *chunk.Chunk, sel []int32) (*chunk.Vec, error) {
	cols := make([]*chunk.Vec, 1+len(e.Captured))
	for i, part := range e.Children() {
		v, err := part.Eval(ctx, c, sel)
		if err != nil {
			return nil, err
		}
		cols[i] = v
	}
	in, owner := e.elements(cols, sel, c.Rows())
	failed := map[int]bool{}
	body := *ctx
	if ctx.OnError != nil {
		body.OnError = func(k int, err error) {
			failed[owner[k]] = true
			ctx.OnError(owner[k], err)
		}
	}
	values, err := e.Body.Eval(&body, in, nil)
	if err != nil {
		return nil, err
	}
	out := chunk.MakeVec(e.Type(), c.Rows())
	k := 0
	for i := range rows(sel, c.Rows()) {
		from := k
		for k < len(owner) && owner[k] == i {
			k++
		}
		if cols[0].IsNull(i) || failed[i] {
			out.SetNull(i)
			continue
		}
		list := make([]types.Datum, 0, k-from)
		for ; from < k; from++ {
			list = append(list, values.Datum(from))
		}
		out.Set(i, types.NewArray(values.Type, list))
	}
	return out, nil
}

// elements are the rows that the body is computed for, and the row of the input that each of them comes from.
func (e *Transform) elements(cols []*chunk.Vec, sel []int32, n int) (in *chunk.Chunk, owner []int) {
	elem := *cols[0].Type.Elem
	out := []*chunk.Vec{chunk.NewVec(elem, 0)}
	for _, v := range cols[1:] {
		out = append(out, chunk.NewVec(v.Type, 0))
	}
	for i := range rows(sel, n) {
		if cols[0].IsNull(i) {
			continue
		}
		for _, d := range types.DecodeArray(elem, cols[0].Strs[i]) {
			owner = append(owner, i)
			out[0].Append(d)
			for k, v := range cols[1:] {
				out[k+1].Append(v.Datum(i))
			}
		}
	}
	return chunk.New(nil, out, len(owner)), owner
}
