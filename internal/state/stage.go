package state

import (
	"cmp"
	"slices"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// Stage moves the pending writes of an actor's tables into one run, nil when there are none. A table writes a key once an
// epoch; another time means that an operator was given two rows of one key. It calls between, which may wait, between pieces of
// kv.PieceWrites writes or a few more.
func Stage(tables []*Table, between func()) (*kv.Run, error) {
	var b kv.RunBuilder
	size, writes := 0, 0
	for _, t := range tables {
		s, w := t.pending()
		size, writes = size+s, writes+w
	}
	if writes == 0 {
		return nil, nil
	}
	large := slices.MaxFunc(tables, func(a, b *Table) int { return cmp.Compare(a.written.Size(), b.written.Size()) })
	large.Flush(&b, between) // into an empty builder nothing is copied
	b.Grow(size-b.Size(), writes-b.Len())
	for _, t := range tables {
		if t != large {
			t.Flush(&b, between)
		}
	}
	r := b.FinishInPieces(between)
	if key := r.Twice(); key != nil {
		t, _, _, _ := kv.TableOf(key)
		return nil, errs.Internal.New("what", "a key of relation "+t.String()+" got more than one row in an epoch")
	}
	return r, nil
}

// Unstaged is about how many bytes of writes wait for a flush.
func (t *Table) Unstaged() int {
	n := t.written.Size()
	if len(t.dirty) > 0 {
		n += len(t.dirty) * (t.index.Used() + t.values.Size()) / len(t.entries)
	}
	return n
}

// pending is about the bytes, and the number, of the writes that a flush moves.
func (t *Table) pending() (size, writes int) {
	size, writes = t.written.Size(), t.written.Len()
	for _, i := range t.dirty {
		e := &t.entries[i]
		size += len(t.index.Key(i)) + int(max(e.old.size, 0)) + int(max(e.new.size, 0))
	}
	return size, writes + len(t.dirty)
}
