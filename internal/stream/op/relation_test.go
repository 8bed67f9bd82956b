package op

import (
	"bytes"

	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/script"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

func (f relation) operator(e script.Env, dist []int) *Materialize {
	return &Materialize{Table: e.Tables[0], Policy: f.policy,
		Format: &state.RelationFormat{Table: id.Table(1), Types: f.types, Key: f.key, DistKey: dist, Vnodes: e.Vnodes}}
}

// rows reads the stored relation in the vnodes owned; scanning others finds nothing of theirs written by this one.
func (b *readBack) rows() (out []storedRow, err error) {
	for v := range b.op.Format.Vnodes {
		if !b.all && !b.owned.Contains(vnode.ID(v)) {
			continue
		}
		it := b.op.Table.Scan(vnode.ID(v), nil)
		for it.Next() {
			r := storedRow{bytes.Clone(it.Value()), 1}
			if b.op.Format.Multiset() {
				if r.n, err = state.Count(it.Value()); err != nil {
					return nil, err
				}
				r.bytes = bytes.Clone(it.Key())
			}
			out = append(out, r)
		}
		if err := it.Close(); err != nil {
			return nil, err
		}
	}
	return out, nil
}
