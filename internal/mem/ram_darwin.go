package mem

import "golang.org/x/sys/unix"

// RAM asks the kernel for the size of physical memory, 0 when it does not say.
func RAM() int64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(n)
}
