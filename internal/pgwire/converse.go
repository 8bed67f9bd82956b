package pgwire

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// limit is how long a message may be, by its type. Those with text or data may be refused without losing the connection;
// a long one of another type is no message of the protocol.
func (c *connection) limit(kind byte) (most int, fatal bool) {
	if c.session == nil {
		if kind == 'p' {
			return loginMessageMax, true
		}
		return -1, true
	}
	switch kind {
	case 'Q':
		return c.cfg.StatementBytesMax + 1, false
	case 'P':
		return c.cfg.StatementBytesMax + parseExtraBytes, false
	case 'B', 'd', 'F':
		return c.cfg.MessageBytesMax, false
	case 'C', 'D', 'E', 'H', 'S', 'X', 'c', 'f':
		return smallMessageMax, true
	}
	return -1, true
}

// converse answers messages until the client leaves.
func (c *connection) converse() error {
	for {
		m, err := c.frames.next(c.ctx, c.patience())
		if err == errPatience {
			return c.idleError()
		}
		if err != nil {
			return err
		}
		if m.kind == 'X' {
			return nil
		}
		if err := c.answer(m); err != nil {
			return err
		}
	}
}

// patience is how long the client may be silent now.
func (c *connection) patience() time.Duration {
	if c.session.TxStatus() == 'I' {
		return c.cfg.IdleTimeout
	}
	return c.cfg.IdleInTransactionMax
}

func (c *connection) idleError() error {
	if c.session.TxStatus() == 'I' {
		return errs.IdleSession.New()
	}
	return errs.IdleInTransaction.New()
}

// answer handles one message; an error ends the connection.
func (c *connection) answer(m frame) error {
	if m.kind == 'S' {
		return c.sync()
	}
	if c.skipping {
		return nil
	}
	switch m.kind {
	case 'Q':
		return c.simple(m)
	case 'F':
		return c.functionCall()
	case 'H':
		return c.out.flush()
	case 'd', 'c', 'f':
		return nil // what a client still sent for a COPY that has failed
	}
	ctx, err := c.extended(m)
	if err == nil {
		return c.out.err
	}
	c.skipping = true
	if err := c.fail(ctx, err); err != nil {
		return err
	}
	return c.out.flush() // a client may wait for it before it sends Sync, and its Flush would be skipped
}

// extended handles a message of the extended protocol and returns an error for the client with the context it is of.
func (c *connection) extended(m frame) (context.Context, error) {
	if m.cut {
		return c.ctx, c.tooLong(m)
	}
	switch m.kind {
	case 'P':
		return c.parse(m.body)
	case 'B':
		return c.ctx, c.bind(m.body)
	case 'D':
		return c.ctx, c.describe(m.body)
	case 'E':
		return c.execute(m.body)
	}
	return c.ctx, c.closeNamed(m.body) // 'C', the last that limit lets pass
}

// functionCall refuses the message, which is like a statement of its own: a client does not send Sync after it.
func (c *connection) functionCall() error {
	ctx, done := c.begin()
	defer done()
	if err := c.fail(ctx, errs.Unsupported.New("feature", "the protocol's function call message")); err != nil {
		return err
	}
	return c.ready()
}

// sync ends a series of extended messages: errors are forgiven, the implicit transaction is committed.
func (c *connection) sync() error {
	ctx, over := c.beginCommit()
	defer over()
	failed := c.skipping
	c.skipping = false
	if c.session.TxStatus() == 'I' {
		c.closePortals()
	}
	if !failed {
		if err := c.session.Sync(ctx); err != nil {
			if err := c.fail(ctx, err); err != nil {
				return err
			}
		}
	}
	return c.ready()
}

// tooLong is the error for a message that was cut.
func (c *connection) tooLong(m frame) error {
	what, limit := "the message", c.cfg.MessageBytesMax
	if m.kind == 'Q' || m.kind == 'P' {
		what, limit = "the statement", c.cfg.StatementBytesMax
	}
	return errs.MessageTooLong.New("what", what, "size", m.size, "limit", limit)
}

// decode reads a message's body.
func decode(m pgproto3.FrontendMessage, body []byte) error {
	if err := m.Decode(body); err != nil {
		return errs.ProtocolViolation.New("problem", "invalid message format").Wrap(err)
	}
	return nil
}
