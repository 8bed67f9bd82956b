package expr

import (
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// oneRow is the input of expressions without columns.
var oneRow = chunk.New(nil, nil, 1)

// EvalConst computes an expression that reads no column.
func EvalConst(ctx *Ctx, e Expr) (types.Datum, error) {
	switch e := e.(type) {
	case *Const:
		return e.Value, nil
	case *Param:
		return e.value(ctx)
	}
	v, err := e.Eval(ctx, oneRow, nil)
	if err != nil {
		return types.Null, err
	}
	return v.Datum(0), nil
}

// Fold computes what depends on no column. An expression that would fail is kept: it fails only if it is reached.
// Stable functions (now, current_user) are kept too, but for literals that are cast: PostgreSQL reads those when it
// parses the statement.
func Fold(e Expr, ctx *Ctx) Expr {
	strict := *ctx
	strict.OnError = nil
	return Rewrite(e, func(p Expr) Expr { return foldOne(p, &strict) })
}

func foldOne(e Expr, ctx *Ctx) Expr {
	switch e := e.(type) {
	case *Call:
		if e.volatility() > Immutable && e.Fn.Kind != KindCast {
			return e
		}
		if e.Fn.Strict && e.volatility() < Volatile && anyNull(e.Args) {
			return Null(e.T)
		}
	case *Logic:
		return foldLogic(e)
	case *Case:
		return foldCase(e)
	case *Coalesce:
		return foldCoalesce(e)
	default:
		return e
	}
	if !allConst(Children(e)) {
		return e
	}
	d, err := EvalConst(ctx, e)
	if err != nil {
		return e
	}
	return &Const{Value: d, T: e.Type()}
}

func anyNull(es []Expr) bool {
	for _, e := range es {
		if c, ok := e.(*Const); ok && c.Value.IsNull() {
			return true
		}
	}
	return false
}

func allConst(es []Expr) bool {
	for _, e := range es {
		if _, ok := e.(*Const); !ok {
			return false
		}
	}
	return true
}

// foldLogic drops neutral arguments and stops at a deciding one.
func foldLogic(e *Logic) Expr {
	var args []Expr
	for _, a := range e.Args {
		c, ok := a.(*Const)
		if !ok || c.Value.IsNull() {
			args = append(args, a)
			continue
		}
		if c.Value.Bool() == e.Or {
			if len(args) == 0 || !anyFails(args) {
				return c
			}
			args = append(args, a)
			break
		}
	}
	switch {
	case len(args) == 0 && e.Or:
		return False()
	case len(args) == 0:
		return True()
	case len(args) == 1:
		return args[0]
	case allConst(args): // all NULL
		return args[0]
	}
	return &Logic{Or: e.Or, Args: args}
}

func anyFails(es []Expr) bool {
	for _, e := range es {
		if CouldFail(e) {
			return true
		}
	}
	return false
}

// foldCase drops arms that are never reached.
func foldCase(e *Case) Expr {
	out := &Case{Else: e.Else, T: e.T}
	for _, w := range e.Whens {
		c, ok := w.Cond.(*Const)
		if !ok {
			out.Whens = append(out.Whens, w)
		} else if !c.Value.IsNull() && c.Value.Bool() {
			out.Else = w.Then
			break
		}
	}
	if len(out.Whens) > 0 {
		return out
	}
	if out.Else == nil {
		return Null(e.T)
	}
	return out.Else
}

// foldCoalesce drops NULLs and what follows a value.
func foldCoalesce(e *Coalesce) Expr {
	var args []Expr
	for _, a := range e.Args {
		c, ok := a.(*Const)
		if ok && c.Value.IsNull() {
			continue
		}
		args = append(args, a)
		if ok {
			break
		}
	}
	switch len(args) {
	case 0:
		return Null(e.T)
	case 1:
		return args[0]
	}
	return &Coalesce{Args: args, T: e.T}
}
