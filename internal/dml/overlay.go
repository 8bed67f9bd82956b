package dml

import "github.com/tidemark-db/tidemark/internal/kv"

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

// GetSorted implements kv.SortedReader.
func (o overlay) GetSorted(keys [][]byte, each func(i int, value []byte) error) error {
	return kv.GetSortedOver(o.base, keys, func(key []byte) (value []byte, ok, found bool) {
		w, found := o.get(key)
		return w.value, w.value != nil, found
	}, each)
}

// Scan implements kv.Reader.
func (o overlay) Scan(start, end []byte) kv.Iterator {
	return kv.Lay(o.base.Scan(start, end), o.within(start, end), func(w write) (key, value []byte) { return w.key, w.value })
}
