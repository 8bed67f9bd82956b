package pebblekv

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// What was written last is in the log alone: a store whose log is gone is refused, as is one that was closed and whose log
// has become shorter or is another. An empty log in its place lets it open without that, where nobody knows what the log held.
func TestLostLogIsNoticed(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(log string) error
		want   bool
	}{
		{"nothing", func(string) error { return nil }, false},
		{"gone", os.Remove, true},
		{"cut", func(log string) error { return os.Truncate(log, 40) }, true},
		{"changed in one bit at its beginning", flipped(func(size int) int { return 20 }), true},
		{"changed in one bit at its end", flipped(func(size int) int { return size - 1 }), true},
		{"replaced", func(log string) error {
			if err := os.Remove(filepath.Join(filepath.Dir(log), "..", closedFile)); err != nil {
				return err
			}
			return os.WriteFile(log, nil, 0o600)
		}, false},
		{"gone after a crash", func(log string) error {
			if err := os.Remove(filepath.Join(filepath.Dir(log), "..", closedFile)); err != nil {
				return err
			}
			return os.Remove(log)
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := closedStore(t)
			if err := c.damage(lastLog(t, dir)); err != nil {
				t.Fatal(err)
			}
			if found := damagedFiles(t, dir); (len(found) == 1 && found[0] == "log of writes") != c.want {
				t.Error("a check finds", found)
			}
			s, err := Open(Options{Dir: dir, BallastBytes: -1})
			if err == nil {
				err = s.Close()
			}
			if errs.Of(err, errs.StoreFile) != c.want || !c.want && err != nil {
				t.Error("opened:", err)
			}
		})
	}
}

// flipped changes the bit of a file that at tells the place of.
func flipped(at func(size int) int) func(string) error {
	return func(name string) error {
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		b[at(len(b))] ^= 1
		return os.WriteFile(name, b, 0o600)
	}
}

// closedStore is a directory with a store whose last write only the log has.
func closedStore(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range []string{"mfirst", "msecond"} {
		s, err := Open(Options{Dir: dir, BallastBytes: -1})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, closedFile)); err == nil {
			t.Error("an open store is noted as closed")
		}
		if err := s.Apply([]kv.Write{{Key: []byte(name), New: []byte("value")}}); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func lastLog(t *testing.T, dir string) string {
	t.Helper()
	logs, err := filepath.Glob(filepath.Join(dir, databaseDir, "*"+walSuffix))
	if err != nil || len(logs) == 0 {
		t.Fatal(logs, err)
	}
	return slices.Max(logs)
}

// A file of Pebble that is missing or of another size is named, with a remedy that can be followed.
func TestMissingFileIsNamed(t *testing.T) {
	for _, c := range []struct {
		pattern string
		damage  func(string) error
		want    string
	}{
		{"*.sst", os.Remove, "is missing"},
		{"*.sst", func(name string) error { return os.Truncate(name, 100) }, "has 100 bytes"},
		{"MANIFEST-*", os.Remove, "is missing"},
		{"marker.manifest.*", os.Remove, "is missing"},
	} {
		dir := closedStore(t)
		flushed(t, dir)
		names, err := filepath.Glob(filepath.Join(dir, databaseDir, c.pattern))
		if err != nil || len(names) == 0 {
			t.Fatal(c.pattern, names, err)
		}
		if err := c.damage(slices.Max(names)); err != nil {
			t.Fatal(err)
		}
		_, err = OpenReadOnly(Options{Dir: dir})
		if e, ok := errs.As(err); !ok || e.Entry != errs.StoreFile || !strings.Contains(e.Message, databaseDir+"/") || !strings.Contains(e.Message, c.want) {
			t.Errorf("%s: %v", c.pattern, err)
		}
	}
}

// flushed writes what the log has into a sorted file.
func flushed(t *testing.T, dir string) {
	t.Helper()
	s, err := Open(Options{Dir: dir, BallastBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.db.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// The manifest is read as Pebble of this version writes it.
func TestLogOfEdit(t *testing.T) {
	dir := closedStore(t)
	s := &Store{opts: Options{Dir: dir}.WithDefaults()}
	first, err := s.firstLog()
	if err != nil || first == 0 {
		t.Fatal(first, err)
	}
	if name := filepath.Join(dir, logName(first)); name > lastLog(t, dir) {
		t.Errorf("the first log %s is after the last", name)
	}
	for _, edit := range [][]byte{nil, {1}, {1, 200, 'x'}, {2}, {3, 9}, {1, 1, 'c', 3, 2}} {
		if n, ok := logOfEdit(edit); ok {
			t.Errorf("%v has log %d", edit, n)
		}
	}
	if n, ok := logOfEdit([]byte{1, 1, 'c', 2, 7, 3, 9}); !ok || n != 7 {
		t.Error(n, ok)
	}
}
