package bind

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
)

// maintainable refuses a view whose rows could not be taken back: a call that gives another value when its row leaves than
// it gave when the row came. Conditions may look at the time; whether theirs can be kept true as it passes, the optimiser
// knows.
func maintainable(n plan.Node) error {
	least := expr.Momentary
	switch n.(type) {
	case *plan.Filter, *plan.Join, *plan.Apply:
		least = expr.Volatile
	}
	for _, e := range plan.Exprs(n) {
		if c := expr.CallOf(e, least); c != nil {
			return errs.NotMaintainable.New("function", c.Fn.Name)
		}
	}
	for _, in := range n.Inputs() {
		if err := maintainable(in); err != nil {
			return err
		}
	}
	return nil
}
