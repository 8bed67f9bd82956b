package pgwire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// closedWith waits for the server to end the connection and returns the reason it gave.
func closedWith(t *testing.T, err error) *pgconn.PgError {
	t.Helper()
	var pgErr *pgconn.PgError
	if !errors.As(err, &pgErr) {
		t.Fatalf("no reason came: %v", err)
	}
	return pgErr
}

func TestConnectionLimit(t *testing.T) {
	srv := start(t, Config{ConnectionsMax: 2})
	first, second := connect(t, srv.url("")), connect(t, srv.url(""))
	if e := refused(t, srv.url(""), "tm", ""); e.Code != "53300" || e.Message != "sorry, too many clients already" {
		t.Fatalf("%s %s", e.Code, e.Message)
	}
	if err := first.Close(limited(t)); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return srv.Connections() == 1 })
	connect(t, srv.url(""))
	if err := second.Ping(limited(t)); err != nil {
		t.Fatal(err)
	}
}

// waitFor polls for what another goroutine does shortly after what the test has seen.
func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	expired := time.After(patience)
	for !done() {
		select {
		case <-tick.C:
		case <-expired:
			t.Fatal("it did not happen")
		}
	}
}

func TestShutdown(t *testing.T) {
	ctx := limited(t)
	srv := start(t, Config{})
	idle, busy := connect(t, srv.url("")), connect(t, srv.url(""))
	silent, err := net.Dial("tcp", srv.addr.String()) // connected, never logs in
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	failed := make(chan error, 1)
	go func() {
		_, err := busy.Exec(ctx, "wait")
		failed <- err
	}()
	srv.waiting(t)
	waitFor(t, func() bool { return srv.sockets() == 3 })
	if err := srv.Shutdown(ctx); err != nil {
		t.Fatal(err)
	}
	if e := closedWith(t, <-failed); e.Code != "57P01" || e.Severity != "FATAL" {
		t.Fatalf("busy: %v", e)
	}
	_, err = idle.Exec(ctx, "insert 1")
	if e := closedWith(t, err); e.Code != "57P01" {
		t.Fatalf("idle: %v", e)
	}
	if _, err := net.Dial("tcp", srv.addr.String()); err == nil {
		t.Fatal("the port is still open")
	}
}

func (s *Server) sockets() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.mu.sockets)
}

// A client that does not read must not hold up a shutdown for longer than the grace of its last write.
func TestShutdownOfStuckClient(t *testing.T) {
	srv := start(t, Config{})
	c := dial(t, srv)
	c.write(t, startupBytes("tm"))
	c.read(t, "ReadyForQuery", 1)
	c.send(t, `Query "rows 20000000"`)
	waitFor(t, func() bool { return srv.log.opened() == 2 })
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := srv.Shutdown(ctx); err != nil {
		t.Fatal(err)
	}
}

func startupBytes(user string) []byte {
	return []byte("\x00\x00\x00" + string(rune(8+5+len(user)+2)) + "\x00\x03\x00\x00user\x00" + user + "\x00\x00")
}

func TestTerminateAndCancelByPID(t *testing.T) {
	ctx, srv := limited(t), start(t, Config{})
	conn := connect(t, srv.url(""))
	pid := conn.PgConn().PID()
	if pid != srv.log.starts[0].PID {
		t.Fatalf("the session was told %d, the client %d", srv.log.starts[0].PID, pid)
	}
	for _, end := range []struct {
		how  func(uint32) bool
		want string
	}{{srv.Cancel, "57014"}, {srv.Terminate, "57P01"}} {
		failed := make(chan error, 1)
		go func() {
			_, err := conn.Exec(ctx, "wait")
			failed <- err
		}()
		srv.waiting(t)
		if !end.how(pid) || end.how(pid+1) {
			t.Fatal("the process id was not found, or another was")
		}
		if e := closedWith(t, <-failed); e.Code != end.want {
			t.Fatalf("%v, want %s", e, end.want)
		}
	}
}

