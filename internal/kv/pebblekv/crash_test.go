package pebblekv

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

var (
	crashSeeds = flag.Int("crash.seeds", 2, "how many histories are cut at each file operation")
	crashSeed  = flag.Uint64("crash.seed", 1, "first seed of them")
	crashEvery = flag.Int("crash.every", 1, "cut at each n-th operation")
)

const crashEpochs = 12

// promise is what must hold after a crash: what was acknowledged before it, and what was being written.
type promise struct {
	durable, committing epoch.Epoch
	applied, applying   uint64
}

// workload writes epochs whose rows follow from the epoch's number, so that any prefix can be recomputed.
type workload struct {
	mu      sync.Mutex
	seed    uint64
	promise promise
}

const crashTable = id.Table(7)

// writesOf are the rows that an epoch writes: between 1 and 40 over a small key space, some deleted.
func (w *workload) writesOf(e epoch.Epoch) map[string]string {
	rng := rand.New(rand.NewPCG(w.seed, uint64(e)))
	out := map[string]string{}
	for range 1 + rng.IntN(40) {
		k := string(kv.AppendTable(nil, crashTable, uint16(rng.IntN(3)))) + fmt.Sprintf("k%02d", rng.IntN(30))
		out[k] = fmt.Sprintf("e%d-%d", e, rng.IntN(100))
		if rng.IntN(4) == 0 {
			out[k] = ""
		}
	}
	return out
}

// rowsAt are all rows at an epoch.
func (w *workload) rowsAt(e epoch.Epoch) map[string]string {
	rows := map[string]string{}
	for i := epoch.Epoch(1); i <= e; i++ {
		maps.Copy(rows, w.writesOf(i))
		maps.DeleteFunc(rows, func(_, v string) bool { return v == "" })
	}
	return rows
}

func (w *workload) set(f func(*promise)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f(&w.promise)
}

func (w *workload) get() promise {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.promise
}

func dmlKey(n uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{kv.SpaceMeta, 'd'}, n)
}

// write stages, publishes and commits the epochs after those that the store has; some commits hold several epochs.
func (w *workload) write(s *Store, to epoch.Epoch) error {
	rng := rand.New(rand.NewPCG(w.seed, 99))
	s.SetLeases(map[id.Table]epoch.Epoch{crashTable: 0})
	for e := s.Visible() + 1; e <= to; e++ {
		rows := w.rowsAt(e - 1)
		var b kv.RunBuilder
		for k, v := range w.writesOf(e) {
			b.Add(kv.Write{Key: []byte(k), Old: present(rows[k]), New: present(v)})
		}
		s.Stage(1, e, b.Finish())
		s.Publish(e, []id.Job{1})
		n := w.get().applied + 1
		w.set(func(p *promise) { p.applying = n })
		if err := s.Apply([]kv.Write{{Key: dmlKey(n), New: []byte("dml")}}); err != nil {
			return err
		}
		w.set(func(p *promise) { p.applied = n })
		if rng.IntN(3) == 0 && e < to {
			continue
		}
		w.set(func(p *promise) { p.committing = e })
		meta := []kv.Write{{Key: []byte("moffset"), New: fmt.Append(nil, e)}}
		if _, err := s.Commit(kv.Commit{Epoch: e, Meta: meta}); err != nil {
			return err
		}
		w.set(func(p *promise) { p.durable = e })
	}
	return nil
}

func present(v string) []byte {
	if v == "" {
		return nil
	}
	return []byte(v)
}

// check opens what a crash left and compares it with the promise.
func (w *workload) check(fs *crashFS, p promise) error {
	s, err := Open(testOptions(fs))
	if err != nil {
		return fmt.Errorf("open: %w", err)
	}
	defer s.Close()
	e := s.Durable()
	if e != p.durable && e != p.committing {
		return fmt.Errorf("opened at epoch %d, acknowledged %d, being committed %d", e, p.durable, p.committing)
	}
	if err := w.checkRows(s, e); err != nil {
		return err
	}
	for n := uint64(1); n <= p.applied; n++ {
		if _, ok, err := s.Meta().Get(dmlKey(n)); !ok || err != nil {
			return fmt.Errorf("the acknowledged entry %d of %d is missing: %v", n, p.applied, err)
		}
	}
	if e > 0 {
		if v, _, err := s.Meta().Get([]byte("moffset")); err != nil || string(v) != fmt.Sprint(e) {
			return fmt.Errorf("offset %q at epoch %d: %v", v, e, err)
		}
	}
	return w.checkLog(s, e)
}

func (w *workload) checkRows(s *Store, e epoch.Epoch) error {
	v := s.View()
	defer v.Close()
	got := map[string]string{}
	it := v.Scan(kv.TableRange(crashTable))
	for it.Next() {
		got[string(it.Key())] = string(it.Value())
	}
	if err := it.Close(); err != nil {
		return err
	}
	if want := w.rowsAt(e); !maps.Equal(got, want) {
		return fmt.Errorf("rows at epoch %d: got %v, want %v", e, got, want)
	}
	return nil
}

