package query

import (
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
)

// lookup reads the rows with the given leading key columns.
func (x *executor) lookup(n *plan.Lookup, out stream.Out) error {
	values := make(types.Row, len(n.Key))
	for i, e := range n.Key {
		var err error
		if values[i], err = expr.EvalConst(x.Ctx, e); err != nil {
			return err
		}
		if values[i].IsNull() {
			return nil // nothing equals NULL
		}
	}
	f, err := x.current(n.Rel)
	if err != nil {
		return err
	}
	s := state.NewScanner(x.Reader, f, n.Cols)
	return s.Lookup(values, func(c *chunk.Chunk) error {
		if err := x.cancel.Err(); err != nil {
			return err
		}
		return out.Chunk(c)
	})
}
