// Package dml is the sequencer of writes: it turns statements into exact (old, new) pairs in one order, makes them
// durable in the DML log, and feeds them to their tables.
//
// A statement is evaluated over the visible epoch, the writes sequenced since, and its own transaction's writes. One is
// evaluated at a time. Rows that an open transaction has written are locked until it ends: a statement that would write
// one waits and is evaluated again, as PostgreSQL does under READ COMMITTED.
package dml

import (
	"context"
	"encoding/binary"
	"sync"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// Engine is what the sequencer needs of the engine.
type Engine interface {
	View() kv.View
	Visible() epoch.Epoch
	// Feed gives rows to their tables between two barriers and returns the epoch they belong to.
	Feed(seq uint64, rows []Fed) (epoch.Epoch, error)
	// Log makes entries durable, synced.
	Log(writes []kv.Write) error
}

// Fed is the rows of one table.
type Fed struct {
	Job  id.Job
	Rows *Chunk
}

// batchMax bounds how many statements share one synced write of the log.
const batchMax = 256

// Sequencer orders all writes of an engine.
type Sequencer struct {
	engine Engine
	mu     struct {
		sync.Mutex
		seq    uint64 // of the last statement sequenced
		recent *overlay
		fed    []fedSeq // statements in the overlay, by sequence number
		locks  map[string]*Txn
		wrote  map[id.Table]epoch.Epoch // the epoch of the last write fed to each table
		queue  []*commit                // on their way to the log, at most one a session
		closed bool
	}
	wake chan struct{} // holds one token while the queue may be not empty
	done chan struct{}
}

// fedSeq remembers the epoch of a statement, so that its writes leave the overlay once that is visible.
type fedSeq struct {
	seq     uint64
	epoch   epoch.Epoch
	changes []Change
}

// commit is a statement or transaction on its way to the log.
type commit struct {
	seq     uint64
	changes []Change
	beside  []kv.Write
	ack     func(epoch.Epoch, error)
}

// New starts a sequencer after the highest sequence number in use.
func New(e Engine, seq uint64) *Sequencer {
	s := NewStepped(e, seq)
	go s.run()
	return s
}

// NewStepped returns a sequencer that writes when Write is called and not by itself, for simulations.
func NewStepped(e Engine, seq uint64) *Sequencer {
	s := &Sequencer{engine: e, wake: make(chan struct{}, 1), done: make(chan struct{})}
	s.mu.seq = seq
	s.mu.recent = newOverlay(nil)
	s.mu.locks, s.mu.wrote = map[string]*Txn{}, map[id.Table]epoch.Epoch{}
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

// Eval computes what a statement changes, reading through r.
type Eval func(r kv.Reader) ([]Change, error)

// Exec evaluates a statement inside a transaction and keeps its changes there. rows that other transactions have locked
// are waited for.
func (s *Sequencer) Exec(ctx context.Context, t *Txn, eval Eval) error {
	for {
		wait, err := s.try(t, eval)
		if err != nil || wait == nil {
			return err
		}
		if err := t.waitFor(ctx, s, wait); err != nil {
			return err
		}
	}
}

// try evaluates once; it returns the transaction that holds a lock the statement needs.
func (s *Sequencer) try(t *Txn, eval Eval) (wait *Txn, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.engine.View()
	defer v.Close()
	s.pruneLocked(v.Epoch())
	changes, err := eval(t.over(s.mu.recent.over(v)))
	if err != nil {
		return nil, err
	}
	changes = byKey(changes)
	for _, c := range changes {
		if holder := s.mu.locks[string(c.write.key)]; holder != nil && holder != t {
			return holder, nil
		}
	}
	for _, c := range changes {
		s.mu.locks[string(c.write.key)] = t
	}
	t.add(changes)
	return nil, nil
}

// pruneLocked drops from the overlay what the visible epoch holds.
func (s *Sequencer) pruneLocked(visible epoch.Epoch) {
	for len(s.mu.fed) > 0 && s.mu.fed[0].epoch != 0 && s.mu.fed[0].epoch <= visible {
		f := s.mu.fed[0]
		s.mu.fed = s.mu.fed[1:]
		for _, c := range f.changes {
			if w, ok := s.mu.recent.tree.Get(c.write); ok && w.seq == f.seq {
				s.mu.recent.tree.Delete(w)
			}
		}
	}
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

// Submit begins what Commit does; ack is called once, when the changes are durable and fed, or have failed.
func (s *Sequencer) Submit(t *Txn, ack func(epoch.Epoch, error)) {
	changes := t.net()
	if len(changes) == 0 {
		s.Rollback(t)
		ack(0, nil)
		return
	}
	c := &commit{changes: changes, beside: t.beside, ack: ack}
	s.mu.Lock()
	s.mu.seq++
	c.seq = s.mu.seq
	for _, ch := range changes {
		w := ch.write
		w.seq = c.seq
		s.mu.recent.put(w)
	}
	s.mu.fed = append(s.mu.fed, fedSeq{seq: c.seq, changes: changes})
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
}

func (s *Sequencer) unlockLocked(t *Txn) {
	for _, k := range t.locked {
		if s.mu.locks[string(k)] == t {
			delete(s.mu.locks, string(k))
		}
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
	writes := make([]kv.Write, 0, len(batch))
	for _, c := range batch {
		writes = append(append(writes, kv.Write{Key: LogKey(c.seq), New: encodeEntry(c.changes)}), c.beside...)
	}
	err := s.engine.Log(writes)
	for _, c := range batch {
		var e epoch.Epoch
		if err == nil {
			e, err = s.feed(c)
		}
		c.ack(e, err)
	}
	return true
}

func (s *Sequencer) feed(c *commit) (epoch.Epoch, error) {
	e, err := s.engine.Feed(c.seq, fedRows(c.changes))
	if err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.mu.fed {
		if s.mu.fed[i].seq == c.seq {
			s.mu.fed[i].epoch = e
			break
		}
	}
	for _, ch := range c.changes {
		s.mu.wrote[ch.Table.Rel.Table] = e
	}
	return e, nil
}

// Reader reads what the transaction sees: its own writes over a view.
func (t *Txn) Reader(view kv.Reader) kv.Reader { return t.over(view) }

// Wrote returns the epoch that a reader of the tables must wait for to see every write acknowledged so far.
func (s *Sequencer) Wrote(tables []id.Table) epoch.Epoch {
	s.mu.Lock()
	defer s.mu.Unlock()
	var e epoch.Epoch
	for _, t := range tables {
		e = max(e, s.mu.wrote[t])
	}
	return e
}

// LogKey is the key of an entry of the DML log in the meta space.
func LogKey(seq uint64) []byte {
	return binary.BigEndian.AppendUint64(append([]byte{kv.SpaceMeta}, "dml/"...), seq)
}

// LogRange is the keys of all entries up to seq.
func LogRange(seq uint64) (start, end []byte) { return LogKey(0), LogKey(seq + 1) }

// Replay feeds the entries of the log above the durable sequence number, in order: they were acknowledged and must be in
// every later epoch. It returns the highest number, and the epoch that nobody may read before.
func Replay(e Engine, meta kv.Reader, durable uint64, table func(id.Table) (*Table, bool)) (seq uint64, at epoch.Epoch, err error) {
	seq = durable
	it := meta.Scan(LogKey(durable+1), LogKey(^uint64(0)))
	for it.Next() {
		key := it.Key()
		seq = binary.BigEndian.Uint64(key[len(key)-8:])
		changes, err := decodeEntry(it.Value(), table)
		if err == nil {
			at, err = e.Feed(seq, fedRows(changes))
		}
		if err != nil {
			it.Close()
			return 0, 0, err
		}
	}
	return seq, at, it.Close()
}
