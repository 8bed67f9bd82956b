package mem

import (
	"testing"
	"testing/fstest"
)

func TestMachine(t *testing.T) {
	const meminfo = "MemTotal:        8 kB\nMemFree: 1 kB\n"
	for name, c := range map[string]struct {
		files map[string]string
		ram   int64
		want  int64
	}{
		"ram":                {map[string]string{"proc/meminfo": meminfo}, 0, 8192},
		"cgroup v2 below":    {map[string]string{"proc/meminfo": meminfo, "sys/fs/cgroup/memory.max": "4096\n"}, 0, 4096},
		"cgroup v2 no limit": {map[string]string{"proc/meminfo": meminfo, "sys/fs/cgroup/memory.max": "max\n"}, 0, 8192},
		"cgroup v1 none":     {map[string]string{"proc/meminfo": meminfo, "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 0, 8192},
		"told by the system": {nil, 1 << 30, 1 << 30},
		"unknown":            {nil, 0, fallbackBytes},
		"damaged":            {map[string]string{"proc/meminfo": "MemTotal: many kB\n"}, 0, fallbackBytes},
	} {
		root := fstest.MapFS{}
		for n, s := range c.files {
			root[n] = &fstest.MapFile{Data: []byte(s)}
		}
		if got := Machine(root, c.ram); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
