package pgserver

import (
	"errors"
	"net"
	"testing"
)

// A port that another process took after it was found free is told apart from a server that is broken, and one that clients
// know is waited for.
func TestPortIsTaken(t *testing.T) {
	s, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	s.Stop()
	other, err := net.Listen("tcp", net.JoinHostPort(s.Host, "0"))
	if err != nil {
		t.Fatal(err)
	}
	s.Port = other.Addr().(*net.TCPAddr).Port
	if err := s.run(); !errors.Is(err, errPortTaken) {
		t.Fatal(err)
	}
	started := make(chan error)
	go func() { started <- s.start() }()
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	c, err := s.Dial()
	if err != nil {
		t.Fatal(err)
	}
	CloseConn(c)
}
