package memkv

import (
	"bytes"
	"maps"
	"sync"

	"github.com/google/btree"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

type row struct{ key, value []byte }

type logKey struct {
	table id.Table
	vnode uint16
}

// change is one entry of a changelog. Its bytes are those of the run, which nobody changes.
type change struct {
	epoch         epoch.Epoch
	key, old, new []byte
}

// base holds the durable rows. The tree is copied on write, so a pin is a clone; a changelog only grows at its end, so
// its pin is the slice as it is.
type base struct {
	mu struct {
		sync.Mutex
		rows *btree.BTreeG[row]
		logs map[logKey][]change
		kept map[id.Table]epoch.Epoch // the leases that the last commit served
	}
}

const treeDegree = 32

func newBase() *base {
	b := &base{}
	b.mu.rows = btree.NewG(treeDegree, func(a, b row) bool { return bytes.Compare(a.key, b.key) < 0 })
	b.mu.logs = map[logKey][]change{}
	return b
}

func (b *base) clone() *base {
	c := newBase()
	b.mu.Lock()
	defer b.mu.Unlock()
	c.mu.rows = b.mu.rows.Clone()
	c.mu.kept = maps.Clone(b.mu.kept)
	for k, v := range b.mu.logs {
		c.mu.logs[k] = v[:len(v):len(v)]
	}
	return c
}

func (b *base) leases() map[id.Table]epoch.Epoch {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.mu.kept
}

func (b *base) commit(p *kv.Pending, meta []kv.Write) (stats kv.CommitStats) {
	b.mu.Lock()
	defer b.mu.Unlock()
	_ = p.Rows(func(key, value []byte) error { // fails only if the function does
		b.setLocked(key, value)
		stats.Rows++
		stats.Bytes += len(key) + len(value)
		return nil
	})
	_ = p.Changes(func(t id.Table, vnode uint16, log kv.LogIterator) error {
		b.appendLocked(logKey{t, vnode}, log)
		return nil
	})
	for _, w := range meta {
		b.setLocked(w.Key, w.New)
	}
	b.mu.kept = maps.Clone(p.Logs)
	return stats
}

func (b *base) appendLocked(k logKey, log kv.LogIterator) {
	for log.Next() {
		c := change{epoch: log.Epoch(), key: log.Key(), old: log.Old(), new: log.New()}
		b.mu.logs[k] = append(b.mu.logs[k], c)
	}
}

func (b *base) apply(writes []kv.Write) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range writes {
		b.setLocked(w.Key, w.New)
	}
}

// setLocked copies what it keeps: the caller may reuse its bytes.
func (b *base) setLocked(key, value []byte) {
	if value == nil {
		b.mu.rows.Delete(row{key: key})
		return
	}
	b.mu.rows.ReplaceOrInsert(row{key: bytes.Clone(key), value: bytes.Clone(value)})
}

// drop removes the rows and the changelog of a table.
func (b *base) drop(t id.Table) {
	b.mu.Lock()
	defer b.mu.Unlock()
	start, end := kv.TableRange(t)
	var keys [][]byte
	b.mu.rows.AscendRange(row{key: start}, row{key: end}, func(r row) bool {
		keys = append(keys, r.key)
		return true
	})
	for _, k := range keys {
		b.mu.rows.Delete(row{key: k})
	}
	maps.DeleteFunc(b.mu.logs, func(k logKey, _ []change) bool { return k.table == t })
	delete(b.mu.kept, t)
}

// sweep drops the changes that no lease needs any more. The slices that pins hold stay as they are.
func (b *base) sweep(leases map[id.Table]epoch.Epoch) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for k, changes := range b.mu.logs {
		from, leased := leases[k.table]
		n := 0
		for n < len(changes) && (!leased || changes[n].epoch <= from) {
			n++
		}
		switch n {
		case 0:
		case len(changes):
			delete(b.mu.logs, k)
		default:
			b.mu.logs[k] = append([]change(nil), changes[n:]...)
		}
	}
}

// Get implements kv.Reader.
func (b *base) Get(key []byte) ([]byte, bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r, ok := b.mu.rows.Get(row{key: key})
	return r.value, ok, nil
}

// Scan implements kv.Reader: an iterator over the rows as they are now.
func (b *base) Scan(start, end []byte) kv.Iterator {
	b.mu.Lock()
	defer b.mu.Unlock()
	return newIterator(b.mu.rows.Clone(), start, end)
}

// Pin implements kv.Base.
func (b *base) Pin() kv.Pinned {
	c := b.clone()
	return &pinned{rows: c.mu.rows, logs: c.mu.logs}
}
