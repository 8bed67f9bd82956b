package stream

import (
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Route splits chunks by the vnode of their rows, for the actors of one consumer. It is pure: Split tells what to send
// where.
type Route struct {
	Keys   []int // columns that choose the vnode; empty: all columns
	Vnodes int
	owner  []int32 // by vnode: the position of the consumer's actor, -1 when this producer never has rows of it
	actors int
	hashes []uint64
	rows   [][]int32
}

// NewRoute makes a route to the actors that own the given vnodes.
func NewRoute(keys []int, vnodes int, owners []vnode.Set) *Route {
	r := &Route{Keys: keys, Vnodes: vnodes, owner: make([]int32, vnodes), actors: len(owners), rows: make([][]int32, len(owners))}
	for v := range r.owner {
		r.owner[v] = -1
	}
	for i, set := range owners {
		for v := range vnodes {
			if set.Contains(vnode.ID(v)) {
				r.owner[v] = int32(i)
			}
		}
	}
	return r
}

// Split calls send once for each actor that gets rows of the chunk, in order of the actors.
func (r *Route) Split(c *chunk.Chunk, send func(actor int, c *chunk.Chunk) error) error {
	if r.actors == 1 {
		return send(0, c)
	}
	r.assign(c)
	for i, rows := range r.rows {
		if len(rows) == 0 {
			continue
		}
		part := c
		if len(rows) < c.Rows() {
			part = c.Gather(rows)
		}
		if err := send(i, part); err != nil {
			return err
		}
	}
	return nil
}

// assign fills rows with the positions of the rows of each actor.
func (r *Route) assign(c *chunk.Chunk) {
	cols := c.Cols
	if len(r.Keys) > 0 {
		cols = c.Project(r.Keys).Cols
	}
	if cap(r.hashes) < c.Rows() {
		r.hashes = make([]uint64, c.Rows())
	}
	r.hashes = r.hashes[:c.Rows()]
	vnode.Hash(cols, r.hashes)
	for i := range r.rows {
		r.rows[i] = r.rows[i][:0]
	}
	for i, h := range r.hashes {
		if o := r.owner[vnode.Of(h, r.Vnodes)]; o >= 0 {
			r.rows[o] = append(r.rows[o], int32(i))
		}
	}
}
