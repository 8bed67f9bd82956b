package state_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"testing"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/kv/memkv"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// A table over a store, with any bound on its cache, is a map: checked by random reads, writes, scans and flushes.
func TestTableIsAMap(t *testing.T) {
	for _, cacheMax := range []int{-1, 1, 3000, 0} {
		for _, inMemory := range []bool{false, true} {
			t.Run(fmt.Sprintf("cache %d memory %v", cacheMax, inMemory), func(t *testing.T) {
				for seed := range int64(4) {
					checkTable(t, rand.New(rand.NewSource(seed)), cacheMax, inMemory)
				}
			})
		}
	}
}

func checkTable(t *testing.T, r *rand.Rand, cacheMax int, inMemory bool) {
	store := memkv.Open()
	defer store.Close()
	o := state.Options{ID: 7, Logged: true, CacheMax: cacheMax}
	if !inMemory {
		o.Reader = store.Own(1)
	}
	table := state.New(o)
	model := map[string]string{}
	e := epoch.Epoch(1)
	for range 1500 {
		v, key := vnode.ID(r.Intn(2)), []byte(fmt.Sprint(r.Intn(120)))
		name := fmt.Sprintf("%d/%s", v, key)
		switch r.Intn(12) {
		case 0:
			if inMemory {
				continue
			}
			var b kv.RunBuilder
			table.Flush(&b, func() {})
			store.Stage(1, e, b.Finish())
			store.Publish(e, []id.Job{1})
			if e++; r.Intn(2) == 0 {
				table = state.New(o)
				checkLoad(t, table, model)
			}
		case 1:
			checkScan(t, table, model, v, key[:1])
		case 2, 3, 4:
			old, _, err := table.Get(v, key)
			if err != nil {
				t.Fatal(err)
			}
			table.Put(v, key, bytes.Clone(old), nil)
			delete(model, name)
		case 5, 6, 7:
			old, _, err := table.Get(v, key)
			if err != nil {
				t.Fatal(err)
			}
			value := bytes.Repeat([]byte{byte('a' + r.Intn(26))}, r.Intn(40))
			table.Put(v, key, bytes.Clone(old), value)
			model[name] = string(value)
		default:
			got, ok, err := table.Get(v, key)
			if err != nil {
				t.Fatal(err)
			}
			if want, has := model[name]; ok != has || string(got) != want {
				t.Fatalf("%s is %q %v, want %q %v", name, got, ok, want, has)
			}
		}
	}
}

// checkLoad reads all rows into a new table.
func checkLoad(t *testing.T, table *state.Table, model map[string]string) {
	t.Helper()
	got := map[string]string{}
	err := table.Load([]vnode.ID{0, 1}, func(v vnode.ID, key, value []byte) error {
		got[fmt.Sprintf("%d/%s", v, key)] = string(value)
		return nil
	})
	if err != nil || !maps.Equal(got, model) {
		t.Fatalf("loaded %v %v, want %v", got, err, model)
	}
}

// asked counts what is looked for in the store.
type asked struct {
	kv.Reader
	gets int
}

func (a *asked) Get(key []byte) ([]byte, bool, error) {
	a.gets++
	return a.Reader.Get(key)
}

// What Load has read the store is not asked for again, neither for keys that are not there, unless it does not fit.
func TestLoadedRowsAreInMemory(t *testing.T) {
	store := memkv.Open()
	defer store.Close()
	first := state.New(state.Options{ID: 7, Reader: store.Own(1)})
	const rows = 5000
	for i := range rows {
		first.Put(0, fmt.Append(nil, i), nil, []byte("value"))
	}
	var b kv.RunBuilder
	first.Flush(&b, func() {})
	store.Stage(1, 1, b.Finish())
	store.Publish(1, []id.Job{1})
	for cacheMax, want := range map[int]int{0: 0, 1000: 2 * rows} {
		reader := &asked{Reader: store.Own(1)}
		table := state.New(state.Options{ID: 7, Reader: reader, CacheMax: cacheMax})
		if err := table.Load([]vnode.ID{0}, func(vnode.ID, []byte, []byte) error { return nil }); err != nil {
			t.Fatal(err)
		}
		for i := range 2 * rows {
			if _, ok, err := table.Get(0, fmt.Append(nil, i)); err != nil || ok != (i < rows) {
				t.Fatalf("key %d: %v %v", i, ok, err)
			}
		}
		if reader.gets != want {
			t.Errorf("of at most %d bytes: the store was asked %d times, want %d", cacheMax, reader.gets, want)
		}
	}
}

