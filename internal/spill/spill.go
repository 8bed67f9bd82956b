// Package spill keeps what a statement holds beyond its part of memory in temporary files: records in order of arrival,
// and sorted runs that are merged when they are read.
//
//	f, err := dir.Create()
//	err = f.Append(key, row)
//	err = f.Each(func(key, row []byte) error { ... })
package spill

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// Dir is where temporary files lie, each until its statement ends. Who opens the database removes what a process that was
// killed has left there. It may be used by many goroutines.
type Dir struct {
	path string
	room func() error
	last atomic.Uint64 // number of a file
}

// In returns the directory, which exists. room tells whether the disk has space for more, and is asked before each file;
// nil does not ask.
func In(path string, room func() error) *Dir { return &Dir{path: path, room: room} }

// Create makes an empty file.
func (d *Dir) Create() (*File, error) {
	if d.room != nil {
		if err := d.room(); err != nil {
			return nil, err
		}
	}
	name := fmt.Sprintf("statement-%d", d.last.Add(1))
	f, err := os.OpenFile(filepath.Join(d.path, name), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, failure(name, err)
	}
	return &File{name: name, disk: f}, nil
}

// Files is how many files were made so far.
func (d *Dir) Files() uint64 { return d.last.Load() }

// failure is the error of a file as a user sees it.
func failure(name string, err error) error {
	entry := errs.SpillFailed
	if errors.Is(err, syscall.ENOSPC) {
		entry = errs.SpillFull
	}
	what := err
	if path := (*os.PathError)(nil); errors.As(err, &path) { // without the path, which is the server's
		what = path.Err
	}
	return entry.New("file", name, "what", what.Error()).Wrap(err)
}
