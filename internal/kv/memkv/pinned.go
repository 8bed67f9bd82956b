package memkv

import (
	"bytes"

	"github.com/google/btree"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// pinned is a clone of the tree that nobody writes to, so it needs no lock.
type pinned struct {
	rows *btree.BTreeG[row]
	logs map[logKey][]change
}

func (p *pinned) Get(key []byte) ([]byte, bool, error) {
	r, ok := p.rows.Get(row{key: key})
	return r.value, ok, nil
}

func (p *pinned) Scan(start, end []byte) kv.Iterator { return newIterator(p.rows, start, end) }
func (p *pinned) Rest()                              {}
func (p *pinned) Close() error                       { return nil }

func (p *pinned) Log(t id.Table, vnode uint16, from, to epoch.Epoch) (kv.LogIterator, error) {
	return &logIterator{changes: p.logs[logKey{t, vnode}], from: from, to: to, at: -1}, nil
}

// iterator fetches rows in steps, because the tree can only be walked by callback.
type iterator struct {
	rows    *btree.BTreeG[row]
	next    []byte // where the next step begins
	end     []byte
	step    []row
	stepMax int
	at      int
	done    bool
}

// The first step is short since many scans read a row or two; later ones grow.
const (
	stepFirst = 4
	stepLast  = 256
)

func newIterator(rows *btree.BTreeG[row], start, end []byte) *iterator {
	return &iterator{rows: rows, next: kv.Clip(start), end: end, at: -1, stepMax: stepFirst}
}

func (it *iterator) Next() bool {
	if it.at++; it.at >= len(it.step) {
		it.fetch()
	}
	return it.at < len(it.step)
}

func (it *iterator) fetch() {
	it.step, it.at = it.step[:0], 0
	if it.done {
		return
	}
	it.done = true
	it.rows.AscendGreaterOrEqual(row{key: it.next}, func(r row) bool {
		if it.end != nil && bytes.Compare(r.key, it.end) >= 0 {
			return false
		}
		if len(it.step) == it.stepMax {
			it.next, it.done = r.key, false
			return false
		}
		it.step = append(it.step, r)
		return true
	})
	it.stepMax = min(it.stepMax*4, stepLast)
}

func (it *iterator) Key() []byte   { return it.step[it.at].key }
func (it *iterator) Value() []byte { return it.step[it.at].value }
func (it *iterator) Close() error  { return nil }

// logIterator walks over the changes of epochs in (from, to].
type logIterator struct {
	changes  []change
	from, to epoch.Epoch
	at       int
}

func (it *logIterator) Next() bool {
	for it.at++; it.at < len(it.changes); it.at++ {
		if e := it.changes[it.at].epoch; e > it.from && e <= it.to {
			return true
		}
	}
	return false
}

func (it *logIterator) Epoch() epoch.Epoch { return it.changes[it.at].epoch }
func (it *logIterator) Key() []byte        { return it.changes[it.at].key }
func (it *logIterator) Old() []byte        { return it.changes[it.at].old }
func (it *logIterator) New() []byte        { return it.changes[it.at].new }
func (it *logIterator) Close() error       { return nil }
