package expr

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/types"
)

// Growing is the argument of a call that it grows with, the others being constants: where it stays or grows, so does the
// call. -1 when that is not known of any.
func Growing(c *Call) int {
	if c.Fn.Kind == KindCast {
		if ordered(c.T) && ordered(c.Args[0].Type()) {
			return 0
		}
		return -1
	}
	at := -1
	switch c.Fn.Name {
	case "-":
		at = 0
	case "+":
		at = slices.IndexFunc(c.Args, func(a Expr) bool { return !fixed(a) })
	case "date_trunc", "timezone", "date_bin":
		at = 1
	}
	for i, a := range c.Args {
		if at < 0 || i != at && !fixed(a) {
			return -1
		}
	}
	return at
}

// fixed reports whether an expression has one value, which is not NULL as far as can be seen.
func fixed(e Expr) bool {
	c, ok := e.(*Const)
	return len(Columns(e)) == 0 && CallOf(e, Momentary) == nil && (!ok || !c.Value.IsNull())
}

// ordered reports whether values of a type are points in time or whole numbers, which casts among them keep in order.
func ordered(t types.T) bool {
	switch t.Kind {
	case types.KindTimestamptz, types.KindTimestamp, types.KindDate, types.KindInt2, types.KindInt4, types.KindInt8:
		return true
	}
	return false
}

// Carry is what a bound below which no row comes is after an expression over the row: marks are the bounds of the columns.
// nil when the expression does not grow with a column that has one.
func Carry(e Expr, marks []Expr) Expr {
	switch e := e.(type) {
	case *Col:
		return marks[e.Index]
	case *Call:
		at := Growing(e)
		if at < 0 {
			return nil
		}
		m := Carry(e.Args[at], marks)
		if m == nil {
			return nil
		}
		args := slices.Clone(e.Args)
		args[at] = m
		return WithChildren(e, args)
	}
	return nil
}
