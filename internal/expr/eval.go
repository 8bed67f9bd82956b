package expr

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

func (e *Col) Type() types.T      { return e.T }
func (e *Const) Type() types.T    { return e.T }
func (e *Param) Type() types.T    { return e.T }
func (e *Call) Type() types.T     { return e.T }
func (e *Case) Type() types.T     { return e.T }
func (e *Logic) Type() types.T    { return types.Bool }
func (e *Coalesce) Type() types.T { return e.T }

// Eval returns the column itself.
func (e *Col) Eval(_ *Ctx, c *chunk.Chunk, _ []int32) (*chunk.Vec, error) {
	return c.Cols[e.Index], nil
}

// Eval returns copies of the constant.
func (e *Const) Eval(_ *Ctx, c *chunk.Chunk, _ []int32) (*chunk.Vec, error) {
	v := chunk.MakeVec(e.T, c.Rows())
	switch {
	case e.Value.IsNull():
		v.Nulls = slices.Repeat([]bool{true}, c.Rows())
	case v.Ints != nil:
		fill(v.Ints, e.Value.Int())
	case v.Floats != nil:
		fill(v.Floats, e.Value.Float())
	case v.Strs != nil:
		fill(v.Strs, e.Value.Bytes())
	case v.Bools != nil:
		fill(v.Bools, e.Value.Bool())
	}
	return v, nil
}

func fill[E any](s []E, e E) {
	for i := range s {
		s[i] = e
	}
}

// Eval returns copies of the parameter's value.
func (e *Param) Eval(ctx *Ctx, c *chunk.Chunk, sel []int32) (*chunk.Vec, error) {
	d, err := e.value(ctx)
	if err != nil {
		return nil, err
	}
	return (&Const{d, e.T}).Eval(ctx, c, sel)
}

func (e *Param) value(ctx *Ctx) (types.Datum, error) {
	if e.N > len(ctx.Params) {
		return types.Null, errs.Internal.New("what", "a parameter was left in a running plan")
	}
	return ctx.Params[e.N-1], nil
}

// Eval computes the arguments, then the function; rows with a NULL never reach a strict one.
func (e *Call) Eval(ctx *Ctx, c *chunk.Chunk, sel []int32) (*chunk.Vec, error) {
	args := make([]*chunk.Vec, len(e.Args))
	for i, a := range e.Args {
		v, err := a.Eval(ctx, c, sel)
		if err != nil {
			return nil, err
		}
		args[i] = v
	}
	out := chunk.MakeVec(e.T, c.Rows())
	if e.Fn.Strict {
		if sel = passNulls(args, sel, out); sel != nil && len(sel) == 0 {
			return out, nil
		}
	}
	return out, e.Fn.Eval(ctx, args, sel, out)
}

// passNulls makes out NULL where an argument is, and returns the rows that are left.
func passNulls(args []*chunk.Vec, sel []int32, out *chunk.Vec) []int32 {
	for _, a := range args {
		if a.Nulls == nil || !slices.Contains(a.Nulls, true) {
			continue
		}
		if out.Nulls == nil {
			out.Nulls = slices.Clone(a.Nulls)
			continue
		}
		for i, null := range a.Nulls {
			out.Nulls[i] = out.Nulls[i] || null
		}
	}
	if out.Nulls == nil {
		return sel
	}
	left := make([]int32, 0, out.Len())
	for i := range rows(sel, out.Len()) {
		if !out.Nulls[i] {
			left = append(left, int32(i))
		}
	}
	return left
}

// allRows returns the selection as a list.
func allRows(sel []int32, n int) []int32 {
	if sel != nil {
		return sel
	}
	sel = make([]int32, n)
	for i := range sel {
		sel[i] = int32(i)
	}
	return sel
}

// Eval runs each arm on the rows that reach it.
func (e *Case) Eval(ctx *Ctx, c *chunk.Chunk, sel []int32) (*chunk.Vec, error) {
	out := chunk.MakeVec(e.T, c.Rows())
	left := allRows(sel, c.Rows())
	for _, w := range e.Whens {
		if len(left) == 0 {
			return out, nil
		}
		cond, err := w.Cond.Eval(ctx, c, left)
		if err != nil {
			return nil, err
		}
		var taken, rest []int32
		for _, i := range left {
			if cond.Bools[i] && !cond.IsNull(int(i)) {
				taken = append(taken, i)
			} else {
				rest = append(rest, i)
			}
		}
		if err := evalInto(ctx, w.Then, c, taken, out); err != nil {
			return nil, err
		}
		left = rest
	}
	if e.Else == nil {
		for _, i := range left {
			out.SetNull(int(i))
		}
		return out, nil
	}
	return out, evalInto(ctx, e.Else, c, left, out)
}

// evalInto computes e for some rows and copies them to out.
func evalInto(ctx *Ctx, e Expr, c *chunk.Chunk, sel []int32, out *chunk.Vec) error {
	if len(sel) == 0 {
		return nil
	}
	v, err := e.Eval(ctx, c, sel)
	if err != nil {
		return err
	}
	copyRows(out, v, sel)
	return nil
}

// copyRows copies some rows between columns of one physical class.
func copyRows(out, v *chunk.Vec, sel []int32) {
	for _, i := range sel {
		if v.IsNull(int(i)) {
			out.SetNull(int(i))
			continue
		}
		switch {
		case v.Ints != nil:
			out.Ints[i] = v.Ints[i]
		case v.Strs != nil:
			out.Strs[i] = v.Strs[i]
		case v.Floats != nil:
			out.Floats[i] = v.Floats[i]
		default:
			out.Bools[i] = v.Bools[i]
		}
	}
}

// Eval decides rows argument by argument: false decides AND, true decides OR, NULL is kept until the end.
func (e *Logic) Eval(ctx *Ctx, c *chunk.Chunk, sel []int32) (*chunk.Vec, error) {
	out := chunk.MakeVec(types.Bool, c.Rows())
	left := allRows(sel, c.Rows())
	for _, i := range left {
		out.Bools[i] = !e.Or
	}
	for _, a := range e.Args {
		if len(left) == 0 {
			break
		}
		v, err := a.Eval(ctx, c, left)
		if err != nil {
			return nil, err
		}
		rest := make([]int32, 0, len(left))
		for _, i := range left {
			switch {
			case v.IsNull(int(i)):
				out.SetNull(int(i))
				rest = append(rest, i)
			case v.Bools[i] == e.Or:
				out.Set(int(i), types.NewBool(e.Or))
			default:
				rest = append(rest, i)
			}
		}
		left = rest
	}
	return out, nil
}

// Eval asks each argument only for the rows that are still NULL.
func (e *Coalesce) Eval(ctx *Ctx, c *chunk.Chunk, sel []int32) (*chunk.Vec, error) {
	out := chunk.MakeVec(e.T, c.Rows())
	left := allRows(sel, c.Rows())
	for _, a := range e.Args {
		if len(left) == 0 {
			return out, nil
		}
		v, err := a.Eval(ctx, c, left)
		if err != nil {
			return nil, err
		}
		var found, rest []int32
		for _, i := range left {
			if v.IsNull(int(i)) {
				rest = append(rest, i)
			} else {
				found = append(found, i)
			}
		}
		copyRows(out, v, found)
		left = rest
	}
	for _, i := range left {
		out.SetNull(int(i))
	}
	return out, nil
}
