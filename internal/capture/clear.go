package capture

import (
	"bytes"
	"fmt"

	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/types"
)

// clearMax bounds how many rows one transaction here takes away, beside what they take in memory: a table that has more is
// emptied in slices.
const clearMax = 65536

// truncateLarge says that a TRUNCATE takes away more than one transaction can, and which change it is.
type truncateLarge struct {
	table *table
	xid   uint64
	at    uint64 // connector.Change.At
}

func (e *truncateLarge) Error() string {
	return fmt.Sprintf("TRUNCATE of %s is done in slices", e.table.capture.Table)
}

// truncate takes away all rows whose keys take the change.
func (a *applier) truncate(t *table, at, xid uint64) error {
	next, err := a.clearFrom(t, nil, func(key []byte) bool { return a.takes(t, key, xid) })
	if next != nil && err == nil {
		err = &truncateLarge{t, xid, at}
	}
	return err
}

// clearFrom takes away up to clearMax rows of a table, from a stored key on, where the key in the order of the upstream's
// index is wanted. next is where to go on; nil is the end.
func (a *applier) clearFrom(t *table, from []byte, wanted func(key []byte) bool) (next []byte, err error) {
	if from == nil {
		from = kv.AppendTable(nil, t.rel.Table, 0)
		for _, k := range a.order { // what the batch did before
			if k.table == t && len(k.rows) > 0 && wanted(t.key(k.rows[0])) {
				k.rows = nil
			}
		}
	}
	_, next, err = a.clearStored(t, from, kv.AppendTable(nil, t.rel.Table+1, 0), wanted)
	return next, err
}

// clearStored takes away up to clearMax wanted rows between two stored keys; next is where to go on, nil at the end.
func (a *applier) clearStored(t *table, from, to []byte, wanted func(key []byte) bool) (cleared int, next []byte, err error) {
	rows, next, err := a.stored(t, from, to, wanted)
	if err != nil {
		return 0, nil, err
	}
	for _, row := range rows {
		if err := a.clear(t, row); err != nil {
			return 0, nil, err
		}
	}
	return len(rows), next, nil
}

// stored reads up to clearMax wanted rows of a table between two stored keys; next is where to go on, nil at the end.
func (a *applier) stored(t *table, from, to []byte, wanted func(key []byte) bool) (rows []types.Row, next []byte, err error) {
	it, size := a.reader.Scan(from, to), 0
	for it.Next() {
		if len(rows) == clearMax || size >= t.pace.bytes {
			next = bytes.Clone(it.Key())
			break
		}
		row, err := keyenc.DecodeGrown(t.dml.Format.Types, it.Value(), t.dml.Format.Growth)
		if err != nil {
			_ = it.Close() // the error of the row matters
			return nil, nil, err
		}
		if wanted(t.key(row)) {
			rows = append(rows, row)
			size += rowBytes(row)
		}
	}
	return rows, next, it.Close()
}

// clearGone takes away up to clearMax rows whose keys were not read, of a range of keys that was. The range is (low, high] in
// the order of the upstream's index, nil being without a bound; the stored key is in that order, too: table.diffable.
func (a *applier) clearGone(t *table, low, high []byte, read map[string]bool) (more bool, err error) {
	cleared := 0
	for vnode := range uint16(t.dml.Format.Vnodes) {
		from, to := kv.AppendTable(nil, t.rel.Table, vnode), kv.AppendTable(nil, t.rel.Table, vnode+1)
		if low != nil {
			from = append(append(from, low...), 0) // the first key behind low
		}
		if high != nil {
			to = append(append(kv.AppendTable(nil, t.rel.Table, vnode), high...), 0)
		}
		n, next, err := a.clearStored(t, from, to, func(key []byte) bool { return !read[string(key)] })
		if err != nil {
			return false, err
		}
		if cleared += n; next != nil || cleared >= clearMax {
			return true, nil
		}
	}
	return false, nil
}
