package state

import (
	"github.com/zeebo/xxh3"

	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Load reads all rows of the vnodes, which are those that the actor owns, in order, and gives them to each; key and value are valid
// for the call. They stay in memory if they fit: the store is not asked for one of them then. The table must be as it was made.
func (t *Table) Load(vnodes []vnode.ID, each func(v vnode.ID, key, value []byte) error) error {
	fits := t.CacheMax >= 0
	for _, v := range vnodes {
		it := t.Stored(v, nil)
		for it.Next() {
			if fits {
				k := t.key(v, it.Key())
				e := t.entry(xxh3.Hash(k), k)
				t.entries[e].new = t.values.Set(NoSpan, it.Value())
				fits = len(t.entries)%loadStep != 0 || t.roomy()
			}
			if err := each(v, it.Key(), it.Value()); err != nil {
				it.Close()
				return err
			}
		}
		if err := it.Close(); err != nil {
			return err
		}
	}
	if t.asked, t.whole = true, fits && t.roomy(); !t.whole {
		t.forget()
		t.cache.Note(0)
	}
	return nil
}

// loadStep is how many rows are read before the account is asked again whether they fit.
const loadStep = 1024

// roomy reports whether what is in memory may stay there.
func (t *Table) roomy() bool {
	size := int64(t.Size())
	return t.cache.Bound(size, int64(t.CacheMax)) >= size
}
