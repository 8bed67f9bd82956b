package expr

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/types"
)

// Parent is an expression with parts that is defined outside of this package (a reference to an enclosing query with
// none, for instance); Walk and Rewrite go through its parts.
type Parent interface {
	Expr
	Children() []Expr
	WithChildren([]Expr) Expr
}

// Children returns the direct parts of an expression in order of evaluation.
func Children(e Expr) []Expr {
	switch e := e.(type) {
	case *Call:
		return e.Args
	case *Logic:
		return e.Args
	case *Coalesce:
		return e.Args
	case *Case:
		var out []Expr
		for _, w := range e.Whens {
			out = append(out, w.Cond, w.Then)
		}
		if e.Else != nil {
			out = append(out, e.Else)
		}
		return out
	case Parent:
		return e.Children()
	}
	return nil
}

// WithChildren returns a copy of the expression over other parts.
func WithChildren(e Expr, parts []Expr) Expr {
	switch e := e.(type) {
	case *Call:
		return &Call{Fn: e.Fn, Args: parts, T: e.T}
	case *Logic:
		return &Logic{Or: e.Or, Args: parts}
	case *Coalesce:
		return &Coalesce{Args: parts, T: e.T}
	case *Case:
		out := &Case{T: e.T}
		for i := range e.Whens {
			out.Whens = append(out.Whens, When{parts[2*i], parts[2*i+1]})
		}
		if e.Else != nil {
			out.Else = parts[len(parts)-1]
		}
		return out
	case Parent:
		return e.WithChildren(parts)
	}
	return e
}

// Walk visits the expression and its parts, parents first, until visit returns false for a subtree.
func Walk(e Expr, visit func(Expr) bool) {
	if e == nil || !visit(e) {
		return
	}
	for _, p := range Children(e) {
		Walk(p, visit)
	}
}

// Rewrite replaces every part, children first, by what f returns for it.
func Rewrite(e Expr, f func(Expr) Expr) Expr {
	if e == nil {
		return nil
	}
	parts := Children(e)
	var changed []Expr
	for i, p := range parts {
		q := Rewrite(p, f)
		if q != p && changed == nil {
			changed = slices.Clone(parts)
		}
		if changed != nil {
			changed[i] = q
		}
	}
	if changed != nil {
		e = WithChildren(e, changed)
	}
	return f(e)
}

// Equal reports whether two expressions are the same text: same functions, columns and constants.
func Equal(a, b Expr) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case *Col:
		b, ok := b.(*Col)
		return ok && a.Index == b.Index
	case *Const:
		b, ok := b.(*Const)
		return ok && a.Value == b.Value && a.T.Equal(b.T)
	case *Param:
		b, ok := b.(*Param)
		return ok && a.N == b.N
	case *Call:
		b, ok := b.(*Call)
		return ok && a.Fn == b.Fn && a.T.Equal(b.T) && slices.EqualFunc(a.Args, b.Args, Equal)
	case *Logic:
		b, ok := b.(*Logic)
		return ok && a.Or == b.Or && slices.EqualFunc(a.Args, b.Args, Equal)
	case *Coalesce:
		b, ok := b.(*Coalesce)
		return ok && slices.EqualFunc(a.Args, b.Args, Equal)
	case *Case:
		b, ok := b.(*Case)
		return ok && len(a.Whens) == len(b.Whens) && slices.EqualFunc(Children(a), Children(b), Equal)
	case interface{ EqualExpr(Expr) bool }:
		return a.EqualExpr(b)
	}
	return a == b
}

// Columns returns the positions of the columns that the expression reads, sorted, each once.
func Columns(e Expr) []int {
	var out []int
	Walk(e, func(p Expr) bool {
		if c, ok := p.(*Col); ok {
			out = append(out, c.Index)
		}
		return true
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// MapColumns renumbers the columns.
func MapColumns(e Expr, to func(index int) int) Expr {
	return Rewrite(e, func(p Expr) Expr {
		c, ok := p.(*Col)
		if !ok {
			return p
		}
		i := to(c.Index)
		if i == c.Index {
			return p
		}
		return &Col{Index: i, T: c.T, Name: c.Name}
	})
}

// Shift adds n to the position of every column.
func Shift(e Expr, n int) Expr { return MapColumns(e, func(i int) int { return i + n }) }

// VolatilityOf is the highest volatility of the calls within.
func VolatilityOf(e Expr) Volatility {
	v := Immutable
	Walk(e, func(p Expr) bool {
		switch p := p.(type) {
		case *Call:
			v = max(v, p.volatility())
		case *Transform:
			v = max(v, VolatilityOf(p.Body))
		}
		return true
	})
	return v
}

func (e *Call) volatility() Volatility {
	if e.Fn.Kind == KindCast {
		return castVolatility(e.Args[0].Type(), e.T)
	}
	return e.Fn.Volatile
}

// CallOf returns a call within that is at least so volatile, nil when there is none.
func CallOf(e Expr, v Volatility) (found *Call) {
	Walk(e, func(p Expr) bool {
		switch p := p.(type) {
		case *Call:
			if p.Fn.Volatile >= v {
				found = p
			}
		case *Transform:
			if c := CallOf(p.Body, v); c != nil {
				found = c
			}
		}
		return found == nil
	})
	return found
}

// CouldFail reports whether an evaluation may fail for some input.
func CouldFail(e Expr) bool {
	fails := false
	Walk(e, func(p Expr) bool {
		switch p := p.(type) {
		case *Call:
			fails = fails || p.Fn.Kind == KindCast && castFails(p.Args[0].Type(), p.T) || p.Fn.Kind != KindCast && p.Fn.Fails
		case *Transform:
			fails = fails || CouldFail(p.Body)
		}
		return !fails
	})
	return fails
}

// And joins conditions; nil for none.
func And(conds ...Expr) Expr { return join(false, conds) }

// Or joins alternatives; nil for none.
func Or(conds ...Expr) Expr { return join(true, conds) }

func join(or bool, conds []Expr) Expr {
	var args []Expr
	for _, c := range conds {
		if l, ok := c.(*Logic); ok && l.Or == or {
			args = append(args, l.Args...)
		} else if c != nil {
			args = append(args, c)
		}
	}
	switch len(args) {
	case 0:
		return nil
	case 1:
		return args[0]
	}
	return &Logic{Or: or, Args: args}
}

// Conjuncts splits a condition at its top-level ANDs.
func Conjuncts(e Expr) []Expr {
	if e == nil {
		return nil
	}
	if l, ok := e.(*Logic); ok && !l.Or {
		var out []Expr
		for _, a := range l.Args {
			out = append(out, Conjuncts(a)...)
		}
		return out
	}
	return []Expr{e}
}

// True and False are the boolean constants.
func True() Expr  { return &Const{Value: types.NewBool(true), T: types.Bool} }
func False() Expr { return &Const{Value: types.NewBool(false), T: types.Bool} }

// Null is NULL of the type.
func Null(t types.T) Expr { return &Const{T: t} }
