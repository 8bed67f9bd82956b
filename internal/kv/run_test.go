package kv

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-db/tidemark/internal/id"
)

// A run has the keys that were written in their order, each with the value before its first write and after its last.
func TestRunIsSortedAndNet(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		key := rapid.SliceOfN(rapid.ByteRange(0, 2), 1, 18)
		value := rapid.SliceOfN(rapid.Byte(), 0, 3)
		want := map[string]Write{}
		var b RunBuilder
		twice := false
		for range rapid.IntRange(0, 50).Draw(r, "writes") {
			w := Write{Key: key.Draw(r, "key"), Old: value.Draw(r, "old"), New: value.Draw(r, "new")}
			if rapid.Bool().Draw(r, "comes") {
				w.Old = nil
			} else if rapid.Bool().Draw(r, "goes") {
				w.New = nil
			}
			b.Add(w)
			if first, ok := want[string(w.Key)]; ok {
				w.Old, twice = first.Old, true
			}
			want[string(w.Key)] = w
		}
		run := b.Finish()
		if run.Len() != len(want) || b.Len() != 0 || (run.Twice() != nil) != twice {
			r.Fatalf("%d writes of %d keys, %d left, twice %q", run.Len(), len(want), b.Len(), run.Twice())
		}
		for i, k := range slices.Sorted(maps.Keys(want)) {
			got, w := run.At(i), want[k]
			if string(got.Key) != k || !same(got.Old, w.Old) || !same(got.New, w.New) {
				r.Fatalf("write %d is %q, want %q", i, got, w)
			}
		}
	})
}

func same(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }

// The parts of a commit tile its rows in key order, whatever their size; those of a large table are of that table alone.
func TestPartsTileRows(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		l := NewLayers(nil, 1, nil)
		defer l.Close()
		for range rapid.IntRange(1, 3).Draw(r, "runs") {
			var b RunBuilder
			for range rapid.IntRange(1, 60).Draw(r, "rows") {
				k := AppendTable(nil, id.Table(rapid.IntRange(1, 3).Draw(r, "table")), uint16(rapid.IntRange(0, 5).Draw(r, "vnode")))
				b.Add(Write{Key: append(k, rapid.Byte().Draw(r, "key")), New: []byte("value")})
			}
			l.Stage(1, 2, b.Finish())
		}
		l.Publish(2, []id.Job{1})
		p := l.Pending(2)
		var whole, parts [][]byte
		collect := func(into *[][]byte) func(key, value []byte) error {
			return func(key, _ []byte) error { *into = append(*into, key); return nil }
		}
		if err := p.Rows(collect(&whole)); err != nil {
			r.Fatal(err)
		}
		for _, part := range p.Parts(rapid.IntRange(1, 2000).Draw(r, "bytes")) {
			if err := part.Rows(collect(&parts)); err != nil {
				r.Fatal(err)
			}
			if part.start != nil && len(part.tables) != 1 {
				r.Fatalf("a part of a table has %d tables", len(part.tables))
			}
		}
		if !slices.EqualFunc(whole, parts, bytes.Equal) {
			r.Fatalf("the parts have %q, the commit %q", parts, whole)
		}
	})
}

// Whoever finishes a run in pieces is asked often enough, and the run is the same.
func TestRunInPieces(t *testing.T) {
	var whole, pieces RunBuilder
	const writes = 10 * PieceWrites
	for i := range writes {
		key := AppendTable(nil, 1, uint16(i%64))
		key = append(key, byte(i*7), byte(i>>8), byte(i>>16))
		whole.Add(Write{Key: key, New: []byte("value")})
		pieces.Add(Write{Key: key, New: []byte("value")})
	}
	asked := 0
	a, b := whole.Finish(), pieces.FinishInPieces(func() { asked++ })
	if asked < writes/PieceWrites { // once for each piece that is sorted, or nearly, and once for each that is copied
		t.Errorf("asked %d times for %d writes", asked, writes)
	}
	if !slices.Equal(a.refs, b.refs) || !bytes.Equal(a.arena, b.arena) {
		t.Error("the run in pieces is another one")
	}
}
