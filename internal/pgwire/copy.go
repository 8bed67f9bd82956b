package pgwire

import (
	"context"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// copyIn lets the statement read the client's data, and reads up to the end of it also when the statement stops early. When
// the statement fails, the messages that still come are ignored by answer.
func (c *connection) copyIn(ctx context.Context, r CopyIn) error {
	overall, codes := copyFormats(r.CopyFormat())
	c.out.send(&pgproto3.CopyInResponse{OverallFormat: overall, ColumnFormatCodes: codes})
	if err := c.out.flush(); err != nil {
		return err
	}
	data := &copyReader{c: c, ctx: ctx}
	if err := r.CopyIn(ctx, data); err != nil {
		return err
	}
	_, err := io.Copy(io.Discard, data)
	return err
}

// copyOut lets the statement write data for the client.
func (c *connection) copyOut(ctx context.Context, r CopyOut) error {
	overall, codes := copyFormats(r.CopyFormat())
	c.out.send(&pgproto3.CopyOutResponse{OverallFormat: overall, ColumnFormatCodes: codes})
	if err := r.CopyOut(ctx, &copyWriter{c: c, ctx: ctx}); err != nil {
		return err
	}
	c.out.send(&pgproto3.CopyDone{})
	return c.out.err
}

func copyFormats(f CopyFormat) (overall byte, columns []uint16) {
	columns = make([]uint16, f.Columns)
	if !f.Binary {
		return formatText, columns
	}
	for i := range columns {
		columns[i] = formatBinary
	}
	return formatBinary, columns
}

// copyReader is the data of CopyData messages up to CopyDone. Its error, once there, stays.
type copyReader struct {
	c    *connection
	ctx  context.Context
	rest []byte // of the current message
	err  error
}

func (r *copyReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.err == nil {
			r.err = r.receive()
		}
		if r.err != nil {
			return 0, r.err
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// receive takes the next message.
func (r *copyReader) receive() error {
	m, err := r.c.frames.next(r.ctx, 0)
	if err != nil {
		if _, ok := errs.As(err); ok { // not a message of the protocol: what follows can not be understood
			r.c.stop(err)
		}
		return err
	}
	switch m.kind {
	case 'd':
		if m.cut {
			return errs.MessageTooLong.New("what", "the piece of COPY data", "size", m.size, "limit", r.c.cfg.MessageBytesMax)
		}
		r.rest = m.body
	case 'c':
		return io.EOF
	case 'f':
		return copyFailure(m.body)
	case 'H', 'S': // sent by clients that do not know yet that this is a COPY
	case 'X':
		r.c.stop(errClientGone)
		return errClientGone
	default:
		return errs.CopyInProtocol.New("type", fmt.Sprintf("0x%02X", m.kind))
	}
	return nil
}

func copyFailure(body []byte) error {
	var m pgproto3.CopyFail
	if err := decode(&m, body); err != nil {
		return err
	}
	return errs.CopyFailed.New("reason", m.Message)
}

// copyWriter makes each Write a CopyData message.
type copyWriter struct {
	c   *connection
	ctx context.Context
}

func (w *copyWriter) Write(p []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, context.Cause(w.ctx)
	}
	w.c.out.raw('d', p)
	if w.c.out.err != nil {
		return 0, w.c.out.err
	}
	return len(p), nil
}
