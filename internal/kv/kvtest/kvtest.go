// Package kvtest is the suite that every implementation of kv.Store must pass: random histories compared with a naive
// model, and the cases that a random history meets too seldom.
//
//	func TestConformance(t *testing.T) { kvtest.Run(t, kvtest.Harness{Open: open, Crash: crash}) }
package kvtest

import (
	"fmt"
	"testing"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

// Harness opens the stores under test.
type Harness struct {
	// Open returns an empty store.
	Open func(t testing.TB) kv.Store
	// Crash stops the store as a power cut would and returns it as it opens again.
	Crash func(t testing.TB, s kv.Store) kv.Store
}

// Run runs the whole suite.
func Run(t *testing.T, h Harness) {
	for name, test := range map[string]func(*testing.T, Harness){
		"Histories":         testHistories,
		"StagedIsPrivate":   testStagedIsPrivate,
		"ViewIsPinned":      testViewIsPinned,
		"ScanBounds":        testScanBounds,
		"EmptyValue":        testEmptyValue,
		"LogAcrossCommit":   testLogAcrossCommit,
		"LateLease":         testLateLease,
		"LogWithoutLease":   testLogWithoutLease,
		"DropTables":        testDropTables,
		"ApplySurvives":     testApplySurvives,
		"PublishIsVolatile": testPublishAloneIsLost,
		"ConcurrentReaders": testConcurrentReaders,
		"LargeCommit":       testLargeCommit,
		"GetSorted":         testGetSorted,
	} {
		t.Run(name, func(t *testing.T) { test(t, h) })
	}
}

// key is row k of a table's vnode.
func key(t id.Table, vnode uint16, k string) []byte {
	return append(kv.AppendTable(nil, t, vnode), k...)
}

// meta is a key of the meta space.
func meta(name string) []byte { return append([]byte{kv.SpaceMeta}, name...) }

// put is a write; empty strings for old and new mean absent.
func put(k []byte, old, new string) kv.Write {
	return kv.Write{Key: k, Old: value(old), New: value(new)}
}

func value(s string) []byte {
	if s == "" {
		return nil
	}
	return []byte(s)
}

func run(writes ...kv.Write) *kv.Run {
	var b kv.RunBuilder
	for _, w := range writes {
		b.Add(w)
	}
	return b.Finish()
}

// step stages and publishes one epoch of job 1.
func step(s kv.Store, e epoch.Epoch, writes ...kv.Write) {
	s.Stage(1, e, run(writes...))
	s.Publish(e, []id.Job{1})
}

func commit(t testing.TB, s kv.Store, e epoch.Epoch, meta ...kv.Write) kv.CommitStats {
	t.Helper()
	stats, err := s.Commit(kv.Commit{Epoch: e, Meta: meta})
	if err != nil {
		t.Fatalf("commit of epoch %d: %v", e, err)
	}
	return stats
}

func get(t testing.TB, r kv.Reader, k []byte) string {
	t.Helper()
	v, ok, err := r.Get(k)
	if err != nil {
		t.Fatalf("get %q: %v", k, err)
	}
	if !ok {
		return ""
	}
	return string(v)
}

// scan prints the rows of a range, one "key=value" each.
func scan(t testing.TB, r kv.Reader, start, end []byte) []string {
	t.Helper()
	out := []string{}
	it := r.Scan(start, end)
	for it.Next() {
		out = append(out, string(it.Key())+"="+string(it.Value()))
	}
	if err := it.Close(); err != nil {
		t.Fatalf("scan [%q, %q): %v", start, end, err)
	}
	return out
}

// changelog prints a log, one "epoch key old>new" each.
func changelog(it kv.LogIterator) ([]string, error) {
	out := []string{}
	for it.Next() {
		out = append(out, fmt.Sprintf("%d %q %s>%s", it.Epoch(), it.Key(), show(it.Old()), show(it.New())))
	}
	return out, it.Close()
}

func show(v []byte) string {
	if v == nil {
		return "-"
	}
	return string(v)
}

func closeView(t testing.TB, v kv.View) {
	t.Helper()
	if err := v.Close(); err != nil {
		t.Fatalf("close view of epoch %d: %v", v.Epoch(), err)
	}
}
