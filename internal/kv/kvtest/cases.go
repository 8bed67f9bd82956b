package kvtest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

func open(t *testing.T, h Harness) kv.Store {
	s := h.Open(t)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func expect(t testing.TB, what string, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("%s: got %q, want %q", what, fmt.Sprint(got), fmt.Sprint(want))
	}
}

func testStagedIsPrivate(t *testing.T, h Harness) {
	s := open(t, h)
	k := key(1, 0, "a")
	s.Stage(1, 5, run(put(k, "", "x")))
	v := s.View()
	defer closeView(t, v)
	expect(t, "view", get(t, v, k), "")
	expect(t, "another job", get(t, s.Own(2), k), "")
	expect(t, "the job", get(t, s.Own(1), k), "x")
	s.Publish(4, []id.Job{1})
	after := s.View()
	expect(t, "epoch 5 does not come with epoch 4", get(t, after, k), "")
	closeView(t, after)
	s.Discard(1)
	expect(t, "discarded", get(t, s.Own(1), k), "")
}

func testViewIsPinned(t *testing.T, h Harness) {
	s := open(t, h)
	a, b := key(1, 0, "a"), key(1, 0, "b")
	step(s, 1, put(a, "", "1"), put(b, "", "1"))
	commit(t, s, 1)
	step(s, 2, put(a, "1", "2"))
	v := s.View()
	commit(t, s, 2)
	step(s, 3, put(a, "2", ""), put(b, "1", "3"))
	commit(t, s, 3)
	want := []string{string(a) + "=2", string(b) + "=1"}
	expect(t, "pinned across commits", scan(t, v, nil, nil), want)
	expect(t, "get", get(t, v, b), "1")
	closeView(t, v)
	now := s.View()
	defer closeView(t, now)
	expect(t, "now", scan(t, now, nil, nil), []string{string(b) + "=3"})
}

func testScanBounds(t *testing.T, h Harness) {
	s := open(t, h)
	var all []kv.Write
	for _, k := range []string{"", "a", "a\x00", "b", "\xff"} {
		all = append(all, put(key(1, 0, k), "", "v"), put(key(1, 1, k), "", "v"))
	}
	step(s, 1, all[0], all[3], all[4], all[7], all[8])
	commit(t, s, 1)
	step(s, 2, all[1], all[2], all[5], all[6], all[9])
	v := s.View()
	defer closeView(t, v)
	start := key(1, 0, "")
	expect(t, "one vnode", len(scan(t, v, start, kv.PrefixEnd(start))), 5)
	expect(t, "end excluded", len(scan(t, v, start, key(1, 0, "a\x00"))), 2)
	expect(t, "start included", len(scan(t, v, key(1, 0, "a\x00"), key(1, 0, "b"))), 1)
	expect(t, "empty", len(scan(t, v, key(1, 0, "x"), key(1, 0, "x"))), 0)
	expect(t, "to the end", len(scan(t, v, key(1, 1, ""), nil)), 5)
	it := v.Scan(start, nil)
	expect(t, "closed before the first row", it.Close(), nil)
}

// testGetSorted finds in one pass what Get finds one by one: in the base, in memory, and not in either.
func testGetSorted(t *testing.T, h Harness) {
	s := open(t, h)
	name := func(i int) []byte { return key(1, uint16(i/25), fmt.Sprint("k", i)) }
	var first, second []kv.Write
	for i := range 100 {
		if i%2 == 0 {
			first = append(first, put(name(i), "", "first"))
		}
		switch i % 5 {
		case 0:
			second = append(second, kv.Write{Key: name(i)})
		case 1:
			second = append(second, put(name(i), "", "second"))
		}
	}
	step(s, 1, first...)
	commit(t, s, 1)
	step(s, 2, second...)
	v := s.View()
	defer closeView(t, v)
	var keys [][]byte
	for i := range 110 {
		keys = append(keys, name(i))
	}
	slices.SortFunc(keys, bytes.Compare)
	found := make([]string, len(keys))
	expect(t, "error", kv.GetSorted(v, keys, func(i int, value []byte) error {
		found[i] += string(value)
		return nil
	}), nil)
	for i, k := range keys {
		expect(t, string(k), found[i], get(t, v, k))
	}
	stop := errors.New("stop")
	expect(t, "stopped", kv.GetSorted(v, keys, func(int, []byte) error { return stop }), stop)
}

