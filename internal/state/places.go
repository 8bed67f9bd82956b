package state

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Places finds where a relation stores the rows of chunks that have some of its columns.
type Places struct {
	format *RelationFormat
	cols   []int // of the relation, as the chunks have them
}

// NewPlaces returns the places of a relation's rows in chunks of the given columns and those that a place depends on. Cols
// are all of them, those given first.
func NewPlaces(f *RelationFormat, given []int) *Places {
	p := &Places{f, slices.Clone(given)}
	needed := slices.Concat(f.Key, f.DistKey)
	if f.Multiset() { // the row is the key
		needed = nil
		for i := range f.Types {
			needed = append(needed, i)
		}
	}
	for _, k := range needed {
		if !slices.Contains(p.cols, k) {
			p.cols = append(p.cols, k)
		}
	}
	return p
}

// Cols are the columns of the relation that a chunk must have.
func (p *Places) Cols() []int { return p.cols }

// Each calls fn for every row with its vnode and its stored key, which is valid during the call.
func (p *Places) Each(c *chunk.Chunk, fn func(row int, v vnode.ID, key []byte)) {
	all := make([]*chunk.Vec, len(p.format.Types))
	for i, col := range p.cols {
		all[col] = c.Cols[i]
	}
	hashes := make([]uint64, c.Rows())
	if p.format.Vnodes > 1 {
		p.format.Hashes(all, hashes)
	}
	var key []byte
	for i := range c.Rows() {
		v := vnode.ID(0)
		if p.format.Vnodes > 1 {
			v = vnode.Of(hashes[i], p.format.Vnodes)
		}
		key = p.format.AppendKey(key[:0], all, i)
		fn(i, v, key)
	}
}
