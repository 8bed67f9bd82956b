package pebblekv

import (
	"errors"
	"math/rand/v2"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// crashFS is a file system in memory that loses what was not synced. After each operation that changes what a crash
// leaves, the hook is called.
type crashFS struct {
	*vfs.MemFS
	hook func(op, name string)
}

func newCrashFS() *crashFS {
	return &crashFS{MemFS: vfs.NewCrashableMem(), hook: func(string, string) {}}
}

// crash returns the file system as a power cut would leave it; of what was not synced a share survives.
func (c *crashFS) crash(unsyncedPercent int, seed uint64) *crashFS {
	cfg := vfs.CrashCloneCfg{UnsyncedDataPercent: unsyncedPercent, RNG: rand.New(rand.NewPCG(seed, 2))}
	return &crashFS{MemFS: c.MemFS.CrashClone(cfg), hook: func(string, string) {}}
}

func (c *crashFS) Create(name string, cat vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := c.MemFS.Create(name, cat)
	c.hook("create", name)
	return crashFile{f, c, name}, err
}

func (c *crashFS) Remove(name string) error {
	err := c.MemFS.Remove(name)
	c.hook("remove", name)
	return err
}

func (c *crashFS) Rename(from, to string) error {
	err := c.MemFS.Rename(from, to)
	c.hook("rename", to)
	return err
}

func (c *crashFS) OpenDir(name string) (vfs.File, error) {
	f, err := c.MemFS.OpenDir(name)
	return crashFile{f, c, name}, err
}

// ReuseForWrite of MemFS can deadlock with a clone, and so can Link; Pebble does without both.
func (c *crashFS) ReuseForWrite(from, to string, cat vfs.DiskWriteCategory) (vfs.File, error) {
	if err := c.Remove(from); err != nil {
		return nil, err
	}
	return c.Create(to, cat)
}

func (c *crashFS) Link(string, string) error { return errors.New("links are not supported") }

type crashFile struct {
	vfs.File
	fs   *crashFS
	name string
}

func (f crashFile) Sync() error {
	err := f.File.Sync()
	f.fs.hook("sync", f.name)
	return err
}

func (f crashFile) SyncData() error {
	err := f.File.SyncData()
	f.fs.hook("sync", f.name)
	return err
}

func (f crashFile) SyncTo(n int64) (bool, error) {
	full, err := f.File.SyncTo(n)
	f.fs.hook("sync", f.name)
	return full, err
}

// disks remembers the file system of each open store.
type disks struct {
	sync.Mutex
	of map[*Store]*crashFS
}
