package mem

import (
	"io/fs"
	"strconv"
	"strings"
)

// fallbackBytes is taken where the system does not tell its memory; small enough for any machine that runs a server.
const fallbackBytes = 4 << 30

// unlimited is above any real limit; cgroup v1 writes a number near 2^63 for none.
const unlimited = 1 << 60

// Machine returns the memory that this process may use: the smaller of RAM and the limit of its control group. root is
// the root of the file system (os.DirFS("/")); ram is what the system said, 0 when it did not.
func Machine(root fs.FS, ram int64) int64 {
	best := int64(unlimited)
	for _, name := range []string{"sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if n, err := readNumber(root, name); err == nil && n > 0 {
			best = min(best, n)
		}
	}
	if ram == 0 {
		ram = memTotal(root)
	}
	if ram > 0 {
		best = min(best, ram)
	}
	if best >= unlimited {
		return fallbackBytes
	}
	return best
}

func readNumber(root fs.FS, name string) (int64, error) {
	b, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
}

// memTotal reads the first line of Linux's meminfo: "MemTotal:       8049832 kB".
func memTotal(root fs.FS) int64 {
	b, err := fs.ReadFile(root, "proc/meminfo")
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(b), "\n")
	f := strings.Fields(line)
	if len(f) != 3 || f[0] != "MemTotal:" {
		return 0
	}
	kb, err := strconv.ParseInt(f[1], 10, 64)
	if err != nil {
		return 0
	}
	return kb << 10
}
