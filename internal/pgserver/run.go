package pgserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// errPortTaken says that somebody else listens on the server's port, or talks through it.
var errPortTaken = errors.New("postgres could not bind its port")

// startPoll is how often a server that starts is asked.
const startPoll = 20 * time.Millisecond

// start runs a server again that clients know by its port; who has taken that meanwhile is waited for.
func (s *Server) start() (err error) {
	for end := time.Now().Add(waitMax); time.Now().Before(end); time.Sleep(startPoll) {
		if err = s.run(); !errors.Is(err, errPortTaken) {
			return err
		}
	}
	return err
}

// run starts the server and waits until it answers.
func (s *Server) run() error {
	s.log = &bytes.Buffer{}
	s.cmd = exec.Command(filepath.Join(s.Bin, "postgres"), s.config()...)
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	asUser(s.cmd)
	if err := s.cmd.Start(); err != nil {
		s.cmd = nil
		return err
	}
	s.done = make(chan struct{})
	ctx, ended := context.WithTimeout(context.Background(), waitMax)
	go func(cmd *exec.Cmd, done chan struct{}) { _ = cmd.Wait(); close(done); ended() }(s.cmd, s.done)
	for ; ctx.Err() == nil; time.Sleep(startPoll) {
		if s.answers(ctx) {
			return nil
		}
	}
	select {
	case <-s.done:
	default:
		s.end(kill)
		return fmt.Errorf("postgres did not answer within %v:\n%s", waitMax, s.log)
	}
	s.cmd = nil
	err := fmt.Errorf("postgres ended while it started:\n%s", s.log)
	if strings.Contains(s.log.String(), "could not bind") {
		err = errors.Join(errPortTaken, err)
	}
	return err
}

// answers tells whether this server takes connections: on a port that was taken another one may.
func (s *Server) answers(ctx context.Context) bool {
	c, err := s.dial(ctx)
	if err != nil {
		return false
	}
	defer CloseConn(c)
	r := c.ExecParams(ctx, "SHOW data_directory", nil, nil, nil, nil).Read()
	return r.Err == nil && string(r.Rows[0][0]) == s.dir()
}

func (s *Server) end(sig os.Signal) {
	if s.cmd == nil {
		return
	}
	s.signal(sig)
	select {
	case <-s.done:
	case <-time.After(waitMax):
		s.signal(kill)
		<-s.done
	}
	s.cmd = nil
}

// signal reaches only the process that this server started; one that has ended already is no error.
func (s *Server) signal(sig os.Signal) { _ = s.cmd.Process.Signal(sig) }

// freePort finds a port that nobody listens on now.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
