package dml

import (
	"encoding/binary"
	"iter"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// Replay feeds the entries of the log above the durable sequence number, in order: they were acknowledged and must be in
// every later epoch. It returns the highest number, and the epoch that nobody may read before. Parts that no entry needs
// are deleted. With apart, which waits for an epoch, an entry of one table is not fed before that of another is visible.
func Replay(e Engine, meta kv.Reader, durable uint64, table func(id.Table) (*Table, bool), apart func(epoch.Epoch) error) (seq uint64, at epoch.Epoch, err error) {
	seq = durable
	r := replay{meta: meta, table: table, needed: map[uint64]bool{}}
	it := meta.Scan(LogKey(durable+1), LogKey(^uint64(0)))
	var before id.Table
	for it.Next() {
		key := it.Key()
		seq = binary.BigEndian.Uint64(key[len(key)-8:])
		of := entryTable(it.Value())
		if apart != nil && at != 0 && (of != before || of == 0) {
			if err := apart(at); err != nil {
				it.Close()
				return 0, 0, err
			}
		}
		before = of
		if at, err = e.Feed(seq, r.fed(seq, it.Value())); err != nil {
			it.Close()
			return 0, 0, err
		}
	}
	if err := it.Close(); err != nil {
		return 0, 0, err
	}
	return seq, at, r.sweep(e)
}

type replay struct {
	meta   kv.Reader
	table  func(id.Table) (*Table, bool)
	needed map[uint64]bool // entries with parts
}

// fed makes the rows of an entry, part by part.
func (r *replay) fed(seq uint64, entry []byte) iter.Seq2[Fed, error] {
	return func(yield func(Fed, error) bool) {
		f := feeder{yield: yield, tables: map[*Table]*fedRows{}, room: chunk.RowsMax, decode: keyenc.DecodeIntoAlias}
		parts := entryParts(entry)
		if parts == 0 {
			f.finish(r.read(&f, entry))
			return
		}
		r.needed[seq] = true
		var err error
		for i := uint32(0); uint64(i) < parts && err == nil; i++ {
			var part []byte
			var ok bool
			if part, ok, err = r.meta.Get(partKey(seq, i)); err == nil && !ok {
				err = errs.RowCorrupt.New("what", "entry of the DML log")
			}
			if err == nil {
				err = r.read(&f, part)
			}
		}
		f.finish(err)
	}
}

// read takes the changes of an entry or part. Rows are stored as they were when the entry was written; they get the columns
// that the table has now.
func (r *replay) read(f *feeder, b []byte) error {
	return readLogged(b, r.table, func(t *Table, old, new []byte) error {
		for _, c := range [...]struct {
			op  chunk.Op
			row []byte
		}{{chunk.Delete, old}, {chunk.Insert, new}} {
			if c.row == nil {
				continue
			}
			row, err := keyenc.DecodeGrown(t.Format.Types, c.row, t.Format.Growth)
			if err == nil {
				err = f.add(t, c.op, t.AppendRow([]byte{}, row))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// sweep deletes the parts of entries that are gone, or were never written because of a crash before their last part. Those
// of entries that were fed again stay until the next start.
func (r *replay) sweep(e Engine) error {
	var writes []kv.Write
	it := r.meta.Scan(partKey(0, 0), partKey(^uint64(0), 0))
	for it.Next() {
		if !r.needed[partSeq(it.Key())] {
			writes = append(writes, kv.Write{Key: append([]byte{}, it.Key()...)})
		}
	}
	if err := it.Close(); err != nil || len(writes) == 0 {
		return err
	}
	return e.Log(writes)
}
