package dml

import (
	"bytes"

	"github.com/tidemark-db/tidemark/internal/kv"
)

// write is the newest value of a stored key; nil is deleted.
type write struct {
	key, value []byte
	seq        uint64 // of the statement that wrote it; 0 inside an open transaction
}

// layer is writes that lie over a reader.
type layer interface {
	get(key []byte) (w write, ok bool)
	// within returns the writes of [start, end) by key, each key once.
	within(start, end []byte) []write
}

// overlay lays writes that are not visible yet over a reader.
type overlay struct {
	base kv.Reader
	layer
}

// Get implements kv.Reader.
func (o overlay) Get(key []byte) ([]byte, bool, error) {
	if w, ok := o.get(key); ok {
		return w.value, w.value != nil, nil
	}
	return o.base.Get(key)
}

// Scan implements kv.Reader.
func (o overlay) Scan(start, end []byte) kv.Iterator {
	base := o.base.Scan(start, end)
	writes := o.within(start, end)
	if len(writes) == 0 {
		return base
	}
	it := &overlayIter{base: base, writes: writes}
	it.baseOK = base.Next()
	return it
}

// overlayIter merges writes over an iterator.
type overlayIter struct {
	base       kv.Iterator
	baseOK     bool
	skipBase   bool // the current row came from the base
	writes     []write
	key, value []byte
}

func (it *overlayIter) Next() bool {
	if it.skipBase {
		it.baseOK, it.skipBase = it.base.Next(), false
	}
	for len(it.writes) > 0 {
		w := it.writes[0]
		if it.baseOK {
			c := bytes.Compare(it.base.Key(), w.key)
			if c < 0 {
				break
			}
			if c == 0 {
				it.baseOK = it.base.Next()
			}
		}
		it.writes = it.writes[1:]
		if w.value != nil {
			it.key, it.value = w.key, w.value
			return true
		}
	}
	if !it.baseOK {
		return false
	}
	it.key, it.value, it.skipBase = it.base.Key(), it.base.Value(), true
	return true
}

func (it *overlayIter) Key() []byte   { return it.key }
func (it *overlayIter) Value() []byte { return it.value }
func (it *overlayIter) Close() error  { return it.base.Close() }
