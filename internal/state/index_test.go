package state

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/zeebo/xxh3"
)

// An index is a map from keys to numbers in order of arrival, one by one and in batches.
func TestIndexNumbersKeys(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	x, want := NewIndex(), map[string]int32{}
	for range 200 {
		var keys Keys
		var hashes []uint64
		for range 1 + r.Intn(50) {
			k := fmt.Sprint(r.Intn(3000))
			keys.Bytes = append(keys.Bytes, k...)
			keys.Ends = append(keys.Ends, len(keys.Bytes))
			hashes = append(hashes, xxh3.HashString(k))
		}
		slots := make([]int32, keys.Len())
		x.InsertBatch(hashes, &keys, slots)
		for i, s := range slots {
			k := string(keys.At(i))
			if n, ok := want[k]; !ok {
				want[k] = int32(len(want))
			} else if n != s {
				t.Fatalf("key %s has slot %d, then %d", k, n, s)
			}
			if s != want[k] || string(x.Key(s)) != k || x.Hash(s) != hashes[i] {
				t.Fatalf("slot %d of key %s, want %d", s, k, want[k])
			}
		}
	}
	if x.Len() != len(want) {
		t.Fatalf("%d keys, want %d", x.Len(), len(want))
	}
	if s := x.Find(xxh3.HashString("none"), []byte("none")); s != -1 {
		t.Fatalf("a key that is not there has slot %d", s)
	}
	x.Reset()
	if s := x.Find(xxh3.HashString("1"), []byte("1")); s != -1 || x.Len() != 0 {
		t.Fatal("keys are left after Reset")
	}
}

// An index that is given keys it has does not grow, however full it is: who counts on its size has no room for that.
func TestKnownKeysNeedNoRoom(t *testing.T) {
	x := NewIndex()
	for i := range 3000 {
		k := fmt.Sprint(i)
		h := []uint64{xxh3.HashString(k)}
		keys := Keys{Bytes: []byte(k), Ends: []int{len(k)}}
		slots := make([]int32, 1)
		x.InsertBatch(h, &keys, slots)
		before := x.Size()
		if x.InsertBatch(h, &keys, slots); x.Size() != before || slots[0] != int32(i) {
			t.Fatalf("%d keys: %d bytes, then %d; slot %d", i+1, before, x.Size(), slots[0])
		}
	}
}

// Keys whose hashes collide stay apart.
func TestIndexComparesKeys(t *testing.T) {
	x := NewIndex()
	for i := range 300 {
		if s, isNew := x.Insert(7, []byte(fmt.Sprint(i))); !isNew || s != int32(i) {
			t.Fatalf("key %d has slot %d", i, s)
		}
	}
}

// A multimap counts rows of each slot, through removals, growth and compaction.
func TestMultimapCountsRows(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	m, want := NewMultimap(), map[string]int64{}
	for step := range 60_000 {
		slot, row := int32(r.Intn(40)), fmt.Sprintf("row %060d", r.Intn(50))
		n := int64(r.Intn(3) - 1)
		if step > 50_000 { // run it down
			n = -want[fmt.Sprint(slot, row)]
		}
		if n == 0 {
			continue
		}
		k := fmt.Sprint(slot, row)
		got, count := m.Add(slot, []byte(row), n)
		if want[k] += n; want[k] == 0 {
			delete(want, k)
		} else if string(m.Bytes(got)) != row || m.Count(got) != want[k] {
			t.Fatalf("row %s: %q %d, want %d", k, m.Bytes(got), m.Count(got), want[k])
		}
		if count != want[k] {
			t.Fatalf("row %s: count %d, want %d", k, count, want[k])
		}
	}
	found := 0
	for slot := range int32(40) {
		for row := m.First(slot); row >= 0; row = m.Next(row) {
			found++
			if k := fmt.Sprint(slot, string(m.Bytes(row))); m.Count(row) != want[k] {
				t.Fatalf("row %s: count %d, want %d", k, m.Count(row), want[k])
			}
		}
	}
	if found != len(want) || m.Len() != len(want) {
		t.Fatalf("%d rows found, %d counted, want %d", found, m.Len(), len(want))
	}
}
