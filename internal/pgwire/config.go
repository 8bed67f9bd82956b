package pgwire

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"time"
)

// Config says how a Server treats its clients. Only NewSession must be set.
type Config struct {
	// NewSession opens the session of a client that has logged in; an error ends the connection and is reported.
	NewSession func(ctx context.Context, s Startup, c Client) (Session, error)
	// Authenticate decides how a client proves who it is; nil trusts clients of the same machine and rejects others.
	Authenticate func(Login) Auth
	// TLS offers encrypted connections when set. Whether a client must use it is up to Authenticate.
	TLS *tls.Config
	// Logger gets what no client hears of: panics of sessions and failed logins. Nil discards.
	Logger *slog.Logger

	ConnectionsMax       int           // 0 means connectionsDefault
	StatementBytesMax    int           // text of Query and Parse; 0 means statementBytesDefault
	MessageBytesMax      int           // Bind and CopyData; 0 means messageBytesDefault
	StartupTimeout       time.Duration // from connecting to logged in; 0 means startupTimeoutDefault
	IdleTimeout          time.Duration // between statements outside of a transaction; 0 means none
	IdleInTransactionMax time.Duration // between statements inside of a transaction; 0 means none
}

const (
	connectionsDefault    = 200
	statementBytesDefault = 16 << 20
	messageBytesDefault   = 64 << 20
	startupTimeoutDefault = 60 * time.Second // PostgreSQL's authentication_timeout

	// startupReserve is how many sockets beyond ConnectionsMax may be open: clients that are refused politely, cancel
	// requests, and others that have not logged in. Further ones are closed unheard.
	startupReserve = 64
	// portalsMax bounds what one session holds open.
	portalsMax = 1000
)

func (c Config) withDefaults() Config {
	setDefault(&c.ConnectionsMax, connectionsDefault)
	setDefault(&c.StatementBytesMax, statementBytesDefault)
	setDefault(&c.MessageBytesMax, messageBytesDefault)
	setDefault(&c.StartupTimeout, startupTimeoutDefault)
	if c.Authenticate == nil {
		c.Authenticate = TrustLoopback
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	return c
}

func setDefault[N int | time.Duration](n *N, value N) {
	if *n <= 0 {
		*n = value
	}
}

// Validate names what is wrong with the configuration.
func (c Config) Validate() error {
	if c.NewSession == nil {
		return errors.New("pgwire: Config.NewSession is not set")
	}
	if c.TLS != nil && len(c.TLS.Certificates) == 0 && c.TLS.GetCertificate == nil {
		return errors.New("pgwire: Config.TLS has no certificate")
	}
	return nil
}
