package query

import (
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// scan reads a stored or system relation.
func (x *executor) scan(n *plan.Scan, out stream.Out) error {
	if n.Rel.Kind == catalog.KindSystem {
		c, err := x.System(n.Rel, n.Cols)
		if err != nil || c == nil || c.Rows() == 0 {
			return err
		}
		return out.Chunk(c)
	}
	f, err := x.current(n.Rel)
	if err != nil {
		return err
	}
	s := state.NewScanner(x.Reader, f, n.Cols)
	for v := range f.Vnodes {
		var after []byte
		for end := false; !end; {
			if err := x.cancel.Err(); err != nil {
				return err
			}
			var c *chunk.Chunk
			var err error
			if c, after, end, err = s.Scan(vnode.ID(v), after, chunk.RowsMax); err != nil {
				return err
			}
			if c != nil {
				if err := out.Chunk(c); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// given passes rows that are at hand.
func (x *executor) given(n *plan.Given, out stream.Out) error {
	for _, c := range n.Chunks {
		if err := out.Chunk(c); err != nil {
			return err
		}
	}
	return nil
}
