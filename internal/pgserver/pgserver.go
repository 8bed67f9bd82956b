// Package pgserver starts throw-away PostgreSQL 15 servers: a server listens on a free loopback port, keeps its data in a
// temporary folder, and leaves nothing behind when it is closed.
//
//	s, err := pgserver.Open(pgserver.Options{})
//	defer s.Close()
package pgserver

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"
)

// Options are what a user may need of a server. The zero value is a plain server without fsync.
type Options struct {
	Logical  bool              // wal_level = logical with slots and senders, for change capture
	Durable  bool              // fsync on; off is several times faster and survives Crash too
	Password string            // ask the superuser for it (SCRAM); empty is trust
	Settings map[string]string // further lines of postgresql.conf
}

// Server is a PostgreSQL that runs.
type Server struct {
	Host     string
	Port     int
	Password string // that DSN has
	Bin      string // folder of its programs
	opts     Options
	base     string // folder of all that is its own
	cmd      *exec.Cmd
	done     chan struct{}
	log      *bytes.Buffer
}

// Superuser owns the cluster; the database of the same name is there from the start.
const Superuser = "postgres"

const (
	// waitMax bounds starting, stopping and connecting; it is reached only when something is broken, on a busy machine too.
	waitMax = 3 * time.Minute
	// portTries is how many ports are tried: one that was free may be taken by another process until the server binds it.
	portTries = 10
)

// Open makes a cluster and starts it.
func Open(opts Options) (*Server, error) {
	s := &Server{Host: "127.0.0.1", Password: opts.Password, opts: opts}
	if err := s.open(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Server) open() (err error) {
	if s.Bin, err = findBin(); err != nil {
		return err
	}
	if s.base, err = folder(); err != nil {
		return err
	}
	if err = s.initdb(); err != nil {
		return err
	}
	for range portTries {
		if s.Port, err = freePort(); err != nil {
			return err
		}
		if err = s.run(); !errors.Is(err, errPortTaken) {
			return err
		}
	}
	return err
}

// Close stops the server and removes its data.
func (s *Server) Close() error {
	s.Stop()
	if s.base == "" {
		return nil
	}
	return os.RemoveAll(s.base)
}

// folder makes a folder that the server's user may enter, which need not be who calls.
func folder() (string, error) {
	dir, err := os.MkdirTemp("", "postgres-")
	if err != nil {
		return "", err
	}
	return dir, giveToUser(dir)
}

// findBin finds the programs of PostgreSQL 15.
func findBin() (string, error) {
	candidates := []string{os.Getenv("TIDEMARK_TEST_PG_BIN"), "/usr/lib/postgresql/15/bin", "/usr/pgsql-15/bin", "/opt/homebrew/opt/postgresql@15/bin", "/usr/local/opt/postgresql@15/bin"}
	for _, dir := range candidates {
		if dir == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, "initdb")); err == nil {
			return dir, nil
		}
	}
	return "", errors.New("PostgreSQL 15 is not installed: run `make deps`, or set TIDEMARK_TEST_PG_BIN to the folder of its programs")
}

func (s *Server) dir() string { return filepath.Join(s.base, "data") }

func (s *Server) initdb() error {
	args := []string{"-D", s.dir(), "-U", Superuser, "--locale=C", "--encoding=UTF8", "--no-sync"}
	if s.opts.Password == "" {
		args = append(args, "--auth=trust")
	} else {
		file := filepath.Join(s.base, "password")
		args = append(args, "--auth=scram-sha-256", "--pwfile="+file)
		if err := os.WriteFile(file, []byte(s.opts.Password), 0o644); err != nil {
			return err
		}
	}
	cmd := exec.Command(filepath.Join(s.Bin, "initdb"), args...)
	asUser(cmd)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return nil
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
	args := []string{"-D", s.dir(), "-p", strconv.Itoa(s.Port)}
	for _, k := range names {
		args = append(args, "-c", k+"="+set[k])
	}
	return args
}

// DSN is the address for a driver.
func (s *Server) DSN() string {
	password := ""
	if s.Password != "" {
		password = ":" + s.Password
	}
	return fmt.Sprintf("postgres://%s%s@%s/%s?sslmode=disable", Superuser, password, net.JoinHostPort(s.Host, strconv.Itoa(s.Port)), Superuser)
}

// PID is the process that all others of the server descend from; 0 when it is stopped.
func (s *Server) PID() int {
	if s.cmd == nil {
		return 0
	}
	return s.cmd.Process.Pid
}

// Stop ends the server in an orderly way. A stopped server may be started again by Restart.
func (s *Server) Stop() { s.end(fastStop) }

// Crash ends the server at once, as a power cut would see it, and starts it on what is on disk.
func (s *Server) Crash() error {
	s.end(immediateStop)
	return s.start()
}

// Restart stops the server and starts it on the same port and data.
func (s *Server) Restart() error {
	s.end(fastStop)
	return s.start()
}

// Log is what the server wrote since it was started last. It may be read once the server has stopped.
func (s *Server) Log() string { return strings.TrimSpace(s.log.String()) }
