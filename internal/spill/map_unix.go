//go:build unix

package spill

import (
	"os"

	"golang.org/x/sys/unix"
)

func mapped(f *os.File, n int) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

func unmap(b []byte) error { return unix.Munmap(b) }
