// Package pgtest lends throw-away PostgreSQL 15 servers to tests: the oracle of SQL behaviour and the upstream of change
// capture. A server ends with its test.
//
//	pg := pgtest.Start(t, pgtest.Options{Logical: true})
//	pg.Exec("CREATE TABLE t (a int PRIMARY KEY)")
//	rows := pg.Query("SELECT * FROM t")
package pgtest

import (
	"testing"

	"github.com/tidemark-db/tidemark/internal/pgserver"
)

// Options are what a test may need of its server.
type Options = pgserver.Options

// Server is a running PostgreSQL. Its methods fail the test on any error.
type Server struct {
	*pgserver.Server
	t testing.TB
}

// Start makes a cluster and starts it.
func Start(t testing.TB, opts Options) *Server {
	t.Helper()
	s, err := pgserver.Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return &Server{s, t}
}

// Crash ends the server at once, as a power cut would see it, and starts it on what is on disk.
func (s *Server) Crash() {
	s.t.Helper()
	if err := s.Server.Crash(); err != nil {
		s.t.Fatal(err)
	}
}

// Restart stops the server and starts it on the same port and data.
func (s *Server) Restart() {
	s.t.Helper()
	if err := s.Server.Restart(); err != nil {
		s.t.Fatal(err)
	}
}
