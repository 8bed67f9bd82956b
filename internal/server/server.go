// Package server puts a database on the network: sessions behind PostgreSQL's protocol, who may log in, and a clean stop.
package server

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/pgwire"
	"github.com/tidemark-db/tidemark/internal/session"
	"github.com/tidemark-db/tidemark/internal/settings"
)

// Server serves one database.
type Server struct {
	db   *session.Database
	wire *pgwire.Server
}

// New makes a server for a database; TLS certificates come from the settings.
func New(db *session.Database, s *settings.Server, log *slog.Logger) (*Server, error) {
	out := &Server{db: db}
	cfg := pgwire.Config{
		NewSession: out.newSession, Authenticate: out.authenticate, Logger: log,
		ConnectionsMax: int(s.Int("max_connections")), StatementBytesMax: int(s.Int("statement_size_max")),
		MessageBytesMax: int(s.Int("row_size_max")),
	}
	if cert := s.Text("tls_cert"); cert != "" {
		pair, err := tls.LoadX509KeyPair(cert, s.Text("tls_key"))
		if err != nil {
			return nil, err
		}
		cfg.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	wire, err := pgwire.NewServer(cfg)
	out.wire = wire
	return out, err
}

// Serve accepts connections until Shutdown.
func (s *Server) Serve(ln net.Listener) error { return s.wire.Serve(ln) }

// Shutdown ends all connections; statements that run are cancelled.
func (s *Server) Shutdown(ctx context.Context) error { return s.wire.Shutdown(ctx) }

// Verifier makes what the catalog stores of a password.
func Verifier(password string) (string, error) {
	v, err := pgwire.NewVerifier(password)
	if err != nil {
		return "", err
	}
	return v.String(), nil
}

// authenticate trusts clients of this machine unless their user has a password; others need one.
func (s *Server) authenticate(l pgwire.Login) pgwire.Auth {
	user, ok := s.db.Engine().Catalog().User(l.User)
	if ok && user.Verifier != "" {
		v, err := pgwire.ParseVerifier(user.Verifier)
		if err != nil {
			return pgwire.Auth{Method: pgwire.Reject}
		}
		return pgwire.Auth{Method: pgwire.SCRAM, Verifier: v}
	}
	return pgwire.TrustLoopback(l)
}

// known refuses users and databases that do not exist, in the order in which PostgreSQL does. It comes after the client
// has proved who it is, so that a stranger does not find out which exist.
func (s *Server) known(user, database string) error {
	c := s.db.Engine().Catalog()
	if _, ok := c.User(user); !ok {
		return errs.LoginUser.New("user", user)
	}
	if database != c.Database {
		return errs.LoginDatabase.New("database", database).WithHint("connect to the database \"%s\"", c.Database)
	}
	return nil
}

func (s *Server) newSession(_ context.Context, st pgwire.Startup, c pgwire.Client) (pgwire.Session, error) {
	if err := s.known(st.User, st.Database); err != nil {
		return nil, err
	}
	vars := map[string]string{}
	for _, set := range st.Settings {
		vars[set.Name] = set.Value
	}
	inner, err := s.db.NewSession(session.Startup{User: st.User, Database: st.Database, Client: st.Remote, PID: st.PID, Settings: vars,
		Signal: func(pid uint32, end bool) bool {
			if end {
				return s.wire.Terminate(pid)
			}
			return s.wire.Cancel(pid)
		},
		Notice: func(n session.Notice) {
			c.Notice(pgwire.Notice{Severity: n.Severity, SQLState: n.SQLState, Message: n.Message, Detail: n.Detail, Hint: n.Hint})
		}})
	if err != nil {
		return nil, err
	}
	return wireSession{inner}, nil
}

var errNotPrepared = errors.New("statement of another session")
