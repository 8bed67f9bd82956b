package query

import (
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Format is how the rows of a relation are stored.
func Format(r *catalog.Relation) *state.RelationFormat {
	dist := r.DistKey
	if len(dist) == 0 {
		dist = r.Key
	}
	return &state.RelationFormat{Table: r.Table, Types: r.Types(), Key: r.Key, DistKey: dist, Vnodes: r.Vnodes}
}

// scan reads a stored or system relation.
func (x *executor) scan(n *plan.Scan, out stream.Out) error {
	if n.Rel.Kind == catalog.KindSystem {
		c, err := x.System(n.Rel, n.Cols)
		if err != nil || c == nil || c.Rows() == 0 {
			return err
		}
		return out.Chunk(c)
	}
	s := state.NewScanner(x.Reader, Format(n.Rel), n.Cols)
	for v := range n.Rel.Vnodes {
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
