// Package dml is the sequencer of writes: it turns statements into exact (old, new) pairs in one order, makes them
// durable in the DML log, and feeds them to their tables.
//
// A statement is evaluated over the visible epoch, the writes sequenced since, and its own transaction's writes. One is
// evaluated at a time. Rows that an open transaction has written are locked until it ends: a statement that would write
// one waits and is evaluated again, as PostgreSQL does under READ COMMITTED.
package dml

import (
	"context"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/spill"
)

// Engine is what the sequencer needs of the engine.
type Engine interface {
	View() kv.View
	Visible() epoch.Epoch
	Durable() epoch.Epoch
	// Feed gives rows to their tables between two barriers and returns the epoch they belong to.
	Feed(seq uint64, rows iter.Seq2[Fed, error]) (epoch.Epoch, error)
	// Log makes entries durable, synced.
	Log(writes []kv.Write) error
}

// Options bound what statements may write. The zero value bounds nothing.
type Options struct {
	// Memory is the account of what was committed and is not visible yet.
	Memory *mem.Budget
	// WaitVisible lets a statement for which there is no room wait for the epoch of others that are on their way; nil: it
	// fails at once.
	WaitVisible func(context.Context, epoch.Epoch) error
	// Spill is where changes go that are too many for an account; nil: their statement is refused.
	Spill *spill.Dir
	// RowSizeMax is the size in bytes above which a row is refused; nil: there is none.
	RowSizeMax func() int64
}

// batchMax bounds how many statements share one synced write of the log.
const batchMax = 256

// Sequencer orders all writes of an engine.
type Sequencer struct {
	engine Engine
	o      Options
	mu     struct {
		sync.Mutex
		seq    uint64 // of the last statement sequenced
		recent *recent
		open   []*Txn                   // have written and not ended: their keys are locked
		wrote  map[id.Table]epoch.Epoch // the epoch of the last write fed to each table
		queue  []*commit                // on their way to the log, at most one a session
		closed bool
	}
	parts []loggedParts // entries whose parts are still stored; used by Write alone
	wake  chan struct{} // holds one token while the queue may be not empty
	done  chan struct{}
}

// commit is a statement or transaction on its way to the log.
type commit struct {
	*sequenced
	beside []kv.Write
	before func()
	ack    func(epoch.Epoch, error)
}

// New starts a sequencer after the highest sequence number in use.
func New(e Engine, seq uint64, o Options) *Sequencer {
	s := NewStepped(e, seq, o)
	go s.run()
	return s
}

// NewStepped returns a sequencer that writes when Write is called and not by itself, for simulations.
func NewStepped(e Engine, seq uint64, o Options) *Sequencer {
	if o.RowSizeMax == nil {
		o.RowSizeMax = func() int64 { return math.MaxInt64 }
	}
	s := &Sequencer{engine: e, o: o, wake: make(chan struct{}, 1), done: make(chan struct{})}
	s.mu.seq = seq
	s.mu.recent, s.mu.wrote = newRecent(), map[id.Table]epoch.Epoch{}
	return s
}

// Close waits for what is under way and ends the sequencer; nobody may use it any more.
func (s *Sequencer) Close() {
	s.mu.Lock()
	s.mu.closed = true
	s.mu.Unlock()
	s.signal()
	<-s.done
}

// Eval finds what a statement changes and puts it into the writer.
type Eval func(w *Writer) error

// Exec evaluates a statement inside a transaction and keeps its changes there. Rows that other transactions have locked
// are waited for.
func (s *Sequencer) Exec(ctx context.Context, t *Txn, eval Eval) error {
	for waits := 0; ; {
		wait, err := s.try(t, eval)
		if err != nil && waits < roomWaits && s.makeRoom(ctx, err) {
			waits++
			continue
		}
		if err != nil || wait == nil {
			return err
		}
		if err := t.waitFor(ctx, s, wait); err != nil {
			return err
		}
	}
}

// roomWaits is how often a statement waits for room. What it waits for was written before it began, so more would only help
// against others that take the room again.
const roomWaits = 3

// makeRoom waits until what was committed and fed is visible, if a statement has failed because that takes the memory.
func (s *Sequencer) makeRoom(ctx context.Context, failure error) bool {
	f, ok := errs.As(failure)
	if !ok || f.Entry != errs.OutOfMemory || s.o.WaitVisible == nil {
		return false
	}
	s.mu.Lock()
	at := s.mu.recent.newest()
	s.mu.Unlock()
	return at != 0 && s.o.WaitVisible(ctx, at) == nil
}

