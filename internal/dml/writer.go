package dml

import (
	"bytes"
	"errors"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Writer takes the changes of one statement, as they are found, into the journal of its transaction.
type Writer struct {
	// Reader is what the statement sees: the visible epoch, what was sequenced since, and what its transaction has written
	// before it.
	Reader  kv.Reader
	s       *Sequencer
	t       *Txn
	mark    int
	moved   journal // rows under another key than before; they come when all old rows have gone, so that two rows may swap keys
	wait    *Txn    // holds a lock that the statement needs
	sizeMax int64   // of a row
	key     []byte
	row     []byte
}

// errLocked ends a statement that has met a row locked by another transaction.
var errLocked = errors.New("row is locked")

// Put records a change. The rows may be used again by the caller unless the change moves a row to another key.
func (w *Writer) Put(c Change) error {
	if c.Old == nil {
		return w.add(c.Table, w.keyOf(c.Table, c.New), nil, c.New)
	}
	key := w.keyOf(c.Table, c.Old)
	if c.New != nil && !c.Table.sameKey(c.Old, c.New) {
		if err := w.add(c.Table, key, c.Old, nil); err != nil {
			return err
		}
		w.row = c.Table.AppendRow(append(w.row[:0], 0), c.New)
		return w.moved.add(c.Table, w.keyOf(c.Table, c.New), nil, w.row[1:])
	}
	return w.add(c.Table, key, c.Old, c.New)
}

// Left returns the row that the statement itself has left under the key of the given row. ok tells whether it has changed
// what is there; nil is a row that it has deleted.
func (w *Writer) Left(t *Table, row types.Row) (left types.Row, ok bool, err error) {
	i := w.t.journal.last(w.keyOf(t, row), len(w.t.journal.changes))
	if int(i) < w.mark {
		return nil, false, nil
	}
	b := w.t.journal.new(i)
	if b == nil {
		return nil, true, nil
	}
	left, err = keyenc.DecodeRow(t.Format.Types, b)
	return left, true, err
}

// settle records the rows that move.
func (w *Writer) settle() error {
	for i, c := range w.moved.changes {
		if err := w.stored(w.moved.tables[c.table], w.moved.key(int32(i)), nil, w.moved.new(int32(i))); err != nil {
			return err
		}
	}
	return nil
}

// Moved calls fn for the rows so far that get another key; twice: a row before it gets the same.
func (w *Writer) Moved(fn func(row types.Row, twice bool) error) error {
	for i, c := range w.moved.changes {
		row, err := keyenc.DecodeRow(w.moved.tables[c.table].Format.Types, w.moved.new(int32(i)))
		if err == nil {
			err = fn(row, c.prev >= 0)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) keyOf(t *Table, row types.Row) []byte {
	w.key = t.AppendKey(w.key[:0], row)
	return w.key
}

// PutStored records a row whose key has none, and that nothing else in the transaction changes, by the stored form of both. The
// bytes are copied.
func (w *Writer) PutStored(t *Table, key, row []byte) error {
	if err := w.admit(t, key, row); err != nil {
		return err
	}
	return w.t.journal.addOnce(t, key, nil, row)
}

func (w *Writer) add(t *Table, key []byte, old, new types.Row) error {
	w.row = t.AppendRow(append(w.row[:0], 0), old) // one byte ahead, so that a row without columns is not nil
	split := len(w.row)
	w.row = t.AppendRow(w.row, new)
	return w.stored(t, key, present(old, w.row[1:split]), present(new, w.row[split:]))
}

// stored adds a change to the journal, unless its row is locked.
func (w *Writer) stored(t *Table, key, before, after []byte) error {
	if err := w.admit(t, key, after); err != nil {
		return err
	}
	return w.t.journal.add(t, key, before, after)
}

// admit refuses a change of a row that is locked or too large.
func (w *Writer) admit(t *Table, key, after []byte) error {
	for _, o := range w.s.mu.open {
		if o != w.t && o.journal.has(key) {
			w.wait = o
			return errLocked
		}
	}
	if int64(len(after)) > w.sizeMax {
		return errs.RowTooLarge.New("size", len(after), "limit", w.sizeMax, "table", t.Rel.Name)
	}
	return nil
}

// present is the stored form of a row, nil for none.
func present(row types.Row, stored []byte) []byte {
	if row == nil {
		return nil
	}
	return stored
}

// sameKey reports whether two rows have one key.
func (t *Table) sameKey(a, b types.Row) bool {
	for _, k := range t.Format.Key {
		if a[k] != b[k] {
			return bytes.Equal(t.Key(a), t.Key(b)) // values that are equal may be spelled in two ways
		}
	}
	return !t.Format.Multiset() || bytes.Equal(t.Key(a), t.Key(b))
}
