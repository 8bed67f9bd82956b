// Package state is what operators keep between epochs: typed rows in the vnodes they own, read through their own staged
// writes, staged at the barrier.
package state

import (
	"bytes"
	"slices"

	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Options of a table.
type Options struct {
	ID id.Table
	// Reader reads what was staged and published before; nil: the table lives in memory only, as in a query.
	Reader kv.Reader
	// Logged keeps the old values of writes, for tables that others replay.
	Logged bool
}

// Table is a set of rows of one operator, used by one actor. Writes collect in memory as their net effect until Flush.
type Table struct {
	Options
	pending map[string]pendingWrite
	sorted  []string // keys of pending in order; nil when a key was added since
	buf     []byte
}

// pendingWrite is the net effect on a key since the last flush; nil is absent.
type pendingWrite struct{ old, new []byte }

// New returns a table without pending writes.
func New(o Options) *Table { return &Table{Options: o, pending: map[string]pendingWrite{}} }

// key builds the stored key in a buffer that the next call overwrites.
func (t *Table) key(v vnode.ID, key []byte) []byte {
	t.buf = append(kv.AppendTable(t.buf[:0], t.ID, uint16(v)), key...)
	return t.buf
}

// Get returns the value of a key. It must not be changed, and is valid until the next call.
func (t *Table) Get(v vnode.ID, key []byte) (value []byte, ok bool, err error) {
	k := t.key(v, key)
	if w, ok := t.pending[string(k)]; ok {
		return w.new, w.new != nil, nil
	}
	if t.Reader == nil {
		return nil, false, nil
	}
	return t.Reader.Get(k)
}

// Put replaces the value of a key; nil deletes it. old is the value replaced, needed only by logged tables. Both are copied.
func (t *Table) Put(v vnode.ID, key, old, new []byte) {
	k := t.key(v, key)
	w, again := t.pending[string(k)]
	if !again {
		t.sorted = nil
		if t.Logged && old != nil {
			w.old = append([]byte{}, old...)
		}
	}
	w.new = nil
	if new != nil {
		w.new = append([]byte{}, new...)
	}
	t.pending[string(k)] = w
}

// Flush moves the pending writes into a run and forgets them; the reader has them once the run is staged. A table in
// memory keeps everything.
func (t *Table) Flush(b *kv.RunBuilder) {
	if t.Reader == nil {
		return
	}
	for _, k := range t.keys() {
		w := t.pending[k]
		b.Add(kv.Write{Key: []byte(k), Old: w.old, New: w.new})
	}
	clear(t.pending)
	t.sorted = nil
}

// keys returns the keys of the pending writes in order.
func (t *Table) keys() []string {
	if t.sorted == nil {
		t.sorted = make([]string, 0, len(t.pending))
		for k := range t.pending {
			t.sorted = append(t.sorted, k)
		}
		slices.Sort(t.sorted)
	}
	return t.sorted
}

// Scan iterates over the rows of a vnode whose key begins with the prefix, in key order. Keys come without table and
// vnode. The table must not be written to meanwhile.
func (t *Table) Scan(v vnode.ID, prefix []byte) *Iterator {
	start := append([]byte{}, t.key(v, prefix)...)
	end := kv.PrefixEnd(start)
	it := &Iterator{table: t}
	keys := t.keys()
	lo, _ := slices.BinarySearch(keys, string(start))
	hi := len(keys)
	if end != nil {
		hi, _ = slices.BinarySearch(keys, string(end))
	}
	it.keys = keys[lo:hi]
	if t.Reader != nil {
		it.base = t.Reader.Scan(start, end)
		it.baseOK = it.base.Next()
	}
	return it
}

// Iterator walks over rows of a table; see kv.Iterator.
type Iterator struct {
	table      *Table
	keys       []string
	base       kv.Iterator
	baseOK     bool
	advance    bool // the current row came from the base
	key, value []byte
}

// Next moves to the next row.
func (it *Iterator) Next() bool {
	if it.advance {
		it.baseOK, it.advance = it.base.Next(), false
	}
	for len(it.keys) > 0 {
		k := it.keys[0]
		if it.baseOK {
			c := bytes.Compare(it.base.Key(), []byte(k))
			if c < 0 {
				break
			}
			if c == 0 {
				it.baseOK = it.base.Next()
			}
		}
		it.keys = it.keys[1:]
		if w := it.table.pending[k]; w.new != nil {
			it.key, it.value = []byte(k), w.new
			return true
		}
	}
	if !it.baseOK {
		return false
	}
	it.key, it.value, it.advance = it.base.Key(), it.base.Value(), true
	return true
}

// Key returns the row's key without table and vnode; Value its value. Both are valid until Next.
func (it *Iterator) Key() []byte   { return it.key[kv.TablePrefixLen:] }
func (it *Iterator) Value() []byte { return it.value }

// Close ends the iteration and returns the first error met.
func (it *Iterator) Close() error {
	if it.base == nil {
		return nil
	}
	return it.base.Close()
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