// try evaluates once; it returns the transaction that holds a lock the statement needs. A statement that fails or must wait
// leaves nothing behind.
func (s *Sequencer) try(t *Txn, eval Eval) (wait *Txn, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.engine.View()
	defer v.Close()
	s.mu.recent.prune(v.Epoch())
	t.journal.memory.spill = s.o.Spill
	w := &Writer{Reader: t.Reader(overlay{v, s.mu.recent}), s: s, t: t, mark: len(t.journal.changes), sizeMax: s.o.RowSizeMax()}
	w.moved.memory = t.journal.memory.beside()
	defer w.moved.close()
	if err = eval(w); err == nil {
		err = w.settle()
	}
	if err != nil {
		t.journal.cut(w.mark)
		if w.wait != nil {
			return w.wait, nil
		}
		return nil, err
	}
	if !t.open && len(t.journal.changes) > 0 {
		t.open = true
		s.mu.open = append(s.mu.open, t)
	}
	return nil, nil
}

// Commit makes the transaction's changes durable and gives them to their tables, all in one epoch, which it returns.
func (s *Sequencer) Commit(t *Txn) (at epoch.Epoch, err error) {
	done := make(chan struct{})
	s.Submit(t, func(e epoch.Epoch, failure error) {
		at, err = e, failure
		close(done)
	})
	<-done
	return at, err
}

// Submit begins what Commit does; ack is called once, when the changes are durable and fed, or have failed. Nobody may use
// the transaction any more.
func (s *Sequencer) Submit(t *Txn, ack func(epoch.Epoch, error)) {
	if t.journal.nothing() {
		s.Rollback(t)
		ack(0, nil)
		return
	}
	j := &t.journal
	j.memory.charge(s.o.Memory)
	s.mu.Lock()
	s.mu.seq++
	c := &commit{sequenced: &sequenced{seq: s.mu.seq, journal: j}, beside: t.beside, before: t.before, ack: ack}
	s.mu.recent.add(c.sequenced)
	s.unlockLocked(t)
	s.mu.queue = append(s.mu.queue, c)
	s.mu.Unlock()
	s.signal()
}

// Rollback forgets the transaction's changes.
func (s *Sequencer) Rollback(t *Txn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unlockLocked(t)
	t.journal.close()
}

func (s *Sequencer) unlockLocked(t *Txn) {
	if i := slices.Index(s.mu.open, t); i >= 0 {
		s.mu.open = slices.Delete(s.mu.open, i, i+1)
	}
	t.finish()
}

func (s *Sequencer) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// run is the group commit: what has gathered while the last write was synced shares the next.
func (s *Sequencer) run() {
	defer close(s.done)
	for range s.wake {
		for s.Write() {
		}
		s.mu.Lock()
		closed := s.mu.closed
		s.mu.Unlock()
		if closed {
			return
		}
	}
}

func (s *Sequencer) take() []*commit {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := min(len(s.mu.queue), batchMax)
	batch := s.mu.queue[:n:n]
	s.mu.queue = s.mu.queue[n:]
	return batch
}

// Write makes what has gathered durable, feeds it in order, and tells those who wait. It reports whether there was any.
func (s *Sequencer) Write() bool {
	batch := s.take()
	if len(batch) == 0 {
		return false
	}
	err := s.log(batch)
	for _, c := range batch {
		var e epoch.Epoch
		if err == nil {
			e, err = s.feed(c)
		}
		c.ack(e, err)
	}
	return true
}

// log makes a batch durable: one write, but for the parts of large entries.
func (s *Sequencer) log(batch []*commit) error {
	writes := s.uselessParts(make([]kv.Write, 0, len(batch)))
	for _, c := range batch {
		entry, parts, err := c.journal.logged(c.seq, s.engine.Log)
		if err != nil {
			return err
		}
		if parts > 0 {
			s.parts = append(s.parts, loggedParts{c.sequenced, parts})
		}
		writes = append(append(writes, entry), c.beside...)
	}
	return s.engine.Log(writes)
}

// loggedParts says how many parts an entry has in the store.
type loggedParts struct {
	*sequenced
	parts uint32
}

// uselessParts deletes the parts of entries that the durable epoch holds.
func (s *Sequencer) uselessParts(writes []kv.Write) []kv.Write {
	for len(s.parts) > 0 && s.parts[0].epoch != 0 && s.parts[0].epoch <= s.engine.Durable() {
		for i := range s.parts[0].parts {
			writes = append(writes, kv.Write{Key: partKey(s.parts[0].seq, i)})
		}
		s.parts = s.parts[1:]
	}
	return writes
}

func (s *Sequencer) feed(c *commit) (epoch.Epoch, error) {
	if c.before != nil {
		c.before()
	}
	e, err := s.engine.Feed(c.seq, c.journal.fed())
	if err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mu.recent.fed(c.seq, e)
	for _, t := range c.journal.tables {
		s.mu.wrote[t.Rel.Table] = e
	}
	return e, nil
}

// Wrote returns the epoch that a reader of the tables must wait for to see every write acknowledged so far.
func (s *Sequencer) Wrote(tables []id.Table) epoch.Epoch {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.mu.recent.large) > 0 { // their memory and files do not wait for the next statement that writes
		v := s.engine.View()
		s.mu.recent.prune(v.Epoch())
		v.Close()
	}
	var e epoch.Epoch
	for _, t := range tables {
		e = max(e, s.mu.wrote[t])
	}
	return e
}