// A cancel request with another secret does nothing; the statement still runs afterwards and obeys the right one.
func TestCancelNeedsSecret(t *testing.T) {
	ctx, srv := limited(t), start(t, Config{})
	conn := connect(t, srv.url(""))
	failed := make(chan error, 1)
	go func() {
		_, err := conn.Exec(ctx, "wait")
		failed <- err
	}()
	srv.waiting(t)
	srv.cancel(conn.PgConn().PID(), []byte("oops"))
	select {
	case err := <-failed:
		t.Fatalf("cancelled by a stranger: %v", err)
	default:
	}
	if err := conn.PgConn().CancelRequest(ctx); err != nil {
		t.Fatal(err)
	}
	<-failed
}

func TestTimeouts(t *testing.T) {
	short := 20 * time.Millisecond
	t.Run("startup", func(t *testing.T) {
		c := dial(t, start(t, Config{StartupTimeout: short}))
		if got := c.read(t, "EOF", 1); !strings.Contains(got, "canceling authentication due to timeout") {
			t.Fatal(got)
		}
	})
	t.Run("password", func(t *testing.T) {
		c := dial(t, start(t, Config{StartupTimeout: short, Authenticate: scramOnly(t)}))
		c.write(t, startupBytes("tm"))
		if got := c.read(t, "EOF", 1); !strings.Contains(got, "canceling authentication due to timeout") {
			t.Fatal(got)
		}
	})
	t.Run("idle", func(t *testing.T) {
		c := dial(t, start(t, Config{IdleTimeout: short}))
		c.write(t, startupBytes("tm"))
		if got := c.read(t, "EOF", 1); !strings.Contains(got, "idle-session timeout") {
			t.Fatal(got)
		}
	})
	t.Run("transaction", func(t *testing.T) {
		c := dial(t, start(t, Config{IdleInTransactionMax: short}))
		c.write(t, startupBytes("tm"))
		c.send(t, `Query begin`)
		if got := c.read(t, "EOF", 1); !strings.Contains(got, "idle-in-transaction timeout") {
			t.Fatal(got)
		}
	})
}

// What is no PostgreSQL client gets no answer, and neither do bytes sent in the clear ahead of TLS.
func TestStrangers(t *testing.T) {
	srv := start(t, withTLS(t, Config{}))
	for name, bytes := range map[string]string{
		"http":       "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"short":      "\x00\x00\x00\x04",
		"stuffed":    "\x00\x00\x00\x08\x04\xd2\x16\x2f" + string(startupBytes("tm")),
		"no request": "\x00\x00\x00\x08\x04\xd2\x16\x2e",
	} {
		conn, err := net.Dial("tcp", srv.addr.String())
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(patience))
		if _, err := io.WriteString(conn, bytes); err != nil {
			t.Fatal(err)
		}
		got, _ := io.ReadAll(conn)
		_ = conn.Close()
		if strings.Contains(string(got), "R\x00\x00\x00\x08") { // AuthenticationOk
			t.Errorf("%s: was let in: %q", name, got)
		}
	}
}

// GSS encryption is declined; the client goes on in the same connection.
func TestGSSDeclined(t *testing.T) {
	c := dial(t, start(t, Config{}))
	c.write(t, []byte("\x00\x00\x00\x08\x04\xd2\x16\x30"))
	var answer [1]byte
	if _, err := io.ReadFull(c.conn, answer[:]); err != nil || answer[0] != 'N' {
		t.Fatal(answer, err)
	}
	c.write(t, startupBytes("tm"))
	c.read(t, "ReadyForQuery", 1)
}

func TestPanicIsLogged(t *testing.T) {
	var log bytes.Buffer
	srv := start(t, Config{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	conn, other := connect(t, srv.url("")), connect(t, srv.url(""))
	_, err := conn.Exec(limited(t), "crash")
	if e := closedWith(t, err); e.Code != "XX000" || e.Severity != "FATAL" || !strings.Contains(e.Hint, "TM-BUG-001") {
		t.Fatalf("%v", e)
	}
	if err := other.Ping(limited(t)); err != nil {
		t.Fatalf("another connection suffers: %v", err)
	}
	waitFor(t, func() bool { return srv.Connections() == 1 })
	if !strings.Contains(log.String(), "the fake session crashed") || !strings.Contains(log.String(), "fake_test.go") {
		t.Fatalf("logged: %s", log.String())
	}
}

func TestConfigValidate(t *testing.T) {
	if _, err := NewServer(Config{}); err == nil {
		t.Error("a server without sessions was made")
	}
}
