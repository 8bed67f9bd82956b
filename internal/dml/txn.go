package dml

import (
	"context"
	"slices"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// Chunk is short for the chunks that tables take.
type Chunk = chunk.Chunk

// Txn is a transaction: the changes of its statements, not visible to anybody else until it commits. One goroutine at a
// time uses it.
type Txn struct {
	own      *overlay // of the changes up to shown
	shown    int      // changes in own: they are put there when somebody reads
	changes  []Change // by key
	distinct bool     // no two changes are of one key
	locked   [][]byte
	beside   []kv.Write // durable with the changes
	waits    *Txn       // whom it waits for; guarded by the sequencer's lock
	ended    chan struct{}
}

// Begin starts a transaction.
func Begin() *Txn { return &Txn{own: newOverlay(nil), ended: make(chan struct{})} }

// Beside makes a write durable with the transaction's changes, or not at all: it shares their synced batch. A transaction
// without changes does not write it.
func (t *Txn) Beside(w kv.Write) { t.beside = append(t.beside, w) }

// Empty reports whether the transaction has changed nothing.
func (t *Txn) Empty() bool { return len(t.changes) == 0 }

// add takes over what a statement changes, as byKey gives it.
func (t *Txn) add(changes []Change) {
	t.distinct = len(t.changes) == 0
	t.changes = append(t.changes, changes...)
	for _, c := range changes {
		t.locked = append(t.locked, c.write.key)
	}
}

// over lays the transaction's own changes over a reader.
func (t *Txn) over(r kv.Reader) kv.Reader {
	for _, c := range t.changes[t.shown:] {
		t.own.put(c.write)
	}
	t.shown = len(t.changes)
	if t.shown == 0 {
		return r
	}
	return t.own.over(r)
}

// Savepoint marks where the transaction stands; RollbackTo goes back there. Locks are kept, as PostgreSQL keeps them.
func (t *Txn) Savepoint() int { return len(t.changes) }

// RollbackTo undoes the changes since a savepoint.
func (t *Txn) RollbackTo(mark int) {
	t.changes = t.changes[:mark:mark]
	t.own, t.shown = newOverlay(nil), 0
}

// net folds the statements' changes of one key into its first old and last new row, so that a table sees each key once.
func (t *Txn) net() []Change {
	if t.distinct {
		return t.changes
	}
	var out []Change
	at := make(map[string]int, len(t.changes))
	for _, c := range t.changes {
		key := string(c.write.key)
		if i, ok := at[key]; ok {
			out[i].become(c.New)
			continue
		}
		at[key] = len(out)
		out = append(out, c)
	}
	return slices.DeleteFunc(out, func(c Change) bool { return c.Old == nil && c.New == nil })
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
