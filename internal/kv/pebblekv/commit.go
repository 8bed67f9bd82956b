package pebblekv

import (
	"bytes"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// batchBytesMax is the size from which a commit is written as sorted files even if its rows are few: a batch is held
// in memory a second time.
const batchBytesMax = 16 << 20

// Commit implements kv.Store. It holds no lock that Stage, Publish or View take while it writes.
func (s *Store) Commit(c kv.Commit) (kv.CommitStats, error) {
	s.committing.Lock()
	defer s.committing.Unlock()
	if err := s.writable(); err != nil {
		return kv.CommitStats{}, err
	}
	p := s.layers.Pending(c.Epoch)
	w := commitWriter{pending: p, record: s.last.next(c.Epoch), meta: c.Meta}
	form := s.batch
	if p.Writes() >= s.opts.IngestRows || p.Bytes() >= batchBytesMax {
		form = s.ingest
	}
	if err := s.failure.run(func() error { return form(&w) }); err != nil {
		return kv.CommitStats{}, err
	}
	s.last, s.recorded = w.record, p.Logs
	s.layers.Committed(p)
	return kv.CommitStats(w.stats), s.sweepNow(p)
}

// sweepNow removes old changelog blocks if it is time to.
func (s *Store) sweepNow(p *kv.Pending) error {
	if s.last.number%sweepCommits != 0 {
		return nil
	}
	return s.sweep(p.Logs)
}

// commitWriter gives everything that a commit writes in key order, so that a batch and sorted files are made from the
// same stream: a batch and a file disagree about a range delete and a point inside it, so there are no range deletes.
type commitWriter struct {
	pending *kv.Pending
	record  record
	meta    []kv.Write
	stats   stats
}

type stats kv.CommitStats

// emit calls put for each key; a nil value deletes.
func (w *commitWriter) emit(put func(key, value []byte) error) error {
	if err := w.head(put); err != nil {
		return err
	}
	return w.pending.Rows(w.stats.counting(put))
}

// head is what stands before the rows.
func (w *commitWriter) head(put func(key, value []byte) error) error {
	for _, part := range []func(func(key, value []byte) error) error{w.own, w.logs, w.metas} {
		if err := part(put); err != nil {
			return err
		}
	}
	return nil
}

func (w *commitWriter) own(put func(key, value []byte) error) error {
	rec := w.record.encode()
	if err := put(keySlot(w.record.number), rec); err != nil {
		return err
	}
	if err := put(keyRecord, rec); err != nil {
		return err
	}
	return put(keyLeases, encodeLeases(w.pending.Logs))
}

func (w *commitWriter) logs(put func(key, value []byte) error) error {
	return w.pending.Changes(func(t id.Table, vnode uint16, log kv.LogIterator) error {
		lw := logWriter{table: t, vnode: vnode, put: put}
		return lw.write(log)
	})
}

// metas writes the last of several writes of one key.
func (w *commitWriter) metas(put func(key, value []byte) error) error {
	sorted := slices.Clone(w.meta)
	slices.SortStableFunc(sorted, func(a, b kv.Write) int { return bytes.Compare(a.Key, b.Key) })
	for i, m := range sorted {
		if len(m.Key) == 0 || m.Key[0] != kv.SpaceMeta {
			return errs.Internal.New("what", "a commit writes outside of the meta space")
		}
		if i+1 < len(sorted) && bytes.Equal(m.Key, sorted[i+1].Key) {
			continue
		}
		if err := put(m.Key, m.New); err != nil {
			return err
		}
	}
	return nil
}

// counting is put for rows.
func (s *stats) counting(put func(key, value []byte) error) func(key, value []byte) error {
	return func(key, value []byte) error {
		s.Rows++
		s.Bytes += len(key) + len(value)
		return put(key, value)
	}
}

// batch writes a small commit as one synced batch.
func (s *Store) batch(w *commitWriter) error {
	b := s.db.NewBatchWithSize(w.pending.Bytes())
	defer b.Close()
	if err := w.emit(batchPut(b)); err != nil {
		return err
	}
	return b.Commit(pebble.Sync)
}

func batchPut(b *pebble.Batch) func(key, value []byte) error {
	return func(key, value []byte) error {
		if value == nil {
			return b.Delete(key, nil)
		}
		return b.Set(key, value, nil)
	}
}
