package pebblekv

import (
	"context"
	"fmt"

	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// fileBytesMax is where a sorted file is ended and the next begun: small enough for a compaction to move alone.
const fileBytesMax = 32 << 20

// spill is where files lie until they are part of the database; no record names them, so Open deletes what it finds.
const spill = "spill"

// ingest writes a large commit as sorted files that enter the database in one atomic and durable step. The store's own
// space has a file for itself: it is the one that every commit overwrites, and the others need not overlap with it.
func (s *Store) ingest(w *commitWriter) error {
	f := fileWriter{store: s, number: w.record.number}
	if err := w.emit(f.put); err != nil {
		return err
	}
	if err := f.end(); err != nil {
		return err
	}
	w.stats.Ingested = true
	return s.db.Ingest(context.Background(), f.paths)
}

// fileWriter writes ascending keys to sorted files.
type fileWriter struct {
	store  *Store
	number uint64 // of the commit, for the names
	paths  []string
	table  *sstable.Writer // nil between two files
	bytes  int
	own    bool // the file is that of the store's own space
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
	path := s.opts.FS.PathJoin(s.opts.Dir, spill, fmt.Sprintf("commit-%d-%d.sst", f.number, len(f.paths)))
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
