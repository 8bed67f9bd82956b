package pebblekv

import (
	"slices"
	"testing"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
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

// TestViewWhileCommitting (K1): a commit is in the database but not yet out of the lists. Rows and changes are in both,
// and a view must see each once.
func TestViewWhileCommitting(t *testing.T) {
	s := openTest(t, newCrashFS())
	defer s.Close()
	s.SetLeases(map[id.Table]epoch.Epoch{7: 0})
	publishThree(s)
	finish := commitHalfway(t, s, 2)
	checkThree(t, s)
	finish()
	checkThree(t, s)
}

// TestLeaseWhileCommitting (K4): a lease comes while a commit that does not know it is being written. The changes stay
// in memory until the next commit has written them, and are seen once while that one is half-way.
func TestLeaseWhileCommitting(t *testing.T) {
	s := openTest(t, newCrashFS())
	defer s.Close()
	publishThree(s)
	finish := commitHalfway(t, s, 2)
	s.SetLeases(map[id.Table]epoch.Epoch{7: 0})
	finish()
	checkThree(t, s)
	finish = commitHalfway(t, s, 3)
	checkThree(t, s)
	finish()
	checkThree(t, s)
}

var threeKey = kv.AppendTable(nil, 7, 0)

// publishThree makes three epochs visible that each change one row.
func publishThree(s *Store) {
	for e := epoch.Epoch(1); e <= 3; e++ {
		var b kv.RunBuilder
		b.Add(kv.Write{Key: threeKey, Old: []byte{byte('0' + e - 1)}, New: []byte{byte('0' + e)}})
		s.Stage(1, e, b.Finish())
		s.Publish(e, []id.Job{1})
	}
}

// commitHalfway writes a commit and leaves the lists as they are until the function it returns is called.
func commitHalfway(t *testing.T, s *Store, e epoch.Epoch) (finish func()) {
	p := s.layers.Pending(e)
	w := commitWriter{pending: p, record: s.last.next(e)}
	if err := s.batch(&w); err != nil {
		t.Fatal(err)
	}
	s.layers.Refresh() // views from now on pin the database with the commit in it
	return func() {
		s.last, s.recorded = w.record, p.Logs
		s.layers.Committed(p)
	}
}

func checkThree(t *testing.T, s *Store) {
	t.Helper()
	v := s.View()
	defer v.Close()
	it, err := v.Log(7, 0, 0, 3)
	if err != nil {
		t.Fatal(err)
	}
	var got []epoch.Epoch
	for it.Next() {
		got = append(got, it.Epoch())
	}
	if err := it.Close(); err != nil || !slices.Equal(got, []epoch.Epoch{1, 2, 3}) {
		t.Fatalf("changes of epochs %v, %v", got, err)
	}
	if row, _, err := v.Get(threeKey); err != nil || string(row) != "3" {
		t.Fatalf("row %q, %v", row, err)
	}
}
