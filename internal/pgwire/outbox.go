package pgwire

import (
	"io"

	"github.com/jackc/pgx/v5/pgproto3"
)

const (
	flushBytes = 64 << 10 // written once so much is buffered: few system calls, and the client starts early
	keepBytes  = 1 << 20  // a larger buffer, grown by one huge row, is given up after it was written
)

// outbox buffers messages for the client. A failed write is kept: later messages are dropped and flush returns it.
type outbox struct {
	w   io.Writer
	buf []byte
	err error
}

// send buffers a message.
func (o *outbox) send(m pgproto3.BackendMessage) {
	if o.err != nil {
		return
	}
	buf, err := m.Encode(o.buf)
	if err != nil {
		o.err = err
		return
	}
	o.buf = buf
	o.relieve()
}

// relieve writes when the buffer is full.
func (o *outbox) relieve() {
	if len(o.buf) >= flushBytes {
		_ = o.flush() // kept in err
	}
}

// flush writes what is buffered.
func (o *outbox) flush() error {
	if o.err != nil || len(o.buf) == 0 {
		return o.err
	}
	_, o.err = o.w.Write(o.buf)
	if cap(o.buf) > keepBytes {
		o.buf = nil
	}
	o.buf = o.buf[:0]
	return o.err
}

// raw buffers a message of the given type around a body.
func (o *outbox) raw(kind byte, body []byte) {
	if o.err != nil {
		return
	}
	o.buf = append(o.buf, kind)
	o.buf = appendInt32(o.buf, len(body)+4)
	o.buf = append(o.buf, body...)
	o.relieve()
}

func appendInt32(dst []byte, v int) []byte {
	return append(dst, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
}

func putInt32(dst []byte, v int) {
	dst[0], dst[1], dst[2], dst[3] = byte(v>>24), byte(v>>16), byte(v>>8), byte(v)
}
