package pebblekv

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// ReadOnly is a closed store that is looked at: nothing in its directory is made, written or cleared.
type ReadOnly struct {
	s      *Store
	format []string
}

// OpenReadOnly opens a store to look at it. A store that a process runs on is refused, naming the process.
func OpenReadOnly(o Options) (*ReadOnly, error) {
	o = o.WithDefaults()
	if err := o.Validate(); err != nil {
		return nil, err
	}
	r := &ReadOnly{s: &Store{opts: o, failure: newFailure(o.OnFatal), readOnly: true}}
	if err := r.open(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func (r *ReadOnly) open() error {
	text, err := r.s.read(formatFile)
	if errors.Is(err, fs.ErrNotExist) {
		return r.missing()
	}
	if err != nil {
		return unread(err)
	}
	if err := r.s.compareFormat(text); err != nil {
		return err
	}
	r.format = strings.Split(strings.TrimSpace(text), "\n")
	if err := r.s.exclude(); err != nil {
		return err
	}
	if err := r.s.failure.run(r.s.openDB); err != nil {
		return err
	}
	r.s.base = &base{db: r.s.db, failure: r.s.failure}
	return r.s.recover()
}

// missing is the error for a directory without FORMAT.
func (r *ReadOnly) missing() error {
	names, err := r.s.opts.FS.List(r.s.opts.Dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return errs.NoStore.New("dir", r.s.opts.Dir, "what", "the directory does not exist")
		}
		return errs.StoreOpen.New("what", "its directory can not be listed").Wrap(err)
	}
	if len(names) == 0 {
		return errs.NoStore.New("dir", r.s.opts.Dir, "what", "the directory is empty")
	}
	return errs.NotAStore.New("dir", r.s.opts.Dir, "name", slices.Min(names))
}

// Format has the lines of the file FORMAT.
func (r *ReadOnly) Format() []string { return r.format }

// Epoch is the durable one; Commits counts those that led to it.
func (r *ReadOnly) Epoch() epoch.Epoch { return r.s.last.epoch }
func (r *ReadOnly) Commits() uint64    { return r.s.last.number }

// Leases tells from which epoch on the changelog of each table is kept.
func (r *ReadOnly) Leases() map[id.Table]epoch.Epoch { return r.s.recorded }

// Reader reads all spaces.
func (r *ReadOnly) Reader() kv.Reader { return r.s.base }

// Meta reads the meta space.
func (r *ReadOnly) Meta() kv.Reader { return r.s.Meta() }

// DiskBytes estimates what the keys in [start, end) take on disk.
func (r *ReadOnly) DiskBytes(start, end []byte) (int64, error) {
	n, err := r.s.db.EstimateDiskUsage(start, end)
	return int64(n), unread(err)
}

// Close lets go of the store.
func (r *ReadOnly) Close() error {
	var err error
	if r.s.layers != nil {
		r.s.layers.Close()
	}
	if r.s.db != nil && r.s.failure.check() == nil {
		err = unread(r.s.db.Close())
	}
	r.s.unlock()
	return err
}
