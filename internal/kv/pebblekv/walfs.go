package pebblekv

import (
	"fmt"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// walFS keeps Pebble from seeing that its log can not be made, written or closed: it panics then, between an Unlock and
// a deferred one, which ends the process whatever the caller does. The store fails and the goroutine waits, as in Fatalf.
// Syncs of directories count, as they belong to the making of a log.
type walFS struct {
	vfs.FS
	f *failure
}

const walSuffix = ".log"

// stop does not return if the error concerns a log.
func (w walFS) stop(name string, err error) {
	if err == nil || !strings.HasSuffix(name, walSuffix) {
		return
	}
	w.f.stop(err)
}

// stop fails and waits for the end of the process.
func (f *failure) stop(err error) {
	_ = f.fail(fmt.Errorf("the log can not be continued: %w", err))
	select {}
}

func (w walFS) guard(name string, f vfs.File, err error) (vfs.File, error) {
	w.stop(name, err)
	if err != nil || !strings.HasSuffix(name, walSuffix) {
		return f, err
	}
	return walFile{f, w.f}, nil
}

func (w walFS) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := w.FS.Create(name, c)
	return w.guard(name, f, err)
}

func (w walFS) ReuseForWrite(from, to string, c vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := w.FS.ReuseForWrite(from, to, c)
	return w.guard(to, f, err)
}

func (w walFS) OpenDir(name string) (vfs.File, error) {
	f, err := w.FS.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return walFile{f, w.f}, nil
}

func (w walFS) Unwrap() vfs.FS { return w.FS }

// walFile is a log or a directory.
type walFile struct {
	vfs.File
	f *failure
}

func (w walFile) check(err error) error {
	if err != nil {
		w.f.stop(err)
	}
	return nil
}

func (w walFile) Write(p []byte) (int, error) {
	n, err := w.File.Write(p)
	return n, w.check(err)
}

func (w walFile) SyncTo(length int64) (fullSync bool, err error) {
	fullSync, err = w.File.SyncTo(length)
	return fullSync, w.check(err)
}

func (w walFile) Sync() error     { return w.check(w.File.Sync()) }
func (w walFile) SyncData() error { return w.check(w.File.SyncData()) }
func (w walFile) Close() error    { return w.check(w.File.Close()) }
