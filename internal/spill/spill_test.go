package spill

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-db/tidemark/internal/errs"
)

type record struct{ key, row []byte }

func files(t *testing.T, dir string) int {
	t.Helper()
	names, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// Runs read as one are what a stable sort of all records gives, with a few files at any time and none at the end.
func TestRunsAreMergedInOrder(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		runs := NewRuns(In(dir, nil))
		var all []record
		count := rapid.SampledFrom([]int{0, 1, 2, FanInMax - 1, FanInMax, FanInMax + 1, 3 * FanInMax, FanInMax*FanInMax + FanInMax - 1}).Draw(t, "runs")
		keys := rapid.IntRange(1, 50).Draw(t, "keys")
		for n := range count {
			var run []record
			for i := range rapid.IntRange(0, 3).Draw(t, "records") {
				row := binary.BigEndian.AppendUint32(nil, uint32(n<<8|i))
				run = append(run, record{[]byte{byte(rapid.IntRange(0, keys).Draw(t, "key"))}, row})
			}
			slices.SortStableFunc(run, func(a, b record) int { return bytes.Compare(a.key, b.key) })
			all = append(all, run...)
			err := runs.Add(func(yield func(key, row []byte) bool) {
				for _, r := range run {
					if !yield(r.key, r.row) {
						return
					}
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			if names, _ := os.ReadDir(dir); len(names) > 3*FanInMax {
				t.Fatalf("%d files after %d runs", len(names), n+1)
			}
		}
		slices.SortStableFunc(all, func(a, b record) int { return bytes.Compare(a.key, b.key) })
		err := runs.Each(func(key, row []byte) error {
			if len(all) == 0 || !bytes.Equal(key, all[0].key) || !bytes.Equal(row, all[0].row) {
				t.Fatalf("got %v %v, %d records are left", key, row, len(all))
			}
			all = all[1:]
			return nil
		})
		if err != nil || len(all) > 0 {
			t.Fatal(err, len(all), "records are left")
		}
		if err := runs.Close(); err != nil {
			t.Fatal(err)
		}
		if names, _ := os.ReadDir(dir); len(names) > 0 {
			t.Fatal("files are left:", names)
		}
	})
}

// A record larger than a block has one for itself.
func TestLargeRecords(t *testing.T) {
	f, err := In(t.TempDir(), nil).Create()
	if err != nil {
		t.Fatal(err)
	}
	rows := [][]byte{[]byte("small"), bytes.Repeat([]byte("x"), 3*BlockBytes), nil, bytes.Repeat([]byte("y"), BlockBytes-30), []byte("z")}
	for _, row := range rows {
		if err := f.Append([]byte("key"), row); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Seal(); err != nil {
		t.Fatal(err)
	}
	for _, want := range rows {
		if key, row, ok, err := f.Next(); err != nil || !ok || string(key) != "key" || !bytes.Equal(row, want) {
			t.Fatalf("%s, %d bytes, %v, %v; want %d bytes", key, len(row), ok, err, len(want))
		}
	}
	if _, _, ok, err := f.Next(); ok || err != nil {
		t.Error("more than was written:", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// Whatever was changed or lost in a file is noticed.
func TestDamageIsNoticed(t *testing.T) {
	for name, harm := range map[string]func(b []byte) []byte{
		"flipped":  func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"checksum": func(b []byte) []byte { b[5] ^= 1; return b },
		"length":   func(b []byte) []byte { b[0]++; return b },
		"cut":      func(b []byte) []byte { return b[:len(b)-1] },
		"cut head": func(b []byte) []byte { return b[:3] },
		"zeros":    func(b []byte) []byte { clear(b); return b },
	} {
		dir := t.TempDir()
		f, err := In(dir, nil).Create()
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			if err := f.Append([]byte("key"), []byte("row")); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Seal(); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, f.name)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, harm(b), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := f.Next(); errs.Code(err) != errs.SpillDamaged.Code {
			t.Errorf("%s: %v, want %s", name, err, errs.SpillDamaged.Code)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// short is a disk that is full after so many writes.
type short struct {
	disk
	writes int
	err    error
}

func (s *short) Write(b []byte) (int, error) {
	if s.writes--; s.writes < 0 {
		return len(b) / 2, &os.PathError{Op: "write", Path: s.Name(), Err: s.err}
	}
	return s.disk.Write(b)
}

func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	for err, want := range map[error]*errs.Entry{syscall.ENOSPC: errs.SpillFull, syscall.EIO: errs.SpillFailed} {
		f, failure := In(dir, nil).Create()
		if failure != nil {
			t.Fatal(failure)
		}
		f.disk = &short{f.disk, 2, err}
		for failure == nil {
			failure = f.Append(nil, make([]byte, BlockBytes/3))
		}
		e, ok := errs.As(failure)
		if !ok || e.Entry != want || bytes.Contains([]byte(e.Message), []byte(dir)) {
			t.Errorf("%v, want %s, without the path", failure, want.Code)
		}
		if err := f.Close(); err != nil || files(t, dir) > 0 {
			t.Error("the file is left:", err)
		}
	}
	full := errors.New("no room")
	if _, err := In(dir, func() error { return full }).Create(); err != full || files(t, dir) > 0 {
		t.Error("a file was made where there is no room:", err)
	}
	if _, err := In(filepath.Join(dir, "missing"), nil).Create(); errs.Code(err) != errs.SpillFailed.Code {
		t.Error(err)
	}
}
