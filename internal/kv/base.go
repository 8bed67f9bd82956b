package kv

// Base is what lies under the runs in memory: the durable rows. memkv keeps them in a sorted map, pebblekv in Pebble.
type Base interface {
	Reader
	// Snapshot pins what the base holds now.
	Snapshot() BaseSnapshot
	// Write applies a batch atomically and returns when it is durable.
	Write(b *Batch) error
	Close() error
}

// BaseSnapshot reads a base as it was when the snapshot was taken. It is safe for concurrent use.
type BaseSnapshot interface {
	Reader
	Close() error
}

// Batch is what one commit writes: range deletes first, then rows in ascending key order.
type Batch struct {
	Deletes []Range
	Parts   []Part // in ascending key order
}

// Range is a half-open range of keys.
type Range struct{ Start, End []byte }

// Part is a sorted sequence of writes. Size is an upper bound of its rows.
type Part struct {
	Size int
	Each func(yield func(key, value []byte) error) error // value nil deletes
}

// Rows is an upper bound of the rows of the batch.
func (b *Batch) Rows() int {
	n := 0
	for _, p := range b.Parts {
		n += p.Size
	}
	return n
}
