package pgwire

import (
	"io"
	"sync"
)

const (
	readBytes  = 16 << 10  // of one Read
	inboxBytes = 256 << 10 // how far the reader may run ahead of the session
	inboxKept  = 64 << 10  // a larger buffer, grown by a burst, is not kept
)

// inbox carries bytes from the reader goroutine to the connection's. Because the reader waits in Read while a statement
// runs, a client that vanishes is noticed then. Only when a client has sent more requests ahead than inboxBytes is its
// disconnect noticed later, once some of them have been taken.
type inbox struct {
	ready chan struct{} // holds a token while there is something to take, or the end
	room  chan struct{} // holds a token after something was taken
	done  chan struct{} // closed by the connection when it takes no more

	mu struct {
		sync.Mutex
		pending []byte
		spare   []byte // the buffer that is not in use
		err     error  // why reading ended
	}
}

func newInbox() *inbox {
	return &inbox{ready: make(chan struct{}, 1), room: make(chan struct{}, 1), done: make(chan struct{})}
}

// fill reads until an error or until done is closed; it is the reader goroutine. gone is called when the client can not
// send more.
func (in *inbox) fill(r io.Reader, gone func()) {
	buf := make([]byte, readBytes)
	for {
		n, err := r.Read(buf)
		full := in.put(buf[:n], err)
		if err != nil {
			gone()
			return
		}
		for full {
			select {
			case <-in.room:
				full = in.put(nil, nil)
			case <-in.done:
				return
			}
		}
	}
}

// put adds bytes and reports whether the reader has to wait.
func (in *inbox) put(b []byte, err error) (full bool) {
	in.mu.Lock()
	in.mu.pending = append(in.mu.pending, b...)
	in.mu.err = err
	full = len(in.mu.pending) >= inboxBytes
	in.mu.Unlock()
	if len(b) > 0 || err != nil {
		signal(in.ready)
	}
	return full
}

// take returns all bytes that have come, which are the caller's until it gives them back as used in the next call. Without
// bytes it returns the error that ended reading, or nothing: then wait for ready.
func (in *inbox) take(used []byte) ([]byte, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if used != nil && cap(used) <= inboxKept {
		in.mu.spare = used[:0]
	}
	if len(in.mu.pending) == 0 {
		return nil, in.mu.err
	}
	b := in.mu.pending
	in.mu.pending, in.mu.spare = in.mu.spare, nil
	signal(in.room)
	return b, nil
}

// signal leaves a token unless there is one.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
