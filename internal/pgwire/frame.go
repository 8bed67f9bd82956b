package pgwire

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"github.com/tidemark-db/tidemark/internal/errs"
)

const (
	smallMessageMax = 10_000    // of messages that hold a name or less, as in PostgreSQL
	loginMessageMax = 64 << 10  // passwords and SASL data
	spillBytesKept  = 64 << 10  // a larger assembly buffer is given up after its message
	parseExtraBytes = 320 << 10 // what Parse may have beyond its text: a name and 65,535 parameter types
)

// frame is one message: its type and body. The body is valid until the next call of next.
type frame struct {
	kind byte
	body []byte
	size int  // of the body as announced
	cut  bool // the body was longer than allowed and has been discarded
}

// frames cuts the bytes of an inbox into messages. Memory grows with the bytes that arrive, never with what a header
// announces. A call of next that is interrupted loses nothing: the following one goes on in the middle of the message.
type frames struct {
	in    *inbox
	conn  io.Reader                             // that the inbox is of
	ctx   context.Context                       // whose end ends a Read of conn; other waits leave it to the reader
	limit func(kind byte) (max int, fatal bool) // negative: no such message
	buf   []byte                                // current buffer of the inbox; released when further bytes are needed
	rest  []byte                                // what of buf is not consumed
	spill []byte                                // the piece that is being assembled because it crosses buffers
	open  bool                                  // cur's header has been read, its body not
	cur   frame
	skips int // bytes of cur's body still to be discarded
}

// wait is how long next may block.
type wait struct {
	ctx     context.Context
	expired <-chan time.Time
}

// next waits for a message; a patience of zero waits as long as ctx lasts.
func (f *frames) next(ctx context.Context, patience time.Duration) (frame, error) {
	w := wait{ctx: ctx}
	if patience > 0 {
		t := time.NewTimer(patience)
		defer t.Stop()
		w.expired = t.C
	}
	if !f.open {
		if err := f.header(w); err != nil {
			return frame{}, err
		}
	}
	if err := f.body(w); err != nil {
		return frame{}, err
	}
	f.open = false
	return f.cur, nil
}

// header reads type and length.
func (f *frames) header(w wait) error {
	if len(f.spill) == 0 && cap(f.spill) > spillBytesKept {
		f.spill = nil
	}
	head, err := f.take(w, 5)
	if err != nil {
		return err
	}
	m := frame{kind: head[0], size: int(int32(binary.BigEndian.Uint32(head[1:]))) - 4}
	limit, fatal := f.limit(m.kind)
	if limit < 0 {
		return violation("invalid frontend message type %d", m.kind)
	}
	if m.size < 0 || m.size > limit && fatal {
		return violation("invalid message length")
	}
	if m.cut = m.size > limit; m.cut {
		f.skips = m.size
	}
	f.cur, f.open = m, true
	return nil
}

// body reads or discards the body of cur.
func (f *frames) body(w wait) (err error) {
	if !f.cur.cut {
		f.cur.body, err = f.take(w, f.cur.size)
		return err
	}
	for f.skips > 0 {
		if err := f.more(w); err != nil {
			return err
		}
		k := min(f.skips, len(f.rest))
		f.rest, f.skips = f.rest[k:], f.skips-k
	}
	return nil
}

// take returns the next n bytes: a part of the current buffer where they lie in one, else assembled in spill, where an
// interrupted call leaves what it has.
func (f *frames) take(w wait, n int) ([]byte, error) {
	if len(f.spill) == 0 && len(f.rest) >= n {
		b := f.rest[:n]
		f.rest = f.rest[n:]
		return b, nil
	}
	for len(f.spill) < n {
		if err := f.more(w); err != nil {
			return nil, err
		}
		k := min(n-len(f.spill), len(f.rest))
		f.spill = append(f.spill, f.rest[:k]...)
		f.rest = f.rest[k:]
	}
	b := f.spill
	f.spill = f.spill[:0]
	return b, nil
}

// more makes sure that rest is not empty.
func (f *frames) more(w wait) error {
	for len(f.rest) == 0 {
		b, err := f.in.take(f.buf)
		if own := w.ctx == f.ctx && w.expired == nil; err == nil && len(b) == 0 && own {
			b, err = f.in.read(f.conn)
		} else if !own {
			signal(f.in.wanted)
		}
		f.buf, f.rest = b, b
		if len(b) > 0 {
			return nil
		}
		if w.ctx.Err() != nil {
			return context.Cause(w.ctx)
		}
		if err != nil {
			return errClientGone
		}
		select {
		case <-f.in.ready:
		case <-w.ctx.Done():
			return context.Cause(w.ctx)
		case <-w.expired:
			return errPatience
		}
	}
	return nil
}

// violation is an error of the client's protocol.
func violation(format string, args ...any) error {
	return errs.ProtocolViolation.New("problem", fmt.Sprintf(format, args...))
}
