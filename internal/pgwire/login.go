package pgwire

import (
	"context"
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// Login is a client that wants to be let in.
type Login struct {
	User     string
	Database string
	Addr     net.Addr
	TLS      bool
}

// Method is how a client proves who it is.
type Method uint8

const (
	Reject Method = iota // not at all
	Trust                // its word is enough
	SCRAM                // by the password behind the Verifier
)

// Auth is the decision about a Login. SCRAM with the zero Verifier asks for a password and never accepts it, so that a
// stranger can not find out which users exist.
type Auth struct {
	Method   Method
	Verifier Verifier
}

// TrustLoopback trusts clients of the same machine and rejects others.
func TrustLoopback(l Login) Auth {
	switch a := l.Addr.(type) {
	case *net.TCPAddr:
		if a.IP.IsLoopback() {
			return Auth{Method: Trust}
		}
	case *net.UnixAddr:
		return Auth{Method: Trust}
	}
	return Auth{Method: Reject}
}

// login authenticates the client, opens its session and says that it is ready.
func (c *connection) login(h *hello, deadline time.Time) error {
	c.out.w = c.conn
	c.negotiate(h)
	if err := c.authenticate(h, deadline); err != nil {
		c.log.Warn("a login failed", "user", h.user, "code", errs.Code(err))
		return err
	}
	if !c.srv.enter(c) {
		return errs.ConnectionLimit.New()
	}
	c.out.send(&pgproto3.AuthenticationOk{})
	s, err := c.cfg.NewSession(c.ctx, Startup{
		User: h.user, Database: h.database, Settings: h.settings,
		PID: c.pid, Remote: remote(c.socket), TLS: c.isTLS(),
	}, c)
	if err != nil {
		if c.ctx.Err() != nil {
			return context.Cause(c.ctx)
		}
		return catalogued(c.ctx, err)
	}
	c.session = s
	c.told.report(&c.out, s)
	c.out.send(&pgproto3.BackendKeyData{ProcessID: c.pid, SecretKey: c.secret})
	return c.ready()
}

// authenticate returns nil once the client has proved who it is.
func (c *connection) authenticate(h *hello, deadline time.Time) error {
	a := c.cfg.Authenticate(Login{User: h.user, Database: h.database, Addr: c.socket.RemoteAddr(), TLS: c.isTLS()})
	switch a.Method {
	case Trust:
		return nil
	case SCRAM:
		return c.scram(h.user, a.Verifier, deadline)
	}
	encryption := "no encryption"
	if c.isTLS() {
		encryption = "SSL encryption"
	}
	host, _, err := net.SplitHostPort(remote(c.socket))
	if err != nil {
		host = remote(c.socket)
	}
	return errs.LoginRejected.New("host", host, "user", h.user, "database", h.database, "encryption", encryption)
}
