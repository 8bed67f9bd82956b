package capture

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/meta"
)

// Back-off between attempts to connect; it doubles, and starts anew once something was read.
const (
	backoffMin = 100 * time.Millisecond
	backoffMax = 30 * time.Second
)

// Bounds of a batch, which is one transaction here: what has gathered shares one synced write.
const (
	batchChanges = 4096
	batchTxns    = 256
	batchBytes   = 16 << 20
)

// persistEvery is how often the position is stored when no row came; the upstream can forget its log up to there.
const persistEvery = time.Second

// source reads one log with one goroutine, which owns everything below but the board.
type source struct {
	c     *Captures
	rel   *catalog.Relation
	rec   *meta.Capture // as stored
	board board
	wake  chan struct{} // holds a token while the catalog may have changed
	life  struct {
		sync.Mutex
		stop  context.CancelFunc // nil: the source has ended for good
		ended sync.WaitGroup
	}

	tables    map[id.Relation]*table
	seen      *catalog.Snapshot  // the catalog that tables is of
	retryAt   time.Time          // when tables that could not be captured are looked at again; zero: there are none
	at        connector.Position // reached by the log
	passed    passed
	memory    *mem.Budget // what this connection has read and not written
	reading   *reading    // of a history, on its way; nil when there is none
	persisted time.Time
	asked     time.Time // for the upstream's standing
}

func newSource(c *Captures, rel *catalog.Relation, rec *meta.Capture) *source {
	if rec == nil {
		rec = &meta.Capture{Tables: map[id.Relation]*meta.CapturedTable{}}
	}
	s := &source{c: c, rel: rel, rec: rec, wake: make(chan struct{}, 1)}
	s.board.disconnected(c.o.Now(), nil)
	s.showRecord()
	return s
}

// showRecord shows what is stored: what was read stays readable while the upstream is away.
func (s *source) showRecord() {
	s.show(func(b *board) {
		b.position, b.tables = connector.Position(s.rec.Position), map[id.Relation]TableStatus{}
		for r, t := range s.rec.Tables {
			b.tables[r] = tableStatus(t)
		}
	})
}

func (s *source) options() connector.Options { return s.rel.With }

func (s *source) start() {
	s.life.Lock()
	defer s.life.Unlock()
	s.startLocked()
}

func (s *source) startLocked() {
	ctx, stop := context.WithCancel(context.Background())
	s.life.stop = stop
	s.life.ended.Add(1)
	go func() {
		defer s.life.ended.Done()
		s.run(ctx)
	}()
}

func (s *source) end() {
	s.life.Lock()
	defer s.life.Unlock()
	s.stopLocked()
}

func (s *source) stopLocked() {
	s.life.stop()
	s.life.ended.Wait()
	s.life.stop = nil
}

func (s *source) wakeUp() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// run connects again and again until the source ends.
func (s *source) run(ctx context.Context) {
	wait := backoffMin
	for ctx.Err() == nil {
		from := s.rec.Position
		err := s.connect(ctx)
		if ctx.Err() != nil {
			return
		}
		if errors.Is(err, errAltered) {
			continue
		}
		if s.rec.Position != from {
			wait = backoffMin
		}
		s.c.o.Logger.Warn("source interrupted", "source", s.rel.Name, "code", errs.Code(err), "error", err, "again_in", wait)
		s.show(func(b *board) { b.disconnected(s.c.o.Now(), err) })
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
		wait = min(2*wait, backoffMax)
	}
}

// errLogEnded stands for a log that ended without a reason.
var errLogEnded = errors.New("the log ended")

// connect reads the log from what is stored until something fails.
func (s *source) connect(ctx context.Context) error {
	s.tables, s.passed, s.at, s.seen = map[id.Relation]*table{}, passed{}, connector.Position(s.rec.Position), s.c.o.Catalog()
	s.memory = s.c.o.Memory.Child("source "+s.rel.Name, s.c.o.Memory.Limit())
	defer s.memory.Close()
	fresh, err := s.load(ctx)
	if err != nil {
		return err
	}
	r, err := s.c.system(s.rel).Open(ctx, s.options(), connector.Position(s.rec.Position), s.captures(), s.memory)
	if err != nil {
		return err
	}
	defer r.Close()
	defer s.dropReading()
	if err := s.begin(ctx, r, fresh); err != nil {
		return err
	}
	s.show((*board).connected)
	for {
		if err := s.refresh(ctx, r); err != nil {
			return err
		}
		if err := s.turn(ctx, r); err != nil {
			return err
		}
	}
}

