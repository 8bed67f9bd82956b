package slt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"
)

const (
	// startMax bounds how long a server may take until it answers, recovery included; a machine may be very busy.
	startMax = 5 * time.Minute
	// startPoll is how often a server that starts is looked at.
	startPoll = 10 * time.Millisecond
)

// server is a Tidemark process on a data directory of its own.
type server struct {
	binary string
	base   string // temporary folder with the data and the log
	addr   string // that the first start was given
	cmd    *exec.Cmd
	done   chan struct{}
}

// startServer starts the binary on an empty data directory.
func startServer(binary string) (*server, error) {
	base, err := os.MkdirTemp("", "slt-tidemark-")
	if err != nil {
		return nil, err
	}
	s := &server{binary: binary, base: base, addr: "127.0.0.1:0"}
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
	said, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	s.cmd = exec.Command(s.binary, "serve", "--data", filepath.Join(s.base, "data"), "--listen", s.addr)
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		s.cmd = nil
		return err
	}
	s.done = make(chan struct{})
	go func(cmd *exec.Cmd, done chan struct{}) { _ = cmd.Wait(); close(done) }(s.cmd, s.done)
	return s.await(said)
}

// listening finds the address in the line that says "ready".
var listening = regexp.MustCompile(`(?m)^.*\bready\b.*\blisten=(\S+)\s`)

// await waits until the server answers at the address that it has logged behind what was said before.
func (s *server) await(said int64) error {
	for end := time.Now().Add(startMax); time.Now().Before(end); time.Sleep(startPoll) {
		select {
		case <-s.done:
			err := fmt.Errorf("the server ended while it started:\n%s", s.tail())
			if bytes.Contains(s.log(said), []byte("address already in use")) {
				err = errors.Join(errPortTaken, err)
			}
			return err
		default:
		}
		ready := listening.FindSubmatch(s.log(said))
		if ready == nil {
			continue
		}
		s.addr = string(ready[1])
		ctx, stop := context.WithTimeout(context.Background(), dialMax)
		c, err := Dial(ctx, s.dsn(), "", false)
		stop()
		if err == nil {
			c.Close()
			return nil
		}
	}
	return fmt.Errorf("the server did not answer within %v:\n%s", startMax, s.tail())
}

// errPortTaken says that another process has the port that the server had before.
var errPortTaken = errors.New("the port is taken")

// restart kills the process without warning and starts it on what it left, at the address that scripts know.
func (s *server) restart() (err error) {
	s.kill()
	for end := time.Now().Add(startMax); time.Now().Before(end); time.Sleep(startPoll) {
		if err = s.start(); !errors.Is(err, errPortTaken) {
			return err
		}
	}
	return err
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

// log is what was logged behind an offset.
func (s *server) log(from int64) []byte {
	f, err := os.Open(filepath.Join(s.base, "log"))
	if err != nil {
		return nil
	}
	defer f.Close()
	b, _ := io.ReadAll(io.NewSectionReader(f, from, math.MaxInt64-from))
	return b
}

// tail is the end of the log, for error messages.
func (s *server) tail() string {
	const size = 2000
	b := s.log(0)
	return string(b[max(len(b)-size, 0):])
}
