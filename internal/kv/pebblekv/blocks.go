package pebblekv

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// VerifyBlocks reads every block of every file, what no reader would see any more included, and tells which files have one
// that does not match its checksum, and which log is not what it was. The manifest was checked when the store was opened.
func (r *ReadOnly) VerifyBlocks(damaged func(file string, err error)) (files int, err error) {
	listed, err := r.listed()
	if err != nil {
		return 0, err
	}
	names, err := r.s.opts.FS.List(r.s.path(databaseDir))
	if err != nil {
		return 0, unread(err)
	}
	if err := r.s.checkLogs(); err != nil {
		damaged("log of writes", err)
	}
	slices.Sort(names)
	for _, name := range names {
		if !strings.HasSuffix(name, ".sst") {
			continue
		}
		files++
		opened, err := r.verifyFile(r.s.opts.FS.PathJoin(databaseDir, name))
		// One that the manifest does not list is named by the log of writes, or a crash came while it was written.
		if err != nil && (opened || listed[name]) {
			line := strings.TrimPrefix(firstLine(err).Error(), "pebble: file 000000: ") // a reader by itself knows no number
			damaged(databaseDir+"/"+name, errs.StoreCorrupt.New("what", line))
		}
	}
	return files, nil
}

// listed are the files that the manifest names.
func (r *ReadOnly) listed() (map[string]bool, error) {
	levels, err := r.s.db.SSTables()
	if err != nil {
		return nil, unread(err)
	}
	out := map[string]bool{}
	for _, tables := range levels {
		for _, t := range tables {
			out[fmt.Sprintf("%06d.sst", uint64(t.BackingSSTNum))] = true
		}
	}
	return out, nil
}

// verifyFile reads a file to its end; opened says that it is a whole one.
func (r *ReadOnly) verifyFile(name string) (opened bool, err error) {
	f, err := r.s.opts.FS.Open(r.s.path(name))
	if err != nil {
		return false, err
	}
	readable, err := sstable.NewSimpleReadable(f)
	if err != nil {
		f.Close()
		return false, err
	}
	o := &pebble.Options{}
	o.EnsureDefaults()
	t, err := sstable.NewReader(context.Background(), readable, o.MakeReaderOptions()) // which closes the file, come what may
	if err != nil {
		return false, err
	}
	err = t.ValidateBlockChecksums()
	if closed := t.Close(); err == nil {
		err = closed
	}
	return true, err
}
