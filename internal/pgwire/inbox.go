package pgwire

import "io"

const (
	inboxBuffers     = 4        // how far the reader may run ahead of the session
	inboxBufferBytes = 16 << 10 // of each buffer; made when first needed
)

// inbox carries bytes from the reader goroutine to the connection's. Because the reader waits in Read while a statement
// runs, a client that vanishes is noticed then. When all buffers are full the client has sent further requests than fit,
// and its disconnect is noticed only after they have been taken.
type inbox struct {
	filled chan []byte // as many slots as buffers, so that sending never blocks
	free   chan []byte
	done   chan struct{}
	err    error // why reading ended; valid once filled is closed
}

func newInbox() *inbox {
	in := &inbox{
		filled: make(chan []byte, inboxBuffers),
		free:   make(chan []byte, inboxBuffers),
		done:   make(chan struct{}),
	}
	for range inboxBuffers {
		in.free <- nil
	}
	return in
}

// fill reads until an error or close; it is the reader goroutine. gone is called once when the client can not send more.
func (in *inbox) fill(r io.Reader, gone func()) {
	defer close(in.filled)
	for {
		var buf []byte
		select {
		case buf = <-in.free:
		case <-in.done:
			in.err = io.ErrClosedPipe
			return
		}
		if buf == nil {
			buf = make([]byte, inboxBufferBytes)
		}
		n, err := r.Read(buf)
		if n > 0 {
			in.filled <- buf[:n]
		} else {
			in.free <- buf
		}
		if err != nil {
			in.err = err
			gone()
			return
		}
	}
}

// release gives a buffer back to the reader.
func (in *inbox) release(buf []byte) { in.free <- buf[:cap(buf)] }
