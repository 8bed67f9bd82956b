package pgtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// Program is one of PostgreSQL's client programs, such as pgbench, pointed at the server.
func (s *Server) Program(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.bin, name), args...)
	cmd.Env = append(os.Environ(), "PGHOST="+s.Host, "PGPORT="+strconv.Itoa(s.Port), "PGUSER="+superuser, "PGPASSWORD="+s.opts.Password, "PGDATABASE="+superuser)
	return cmd
}
