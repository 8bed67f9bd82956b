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

// inbox has the bytes that have come. One goroutine at a time reads: the connection's own between statements, so that a request
// need not be handed over, else the reader, where the connection must not be stuck in Read. Because the reader waits in Read
// while a long statement runs, a client that vanishes is noticed then. Only when a client has sent more requests ahead than
// inboxBytes is its disconnect noticed later, once some of them have been taken.
type inbox struct {
	ready  chan struct{} // holds a token while there is something to take, or the end
	room   chan struct{} // holds a token after something was taken
	wanted chan struct{} // holds a token when the reader is to read
	done   chan struct{} // closed by the connection when it takes no more

	mu struct {
		sync.Mutex
		reading bool // somebody is in Read, or about to be
		pending []byte
		spare   []byte // the buffer that is not in use
		err     error  // why reading ended
	}
}

func newInbox() *inbox {
	return &inbox{ready: make(chan struct{}, 1), room: make(chan struct{}, 1), wanted: make(chan struct{}, 1), done: make(chan struct{})}
}

// fill reads when it is wanted, until an error or until done is closed; it is the reader goroutine. gone is called when the
// client can not send more.
func (in *inbox) fill(r io.Reader, gone func()) {
	buf := make([]byte, readBytes)
	for {
		select {
		case <-in.wanted:
		case <-in.done:
			return
		}
		if !in.claim() {
			continue
		}
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

// claim takes the right to read, unless another has it or nothing more comes.
func (in *inbox) claim() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.mu.reading || in.mu.err != nil {
		return false
	}
	in.mu.reading = true
	return true
}

// read reads for the connection itself when nothing has come; the bytes are the caller's as those of take. It returns none
// when there is something to take first, or the reader is to bring it.
func (in *inbox) read(r io.Reader) ([]byte, error) {
	in.mu.Lock()
	if in.mu.reading || in.mu.err != nil || len(in.mu.pending) > 0 {
		in.mu.Unlock()
		return nil, nil
	}
	in.mu.reading = true
	buf := in.mu.spare
	in.mu.spare = nil
	in.mu.Unlock()
	if cap(buf) < readBytes {
		buf = make([]byte, readBytes)
	}
	n, err := r.Read(buf[:readBytes])
	in.mu.Lock()
	in.mu.reading, in.mu.err = false, err
	in.mu.Unlock()
	if n > 0 {
		return buf[:n], nil
	}
	return nil, err
}

// put adds bytes that the reader has read, and reports whether it has to wait.
func (in *inbox) put(b []byte, err error) (full bool) {
	in.mu.Lock()
	in.mu.pending = append(in.mu.pending, b...)
	in.mu.err = err
	full = len(in.mu.pending) >= inboxBytes
	in.mu.reading = full
	in.mu.Unlock()
	signal(in.ready) // also when there is only the right to read
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
