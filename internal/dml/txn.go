package dml

import (
	"context"
	"iter"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/mem"
)

// Txn is a transaction: the changes of its statements, not visible to anybody else until it commits. One goroutine at a
// time uses it. The keys in its journal are locked until it ends.
type Txn struct {
	journal journal
	open    bool       // other transactions look at its keys; guarded by the sequencer's lock
	beside  []kv.Write // durable with the changes
	before  func()     // called when they are durable, before they are fed; nil: nothing
	waits   *Txn       // whom it waits for; guarded by the sequencer's lock
	ended   chan struct{}
}

// Begin starts a transaction. Its changes are counted in the account; what is too much for that goes to temporary files of
// the sequencer.
func Begin(account *mem.Budget) *Txn {
	return &Txn{journal: journal{memory: newMemory(account)}, ended: make(chan struct{})}
}

// Beside makes a write durable with the transaction's changes, or not at all: it shares their synced batch. A transaction
// without changes does not write it.
func (t *Txn) Beside(w kv.Write) { t.beside = append(t.beside, w) }

// Before is called once the changes are durable, before their tables get them.
func (t *Txn) Before(f func()) { t.before = f }

// Tables are those that the transaction has changed.
func (t *Txn) Tables() []*Table { return t.journal.tables }

// Fed is what the changes come to for their tables, so far.
func (t *Txn) Fed() iter.Seq2[Fed, error] { return t.journal.fed() }

// Empty reports whether the transaction has changed nothing.
func (t *Txn) Empty() bool { return t.journal.empty() }

// Reader reads what the transaction sees: its own writes over a view.
func (t *Txn) Reader(view kv.Reader) kv.Reader {
	if len(t.journal.changes) == 0 {
		return view
	}
	return overlay{view, ownWrites{&t.journal, len(t.journal.changes)}}
}

// ownWrites is the first mark changes of a journal as a layer: a statement does not see what it writes itself.
type ownWrites struct {
	*journal
	mark int
}

func (o ownWrites) get(key []byte) (write, bool) {
	i := o.last(key, o.mark)
	if i < 0 {
		return write{}, false
	}
	return write{key: key, value: o.journal.new(i)}, true
}

func (o ownWrites) within(start, end []byte) []write { return o.journal.within(start, end, o.mark) }

// Savepoint marks where the transaction stands; RollbackTo goes back there. Locks are kept, as PostgreSQL keeps them.
func (t *Txn) Savepoint() int { return len(t.journal.changes) }

// RollbackTo undoes the changes since a savepoint.
func (t *Txn) RollbackTo(mark int) { t.journal.undo(mark) }

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
