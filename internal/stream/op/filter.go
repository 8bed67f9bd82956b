// Package op has the streaming operators, one file each. They are built from configurations, never from plan nodes, and
// keep to the contract of package stream: pure, and a function of the multiset of changes of each epoch.
package op

import (
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/stream"
)

// Filter passes the rows whose condition is true. What fails is not true; since it fails alike for a row's insert and its
// delete, nothing is left behind.
type Filter struct {
	stream.NoWatermark
	Cond expr.Expr
	Ctx  *expr.Ctx
}

// Chunk passes the rows that satisfy the condition.
func (f *Filter) Chunk(_ int, c *chunk.Chunk, out stream.Out) error {
	v, err := f.Cond.Eval(f.Ctx, c, nil)
	if err != nil {
		return err
	}
	rows := make([]int32, 0, c.Rows())
	for i, ok := range v.Bools {
		if ok && !v.IsNull(i) {
			rows = append(rows, int32(i))
		}
	}
	switch len(rows) {
	case 0:
		return nil
	case c.Rows():
		return out.Chunk(c)
	}
	return out.Chunk(c.Gather(rows))
}

// Barrier moves the clock.
func (f *Filter) Barrier(b stream.Barrier, _ stream.Out) error {
	tick(f.Ctx, b)
	return nil
}

// tick gives expressions the time of the epoch that a barrier opens.
func tick(ctx *expr.Ctx, b stream.Barrier) {
	if ctx != nil && !b.Time.IsZero() {
		ctx.Now, ctx.Mark = b.Time, b.Mark
	}
}
