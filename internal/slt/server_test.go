package slt

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A server whose port another process has taken since it was killed waits for it: scripts know the address.
func TestRestartWaitsForItsPort(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	binary := filepath.Join(dir, "server")
	const script = "#!/bin/sh\nif [ -e \"$TAKEN\" ]; then rm \"$TAKEN\"; echo 'listen tcp: bind: address already in use'; exit 1; fi\necho \"ready listen=$ADDRESS\"\nexec sleep 1000\n"
	if err := os.WriteFile(binary, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	t.Setenv("ADDRESS", ln.Addr().String())
	t.Setenv("TAKEN", taken) // its folder's name may have blanks
	s := &server{binary: binary, base: dir, addr: "127.0.0.1:0"}
	defer s.kill()
	go serveLogins(ln)
	for _, prepare := range []func() error{func() error { return nil }, func() error { return os.WriteFile(taken, nil, 0o600) }} {
		if err := prepare(); err != nil {
			t.Fatal(err)
		}
		if err := s.restart(); err != nil {
			t.Fatal(err)
		}
	}
	if s.addr != ln.Addr().String() || strings.Count(s.tail(), "already in use") != 1 {
		t.Errorf("%s: %s", s.addr, s.tail())
	}
}

// serveLogins lets every client in and does nothing for it.
func serveLogins(ln net.Listener) {
	for {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		_, _ = c.Read(make([]byte, 1024))
		_, _ = c.Write([]byte("R\x00\x00\x00\x08\x00\x00\x00\x00Z\x00\x00\x00\x05I"))
		_ = c.Close()
	}
}
