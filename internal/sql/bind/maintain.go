package bind

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
)

// maintainable refuses a view whose rows could not be taken back: a call that gives another value when its row leaves than
// it gave when the row came.
func maintainable(n plan.Node) error {
	var found *expr.Call
	var look func(expr.Expr) bool
	look = func(e expr.Expr) bool {
		switch e := e.(type) {
		case *expr.Call:
			if e.Fn.Volatile >= expr.Momentary {
				found = e
			}
		case *expr.Transform:
			expr.Walk(e.Body, look)
		}
		return found == nil
	}
	plan.MapExprs(n, func(e expr.Expr) expr.Expr {
		expr.Walk(e, look)
		return e
	})
	if found != nil {
		return errs.NotMaintainable.New("function", found.Fn.Name)
	}
	return nil
}
