package spill

import (
	"bytes"
	"errors"
	"iter"
	"slices"
)

// FanInMax is how many files a merge reads at a time: so many blocks are in memory.
const FanInMax = 16

// Runs is sorted runs of records that are read as one. Records with equal keys stay in the order in which they came.
// Runs of a like size are merged into a larger one as soon as there are FanInMax of them, so that a record is written once
// for each factor of FanInMax, and a few files exist however much there is.
type Runs struct {
	dir    *Dir
	levels [][]*File // by size, the smallest first; each has its files from the oldest on
}

// NewRuns returns no runs yet.
func NewRuns(d *Dir) *Runs { return &Runs{dir: d} }

// Size is about how many bytes are in memory while runs are merged.
func (r *Runs) Size() int64 {
	n := 1 // the file that is written
	for _, level := range r.levels {
		n += len(level)
	}
	return int64(min(n, FanInMax+1)) * BlockBytes
}

// Add writes a run, whose records come after those of all runs before it.
func (r *Runs) Add(run iter.Seq2[[]byte, []byte]) error {
	f, err := r.dir.Create()
	if err != nil {
		return err
	}
	for key, row := range run {
		if err = f.Append(key, row); err != nil {
			break
		}
	}
	if err == nil {
		err = f.Seal()
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	return r.put(0, f)
}

// put adds a file to a level, and merges the level when it is full.
func (r *Runs) put(level int, f *File) error {
	if level == len(r.levels) {
		r.levels = append(r.levels, nil)
	}
	if r.levels[level] = append(r.levels[level], f); len(r.levels[level]) < FanInMax {
		return nil
	}
	whole, err := r.merge(r.levels[level])
	if err != nil {
		return err
	}
	r.levels[level] = nil
	return r.put(level+1, whole)
}

// merge makes one file of several, the oldest first, and removes them.
func (r *Runs) merge(files []*File) (*File, error) {
	out, err := r.dir.Create()
	if err != nil {
		return nil, err
	}
	if err = merge(files, out.Append); err == nil {
		err = out.Seal()
	}
	if err != nil {
		return nil, errors.Join(err, out.Close())
	}
	for _, f := range files {
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return nil, errors.Join(err, out.Close())
	}
	return out, nil
}

// Each gives all records in the order of their keys, once. The bytes are valid until the next.
func (r *Runs) Each(yield func(key, row []byte) error) error {
	for level := 0; r.count() > FanInMax; level++ { // the small ones cost least
		files := r.levels[level]
		if len(files) == 0 {
			continue
		}
		whole, err := r.merge(files)
		if err != nil {
			return err
		}
		r.levels[level] = nil
		r.levels[level+1] = append(r.levels[level+1], whole)
	}
	var files []*File
	for _, level := range slices.Backward(r.levels) { // larger ones are older
		files = append(files, level...)
	}
	return merge(files, yield)
}

func (r *Runs) count() (n int) {
	for _, level := range r.levels {
		n += len(level)
	}
	return n
}

// Close removes all files.
func (r *Runs) Close() error {
	var err error
	for _, level := range r.levels {
		for _, f := range level {
			err = errors.Join(err, f.Close())
		}
	}
	r.levels = nil
	return err
}

// cursor is a file and the record at which it is read.
type cursor struct {
	file     *File
	key, row []byte
}

// next moves on; ok is false at the end.
func (c *cursor) next() (ok bool, err error) {
	c.key, c.row, ok, err = c.file.Next()
	return ok, err
}

// merge reads sealed files, the oldest first. They are so few that the least key is looked for one by one.
func merge(files []*File, yield func(key, row []byte) error) error {
	var cursors []*cursor
	for _, f := range files {
		c := &cursor{file: f}
		switch ok, err := c.next(); {
		case err != nil:
			return err
		case ok:
			cursors = append(cursors, c)
		}
	}
	for len(cursors) > 0 {
		least := 0
		for i := 1; i < len(cursors); i++ {
			if bytes.Compare(cursors[i].key, cursors[least].key) < 0 {
				least = i
			}
		}
		c := cursors[least]
		if err := yield(c.key, c.row); err != nil {
			return err
		}
		ok, err := c.next()
		if err != nil {
			return err
		}
		if !ok {
			cursors = slices.Delete(cursors, least, least+1)
		}
	}
	return nil
}
