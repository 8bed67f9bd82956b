package bind

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// windowUse is a window function met in an expression.
type windowUse struct {
	name      string
	agg       *aggUse
	args      []expr.Expr
	partition []expr.Expr
	order     []aggOrder
	frame     plan.Frame
	t         types.T
}

// each applies f to every expression of the use.
func (w *windowUse) each(f func(*expr.Expr) error) error {
	for _, list := range [][]expr.Expr{w.args, w.partition} {
		for i := range list {
			if err := f(&list[i]); err != nil {
				return err
			}
		}
	}
	for i := range w.order {
		if err := f(&w.order[i].e); err != nil {
			return err
		}
	}
	return nil
}

// window binds a call with OVER.
func (x *selection) window(c *ast.FuncCall) (expr.Expr, error) {
	return nil, errs.Unsupported.New("feature", "window function "+c.Name.Last()).At(int(c.Pos))
}

// windowStage computes the window functions.
func (x *selection) windowStage(n plan.Node) (plan.Node, error) {
	return nil, errs.Unsupported.New("feature", "window functions")
}
