package pebblekv

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// refused opens a store and expects an error of the entry.
func refused(t *testing.T, o Options, want *errs.Entry) {
	t.Helper()
	s, err := Open(o)
	if err == nil {
		s.Close()
		t.Fatalf("opened, want %s", want.Code)
	}
	if !errs.Of(err, want) {
		t.Fatalf("got %v, want %s", err, want.Code)
	}
}

func TestOpenRefuses(t *testing.T) {
	fs := newCrashFS()
	o := testOptions(fs)
	o.Stored = map[string]string{"vnode_hash": "1"}
	o.Owner = "process 7"
	s, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	refused(t, o, errs.StoreLocked)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	other := o
	other.Stored = map[string]string{"vnode_hash": "2"}
	refused(t, other, errs.StoreOptions)
	if s, err = Open(o); err != nil {
		t.Fatal(err)
	}
	if err := s.replace(formatFile, formatTitle+"\nformat 99\n"); err != nil {
		t.Fatal(err)
	}
	s.Close()
	refused(t, o, errs.StoreVersion)
}

func TestOpenRefusesForeignDirectory(t *testing.T) {
	fs := newCrashFS()
	if err := fs.MkdirAll("/data/db/photos", 0o700); err != nil {
		t.Fatal(err)
	}
	refused(t, testOptions(fs), errs.NotAStore)
}

func TestOpenRefusesStoreWithoutItsFormat(t *testing.T) {
	fs := newCrashFS()
	s := openTest(t, fs)
	s.Publish(1, nil)
	if _, err := s.Commit(kv.Commit{Epoch: 1}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if err := fs.Remove("/data/db/" + formatFile); err != nil {
		t.Fatal(err)
	}
	refused(t, testOptions(fs), errs.NotAStore)
}

func TestOpenRefusesStoreWithoutItsDatabase(t *testing.T) {
	fs := newCrashFS()
	openTest(t, fs).Close()
	if err := fs.RemoveAll("/data/db/" + databaseDir); err != nil {
		t.Fatal(err)
	}
	refused(t, testOptions(fs), errs.StoreCorrupt)
}

func TestOpenClearsSpill(t *testing.T) {
	fs := newCrashFS()
	openTest(t, fs).Close()
	f, err := fs.Create("/data/db/spill/commit-9-0.sst", vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	defer openTest(t, fs).Close()
	if names, err := fs.List("/data/db/spill"); err != nil || len(names) > 0 {
		t.Fatalf("left %v, %v", names, err)
	}
}

// TestDiskNearlyFull: new work is refused first, then every write; nothing is lost when there is space again.
func TestDiskNearlyFull(t *testing.T) {
	fs := newCrashFS()
	fs.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: 1 << 40})
	o := testOptions(fs)
	o.FreeBytesMin = 4 << 20
	s, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Publish(1, nil)
	fs.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: 2 << 20})
	if err := s.CheckSpace(); !errs.Of(err, errs.DiskFull) {
		t.Fatalf("new work: %v", err)
	}
	if err := s.Apply(nil); err != nil {
		t.Fatalf("accepted work goes on: %v", err)
	}
	fs.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: 1 << 19})
	if _, err := s.Commit(kv.Commit{Epoch: 1}); !errs.Of(err, errs.DiskFull) {
		t.Fatalf("commit: %v", err)
	}
	fs.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: 1 << 40})
	if _, err := s.Commit(kv.Commit{Epoch: 1}); err != nil || s.Durable() != epoch.Epoch(1) {
		t.Fatalf("with space again: %v", err)
	}
}
