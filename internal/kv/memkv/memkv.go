// Package memkv is the store in memory. It keeps the same epochs as a store on disk, so that it can stand in for one in
// tests and simulations, where Crash gives the store as it would come back.
//
//	s := memkv.Open()
//	defer s.Close()
package memkv

import (
	"sync"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// Store implements kv.Store. Durable means: in the tree.
type Store struct {
	*kv.Layers
	rows       *base
	committing sync.Mutex
}

var _ kv.Store = (*Store)(nil)

// Open returns an empty store at epoch 0.
func Open() *Store { return open(newBase(), 0, nil) }

func open(b *base, e epoch.Epoch, logs map[id.Table]epoch.Epoch) *Store {
	return &Store{Layers: kv.NewLayers(b, e, logs), rows: b}
}

// Crash returns the store as it would be opened again now: what was committed and applied, nothing else. The receiver
// may be used further, apart from it.
func (s *Store) Crash() *Store {
	s.committing.Lock()
	defer s.committing.Unlock()
	return open(s.rows.clone(), s.Durable(), s.rows.leases())
}

// Stage implements kv.Store.
func (s *Store) Stage(job id.Job, e epoch.Epoch, r *kv.Run) { s.Layers.Stage(job, e, r) }

// Commit implements kv.Store.
func (s *Store) Commit(c kv.Commit) (kv.CommitStats, error) {
	s.committing.Lock()
	defer s.committing.Unlock()
	p := s.Pending(c.Epoch)
	stats := s.rows.commit(p, c.Meta)
	s.Committed(p)
	s.rows.sweep(s.Leases())
	return stats, nil
}

// Apply implements kv.Store.
func (s *Store) Apply(writes []kv.Write) error {
	s.rows.apply(writes)
	s.Refresh()
	return nil
}

// Meta implements kv.Store.
func (s *Store) Meta() kv.Reader { return metaReader{s.rows} }

type metaReader struct{ *base }

func (m metaReader) Scan(start, end []byte) kv.Iterator { return m.base.Scan(kv.ClipMeta(start, end)) }

// DropTables implements kv.Store.
func (s *Store) DropTables(tables []id.Table) error {
	s.committing.Lock()
	defer s.committing.Unlock()
	for _, t := range tables {
		if !s.Drop(t) {
			return errs.Internal.New("what", "table "+t.String()+" is dropped while rows are staged for it")
		}
		s.rows.drop(t)
	}
	s.Refresh()
	return nil
}

// Close implements kv.Store.
func (s *Store) Close() error {
	s.Layers.Close()
	return nil
}
