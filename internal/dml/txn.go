package dml

import (
	"context"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
)

// Chunk is short for the chunks that tables take.
type Chunk = chunk.Chunk

// Txn is a transaction: the changes of its statements, not visible to anybody else until it commits. One goroutine at a
// time uses it.
type Txn struct {
	own     *overlay
	changes []Change
	keys    [][]byte // locked
	waits   *Txn     // whom it waits for; guarded by the sequencer's lock
	ended   chan struct{}
}

// Begin starts a transaction.
func Begin() *Txn { return &Txn{own: newOverlay(nil), ended: make(chan struct{})} }

// Empty reports whether the transaction has changed nothing.
func (t *Txn) Empty() bool { return len(t.changes) == 0 }

// add takes over what a statement changes.
func (t *Txn) add(changes []Change, keys [][]byte) {
	for _, c := range changes {
		if c.Old != nil {
			t.own.put(write{key: c.Table.storedKey(c.Old)})
		}
		if c.New != nil {
			t.own.put(write{key: c.Table.storedKey(c.New), value: c.Table.encode(c.New)})
		}
	}
	t.changes = append(t.changes, changes...)
	t.keys = append(t.keys, keys...)
}

// Savepoint marks where the transaction stands; RollbackTo goes back there. Locks are kept, as PostgreSQL keeps them.
func (t *Txn) Savepoint() int { return len(t.changes) }

// RollbackTo undoes the changes since a savepoint.
func (t *Txn) RollbackTo(mark int) {
	t.changes = t.changes[:mark:mark]
	t.own = newOverlay(nil)
	for _, c := range t.changes {
		if c.Old != nil {
			t.own.put(write{key: c.Table.storedKey(c.Old)})
		}
		if c.New != nil {
			t.own.put(write{key: c.Table.storedKey(c.New), value: c.Table.encode(c.New)})
		}
	}
}

// net folds changes of one row into its first old and last new, so that a table sees each key once.
func (t *Txn) net() []Change {
	var out []Change
	at := map[string]int{}
	touch := func(c Change, key string) *Change {
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, Change{Table: c.Table, Old: c.Old})
		}
		return &out[i]
	}
	for _, c := range t.changes {
		if c.Old != nil {
			touch(c, string(c.Table.storedKey(c.Old))).New = nil
		}
		if c.New != nil {
			key := string(c.Table.storedKey(c.New))
			moved := c
			if c.Old == nil || string(c.Table.storedKey(c.Old)) != key {
				moved.Old = nil
			}
			touch(moved, key).New = c.New
		}
	}
	kept := out[:0]
	for _, c := range out {
		if c.Old != nil || c.New != nil {
			kept = append(kept, c)
		}
	}
	return kept
}

// waitFor waits until another transaction has ended, unless that would close a circle.
func (t *Txn) waitFor(ctx context.Context, s *Sequencer, holder *Txn) error {
	s.mu.Lock()
	for h := holder; h != nil; h = h.waits {
		if h == t {
			s.mu.Unlock()
			return errs.Deadlock.New()
		}
	}
	t.waits = holder
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		t.waits = nil
		s.mu.Unlock()
	}()
	select {
	case <-holder.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *Txn) finish() {
	select {
	case <-t.ended:
	default:
		close(t.ended)
	}
}
