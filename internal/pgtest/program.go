package pgtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/tidemark-db/tidemark/internal/pgserver"
)

// Program is one of PostgreSQL's client programs, such as pgbench, pointed at the server.
func (s *Server) Program(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.Bin, name), args...)
	cmd.Env = append(os.Environ(), "PGHOST="+s.Host, "PGPORT="+strconv.Itoa(s.Port), "PGUSER="+pgserver.Superuser, "PGPASSWORD="+s.Password, "PGDATABASE="+pgserver.Superuser)
	return cmd
}
