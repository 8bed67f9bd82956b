package expr

import (
	"iter"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// The adapters turn a plain Go function over one row into an Eval. NULLs never reach a strict function: Call.Eval takes
// such rows out of sel. A Go type stands for the SQL types that are held in it:
//
//	int64, float64, string, bool    the physical classes
//	types.Num, types.Iv, types.JSON numeric, interval, jsonb
//	types.Datum                     any of them, and results that may be NULL
//
// Loops that matter (arithmetic, comparison) are written out; see arith.go and compare.go.

// impl is an implementation and whether it may fail.
type impl struct {
	eval  Eval
	fails bool
	flags int // Func.flags
}

// rows iterates over the selected rows of a chunk of n.
func rows(sel []int32, n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		if sel == nil {
			for i := range n {
				if !yield(i) {
					return
				}
			}
			return
		}
		for _, i := range sel {
			if !yield(int(i)) {
				return
			}
		}
	}
}

// get returns how to read a column as values of a Go type.
func get[E any](v *chunk.Vec) func(i int) E {
	var r any
	switch any(*new(E)).(type) {
	case int64:
		r = func(i int) int64 { return v.Ints[i] }
	case float64:
		r = func(i int) float64 { return v.Floats[i] }
	case string:
		r = func(i int) string { return v.Strs[i] }
	case bool:
		r = func(i int) bool { return v.Bools[i] }
	case types.Num:
		r = func(i int) types.Num { return types.DecodeNumeric(v.Strs[i]) }
	case types.Iv:
		r = func(i int) types.Iv { return types.NewBytes(v.Strs[i]).Interval() }
	case types.JSON:
		r = func(i int) types.JSON { return types.JSON(v.Strs[i]) }
	default:
		r = v.Datum
	}
	return r.(func(int) E)
}

// put returns how to write values of a Go type into a column.
func put[E any](v *chunk.Vec) func(i int, e E) {
	var w any
	switch any(*new(E)).(type) {
	case int64:
		w = func(i int, e int64) { v.Ints[i] = e }
	case float64:
		w = func(i int, e float64) { v.Floats[i] = e }
	case string:
		w = func(i int, e string) { v.Strs[i] = e }
	case bool:
		w = func(i int, e bool) { v.Bools[i] = e }
	case types.Num:
		w = func(i int, e types.Num) { v.Strs[i] = types.EncodeNumeric(e) }
	case types.Iv:
		w = func(i int, e types.Iv) { v.Set(i, types.NewInterval(e)) }
	case types.JSON:
		w = func(i int, e types.JSON) { v.Strs[i] = string(e) }
	default:
		w = v.Set
	}
	return w.(func(int, E))
}

// perRow runs f for the selected rows; a row that fails becomes NULL or ends the evaluation.
func perRow(ctx *Ctx, sel []int32, out *chunk.Vec, f func(i int) error) error {
	if sel == nil {
		for i := range out.Len() {
			if err := f(i); err != nil && ctx.failed(out, i, err) != nil {
				return err
			}
		}
		return nil
	}
	for _, i := range sel {
		if err := f(int(i)); err != nil && ctx.failed(out, int(i), err) != nil {
			return err
		}
	}
	return nil
}

// failed makes a failing row NULL, or returns the error that ends the evaluation.
func (ctx *Ctx) failed(out *chunk.Vec, i int, err error) error {
	if err = ctx.Fail(i, err); err == nil {
		out.SetNull(i)
	}
	return err
}

// c1, c2 and c3 adapt functions that need the context; f1, f2 and f3 those that do not; an e says that they may fail.
func c1[A, R any](f func(*Ctx, A) (R, error)) impl {
	return impl{fails: true, eval: func(ctx *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		a, w := get[A](args[0]), put[R](out)
		return perRow(ctx, sel, out, func(i int) error {
			r, err := f(ctx, a(i))
			if err == nil {
				w(i, r)
			}
			return err
		})
	}}
}

