package pebblekv

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// listing has the names, sizes and times of all files of a directory, LOCK aside, whose lock is taken.
func listing(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() && info.Name() != lockFile {
			out[path] = info.ModTime().Format(time.RFC3339Nano) + " " + string(rune(info.Size()))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A look at a store sees what was committed and what only the log has, and changes no file.
func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	if _, err := OpenReadOnly(Options{Dir: filepath.Join(dir, "missing")}); !errs.Of(err, errs.NoStore) {
		t.Error("no directory:", err)
	}
	if _, err := OpenReadOnly(Options{Dir: dir}); !errs.Of(err, errs.NoStore) {
		t.Error("an empty directory:", err)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "notes"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReadOnly(Options{Dir: other}); !errs.Of(err, errs.NotAStore) {
		t.Error("a directory of something else:", err)
	}
	s, err := Open(Options{Dir: dir, BallastBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	row := kv.AppendTable(nil, 7, 0)
	var b kv.RunBuilder
	b.Add(kv.Write{Key: append(row, 'a'), New: []byte("x")})
	s.Stage(1, 5, b.Finish())
	s.Publish(5, nil)
	s.Publish(6, []id.Job{1})
	if _, err := s.Commit(kv.Commit{Epoch: 6}); err != nil {
		t.Fatal(err)
	}
	if err := s.Apply([]kv.Write{{Key: []byte("m|late"), New: []byte("y")}}); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReadOnly(Options{Dir: dir}); !errs.Of(err, errs.StoreLocked) {
		t.Error("an open store:", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	before := listing(t, dir)
	r, err := OpenReadOnly(Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if r.Epoch() != 6 || r.Commits() == 0 || len(r.Format()) < 2 || r.Format()[0] != formatTitle {
		t.Error(r.Epoch(), r.Commits(), r.Format())
	}
	if v, ok, err := r.Reader().Get(append(row, 'a')); string(v) != "x" || !ok || err != nil {
		t.Error(v, ok, err)
	}
	if v, ok, err := r.Meta().Get([]byte("m|late")); string(v) != "y" || !ok || err != nil {
		t.Error(v, ok, err)
	}
	if _, err := r.DiskBytes(kv.TableRange(7)); err != nil {
		t.Error(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	after := listing(t, dir)
	for path, was := range before {
		if after[path] != was {
			t.Errorf("%s was changed", path)
		}
		delete(after, path)
	}
	for path := range after {
		t.Errorf("%s was made", path)
	}
}
