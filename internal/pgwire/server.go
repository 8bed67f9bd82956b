package pgwire

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net"
	"sync"
	"time"
)

// Server serves clients of one Config. It owns all goroutines of its connections: each has one that runs the session and
// one that reads.
type Server struct {
	cfg     Config
	mock    []byte // key of the salts shown for users who do not exist
	running sync.WaitGroup

	mu struct {
		sync.Mutex
		listeners map[net.Listener]struct{}
		sockets   map[net.Conn]*connection // also those that have not logged in
		keys      map[uint32]*connection   // by process id
		lastPID   uint32
		loggedIn  int
		closing   bool
	}
}

// ErrServerClosed is what Serve returns after Shutdown.
var ErrServerClosed = errors.New("pgwire: server closed")

// keepAlive finds clients whose machine or network is gone within about a minute and a half.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 60 * time.Second, Interval: 10 * time.Second, Count: 3}

// NewServer makes a server; an invalid configuration is an error.
func NewServer(cfg Config) (*Server, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg.withDefaults(), mock: randomBytes(32)}
	s.mu.listeners = map[net.Listener]struct{}{}
	s.mu.sockets = map[net.Conn]*connection{}
	s.mu.keys = map[uint32]*connection{}
	return s, nil
}

// Serve accepts clients until the listener fails or Shutdown is called, which also closes the listener.
func (s *Server) Serve(ln net.Listener) error {
	if !s.listening(ln) {
		_ = ln.Close()
		return ErrServerClosed
	}
	defer s.unlisten(ln)
	for {
		conn, err := ln.Accept()
		switch {
		case s.closing():
			if err == nil {
				_ = conn.Close()
			}
			return ErrServerClosed
		case isTemporary(err):
			<-time.After(acceptPause)
			continue
		case err != nil:
			return err
		}
		c, ok := s.admit(conn)
		if !ok {
			_ = conn.Close()
			continue
		}
		go c.serve()
	}
}

// acceptPause is waited when the process has no descriptor left, so that others may close theirs.
const acceptPause = 20 * time.Millisecond

// isTemporary reports an error that does not concern the listener, such as too many open files.
func isTemporary(err error) bool {
	var t interface{ Temporary() bool }
	return errors.As(err, &t) && t.Temporary()
}

// ServeConn serves one client in the calling goroutine and closes its connection.
func (s *Server) ServeConn(conn net.Conn) {
	c, ok := s.admit(conn)
	if !ok {
		_ = conn.Close()
		return
	}
	c.serve()
}

// Shutdown closes the listeners, cancels running statements, tells each client, and returns when all connections have
// ended. When ctx ends first the sockets are closed at once and ctx's error is returned.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	s.mu.closing = true
	for ln := range s.mu.listeners {
		_ = ln.Close()
	}
	for _, c := range s.mu.sockets {
		c.end(errShutdown)
	}
	s.mu.Unlock()

	ended := make(chan struct{})
	go func() {
		s.running.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	for conn := range s.mu.sockets {
		_ = conn.Close()
	}
	s.mu.Unlock()
	return ctx.Err() // a session that ignores its context is not waited for
}

// Connections is how many clients are logged in.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mu.loggedIn
}

func (s *Server) listening(ln net.Listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.mu.closing {
		s.mu.listeners[ln] = struct{}{}
	}
	return !s.mu.closing
}

func (s *Server) unlisten(ln net.Listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.mu.listeners, ln)
}

func (s *Server) closing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mu.closing
}

// admit registers a socket, unless there are too many or the server closes.
func (s *Server) admit(conn net.Conn) (*connection, bool) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetKeepAliveConfig(keepAlive) // best effort: the connection works without
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mu.closing || len(s.mu.sockets) >= s.cfg.ConnectionsMax+startupReserve {
		return nil, false
	}
	c := newConnection(s, conn)
	s.mu.sockets[conn] = c
	s.running.Add(1)
	return c, true
}

// enter counts a client that has logged in and gives it a process id and a secret; false when the server is full.
func (s *Server) enter(c *connection) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mu.loggedIn >= s.cfg.ConnectionsMax {
		return false
	}
	s.mu.loggedIn++
	for {
		s.mu.lastPID = s.mu.lastPID%(1<<31-1) + 1 // clients print it as a signed number
		if s.mu.keys[s.mu.lastPID] == nil {
			break
		}
	}
	c.pid, c.secret = s.mu.lastPID, randomBytes(4)
	s.mu.keys[c.pid] = c
	return true
}

// leave forgets a connection.
func (s *Server) leave(c *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.mu.sockets, c.socket)
	if c.pid != 0 {
		delete(s.mu.keys, c.pid)
		s.mu.loggedIn--
	}
	s.running.Done()
}

// cancel cancels what the connection of a process id runs, if the secret is its.
func (s *Server) cancel(pid uint32, secret []byte) {
	s.mu.Lock()
	c := s.mu.keys[pid]
	s.mu.Unlock()
	if c != nil && subtle.ConstantTimeCompare(c.secret, secret) == 1 {
		c.cancelStatement()
	}
}

// Cancel cancels the statement that the connection with a process id runs, as pg_cancel_backend does.
func (s *Server) Cancel(pid uint32) bool {
	s.mu.Lock()
	c := s.mu.keys[pid]
	s.mu.Unlock()
	if c != nil {
		c.cancelStatement()
	}
	return c != nil
}

// Terminate ends the connection with a process id, as pg_terminate_backend does.
func (s *Server) Terminate(pid uint32) bool {
	s.mu.Lock()
	c := s.mu.keys[pid]
	s.mu.Unlock()
	if c != nil {
		c.end(errShutdown)
	}
	return c != nil
}

func randomBytes(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails: the runtime aborts when the system has no randomness
	return b
}
