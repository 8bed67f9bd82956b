package agg

import (
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/types"
)

// OnlyValue is the aggregate behind a scalar subquery: its one row's value, NULL without rows, an error with several. It
// has no name in SQL.
var OnlyValue = &Func{
	Name: "(only value)", Args: []types.T{types.Unknown}, NullsIn: true,
	Ret: func(args []types.T) types.T { return args[0] },
	Ordered: &Ordered{Finish: func(_ *expr.Ctx, _ []types.T, next func() (types.Row, int64, bool)) (types.Datum, error) {
		row, n, ok := next()
		if !ok {
			return types.Null, nil
		}
		if _, _, more := next(); more || n > 1 {
			return types.Null, errs.SubqueryRows.New()
		}
		return row[len(row)-1], nil
	}},
}
