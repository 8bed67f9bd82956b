package pebblekv

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// TestVerifyBlocks: a byte that has changed in any block of a file is found, and the file is named.
func TestVerifyBlocks(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	var writes []kv.Write
	for i := range 5000 {
		writes = append(writes, kv.Write{Key: append(kv.AppendTable(nil, 1, 0), fmt.Sprintf("%06d", i)...), New: bytes.Repeat([]byte{byte(i), byte(i * 7)}, 20)})
	}
	if err := s.Apply(writes); err != nil {
		t.Fatal(err)
	}
	if err := s.db.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(dir, databaseDir, "*.sst"))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	sound, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	for part := 7; part >= 2; part-- { // the first block has the records of commits, without which the store does not open
		b := bytes.Clone(sound)
		at := len(b) * part / 8
		b[at] ^= 0x10
		if err := os.WriteFile(names[0], b, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := damagedFiles(t, dir); len(got) != 1 || got[0] != databaseDir+"/"+filepath.Base(names[0]) {
			t.Errorf("byte %d of %d: %v", at, len(b), got)
		}
	}
	readsOn(t, dir)
	if err := os.WriteFile(names[0], sound, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := damagedFiles(t, dir); got != nil {
		t.Error(got)
	}
}

func damagedFiles(t *testing.T, dir string) (out []string) {
	t.Helper()
	r, err := OpenReadOnly(Options{Dir: dir})
	if err != nil {
		return []string{err.Error()}
	}
	defer r.Close()
	if _, err := r.VerifyBlocks(func(file string, err error) { out = append(out, file) }); err != nil {
		t.Fatal(err)
	}
	return out
}

// readsOn: who needs the damaged block gets an error, and the store goes on.
func readsOn(t *testing.T, dir string) {
	t.Helper()
	s, err := Open(Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	v := s.View()
	defer v.Close()
	it := v.Scan(kv.TableRange(1))
	n := 0
	for it.Next() {
		n++
	}
	if err := it.Close(); !errs.Of(err, errs.StoreCorrupt) || n == 0 {
		t.Errorf("%d rows, then %v", n, err)
	}
	if _, ok, err := v.Get(append(kv.AppendTable(nil, 1, 0), "000000"...)); !ok || err != nil {
		t.Error(ok, err)
	}
	row := func(i int) []byte { return append(kv.AppendTable(nil, 1, 0), fmt.Sprintf("%06d", i)...) }
	if err := kv.GetSorted(v, [][]byte{row(n), row(4999)}, func(int, []byte) error { return nil }); !errs.Of(err, errs.StoreCorrupt) {
		t.Errorf("looking up a row of the damaged block and one behind it: %v", err)
	}
	if err := s.Apply([]kv.Write{{Key: []byte("mname"), New: []byte("value")}}); err != nil {
		t.Error(err)
	}
}