func testEmptyValue(t *testing.T, h Harness) {
	s := open(t, h)
	k := key(1, 0, "a")
	step(s, 1, kv.Write{Key: k, New: []byte{}})
	for range 2 { // from memory, then from the base
		v := s.View()
		got, ok, err := v.Get(k)
		expect(t, "empty is not absent", fmt.Sprint(len(got), got != nil, ok, err), "0 true true <nil>")
		closeView(t, v)
		commit(t, s, s.Visible())
	}
}

func testLogAcrossCommit(t *testing.T, h Harness) {
	s := open(t, h)
	k := key(1, 2, "a")
	s.SetLeases(map[id.Table]epoch.Epoch{1: 0})
	for e := range epoch.Epoch(6) {
		step(s, e+1, put(k, fmt.Sprint("v", e), fmt.Sprint("v", e+1)))
		if e%2 == 1 {
			commit(t, s, e)
		}
	}
	v := s.View()
	defer closeView(t, v)
	want := []string{}
	for e := 2; e < 6; e++ {
		want = append(want, fmt.Sprintf("%d %q v%d>v%d", e, k, e-1, e))
	}
	it, err := v.Log(1, 2, 1, 5)
	if err != nil {
		t.Fatal(err)
	}
	got, err := changelog(it)
	expect(t, "store and memory, no net effect across epochs", fmt.Sprint(got, err), fmt.Sprint(want, nil))
}

// testLateLease: a lease of an epoch that is visible but not durable finds the changes of the epochs after it in the
// store once they are committed, and after a crash.
func testLateLease(t *testing.T, h Harness) {
	s := h.Open(t)
	k := key(1, 0, "a")
	for e := range epoch.Epoch(4) {
		step(s, e+1, put(k, fmt.Sprint("v", e), fmt.Sprint("v", e+1)))
	}
	s.SetLeases(map[id.Table]epoch.Epoch{1: 2})
	commit(t, s, 4)
	s = h.Crash(t, s)
	v := s.View()
	it, err := v.Log(1, 0, 2, 9)
	if err != nil {
		t.Fatal(err)
	}
	got, err := changelog(it)
	expect(t, "log", fmt.Sprint(got, err), fmt.Sprint([]string{fmt.Sprintf("3 %q v2>v3", k), fmt.Sprintf("4 %q v3>v4", k)}, nil))
	if _, err := v.Log(1, 0, 1, 9); !errors.Is(err, kv.ErrLogGone) {
		t.Fatalf("log below the lease: %v", err)
	}
	closeView(t, v)
	expect(t, "close", s.Close(), nil)
}

func testLogWithoutLease(t *testing.T, h Harness) {
	s := open(t, h)
	k := key(1, 0, "a")
	step(s, 1, put(k, "", "x"))
	v := s.View()
	defer closeView(t, v)
	commit(t, s, 1)
	it, err := v.Log(1, 0, 0, 1)
	if err != nil {
		t.Fatal("memory holds the log of what was not durable:", err)
	}
	got, err := changelog(it)
	expect(t, "log", fmt.Sprint(got, err), fmt.Sprint([]string{fmt.Sprintf("1 %q ->x", k)}, nil))
	now := s.View()
	defer closeView(t, now)
	if _, err := now.Log(1, 0, 0, 1); !errors.Is(err, kv.ErrLogGone) {
		t.Fatalf("no lease held it: %v", err)
	}
}

func testDropTables(t *testing.T, h Harness) {
	s := h.Open(t)
	a, b := key(1, 0, "a"), key(2, 0, "a")
	step(s, 1, put(a, "", "x"), put(b, "", "y"))
	commit(t, s, 1)
	step(s, 2, put(key(1, 1, "b"), "", "x"))
	v := s.View()
	s.Stage(1, 3, run(put(a, "x", "z")))
	if s.DropTables([]id.Table{1}) == nil {
		t.Fatal("a table with staged rows was dropped")
	}
	s.Discard(1)
	expect(t, "drop", s.DropTables([]id.Table{1}), nil)
	expect(t, "an older view keeps it", len(scan(t, v, nil, nil)), 3)
	closeView(t, v)
	commit(t, s, 2)
	s = h.Crash(t, s)
	v = s.View()
	expect(t, "rows after a crash", scan(t, v, nil, nil), []string{string(b) + "=y"})
	closeView(t, v)
	expect(t, "close", s.Close(), nil)
}

