// Package state is what operators keep between epochs: typed rows in the vnodes they own, read through their own staged
// writes, staged at the barrier.
package state

import (
	"github.com/google/btree"
	"github.com/zeebo/xxh3"

	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Options of a table.
type Options struct {
	ID id.Table
	// Reader reads what was staged and published before; nil: the table lives in memory only, as in a query.
	Reader kv.Reader
	// Logged keeps the old values of writes, for tables that others replay.
	Logged bool
	// Account bounds, together with what else is counted in it, what stays in memory after a flush.
	Account *mem.Budget
	// CacheMax bounds that for the table alone; 0: as Account allows, CacheDefault without one; below 0: nothing stays, for
	// operators that keep what is hot in a form of their own.
	CacheMax int
}

// CacheDefault bounds a table without an account: small enough for a hundred operators and large enough for the hot rows
// of one.
const CacheDefault = 16 << 20

// Table is a set of rows of one operator, used by one actor: a write-back cache over the reader. Writes collect as their
// net effect until Flush; what was read and written stays in memory as long as there is room.
//
// Invariants:
//
//	S1  An entry that is not dirty holds what the reader holds for its key, absence included.
//	S2  whole: every row of the table has an entry, so that what has none does not exist.
//
// Keys and values lie in arenas and are found by number: the collector has a handful of slices to look at.
type Table struct {
	Options
	cache   mem.Cache
	index   *Index // full key -> entry
	entries []cached
	values  Arena
	dirty   []int32
	written kv.RunBuilder // by Write
	absent  int           // clean entries without a value
	whole   bool
	asked   bool // whole is known
	// ordered has all entries by key from the first Scan on; nil before. probe is the key that entry -1 stands for.
	ordered *btree.BTreeG[int32]
	probe   []byte
	buf     []byte
}

// cached is one entry.
type cached struct {
	new, old Span
	dirty    bool
	used     bool // since the last sweep
}

// New returns a table without pending writes.
func New(o Options) *Table {
	if o.CacheMax == 0 && o.Account == nil {
		o.CacheMax = CacheDefault
	}
	t := &Table{Options: o, cache: mem.NewCache(o.Account)}
	t.forget()
	t.whole = o.Reader == nil
	t.asked = t.whole
	return t
}

// forget drops all entries.
func (t *Table) forget() {
	t.index, t.entries, t.values, t.dirty = NewIndex(), t.entries[:0], Arena{}, t.dirty[:0]
	t.absent, t.ordered = 0, nil
}

// key builds the stored key in a buffer that the next call overwrites.
func (t *Table) key(v vnode.ID, key []byte) []byte {
	t.buf = append(kv.AppendTable(t.buf[:0], t.ID, uint16(v)), key...)
	return t.buf
}

// Get returns the value of a key. It must not be changed, and is valid until the next call.
func (t *Table) Get(v vnode.ID, key []byte) (value []byte, ok bool, err error) {
	k := t.key(v, key)
	h := xxh3.Hash(k)
	if e := t.index.Find(h, k); e >= 0 {
		t.entries[e].used = true
		value = t.values.Get(t.entries[e].new)
		return value, value != nil, nil
	}
	if whole, err := t.complete(); whole || err != nil {
		return nil, false, err
	}
	value, ok, err = t.Reader.Get(k)
	if err != nil || t.CacheMax < 0 {
		return value, ok, err
	}
	e := t.entry(h, k)
	if !ok {
		t.absent++
		return nil, false, nil
	}
	t.entries[e].new = t.values.Set(NoSpan, value)
	return value, true, nil
}

// entry returns the entry of a key, a new one without value if there is none.
func (t *Table) entry(hash uint64, key []byte) int32 {
	e, isNew := t.index.Insert(hash, key)
	if isNew {
		t.entries = append(t.entries, cached{new: NoSpan, old: NoSpan})
		if t.ordered != nil {
			t.ordered.ReplaceOrInsert(e)
		}
	}
	t.entries[e].used = true
	return e
}

// complete finds out, once, whether the table begins empty.
func (t *Table) complete() (bool, error) {
	if !t.asked {
		empty, err := t.Empty()
		if err != nil {
			return false, err
		}
		t.whole, t.asked = empty, true
	}
	return t.whole, nil
}

// Put replaces the value of a key; nil deletes it. old is the value replaced, needed only by logged tables. Both are copied.
func (t *Table) Put(v vnode.ID, key, old, new []byte) {
	k := t.key(v, key)
	n := len(t.entries)
	i := t.entry(xxh3.Hash(k), k)
	e := &t.entries[i]
	if !e.dirty {
		if int(i) < n && e.new == NoSpan {
			t.absent--
		}
		e.dirty = true
		t.dirty = append(t.dirty, i)
		if t.Logged && old != nil {
			e.old = t.values.Set(NoSpan, old)
		}
	}
	e.new = t.values.Set(e.new, new)
	if t.Reader == nil {
		t.tidy()
	}
}

// Write is Put of a key that is neither read nor written again before the flush: it costs a copy.
func (t *Table) Write(v vnode.ID, key, old, new []byte) {
	if t.Reader == nil || t.CacheMax >= 0 {
		t.Put(v, key, old, new)
		return
	}
	if !t.Logged {
		old = nil
	}
	t.asked = true
	t.written.Add(kv.Write{Key: t.key(v, key), Old: old, New: new})
}

// Written is about how many bytes Write has taken since the last flush.
func (t *Table) Written() int { return t.written.Size() }

// TakeBack gives what Write has taken since the last flush, in the order of the calls, and forgets it.
func (t *Table) TakeBack(fn func(v vnode.ID, key, new []byte)) {
	t.written.Drain(func(w kv.Write) {
		_, v, key, _ := kv.TableOf(w.Key)
		fn(vnode.ID(v), key, w.New)
	})
}

// Flush moves the pending writes into a run, and calls between after each kv.PieceWrites of them; the reader has them once the run
// is staged. A table in memory keeps everything.
func (t *Table) Flush(b *kv.RunBuilder, between func()) {
	if t.Reader == nil {
		return
	}
	if len(t.dirty) > 0 && !t.asked { // nothing was read: whether the table began empty will not be known any more
		t.asked = true
	}
	t.written.MoveTo(b)
	for n, i := range t.dirty {
		if n%kv.PieceWrites == kv.PieceWrites-1 {
			between()
		}
		e := &t.entries[i]
		b.Add(kv.Write{Key: t.index.Key(i), Old: t.values.Get(e.old), New: t.values.Get(e.new)})
		t.values.Drop(e.old)
		e.old, e.dirty = NoSpan, false
		if e.new == NoSpan {
			t.absent++
		}
	}
	t.dirty = t.dirty[:0]
	t.evict()
}

// Empty reports whether the store has no row of the table in any vnode.
func (t *Table) Empty() (bool, error) {
	if t.Reader == nil {
		return true, nil
	}
	it := t.Reader.Scan(kv.AppendTable(nil, t.ID, 0), kv.AppendTable(nil, t.ID+1, 0))
	empty := !it.Next()
	return empty, it.Close()
}

// Size is the number of bytes in memory.
func (t *Table) Size() int { return t.index.Size() + t.values.Size() + cap(t.entries)*entrySize }

// entrySize is what an entry costs beside its value and what the index has of it, its place in the order included.
const entrySize = 48
