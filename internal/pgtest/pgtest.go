// Package pgtest starts throw-away PostgreSQL 15 servers for tests: the oracle of SQL behaviour and the upstream of change
// capture. A server listens on a free loopback port, keeps its data in a temporary folder and ends with the test.
//
//	pg := pgtest.Start(t, pgtest.Options{Logical: true})
//	pg.Exec("CREATE TABLE t (a int PRIMARY KEY)")
//	rows := pg.Query("SELECT * FROM t")
package pgtest

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Options are what a test may need of its server. The zero value is a plain server without fsync.
type Options struct {
	Logical  bool              // wal_level = logical with slots and senders, for change capture
	Durable  bool              // fsync on; off is several times faster and survives Crash too
	Password string            // ask the superuser for it (SCRAM); empty is trust
	Settings map[string]string // further lines of postgresql.conf
}

// Server is a running PostgreSQL. Its methods fail the test on any error.
type Server struct {
	Host string
	Port int
	opts Options
	t    testing.TB
	bin  string
	dir  string
	cmd  *exec.Cmd
	done chan struct{}
	log  *bytes.Buffer
}

// superuser owns the cluster; the database of the same name is there from the start.
const superuser = "postgres"

// waitMax bounds starting and stopping. A cold initdb on a busy machine takes some seconds.
const waitMax = 60 * time.Second

// Start makes a cluster and starts it.
func Start(t testing.TB, opts Options) *Server {
	t.Helper()
	base := folder(t)
	s := &Server{Host: "127.0.0.1", opts: opts, t: t, bin: findBin(t), dir: filepath.Join(base, "data")}
	s.initdb(filepath.Join(base, "password"))
	s.Port = freePort(t)
	t.Cleanup(s.Stop)
	s.start()
	return s
}

// folder makes a folder that the server's user may enter; t.TempDir is closed to everybody but the test's user.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "pgtest-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := giveToUser(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// findBin finds the programs of PostgreSQL 15.
func findBin(t testing.TB) string {
	candidates := []string{os.Getenv("TIDEMARK_TEST_PG_BIN"), "/usr/lib/postgresql/15/bin", "/usr/pgsql-15/bin", "/opt/homebrew/opt/postgresql@15/bin", "/usr/local/opt/postgresql@15/bin"}
	for _, dir := range candidates {
		if dir == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, "initdb")); err == nil {
			return dir
		}
	}
	t.Fatal("PostgreSQL 15 is not installed: run `make deps`, or set TIDEMARK_TEST_PG_BIN to the folder of its programs")
	return ""
}

func (s *Server) initdb(passwordFile string) {
	s.t.Helper()
	args := []string{"-D", s.dir, "-U", superuser, "--locale=C", "--encoding=UTF8", "--no-sync"}
	if s.opts.Password == "" {
		args = append(args, "--auth=trust")
	} else {
		if err := os.WriteFile(passwordFile, []byte(s.opts.Password), 0o644); err != nil {
			s.t.Fatal(err)
		}
		args = append(args, "--auth=scram-sha-256", "--pwfile="+passwordFile)
	}
	cmd := exec.Command(filepath.Join(s.bin, "initdb"), args...)
	asUser(cmd)
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("initdb: %v\n%s", err, out)
	}
}

// config is what the server is started with, over postgresql.conf.
func (s *Server) config() []string {
	set := map[string]string{
		"listen_addresses": s.Host, "unix_socket_directories": "", "TimeZone": "UTC", "log_timezone": "UTC", "fsync": "off",
		"full_page_writes": "off", "shared_buffers": "32MB", "max_connections": "100", "logging_collector": "off",
	}
	if s.opts.Durable {
		set["fsync"], set["full_page_writes"] = "on", "on"
	}
	if s.opts.Logical {
		set["wal_level"], set["max_wal_senders"], set["max_replication_slots"] = "logical", "16", "16"
	}
	for k, v := range s.opts.Settings {
		set[k] = v
	}
	names := make([]string, 0, len(set))
	for k := range set {
		names = append(names, k)
	}
	sort.Strings(names)
	args := []string{"-D", s.dir, "-p", strconv.Itoa(s.Port)}
	for _, k := range names {
		args = append(args, "-c", k+"="+set[k])
	}
	return args
}

// start runs the server and waits until it answers.
func (s *Server) start() {
	s.t.Helper()
	s.log = &bytes.Buffer{}
	s.cmd = exec.Command(filepath.Join(s.bin, "postgres"), s.config()...)
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	asUser(s.cmd)
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.done = make(chan struct{})
	go func(cmd *exec.Cmd, done chan struct{}) { _ = cmd.Wait(); close(done) }(s.cmd, s.done)
	for end := time.Now().Add(waitMax); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		select {
		case <-s.done:
			s.t.Fatalf("postgres ended while it started:\n%s", s.log)
		default:
		}
		if c, err := s.dial(); err == nil {
			closeConn(c)
			return
		}
	}
	s.signal(kill)
	<-s.done
	s.t.Fatalf("postgres did not answer within %v:\n%s", waitMax, s.log)
}

// DSN is the address for a driver.
func (s *Server) DSN() string {
	password := ""
	if s.opts.Password != "" {
		password = ":" + s.opts.Password
	}
	return fmt.Sprintf("postgres://%s%s@%s/%s?sslmode=disable", superuser, password, net.JoinHostPort(s.Host, strconv.Itoa(s.Port)), superuser)
}

// Stop ends the server in an orderly way. A stopped server may be started again by Restart.
func (s *Server) Stop() { s.end(fastStop) }

// Crash ends the server at once, as a power cut would see it, and starts it on what is on disk.
func (s *Server) Crash() {
	s.t.Helper()
	s.end(immediateStop)
	s.start()
}

// Restart stops the server and starts it on the same port and data.
func (s *Server) Restart() {
	s.t.Helper()
	s.end(fastStop)
	s.start()
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

// Log is what the server wrote since it was started last. It may be read once the server has stopped.
func (s *Server) Log() string { return strings.TrimSpace(s.log.String()) }

// freePort finds a port that nobody listens on now.
func freePort(t testing.TB) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