// checkLog replays the changelog from nothing: it must end at the rows.
func (w *workload) checkLog(s *Store, e epoch.Epoch) error {
	v := s.View()
	defer v.Close()
	rows := map[string]string{}
	for vnode := range uint16(3) {
		it, err := v.Log(crashTable, vnode, 0, e)
		if errors.Is(err, kv.ErrLogGone) {
			return nil // the crash came before the first commit with the lease
		}
		if err != nil {
			return err
		}
		for it.Next() {
			if old := rows[string(it.Key())]; !bytes.Equal(present(old), it.Old()) {
				return fmt.Errorf("log at epoch %d: old %q, had %q", it.Epoch(), it.Old(), old)
			}
			rows[string(it.Key())] = string(it.New())
		}
		if err := it.Close(); err != nil {
			return err
		}
	}
	maps.DeleteFunc(rows, func(_, v string) bool { return v == "" })
	if want := w.rowsAt(e); e > 0 && !maps.Equal(rows, want) {
		return fmt.Errorf("replayed log at epoch %d: got %v, want %v", e, rows, want)
	}
	return nil
}

// TestCrashAtEveryOperation (P1, P2) cuts the power after each file operation of a history and opens what is left.
func TestCrashAtEveryOperation(t *testing.T) {
	for i := range uint64(*crashSeeds) {
		seed := *crashSeed + i
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			w := &workload{seed: seed}
			cuts := recordCuts(t, w, int(seed%3)*50)
			for _, c := range cuts {
				if err := w.check(c.fs, c.promise); err != nil {
					t.Fatalf("crash %d after %s: %v", c.number, c.op, err)
				}
			}
			t.Logf("%d crash points", len(cuts))
			if len(cuts) < 100 / *crashEvery {
				t.Fatalf("only %d crash points", len(cuts))
			}
		})
	}
}

type cut struct {
	number  int
	op      string
	fs      *crashFS
	promise promise
}

func recordCuts(t *testing.T, w *workload, unsyncedPercent int) []cut {
	fs := newCrashFS()
	var mu sync.Mutex
	var cuts []cut
	n := 0
	hook := func(op, name string) {
		mu.Lock()
		defer mu.Unlock()
		if n++; n%*crashEvery != 0 {
			return
		}
		// What is acknowledged only grows, so it is read before the copy; what is being written is read after it.
		before := w.get()
		c := cut{number: n, op: op + " " + name, fs: fs.crash(unsyncedPercent, w.seed+uint64(n)), promise: before}
		c.promise.committing = w.get().committing
		cuts = append(cuts, c)
	}
	fs.hook = hook
	s := openTest(t, fs)
	if err := w.write(s, crashEpochs); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	return cuts
}

// TestFailingOperation (P3): the n-th file operation that writes fails. The store says so and accepts nothing more, and
// what it leaves behind opens to a prefix of the epochs.
func TestFailingOperation(t *testing.T) {
	failures := 0
	for n := int32(1); n <= 120; n += 3 {
		w := &workload{seed: uint64(n)}
		fs := newCrashFS()
		index := errorfs.OnIndex(n)
		injected := errorfs.Wrap(fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
			if op.Kind.ReadOrWrite() == errorfs.OpIsRead {
				return nil
			}
			return index.MaybeError(op)
		}))
		if err := w.fail(injected); err != nil {
			failures++
		}
		for _, percent := range []int{0, 100} {
			if err := w.check(fs.crash(percent, 1), w.get()); err != nil {
				t.Fatalf("operation %d failed, unsynced data kept %d %%: %v", n, percent, err)
			}
		}
	}
	if failures < 20 {
		t.Fatalf("only %d failures were met", failures)
	}
}

// fail runs the workload on a failing file system; an error is expected.
func (w *workload) fail(fs vfs.FS) error {
	o := testOptions(nil)
	o.FS = fs
	told := make(chan error, 1)
	o.OnFatal = func(err error) { told <- err }
	s, err := Open(o)
	if err != nil {
		return err
	}
	err = w.write(s, crashEpochs)
	if err != nil {
		if again := s.Apply(nil); again == nil {
			panic("a store that has failed accepts a write")
		}
	}
	return errors.Join(err, s.Close())
}

// TestLostCommitIsNoticed (P4): a commit that vanishes below a later one is corruption, not an older state.
func TestLostCommitIsNoticed(t *testing.T) {
	fs := newCrashFS()
	s := openTest(t, fs)
	w := &workload{seed: 1}
	if err := w.write(s, crashEpochs); err != nil {
		t.Fatal(err)
	}
	lost := slices.Clone(keySlot(s.last.number - 1))
	if err := s.db.Delete(lost, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(testOptions(fs)); err == nil {
		t.Fatal("a store with a gap was opened")
	}
}
