package session

import (
	"context"
	"slices"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/opt"
	"github.com/tidemark-db/tidemark/internal/types"
)

// returned computes the columns of RETURNING over the changed rows. Its subqueries read what was there before the
// statement, as PostgreSQL's do.
func (s *Session) returned(ctx context.Context, ret *plan.Returning, rows []types.Row, r kv.Reader) (*chunk.Chunk, error) {
	if ret == nil || len(rows) == 0 {
		return nil, nil
	}
	if ret.Query != nil {
		return s.returnedQuery(ctx, ret, rows, r)
	}
	in := chunkOf(ret.Over, rows)
	cols := make([]*chunk.Vec, len(ret.Exprs))
	for i, e := range ret.Exprs {
		var err error
		if cols[i], err = e.Eval(s.exprCtx(), in, nil); err != nil {
			return nil, err
		}
	}
	return chunk.New(nil, cols, in.Rows()), nil
}

// returnedQuery runs a RETURNING with subqueries as a query over the changed rows, and puts its rows into their order.
func (s *Session) returnedQuery(ctx context.Context, ret *plan.Returning, rows []types.Row, r kv.Reader) (*chunk.Chunk, error) {
	given := &plan.Given{Fields: ret.Rows.Fields}
	for from := 0; from < len(rows); from += chunk.RowsMax {
		var numbered []types.Row
		for i, row := range rows[from:min(from+chunk.RowsMax, len(rows))] {
			numbered = append(numbered, append(slices.Clip(row), types.NewInt(int64(from+i))))
		}
		given.Chunks = append(given.Chunks, chunkOf(types.FieldTypes(given.Fields), numbered))
	}
	var out []types.Row
	err := s.rows(ctx, opt.Run(ret.Of(given), s.once(false)), r, func(row types.Row) error {
		out = append(out, row)
		return nil
	})
	if err != nil {
		return nil, err
	}
	number := len(ret.Fields)
	slices.SortFunc(out, func(a, b types.Row) int { return int(a[number].Int() - b[number].Int()) })
	for i := range out {
		out[i] = out[i][:number]
	}
	return chunkOf(types.FieldTypes(ret.Fields), out), nil
}

// chunkOf puts rows into one chunk.
func chunkOf(ts []types.T, rows []types.Row) *chunk.Chunk {
	b := chunk.NewBuilder(ts, len(rows)+1)
	for _, row := range rows {
		b.Append(chunk.Insert, row)
	}
	return b.Take()
}

func returningColumns(r *plan.Returning) []Column {
	if r == nil {
		return nil
	}
	return columnsOf(r.Fields, r.Origins)
}
