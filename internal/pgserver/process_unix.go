//go:build unix

package pgserver

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

const (
	fastStop      = syscall.SIGINT
	immediateStop = syscall.SIGQUIT
	kill          = syscall.SIGKILL
)

// account is the user that PostgreSQL runs as when the test is root, which it refuses. It is nil for anybody else.
func account() *syscall.Credential {
	if os.Geteuid() != 0 {
		return nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

func asUser(cmd *exec.Cmd) {
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: account(), Setpgid: true}
}

func giveToUser(dir string) error {
	if c := account(); c != nil {
		return os.Chown(dir, int(c.Uid), int(c.Gid))
	}
	return nil
}
