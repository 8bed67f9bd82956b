package session

import (
	"context"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/query"
)

// answer is the result of a plan that has few rows: it was run when it was asked for, which takes less than to run it
// beside the client.
type answer struct {
	columns []Column
	chunks  []*chunk.Chunk
}

// answer runs a plan of few rows. It closes the view.
func (s *Session) answer(ctx context.Context, view kv.View, root plan.Node, env query.Env, pl *planned) (Result, error) {
	defer view.Close()
	out := &answer{columns: pl.columns}
	err := query.Run(ctx, root, env, func(c *chunk.Chunk) error {
		out.chunks = append(out.chunks, c)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (a *answer) Columns() []Column { return a.columns }

func (a *answer) Next(context.Context) (*chunk.Chunk, error) {
	if len(a.chunks) == 0 {
		return nil, nil
	}
	c := a.chunks[0]
	a.chunks = a.chunks[1:]
	return c, nil
}

func (a *answer) Finish(context.Context) (Tag, error) { return selected, nil }
func (a *answer) Close()                              {}
