package verify

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/tally"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// rows is the second pass: how often each entry of the suspect buckets is in the view, less how often in the answer.
type rows struct {
	seed   uint64
	of     map[int]bool
	counts map[string]int64
}

func (r *rows) add(entry []byte, n int64) {
	if !r.of[bucket(tally.Hash(entry, r.seed))] {
		return
	}
	if n += r.counts[string(entry)]; n == 0 {
		delete(r.counts, string(entry))
		return
	}
	r.counts[string(entry)] = n
}

// counted is an entry that one side has more often.
type counted struct {
	entry string
	n     int64
}

// sorted returns what differs, by vnode, then key.
func (r *rows) sorted() []counted {
	out := make([]counted, 0, len(r.counts))
	for _, e := range slices.Sorted(maps.Keys(r.counts)) {
		out = append(out, counted{e, r.counts[e]})
	}
	return out
}

// told turns the first of them into differences; more says that there are others.
func (c *comparison) told(found []counted) (out []Difference, more bool) {
	for i, f := range found {
		if i == c.Shown {
			return out, true
		}
		out = append(out, Difference{Vnode: vnode.ID(f.entry[0])<<8 | vnode.ID(f.entry[1]), Count: f.n, Row: c.row([]byte(f.entry[2:]))})
	}
	return out, false
}

// row decodes the rest of an entry; nil when it is no row.
func (c *comparison) row(b []byte) types.Row {
	n, k := binary.Uvarint(b)
	key, value := b[k:k+int(n)], b[k+int(n):]
	if c.format.Multiset() {
		if len(value) > 0 {
			return nil // the count could not be read
		}
		value = key
	}
	row, err := keyenc.DecodeGrown(c.format.Types, value, c.format.Growth)
	if err != nil {
		return nil
	}
	return row
}