func testApplySurvives(t *testing.T, h Harness) {
	s := h.Open(t)
	k := meta("dml/1")
	expect(t, "apply", s.Apply([]kv.Write{{Key: k, New: []byte("row")}}), nil)
	expect(t, "meta", get(t, s.Meta(), k), "row")
	s = h.Crash(t, s)
	expect(t, "after a crash", get(t, s.Meta(), k), "row")
	expect(t, "remove", s.Apply([]kv.Write{{Key: k}}), nil)
	s = h.Crash(t, s)
	expect(t, "removed", get(t, s.Meta(), k), "")
	expect(t, "close", s.Close(), nil)
}

func testPublishAloneIsLost(t *testing.T, h Harness) {
	s := h.Open(t)
	k := key(1, 0, "a")
	step(s, 1, put(k, "", "1"))
	commit(t, s, 1, kv.Write{Key: meta("offset"), New: []byte("1")})
	step(s, 2, put(k, "1", "2"))
	s = h.Crash(t, s)
	expect(t, "epochs", fmt.Sprint(s.Visible(), s.Durable()), "1 1")
	expect(t, "row", get(t, s.Own(1), k), "1")
	expect(t, "offset", get(t, s.Meta(), meta("offset")), "1")
	expect(t, "close", s.Close(), nil)
}

// testConcurrentReaders moves a token from key to key; every view must see it exactly once, at its own epoch.
func testConcurrentReaders(t *testing.T, h Harness) {
	const keys, epochs, readers = 16, 200, 3
	s := open(t, h)
	at := func(e epoch.Epoch) []byte { return key(1, uint16(e%4), fmt.Sprintf("k%02d", e%keys)) }
	step(s, 1, put(at(1), "", "1"))
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range readers {
		wg.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				v := s.View()
				want := []string{fmt.Sprintf("%s=%d", at(v.Epoch()), v.Epoch())}
				if got := scan(t, v, nil, nil); !slices.Equal(got, want) {
					t.Errorf("epoch %d: got %q, want %q", v.Epoch(), got, want)
				}
				closeView(t, v)
			}
		})
	}
	committed := make(chan error, 1)
	committed <- nil
	for e := epoch.Epoch(2); e <= epochs; e++ {
		step(s, e, put(at(e-1), fmt.Sprint(e-1), ""), put(at(e), "", fmt.Sprint(e)))
		select {
		case err := <-committed:
			expect(t, "commit", err, nil)
			go func() { _, err := s.Commit(kv.Commit{Epoch: e}); committed <- err }()
		default: // the last one is under way
		}
	}
	expect(t, "last commit", <-committed, nil)
	close(done)
	wg.Wait()
}

// testLargeCommit is past the size from which a commit takes another path.
func testLargeCommit(t *testing.T, h Harness) {
	const rows = 30_000
	s := h.Open(t)
	s.SetLeases(map[id.Table]epoch.Epoch{2: 0})
	for e := range epoch.Epoch(2) {
		var b kv.RunBuilder
		for i := range rows {
			b.Add(kv.Write{Key: key(2, uint16(i%8), fmt.Sprintf("%08d", i)), New: fmt.Appendf(nil, "%d-%d", i, e), Old: value(old(i, e))})
		}
		s.Stage(1, e+1, b.Finish())
		s.Publish(e+1, []id.Job{1})
		commit(t, s, e+1, put(meta("b"), "", "2"), put(meta("a"), "", fmt.Sprint(e)), put(meta("b"), "", "3"))
	}
	s = h.Crash(t, s)
	v := s.View()
	expect(t, "rows", len(scan(t, v, key(2, 0, ""), nil)), rows)
	expect(t, "a row", get(t, v, key(2, 7, "00000015")), "15-1")
	expect(t, "meta", get(t, v, meta("a"))+get(t, v, meta("b")), "13")
	it, err := v.Log(2, 7, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	got, err := changelog(it)
	expect(t, "changes", fmt.Sprint(len(got), got[1], err), fmt.Sprint(rows/8, fmt.Sprintf("2 %q 15-0>15-1", key(2, 7, "00000015")), nil))
	closeView(t, v)
	expect(t, "close", s.Close(), nil)
}

func old(i int, e epoch.Epoch) string {
	if e == 0 {
		return ""
	}
	return fmt.Sprintf("%d-%d", i, e-1)
}
