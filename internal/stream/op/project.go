package op

import (
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/stream"
)

// Project computes columns. An expression that fails on a row of a running view is NULL there.
type Project struct {
	stream.NoWatermark
	Exprs []expr.Expr
	Ctx   *expr.Ctx
}

// Chunk computes the columns of every row.
func (p *Project) Chunk(_ int, c *chunk.Chunk, out stream.Out) error {
	cols := make([]*chunk.Vec, len(p.Exprs))
	for i, e := range p.Exprs {
		v, err := e.Eval(p.Ctx, c, nil)
		if err != nil {
			return err
		}
		cols[i] = v
	}
	return out.Chunk(c.With(cols))
}

// Barrier moves the clock.
func (p *Project) Barrier(b stream.Barrier, _ stream.Out) error {
	tick(p.Ctx, b)
	return nil
}