func checkScan(t *testing.T, table *state.Table, model map[string]string, v vnode.ID, prefix []byte) {
	t.Helper()
	var want, got []string
	for name, value := range model {
		if p := fmt.Sprintf("%d/%s", v, prefix); len(name) >= len(p) && name[:len(p)] == p {
			want = append(want, name[2:]+"="+value)
		}
	}
	slices.Sort(want)
	it := table.Scan(v, prefix)
	for it.Next() {
		got = append(got, string(it.Key())+"="+string(it.Value()))
	}
	if err := it.Close(); err != nil {
		t.Fatal(err)
	}
	byKey := func(a, b string) int {
		return bytes.Compare([]byte(a[:bytes.IndexByte([]byte(a), '=')]), []byte(b[:bytes.IndexByte([]byte(b), '=')]))
	}
	slices.SortFunc(want, byKey)
	if !slices.Equal(got, want) {
		t.Fatalf("scan of %s\ngot  %v\nwant %v", prefix, got, want)
	}
}

// What stays in memory is bounded by CacheMax once it was flushed, of values that are less than what finds them, too.
func TestTableEvicts(t *testing.T) {
	for _, valueSize := range []int{1, 50} {
		t.Run(fmt.Sprint(valueSize), func(t *testing.T) { tableEvicts(t, valueSize) })
	}
}

func tableEvicts(t *testing.T, valueSize int) {
	store := memkv.Open()
	defer store.Close()
	const cacheMax = 64 << 10
	table := state.New(state.Options{ID: 7, Reader: store.Own(1), CacheMax: cacheMax})
	for e := range epoch.Epoch(20) {
		for i := range 500 {
			table.Put(0, []byte(fmt.Sprintf("%d-%d", e, i)), nil, make([]byte, valueSize))
		}
		var b kv.RunBuilder
		table.Flush(&b, func() {})
		store.Stage(1, e+1, b.Finish())
		if size := table.Size(); size > cacheMax {
			t.Fatalf("%d bytes after epoch %d, want at most %d", size, e, cacheMax)
		}
	}
	for e := range 20 {
		if _, ok, err := table.Get(0, []byte(fmt.Sprintf("%d-%d", e, 7))); !ok || err != nil {
			t.Fatalf("row of epoch %d: %v %v", e, ok, err)
		}
	}
}

// The run has the net effect of the epoch with the value before it.
func TestTableFlushesNetEffect(t *testing.T) {
	store := memkv.Open()
	defer store.Close()
	table := state.New(state.Options{ID: 7, Reader: store.Own(1), Logged: true})
	table.Put(0, []byte("a"), nil, []byte("1"))
	table.Put(0, []byte("a"), []byte("1"), []byte("2"))
	table.Put(0, []byte("b"), []byte("0"), nil)
	var b kv.RunBuilder
	table.Flush(&b, func() {})
	run := b.Finish()
	if run.Len() != 2 {
		t.Fatalf("%d writes, want 2", run.Len())
	}
	a, del := run.At(0), run.At(1)
	if a.Old != nil || string(a.New) != "2" {
		t.Errorf("a: %q -> %q, want nothing -> 2", a.Old, a.New)
	}
	if string(del.Old) != "0" || del.New != nil {
		t.Errorf("b: %q -> %q, want 0 -> nothing", del.Old, del.New)
	}
}
