package slt

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// startMax bounds how long a server may take until it answers, recovery included.
const startMax = 30 * time.Second

// server is a Tidemark process on a data directory of its own.
type server struct {
	binary string
	base   string // temporary folder with the data and the log
	addr   string
	cmd    *exec.Cmd
	done   chan struct{}
}

// startServer starts the binary on an empty data directory and a free port.
func startServer(binary string) (*server, error) {
	base, err := os.MkdirTemp("", "slt-tidemark-")
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &server{binary: binary, base: base, addr: l.Addr().String()}
	l.Close()
	if err := s.start(); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

func (s *server) dsn() string {
	return "postgres://root@" + s.addr + "/dev?sslmode=disable"
}

func (s *server) start() error {
	log, err := os.OpenFile(filepath.Join(s.base, "log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	s.cmd = exec.Command(s.binary, "serve", "--data", filepath.Join(s.base, "data"), "--listen", s.addr)
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		s.cmd = nil
		return err
	}
	s.done = make(chan struct{})
	go func(cmd *exec.Cmd, done chan struct{}) { _ = cmd.Wait(); close(done) }(s.cmd, s.done)
	return s.await()
}

// await waits until the server answers.
func (s *server) await() error {
	for end := time.Now().Add(startMax); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		select {
		case <-s.done:
			return fmt.Errorf("the server ended while it started:\n%s", s.tail())
		default:
		}
		ctx, stop := context.WithTimeout(context.Background(), time.Second)
		c, err := Dial(ctx, s.dsn(), "", false)
		stop()
		if err == nil {
			c.Close()
			return nil
		}
	}
	return fmt.Errorf("the server did not answer within %v:\n%s", startMax, s.tail())
}

// restart kills the process without warning and starts it on what it left.
func (s *server) restart() error {
	s.kill()
	return s.start()
}

func (s *server) kill() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill()
	<-s.done
	s.cmd = nil
}

// stop ends the process and removes its data.
func (s *server) stop() {
	s.kill()
	os.RemoveAll(s.base)
}

// tail is the end of the log, for error messages.
func (s *server) tail() string {
	const size = 2000
	f, err := os.Open(filepath.Join(s.base, "log"))
	if err != nil {
		return ""
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && st.Size() > size {
		_, _ = f.Seek(-size, io.SeekEnd)
	}
	b, _ := io.ReadAll(f)
	return string(b)
}