// turn takes what the log has, then reads a piece of history if one is due.
func (s *source) turn(ctx context.Context, r connector.Reader) error {
	batch, open := s.gather(ctx, r)
	if s.mustFinish(batch) {
		if err := s.finishReading(ctx, r, onlyPositions(batch)); err != nil {
			return err
		}
	}
	for _, ev := range batch {
		if err := s.altered(ctx, ev.Altered); err != nil {
			return err
		}
	}
	if len(batch) > 0 || uint64(s.at) > s.rec.Position {
		if err := s.apply(ctx, r, batch); err != nil {
			return err
		}
	}
	for _, ev := range batch {
		s.memory.Release(ev.Bytes)
	}
	if !open {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := r.Err(); err != nil {
			return err
		}
		return errLogEnded
	}
	if err := s.stand(ctx, r); err != nil {
		return err
	}
	return s.readHistory(ctx, r)
}

// onlyPositions reports whether a batch changes no captured row.
func onlyPositions(batch []connector.Event) bool {
	return !slices.ContainsFunc(batch, func(ev connector.Event) bool { return ev.Txn != nil && len(ev.Txn.Changes) > 0 })
}

// gather waits for events, unless history is due, and takes those at hand. open is false when no more will come.
func (s *source) gather(ctx context.Context, r connector.Reader) (batch []connector.Event, open bool) {
	timer := time.NewTimer(s.pause())
	defer timer.Stop()
	select {
	case ev, ok := <-r.Events():
		if !ok {
			return nil, false
		}
		batch = append(batch, ev)
	case <-timer.C:
		return nil, true
	case <-s.wasRead():
		return nil, true
	case <-s.wake:
		return nil, true
	case <-ctx.Done():
		return nil, false
	}
	changes, bytes := 0, int64(0)
	for len(batch) < batchTxns {
		last := batch[len(batch)-1]
		if bytes += last.Bytes; last.Txn != nil {
			changes += len(last.Txn.Changes)
		}
		if changes >= batchChanges || bytes >= within(s.memory, batchBytes, batchShare) {
			break
		}
		select {
		case ev, ok := <-r.Events():
			if !ok {
				return batch, false
			}
			batch = append(batch, ev)
		default:
			return batch, true
		}
	}
	return batch, true
}

// pause is how long the source may wait for the log.
func (s *source) pause() time.Duration {
	wait := persistEvery
	for _, t := range s.tables {
		if t.due() && s.reading == nil {
			wait = min(wait, t.pace.at.Sub(s.c.o.Now()))
		}
	}
	return wait
}

// commit runs changes through the sequencer and stores the record with them. A record that comes without a change of rows or
// of a history's progress is stored now and then.
func (s *source) commit(ctx context.Context, fill func(*applier, *meta.Capture) (progress bool, err error)) error {
	var next *meta.Capture
	var progress bool
	txn := dml.Begin(s.memory)
	applied := mem.NewMeter(s.memory)
	defer applied.Close()
	err := s.c.o.Sequencer.Exec(ctx, txn, func(w *dml.Writer) (err error) {
		next = s.rec.Clone()
		a := newApplier(s.tables, w.Reader, &applied)
		if progress, err = fill(a, next); err != nil {
			return err
		}
		progress = s.settle(next, a) || progress
		return a.write(w)
	})
	if err != nil {
		s.c.o.Sequencer.Rollback(txn)
		return err
	}
	now := s.c.o.Now()
	switch write := meta.PutCapture(s.rel.ID, next); {
	case !txn.Empty():
		txn.Beside(write)
		_, err = s.c.o.Sequencer.Commit(txn)
	case progress || now.Sub(s.persisted) >= persistEvery:
		s.c.o.Sequencer.Rollback(txn)
		err = s.c.o.Store.Apply([]kv.Write{write})
	default:
		s.c.o.Sequencer.Rollback(txn)
		return nil
	}
	if err != nil {
		return err
	}
	s.persisted = now
	return s.stored(next)
}

// settle notes the holes that a batch found, and closes the windows that the position has passed; it reports whether there
// were any.
func (s *source) settle(next *meta.Capture, a *applier) (progress bool) {
	for r, t := range s.tables {
		rec := next.Tables[r]
		for _, key := range slices.Sorted(maps.Keys(a.holes[t])) {
			rec.Holes = append(rec.Holes, []byte(key))
			progress = true
		}
		progress = closeWindows(rec, connector.Position(next.Position)) || progress
		rec.Whole = rec.Whole || settled(rec)
	}
	return progress
}

// keep stores a record that comes without a change of rows.
func (s *source) keep(next *meta.Capture) error {
	if err := s.c.o.Store.Apply([]kv.Write{meta.PutCapture(s.rel.ID, next)}); err != nil {
		return err
	}
	s.rec = next
	return nil
}

// stored takes over a record that is durable.
func (s *source) stored(next *meta.Capture) error {
	s.rec = next
	for r, t := range s.tables {
		if err := t.setRecord(next.Tables[r]); err != nil {
			return err
		}
	}
	s.show(func(b *board) {
		b.reached(connector.Position(next.Position))
		for r, t := range s.tables {
			st := tableStatus(t.rec)
			st.Total, st.Wait, st.Drift = t.total(), b.tables[r].Wait, b.tables[r].Drift
			b.tables[r] = st
		}
	})
	return nil
}
