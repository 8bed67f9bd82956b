package actor

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/stream"
)

// QueueRows bounds what one input holds before its sender waits: enough to keep both sides busy, little enough that a
// barrier overtakes nothing for long.
const QueueRows = 8 * chunk.RowsMax

// Msg is one item of an input: exactly one field is set.
type Msg struct {
	Chunk     *chunk.Chunk
	Watermark *stream.Watermark
	Barrier   *stream.Barrier
}

func (m Msg) rows() int {
	if m.Chunk == nil {
		return 0
	}
	return m.Chunk.Rows()
}

// Inbox holds what was sent to an actor and not read yet, in one bounded queue per input.
type Inbox struct {
	rowsMax int // of one queue
	mu      struct {
		sync.Mutex
		queues []queue
		awake  bool // Wake was called since the reader last looked for work
		closed bool
	}
	stopped  atomic.Bool // mu.closed, for those who ask often
	readable *sync.Cond  // something changed for the reader
	writable *sync.Cond  // a full queue has room, or the inbox is closed
}

type queue struct {
	msgs []Msg
	rows int
}

// NewInbox returns an inbox of n empty inputs, each of which takes messages while it holds fewer rows than rowsMax.
func NewInbox(n, rowsMax int) *Inbox {
	b := &Inbox{rowsMax: rowsMax}
	b.mu.queues = make([]queue, n)
	b.readable, b.writable = sync.NewCond(&b.mu), sync.NewCond(&b.mu)
	return b
}

// Send puts a message into an input and waits while it is full. It reports false when the reader is gone; the message is
// dropped then, which is what a consumer that is being rolled back wants.
func (b *Inbox) Send(input int, m Msg) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	q := &b.mu.queues[input]
	for b.fullLocked(q, m) {
		b.writable.Wait()
	}
	if b.mu.closed {
		return false
	}
	q.msgs = append(q.msgs, m)
	q.rows += m.rows()
	b.readable.Signal()
	return true
}

// Full reports whether Send would wait. An input has one sender, so what he sees stays true until he sends.
func (b *Inbox) Full(input int, m Msg) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.fullLocked(&b.mu.queues[input], m)
}

func (b *Inbox) fullLocked(q *queue, m Msg) bool {
	return q.rows >= b.rowsMax && !b.mu.closed && m.Chunk != nil
}

// Pending reports whether something was sent that is not read yet.
func (b *Inbox) Pending() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.mu.queues, func(q queue) bool { return len(q.msgs) > 0 })
}

// Wake makes the reader look at its work again.
func (b *Inbox) Wake() {
	b.mu.Lock()
	b.mu.awake = true
	b.mu.Unlock()
	b.readable.Signal()
}

// Close drops everything; senders and the reader return at once.
func (b *Inbox) Close() {
	b.mu.Lock()
	b.mu.closed = true
	b.mu.Unlock()
	b.stopped.Store(true)
	b.readable.Broadcast()
	b.writable.Broadcast()
}

// Closed reports whether Close was called.
func (b *Inbox) Closed() bool { return b.stopped.Load() }

// got says what a look at an inbox has found.
type got uint8

const (
	gotNothing got = iota
	gotMessage
	gotWake   // Wake was called
	gotClosed // and nothing can be read any more
)

// next takes the first message of an open input, in turn. With block it waits for one, for Wake, or for the time limit
// (0: none).
func (b *Inbox) next(open func(input int) bool, turn *int, block bool, limit time.Duration) (input int, m Msg, found got) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var timer *time.Timer
	expired := false
	for {
		if b.mu.closed {
			return 0, Msg{}, gotClosed
		}
		if input, m, ok := b.takeLocked(open, turn); ok {
			return input, m, gotMessage
		}
		if b.mu.awake {
			b.mu.awake = false
			return 0, Msg{}, gotWake
		}
		if !block || expired {
			return 0, Msg{}, gotNothing
		}
		if limit > 0 && timer == nil {
			timer = time.AfterFunc(limit, func() {
				b.mu.Lock()
				expired = true
				b.mu.Unlock()
				b.readable.Signal()
			})
			defer timer.Stop()
		}
		b.readable.Wait()
	}
}

func (b *Inbox) takeLocked(open func(int) bool, turn *int) (int, Msg, bool) {
	n := len(b.mu.queues)
	for k := range n {
		i := (*turn + k) % n
		q := &b.mu.queues[i]
		if len(q.msgs) == 0 || !open(i) {
			continue
		}
		m := q.msgs[0]
		q.msgs[0] = Msg{}
		if q.msgs = q.msgs[1:]; len(q.msgs) == 0 {
			q.msgs = nil
		}
		full := q.rows >= b.rowsMax
		if q.rows -= m.rows(); full && q.rows < b.rowsMax {
			b.writable.Broadcast()
		}
		*turn = i + 1
		return i, m, true
	}
	return 0, Msg{}, false
}
