package tidemark

import (
	"context"
	"errors"
	"iter"
	"sync"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/session"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Op says what an event does.
type Op byte

const (
	Insert   Op = '+' // the row is there from this epoch on
	Delete   Op = '-' // the row is gone from this epoch on
	Progress Op = '.' // all events up to this epoch were delivered: what they add up to is the view as of this epoch
)

// Event is one step of a subscription. An update is the Delete of the old row and the Insert of the new one.
type Event struct {
	Epoch uint64 // grows from one Progress to the next; it has gaps, and no meaning outside of the order
	Op    Op
	Row   []any // nil for Progress
}

// Subscription yields the rows of a view as of one epoch as Inserts, a Progress, and then, for as long as its context
// lasts, what each later epoch adds and removes, followed by a Progress each time. Applied to a bag of rows the events
// give the view as of each Progress, exactly.
//
//	for sub.Next() { apply(sub.Event()) }
//	err := sub.Err()
//
// Epochs are those that readers see; a crash can take back the last ones, and a subscription of the DB that is opened
// then begins with a snapshot again. Changes wait for their reader on disk, for up to changelog_retention.
type Subscription struct {
	db     *DB
	ctx    context.Context
	cancel context.CancelFunc
	mu     sync.Mutex // held while Next runs
	inner  *session.Subscription
	shape  shape
	text   types.Ctx

	pull  func() (batch, error, bool)
	stop  func()
	batch batch
	at    int
	fresh bool // events since the last Progress
	event Event
	err   error
	ended bool
}

// batch is a piece of one epoch; without rows it says that the epoch is complete.
type batch struct {
	epoch epoch.Epoch
	rows  *chunk.Chunk
}

// Subscribe follows a table, materialized view or index by its name. The snapshot shows every write that was acknowledged
// before. The subscription ends with its context, and must be closed.
func (db *DB) Subscribe(ctx context.Context, view string) (*Subscription, error) {
	c, err := db.Conn()
	if err != nil {
		return nil, err
	}
	sub := &Subscription{db: db, text: c.s.TextContext()}
	sub.inner, err = call(c, ctx, func(ctx context.Context) (*session.Subscription, error) { return c.s.Subscribe(ctx, view) })
	if err := errors.Join(err, c.Close()); err != nil {
		return nil, err
	}
	sub.ctx, sub.cancel = db.within(ctx)
	sub.shape = shapeOf(sub.inner.Columns())
	sub.fresh = true // also an empty snapshot ends with a Progress
	sub.pull, sub.stop = iter.Pull2(sub.batches)
	if err := db.keep(sub); err != nil {
		_ = sub.Close() // it was never open
		return nil, err
	}
	return sub, nil
}

// errStopped ends a delivery that nobody waits for any more.
var errStopped = errors.New("the subscription was closed")

// batches runs the subscription as a coroutine, so that rows come as they are read, however many an epoch has.
func (s *Subscription) batches(yield func(batch, error) bool) {
	for {
		to, err := s.inner.Next(s.ctx, func(e epoch.Epoch, c *chunk.Chunk) error {
			if !yield(batch{e, c}, nil) {
				return errStopped
			}
			return nil
		})
		if err != nil {
			if !errors.Is(err, errStopped) {
				yield(batch{}, err)
			}
			return
		}
		if !yield(batch{epoch: to}, nil) {
			return
		}
	}
}

// Columns describes the rows.
func (s *Subscription) Columns() []Column { return s.shape.columns() }

// Next waits for the next event. It returns false when the subscription has ended; Err tells why.
func (s *Subscription) Next() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.ended {
		if s.at++; s.batch.rows != nil && s.at < s.batch.rows.Rows() {
			s.setEventLocked()
			return true
		}
		b, err, ok := s.pull()
		if !ok || err != nil {
			s.ended = true
			s.err = s.db.failure(s.ctx, err)
			break
		}
		s.batch, s.at = b, -1
		if b.rows == nil && s.fresh {
			s.fresh, s.event = false, Event{Epoch: uint64(b.epoch), Op: Progress}
			return true
		}
	}
	return false
}

func (s *Subscription) setEventLocked() {
	s.fresh = true
	s.event = Event{Epoch: uint64(s.batch.epoch), Op: Insert, Row: s.shape.values(s.batch.rows, s.at, s.text)}
	if s.batch.rows.Op(s.at) == chunk.Delete {
		s.event.Op = Delete
	}
}

// Event is the current event.
func (s *Subscription) Event() Event { return s.event }

// Scan reads the row of the current event as Rows.Scan does.
func (s *Subscription) Scan(dest ...any) error {
	if s.event.Row == nil {
		return public(errs.ScanCount.New("want", 0, "got", len(dest)))
	}
	return public(s.shape.scan(s.batch.rows, s.at, s.text, dest))
}

// Err is why Next returned false: the end of the context, of the DB, or of what was followed.
func (s *Subscription) Err() error { return s.err }

// Close ends the subscription.
func (s *Subscription) Close() error {
	s.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inner == nil {
		return nil
	}
	if !s.ended {
		s.ended, s.err = true, s.db.failure(s.ctx, errStopped)
	}
	s.stop()
	s.inner.Close()
	s.inner = nil
	s.db.forget(s)
	return nil
}
