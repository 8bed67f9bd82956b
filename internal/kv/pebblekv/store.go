// Package pebblekv is the store on disk, over Pebble. A commit is one synced batch or one ingestion of sorted files;
// both carry the record of the commit, so after a crash the store holds exactly a prefix of the committed epochs.
//
//	s, err := pebblekv.Open(pebblekv.Options{Dir: dir})
//	defer s.Close()
package pebblekv

import (
	"io"
	"maps"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/invariant"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/mem"
)

// Store implements kv.Store.
type Store struct {
	opts         Options
	db           *pebble.DB
	tableOptions sstable.WriterOptions
	layers       *kv.Layers
	base         *base
	failure      *failure
	locks        []io.Closer // released last first
	memory       *mem.Budget // account of the cache and the memtables
	readOnly     bool        // opened to be looked at

	// committing is held by whoever writes table rows: Commit, DropTables, Close.
	committing sync.Mutex
	last       record // of the last commit; guarded by committing
	closed     bool   // guarded by committing

	// recorded are the leases that the last commit served; guarded by committing.
	recorded map[id.Table]epoch.Epoch
}

var _ kv.Store = (*Store)(nil)

// Stage implements kv.Store.
func (s *Store) Stage(job id.Job, e epoch.Epoch, r *kv.Run) {
	ok := s.layers.Stage(job, e, r)
	invariant.Check(ok, "job %d stages a key outside of the table space", job)
}

// Publish implements kv.Store.
func (s *Store) Publish(e epoch.Epoch, jobs []id.Job) {
	invariant.Check(e > s.Visible(), "epoch %d published after %d", e, s.Visible())
	s.layers.Publish(e, jobs)
}

// Discard implements kv.Store.
func (s *Store) Discard(job id.Job) { s.layers.Discard(job) }

// Visible implements kv.Store.
func (s *Store) Visible() epoch.Epoch { return s.layers.Visible() }

// Durable implements kv.Store.
func (s *Store) Durable() epoch.Epoch { return s.layers.Durable() }

// View implements kv.Store.
func (s *Store) View() kv.View { return s.layers.View() }

// Own implements kv.Store.
func (s *Store) Own(job id.Job) kv.Reader { return s.layers.Own(job) }

// Meta implements kv.Store.
func (s *Store) Meta() kv.Reader { return metaReader{s.base} }

// SetLeases implements kv.Store.
func (s *Store) SetLeases(leases map[id.Table]epoch.Epoch) { s.layers.SetLeases(leases) }

// Apply implements kv.Store. Concurrent calls share a sync.
func (s *Store) Apply(writes []kv.Write) error {
	if err := s.writable(); err != nil {
		return err
	}
	b := s.db.NewBatch()
	put := batchPut(b)
	for _, w := range writes {
		invariant.Check(len(w.Key) > 0 && w.Key[0] >= kv.SpaceMeta, "Apply writes to the store's own space")
		if err := put(w.Key, w.New); err != nil {
			return classify(err)
		}
	}
	if err := s.failure.run(func() error { return b.Commit(pebble.Sync) }); err != nil {
		return err // Pebble may still hold the batch
	}
	s.layers.Refresh()
	return classify(b.Close())
}

// DropTables implements kv.Store. It waits for a commit under way, which might write rows of the tables.
func (s *Store) DropTables(tables []id.Table) error {
	s.committing.Lock()
	defer s.committing.Unlock()
	if err := s.failure.check(); err != nil {
		return err
	}
	b := s.db.NewBatch()
	leases := maps.Clone(s.recorded)
	for _, t := range tables {
		if !s.layers.Drop(t) {
			return errs.Internal.New("what", "table "+t.String()+" is dropped while rows are staged for it")
		}
		delete(leases, t)
		for _, space := range []byte{kv.SpaceTable, kv.SpaceLog} {
			start, end := spaceRange(space, t)
			if err := b.DeleteRange(start, end, nil); err != nil {
				return classify(err)
			}
		}
	}
	if err := b.Set(keyLeases, encodeLeases(leases), nil); err != nil {
		return classify(err)
	}
	if err := s.failure.run(func() error { return b.Commit(pebble.Sync) }); err != nil {
		return err
	}
	s.recorded = leases
	s.layers.Refresh()
	return classify(b.Close())
}

// spaceRange bounds what a table has in a space; both spaces order by table alike.
func spaceRange(space byte, t id.Table) (start, end []byte) {
	start, end = kv.TableRange(t)
	if end[0] != kv.SpaceTable { // past the last table
		end[0] = space + 1
	} else {
		end[0] = space
	}
	start[0] = space
	return start, end
}

// Close implements kv.Store. A store that has failed leaves its files as they are: Pebble might never come back.
func (s *Store) Close() error {
	s.committing.Lock()
	defer s.committing.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	var err error
	if s.failure.check() == nil {
		s.layers.Close()
		if err = classify(s.db.Close()); err == nil {
			s.tellClosed()
		}
	}
	s.memory.Close()
	s.unlock()
	return err
}

func (s *Store) unlock() {
	for i := len(s.locks) - 1; i >= 0; i-- {
		_ = s.locks[i].Close() // the process's end would release it too
	}
}
