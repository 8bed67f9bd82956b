package state

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// VnodesFrom are the vnodes of a table, from the given one on, that have rows. A table of so many vnodes should have none.
func VnodesFrom(r kv.Reader, t id.Table, first int) (out []vnode.ID, err error) {
	if first > int(^vnode.ID(0)) {
		return nil, nil
	}
	_, end := kv.TableRange(t)
	it := r.Scan(kv.AppendTable(nil, t, uint16(first)), end)
	for it.Next() {
		if _, v, _, ok := kv.TableOf(it.Key()); ok && !slices.Contains(out, vnode.ID(v)) {
			out = append(out, vnode.ID(v))
		}
	}
	return out, it.Close()
}
