package pgwire

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/leak"
)

func TestMain(m *testing.M) { leak.Main(m) }

// patience bounds what a test waits for something that must happen; it is reached only when a test fails.
const patience = 2 * time.Minute

// testServer is a server of fake sessions on a loopback port.
type testServer struct {
	*Server
	log  *fakeLog
	addr *net.TCPAddr
}

// start serves until the test ends, which also checks that all sessions and results were closed.
func start(t testing.TB, cfg Config) *testServer {
	t.Helper()
	log := newFakeLog()
	if cfg.NewSession == nil {
		cfg.NewSession = log.session
	}
	srv, err := NewServer(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := srv.Shutdown(ctx); err != nil {
			t.Errorf("shutdown: %v", err)
		}
		if err := <-served; err != ErrServerClosed {
			t.Errorf("serve: %v", err)
		}
		if n := log.opened(); n != 0 {
			t.Errorf("%d sessions or results were not closed", n)
		}
	})
	return &testServer{Server: srv, log: log, addr: ln.Addr().(*net.TCPAddr)}
}

// url is a connection string for the server.
func (s *testServer) url(options string) string {
	return fmt.Sprintf("postgres://tm@%s/dev?%s", s.addr, options)
}

// waiting returns once a session runs the wait command.
func (s *testServer) waiting(t testing.TB) {
	t.Helper()
	select {
	case <-s.log.waiting:
	case <-time.After(patience):
		t.Fatal("no session waits")
	}
}
