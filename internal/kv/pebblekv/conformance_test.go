package pebblekv

import (
	"testing"

	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/kv/kvtest"
)

// testOptions keep a store small. Commits of a few rows are ingested, so that a history mixes both forms.
func testOptions(fs *crashFS) Options {
	return Options{FS: fs, Dir: "/data/db", CacheBytes: 1 << 20, MemtableBytes: 1 << 20, IngestRows: 25}
}

func openTest(t testing.TB, fs *crashFS) *Store {
	t.Helper()
	s, err := Open(testOptions(fs))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestConformance(t *testing.T) {
	d := disks{of: map[*Store]*crashFS{}}
	open := func(t testing.TB, fs *crashFS) kv.Store {
		s := openTest(t, fs)
		d.Lock()
		defer d.Unlock()
		d.of[s] = fs
		return s
	}
	kvtest.Run(t, kvtest.Harness{
		Open: func(t testing.TB) kv.Store { return open(t, newCrashFS()) },
		Crash: func(t testing.TB, s kv.Store) kv.Store {
			d.Lock()
			fs := d.of[s.(*Store)]
			d.Unlock()
			after := fs.crash(0, 0)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return open(t, after)
		},
	})
}
