package dml

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/spill"
)

// step is a change as the model has it.
type step struct {
	key, old, new string
	undone        bool
}

// model is a journal as a list.
type model []step

// at is what the first mark changes leave under each key.
func (m model) at(mark int) map[string]string {
	out := map[string]string{}
	for _, s := range m[:mark] {
		if !s.undone {
			out[s.key] = s.new
		}
	}
	return out
}

func stored(s string) []byte {
	if s == "" {
		return nil
	}
	return []byte(s)
}

// A journal is a list of changes that can be read as of any of them, cut, and undone with its keys kept.
func TestJournalIsAListOfChanges(t *testing.T) {
	table := &Table{}
	dir := t.TempDir()
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		var j journal
		if seed%3 > 0 { // a part of it lies in files
			j.memory = newMemory(mem.New("session", int64(seed)<<10))
			j.memory.spill = spill.In(dir, nil)
		}
		var m model
		locked := map[string]bool{}
		for n := 0; n < 400; n++ {
			switch k := r.IntN(40); {
			case k == 0:
				mark := r.IntN(len(m) + 1)
				for i := range m[mark:] {
					m[mark+i].undone = true
				}
				j.undo(mark)
			case k == 1:
				mark := r.IntN(len(m) + 1)
				m = m[:mark]
				j.cut(mark)
				clear(locked)
				for _, s := range m {
					locked[s.key] = true
				}
			case k < 4: // a key that comes once
				s := step{key: fmt.Sprintf("key %d once", n), new: "once"}
				m = append(m, s)
				locked[s.key] = true
				if err := j.addOnce(table, []byte(s.key), nil, stored(s.new)); err != nil {
					t.Fatal(err)
				}
			case k < 8:
				checkJournal(t, &j, m, locked, r.IntN(len(m)+1))
			default:
				s := step{key: fmt.Sprintf("key %d", r.IntN(60)), new: string(bytes.Repeat([]byte{byte('a' + r.IntN(26))}, r.IntN(300)))}
				s.old = m.at(len(m))[s.key]
				m = append(m, s)
				locked[s.key] = true
				if err := j.add(table, []byte(s.key), stored(s.old), stored(s.new)); err != nil {
					t.Fatal(err)
				}
			}
		}
		checkNet(t, &j, m)
		if inFiles := len(j.memory.maps) > 0; inFiles != (seed%3 > 0) {
			t.Errorf("seed %d: in files: %v", seed, inFiles)
		}
		j.close()
		if j.memory.meter.Held() != 0 {
			t.Errorf("seed %d has left %d bytes", seed, j.memory.meter.Held())
		}
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) > 0 {
		t.Errorf("left: %v, %v", names, err)
	}
}

func checkJournal(t *testing.T, j *journal, m model, locked map[string]bool, mark int) {
	t.Helper()
	want := m.at(mark)
	keys := slices.Collect(maps.Keys(locked))
	for i := range 60 {
		keys = append(keys, fmt.Sprintf("key %d", i))
	}
	for _, key := range keys {
		at := j.last([]byte(key), mark)
		text, ok := want[key]
		if ok != (at >= 0) || ok && !bytes.Equal(j.new(at), stored(text)) {
			t.Fatalf("%s as of %d is change %d, want %q %v", key, mark, at, text, ok)
		}
		if j.has([]byte(key)) != locked[key] {
			t.Fatalf("%s is locked: %v, want %v", key, j.has([]byte(key)), locked[key])
		}
	}
	last := ""
	for _, w := range j.within([]byte("key 2"), []byte("key 5"), mark) {
		key := string(w.key)
		if key <= last || key < "key 2" || key >= "key 5" || !bytes.Equal(w.value, stored(want[key])) {
			t.Fatalf("after %q the scan has %q: %q, want %q", last, key, w.value, want[key])
		}
		last = key
		delete(want, key)
	}
	for key := range want {
		if key >= "key 2" && key < "key 5" {
			t.Fatalf("the scan has left out %q", key)
		}
	}
}

// checkNet compares the net effect: the first old and the last new value of each key, in the order of first changes.
func checkNet(t *testing.T, j *journal, m model) {
	t.Helper()
	var want, got []string
	last := m.at(len(m))
	seen := map[string]bool{}
	for _, s := range m {
		if !s.undone && !seen[s.key] {
			seen[s.key] = true
			if s.old != "" || last[s.key] != "" {
				want = append(want, s.key+": "+s.old+" -> "+last[s.key])
			}
		}
	}
	_ = j.net(func(first, last int32) error {
		got = append(got, fmt.Sprintf("%s: %s -> %s", j.key(first), j.old(first), j.new(last)))
		return nil
	})
	if !slices.Equal(got, want) {
		t.Fatalf("net effect\n%q\nwant\n%q", got, want)
	}
	if j.nothing() != (len(want) == 0) {
		t.Error("nothing is wrong")
	}
}

// What a journal holds is counted, and what does not fit is refused and can be cut off.
func TestJournalIsCounted(t *testing.T) {
	account := mem.New("session", 1<<20)
	j := journal{memory: newMemory(account)}
	value := make([]byte, 1000)
	n := 0
	var err error
	for ; err == nil && n < 10_000; n++ {
		err = j.add(&Table{}, fmt.Appendf(nil, "%d", n), nil, value)
	}
	if err == nil || n < 200 || account.Used() > 1<<20 {
		t.Fatalf("%d rows of 1 kB in 1 MiB, %d used: %v", n, account.Used(), err)
	}
	j.cut(0)
	if used := account.Used(); used > 64<<10 {
		t.Errorf("%d bytes after the cut", used)
	}
}
