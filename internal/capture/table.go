package capture

import (
	"bytes"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/types"
)

// table is a captured table with the progress of its history. It is pure: it says which changes belong to its rows.
//
// Keys not read yet take no changes: a later read sees them. Keys read at a snapshot take those that the snapshot has not
// seen. Everything else takes all changes.
type table struct {
	rel     *catalog.Relation
	dml     *dml.Table
	capture connector.Capture
	ordered bool // ranges of the key may be read; else the whole table is one
	rec     *meta.CapturedTable
	windows []window // of rec, decoded
	holes   map[string]bool
	pace    pace
	rows    uint64 // that the upstream has, as it estimates
}

type window struct {
	meta.CaptureWindow
	snapshot connector.Snapshot
}

// setRecord takes over a record.
func (t *table) setRecord(rec *meta.CapturedTable) error {
	t.rec, t.windows, t.holes = rec, nil, map[string]bool{}
	for _, w := range rec.Windows {
		s, err := connector.ParseSnapshot(w.Snapshot)
		if err != nil {
			return errs.MetaCorrupt.New("key", "capture/"+t.rel.Name).Wrap(err)
		}
		t.windows = append(t.windows, window{w, s})
	}
	for _, h := range rec.Holes {
		t.holes[string(h)] = true
	}
	return nil
}

// key is the key of a row in the order of the upstream's index.
func (t *table) key(row types.Row) []byte { return appendKey(nil, &t.capture, row) }

func appendKey(b []byte, c *connector.Capture, row types.Row) []byte {
	for _, k := range c.Key {
		b = keyenc.AppendKey(b, c.Columns[k].Type, row[k], keyenc.Order{})
	}
	return b
}

// keyRow spreads the values of a key over a row.
func (t *table) keyRow(values types.Row) types.Row {
	row := make(types.Row, len(t.rel.Columns))
	for i, k := range t.capture.Key {
		row[k] = values[i]
	}
	return row
}

// keyValues reads the values of a key.
func (t *table) keyValues(key []byte) (types.Row, error) {
	var out types.Row
	for _, k := range t.capture.Key {
		d, rest, err := keyenc.DecodeKey(t.capture.Columns[k].Type, key, keyenc.Order{})
		if err != nil {
			return nil, err
		}
		out, key = append(out, d), rest
	}
	return out, nil
}

// takes reports whether a transaction's change of a key belongs to the rows we have.
func (t *table) takes(key []byte, xid uint64) bool {
	if t.settled() {
		return true
	}
	if t.holes[string(key)] {
		return false
	}
	for _, w := range t.windows {
		if bytes.Equal(w.Key, key) {
			return !w.snapshot.Sees(xid)
		}
	}
	if !t.rec.Done && (t.rec.Cursor == nil || bytes.Compare(key, t.rec.Cursor) > 0) {
		return false
	}
	for _, w := range t.windows {
		if w.Key == nil && (w.Low == nil || bytes.Compare(key, w.Low) > 0) && (w.High == nil || bytes.Compare(key, w.High) <= 0) {
			return !w.snapshot.Sees(xid)
		}
	}
	return true
}

// diffable reports whether ranges of the upstream's key are ranges of the stored key, so that what is read of one can be
// compared with what is here.
func (t *table) diffable() bool { return t.ordered && slices.Equal(t.capture.Key, t.rel.Key) }

// total is how many rows the history has, by the upstream's estimate until it is known.
func (t *table) total() uint64 {
	if t.rec.Done {
		return t.rec.Rows
	}
	return max(t.rows, t.rec.Rows)
}

// settled reports whether the table follows the log alone.
func (t *table) settled() bool { return settled(t.rec) }

func settled(rec *meta.CapturedTable) bool {
	return rec.Done && len(rec.Windows) == 0 && len(rec.Holes) == 0
}

// again is the record of a table that is to be read anew; what is here of it stays until then.
func again(rec *meta.CapturedTable, number uint64) *meta.CapturedTable {
	return &meta.CapturedTable{Number: number, Stale: rec.Stale || rec.Done || rec.Cursor != nil, Whole: rec.Whole || settled(rec)}
}

// closeWindows takes out of a record the windows that the log has left behind; it reports whether there were any.
func closeWindows(rec *meta.CapturedTable, at connector.Position) bool {
	before := len(rec.Windows)
	rec.Windows = slices.DeleteFunc(rec.Windows, func(w meta.CaptureWindow) bool { return connector.Position(w.Until) <= at })
	return len(rec.Windows) < before
}
