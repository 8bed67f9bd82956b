package pebblekv

import (
	"testing"

	"github.com/tidemark-db/tidemark/internal/kv"
)

// TestIdleIterators: a snapshot that is current keeps the iterators that reads have made and gives each reader one that no other
// has; once it rests it keeps none, but is read as before.
func TestIdleIterators(t *testing.T) {
	s := openTest(t, newCrashFS())
	defer s.Close()
	key := func(b byte) []byte { return append(kv.AppendTable(nil, 1, 0), b) }
	if err := s.Apply([]kv.Write{{Key: key(1), New: []byte("a")}, {Key: key(2), New: []byte("b")}, {Key: key(3), New: []byte("c")}}); err != nil {
		t.Fatal(err)
	}
	p := s.base.Pin().(*pinned)
	if err := s.Apply([]kv.Write{{Key: key(1)}, {Key: key(2), New: []byte("later")}}); err != nil {
		t.Fatal(err)
	}
	read := func() {
		t.Helper()
		for b, want := range map[byte]string{1: "a", 2: "b", 3: "c", 4: ""} {
			if v, ok, err := p.Get(key(b)); err != nil || ok != (want != "") || string(v) != want {
				t.Errorf("%d: %q, %v, %v", b, v, ok, err)
			}
		}
		outer := p.Scan(key(1), key(3))
		for n, want := range []string{"a", "b"} {
			inner := p.Scan(key(2), nil)
			if !outer.Next() || string(outer.Value()) != want || !inner.Next() || string(inner.Value()) != "b" {
				t.Errorf("row %d", n)
			}
			if err := inner.Close(); err != nil {
				t.Error(err)
			}
		}
		if outer.Next() {
			t.Error("a row past the end")
		}
		if err := outer.Close(); err != nil {
			t.Error(err)
		}
	}
	kept := func(points, ranges int) {
		t.Helper()
		if got := [2]int{len(p.points.mu.its), len(p.ranges.mu.its)}; got != [2]int{points, ranges} {
			t.Errorf("kept are %v, want %d and %d", got, points, ranges)
		}
	}
	read()
	read()
	kept(1, 2)
	p.Rest()
	kept(0, 0)
	read()
	kept(0, 0)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
}
