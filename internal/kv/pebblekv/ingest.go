package pebblekv

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tidemark-db/tidemark/internal/kv"
)

// fileBytesMax is where a sorted file is ended and the next begun: small enough for a compaction to move alone.
const fileBytesMax = 32 << 20

// spill is where files lie until they are part of the database; no record names them, so Open deletes what it finds.
const spill = "spill"

// writersMax bounds the files of one commit that are written at a time; more do not pay beside the stream.
const writersMax = 4

// ingest writes a large commit as sorted files that enter the database in one atomic and durable step. The store's own
// space has a file for itself: it is the one that every commit overwrites, and the others need not overlap with it.
// Nor need large tables overlap with each other: what lies over nothing goes to the lowest level and stays there.
func (s *Store) ingest(w *commitWriter) error {
	head := s.files(w, "head")
	if err := head.write(w.head); err != nil {
		return err
	}
	rows, err := s.ingestRows(w)
	if err != nil {
		return err
	}
	paths := head.paths
	for _, f := range rows {
		paths = append(paths, f.paths...)
		w.stats.Rows += f.stats.Rows
		w.stats.Bytes += f.stats.Bytes
	}
	w.stats.Ingested = true
	return s.db.Ingest(context.Background(), paths)
}

// ingestRows writes the parts of a commit's rows, some at a time.
func (s *Store) ingestRows(w *commitWriter) ([]*fileWriter, error) {
	parts := w.pending.Parts(fileBytesMax)
	writers := make([]*fileWriter, len(parts))
	failures := make([]error, len(parts))
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(len(parts), writersMax, runtime.NumCPU()) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(parts); i = int(next.Add(1)) - 1 {
				writers[i] = s.files(w, strconv.Itoa(i))
				failures[i] = writers[i].part(parts[i])
			}
		})
	}
	all.Wait()
	return writers, errors.Join(failures...)
}

// fileWriter writes ascending keys to sorted files.
type fileWriter struct {
	store *Store
	name  string // before the number of the file
	stats stats  // of rows
	paths []string
	table *sstable.Writer // nil between two files
	bytes int
	own   bool // the file is that of the store's own space
}

// files writes files of a part of a commit.
func (s *Store) files(w *commitWriter, part string) *fileWriter {
	return &fileWriter{store: s, name: fmt.Sprintf("commit-%d-%s", w.record.number, part)}
}

// part writes a part of a commit's rows. It runs beside the caller, who could not catch a panic of Pebble's.
func (f *fileWriter) part(p kv.Part) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return f.write(func(put func(key, value []byte) error) error { return p.Rows(f.stats.counting(put)) })
}

// write gives what emit puts to the files.
func (f *fileWriter) write(emit func(put func(key, value []byte) error) error) error {
	if err := emit(f.put); err != nil {
		return err
	}
	return f.end()
}

func (f *fileWriter) put(key, value []byte) error {
	own := key[0] == spaceOwn
	if f.table != nil && (f.bytes >= fileBytesMax || f.own != own) {
		if err := f.end(); err != nil {
			return err
		}
	}
	if f.table == nil {
		if err := f.begin(); err != nil {
			return err
		}
		f.own = own
	}
	f.bytes += len(key) + len(value)
	if value == nil {
		return f.table.Delete(key)
	}
	return f.table.Set(key, value)
}

func (f *fileWriter) begin() error {
	s := f.store
	path := s.opts.FS.PathJoin(s.opts.Dir, spill, fmt.Sprintf("%s-%d.sst", f.name, len(f.paths)))
	file, err := s.opts.FS.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	f.paths = append(f.paths, path)
	f.table = sstable.NewWriter(objstorageprovider.NewFileWritable(file), s.tableOptions)
	f.bytes = 0
	return nil
}

// end finishes the file; it is synced then.
func (f *fileWriter) end() error {
	if f.table == nil {
		return nil
	}
	err := f.table.Close()
	f.table = nil
	return err
}