func c2[A, B, R any](f func(*Ctx, A, B) (R, error)) impl {
	return impl{fails: true, eval: func(ctx *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		a, b, w := get[A](args[0]), get[B](args[1]), put[R](out)
		return perRow(ctx, sel, out, func(i int) error {
			r, err := f(ctx, a(i), b(i))
			if err == nil {
				w(i, r)
			}
			return err
		})
	}}
}

func c3[A, B, C, R any](f func(*Ctx, A, B, C) (R, error)) impl {
	return impl{fails: true, eval: func(ctx *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		a, b, c, w := get[A](args[0]), get[B](args[1]), get[C](args[2]), put[R](out)
		return perRow(ctx, sel, out, func(i int) error {
			r, err := f(ctx, a(i), b(i), c(i))
			if err == nil {
				w(i, r)
			}
			return err
		})
	}}
}

func f1e[A, R any](f func(A) (R, error)) impl {
	return c1(func(_ *Ctx, a A) (R, error) { return f(a) })
}

func f2e[A, B, R any](f func(A, B) (R, error)) impl {
	return c2(func(_ *Ctx, a A, b B) (R, error) { return f(a, b) })
}

func f3e[A, B, C, R any](f func(A, B, C) (R, error)) impl {
	return c3(func(_ *Ctx, a A, b B, c C) (R, error) { return f(a, b, c) })
}

func f1[A, R any](f func(A) R) impl {
	return impl{eval: func(ctx *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		a, w := get[A](args[0]), put[R](out)
		for i := range rows(sel, out.Len()) {
			w(i, f(a(i)))
		}
		return nil
	}}
}

func f2[A, B, R any](f func(A, B) R) impl {
	return impl{eval: func(ctx *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		a, b, w := get[A](args[0]), get[B](args[1]), put[R](out)
		for i := range rows(sel, out.Len()) {
			w(i, f(a(i), b(i)))
		}
		return nil
	}}
}

func f3[A, B, C, R any](f func(A, B, C) R) impl {
	return impl{eval: func(ctx *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		a, b, c, w := get[A](args[0]), get[B](args[1]), get[C](args[2]), put[R](out)
		for i := range rows(sel, out.Len()) {
			w(i, f(a(i), b(i), c(i)))
		}
		return nil
	}}
}

// row is one row of a call's arguments, for functions of many or unlike arguments.
type row struct {
	args []*chunk.Vec
	i    int
	ret  types.T
}

func (r row) n() int                  { return len(r.args) }
func (r row) null(k int) bool         { return r.args[k].IsNull(r.i) }
func (r row) typ(k int) types.T       { return r.args[k].Type }
func (r row) datum(k int) types.Datum { return r.args[k].Datum(r.i) }
func (r row) str(k int) string        { return r.args[k].Strs[r.i] }
func (r row) int(k int) int64         { return r.args[k].Ints[r.i] }
func (r row) bool(k int) bool         { return r.args[k].Bools[r.i] }
func (r row) json(k int) types.JSON   { return types.JSON(r.args[k].Strs[r.i]) }

// elem is the element type of array argument k, list its elements.
func (r row) elem(k int) types.T       { return *r.args[k].Type.Elem }
func (r row) list(k int) []types.Datum { return types.DecodeArray(r.elem(k), r.str(k)) }
func (r row) float(k int) float64      { return r.args[k].Floats[r.i] }

// fn adapts a function over a whole row.
func fn(f func(ctx *Ctx, r row) (types.Datum, error)) impl {
	return impl{fails: true, eval: func(ctx *Ctx, args []*chunk.Vec, sel []int32, out *chunk.Vec) error {
		r := row{args: args, ret: out.Type}
		return perRow(ctx, sel, out, func(i int) error {
			r.i = i
			d, err := f(ctx, r)
			if err == nil {
				out.Set(i, d)
			}
			return err
		})
	}}
}

// total marks an implementation that never fails although its adapter would allow it.
func (m impl) total() impl { m.fails = false; return m }
