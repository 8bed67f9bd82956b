package state

import (
	"bytes"

	"github.com/google/btree"

	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Scan iterates over the rows of a vnode whose key begins with the prefix, in key order. Keys come without table and
// vnode. The table must not be used otherwise meanwhile.
func (t *Table) Scan(v vnode.ID, prefix []byte) *Iterator {
	start := bytes.Clone(t.key(v, prefix))
	it := &Iterator{table: t, next: start, end: kv.PrefixEnd(start), stepMax: stepFirst}
	whole, err := t.complete()
	if err != nil {
		it.err, it.done = err, true
		return it
	}
	t.order()
	if !whole {
		it.base = t.Reader.Scan(start, it.end)
		it.baseOK = it.base.Next()
	}
	return it
}

// order makes the tree of entries if there is none.
func (t *Table) order() {
	if t.ordered != nil {
		return
	}
	t.ordered = btree.NewG(treeDegree, func(a, b int32) bool { return bytes.Compare(t.keyOf(a), t.keyOf(b)) < 0 })
	for i := range t.entries {
		t.ordered.ReplaceOrInsert(int32(i))
	}
}

const treeDegree = 32

func (t *Table) keyOf(e int32) []byte {
	if e < 0 {
		return t.probe
	}
	return t.index.Key(e)
}

// Iterator walks over rows of a table:
//
//	for it.Next() { use(it.Key(), it.Value()) }
//	err := it.Close()
//
// It merges the table's entries with the reader's rows; entries hide rows of the same key.
type Iterator struct {
	table      *Table
	next, end  []byte  // of the entries not fetched
	step       []int32 // entries fetched
	stepMax    int
	done       bool // all entries were fetched
	base       kv.Iterator
	baseOK     bool // base stands on a row
	inBase     bool // the current row is the base's
	key, value []byte
	err        error
}

// Entries are fetched in steps, because the tree can only be walked by callback. The first step is short, since many
// scans read a row or two.
const (
	stepFirst = 4
	stepLast  = 256
)

func (it *Iterator) fetch() {
	t := it.table
	it.step = it.step[:0]
	it.done = true
	t.probe = it.next
	t.ordered.AscendGreaterOrEqual(-1, func(e int32) bool {
		k := t.index.Key(e)
		if it.end != nil && bytes.Compare(k, it.end) >= 0 {
			return false
		}
		if len(it.step) == it.stepMax {
			it.next, it.done = k, false
			return false
		}
		it.step = append(it.step, e)
		return true
	})
	it.stepMax = min(it.stepMax*4, stepLast)
}

// Next moves to the next row.
func (it *Iterator) Next() bool {
	if it.inBase {
		it.baseOK, it.inBase = it.base.Next(), false
	}
	for it.entryFirst() {
		e := it.step[0]
		it.step = it.step[1:]
		if v := it.table.values.Get(it.table.entries[e].new); v != nil {
			it.key, it.value = it.table.index.Key(e), v
			return true
		}
	}
	if !it.baseOK {
		return false
	}
	it.key, it.value, it.inBase = it.base.Key(), it.base.Value(), true
	return true
}

// entryFirst reports whether an entry comes next, and moves the base past the row that it hides.
func (it *Iterator) entryFirst() bool {
	if len(it.step) == 0 && !it.done {
		it.fetch()
	}
	if len(it.step) == 0 {
		return false
	}
	if !it.baseOK {
		return true
	}
	c := bytes.Compare(it.base.Key(), it.table.index.Key(it.step[0]))
	if c == 0 {
		it.baseOK = it.base.Next()
	}
	return c >= 0
}

// Key returns the row's key without table and vnode; Value its value. Both are valid until Next.
func (it *Iterator) Key() []byte   { return it.key[kv.TablePrefixLen:] }
func (it *Iterator) Value() []byte { return it.value }

// Close ends the iteration and returns the first error met.
func (it *Iterator) Close() error {
	if it.base != nil {
		if err := it.base.Close(); it.err == nil {
			it.err = err
		}
	}
	return it.err
}

// Stored iterates over what the reader has of the rows of a vnode whose key begins with the prefix, without pending
// writes: for operators that keep what they wrote until it is staged.
func (t *Table) Stored(v vnode.ID, prefix []byte) *Iterator {
	start := bytes.Clone(t.key(v, prefix))
	it := &Iterator{table: t, done: true, base: t.Reader.Scan(start, kv.PrefixEnd(start))}
	it.baseOK = it.base.Next()
	return it
}
