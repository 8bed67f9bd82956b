package state_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/kv/memkv"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/types"
)

// logged is a relation (k int primary key, v text) of one vnode whose changelog is kept from the start.
type logged struct {
	store *memkv.Store
	rel   *catalog.Relation
	table *state.Table
	rows  map[int64]string
	at    epoch.Epoch
}

func newLogged() *logged {
	l := &logged{store: memkv.Open(), rows: map[int64]string{}, at: 1}
	l.rel = &catalog.Relation{Table: 7, Vnodes: 1, Key: []int{0}, Columns: []catalog.Column{{Name: "k", Type: types.Int4}, {Name: "v", Type: types.Text}}}
	l.table = state.New(state.Options{ID: 7, Reader: l.store.Own(1), Logged: true})
	l.store.Publish(1, nil)
	l.store.SetLeases(map[id.Table]epoch.Epoch{7: 1})
	return l
}

// epoch publishes an epoch with these rows; "" deletes.
func (l *logged) epoch(rows map[int64]string) {
	f := state.FormatOf(l.rel)
	for k, v := range rows {
		row := types.Row{types.NewInt(k), types.NewBytes(v)}
		var old, new []byte
		if was, ok := l.rows[k]; ok {
			old = encoded(types.Row{row[0], types.NewBytes(was)})
		}
		if delete(l.rows, k); v != "" {
			new, l.rows[k] = encoded(row), v
		}
		l.table.Put(0, f.AppendKeyRow(nil, row), old, new)
	}
	var b kv.RunBuilder
	l.table.Flush(&b, func() {})
	l.at++
	l.store.Stage(1, l.at, b.Finish())
	l.store.Publish(l.at, []id.Job{1})
}

func encoded(row types.Row) []byte {
	b := chunk.NewBuilder([]types.T{types.Int4, types.Text}, 1)
	b.Append(chunk.Insert, row)
	return keyenc.AppendRow(nil, b.Take().Cols, 0)
}

func (l *logged) changes(t *testing.T, from, to epoch.Epoch) (text string) {
	t.Helper()
	v := l.store.View()
	defer v.Close()
	err := state.NewRelationSnapshot(v, state.FormatOf(l.rel), []int{0, 1}).Changes(0, from, to, nil, func(c *chunk.Chunk) error {
		text += chunk.Format(c)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A window tells of each key what it had before and has after, and nothing of one that is as it was.
func TestChangesAreNet(t *testing.T) {
	l := newLogged()
	l.epoch(map[int64]string{1: "a"})
	l.epoch(map[int64]string{1: "b", 2: "x"})
	l.epoch(map[int64]string{1: "c", 2: ""})
	l.epoch(map[int64]string{1: "a"})
	for _, w := range []struct {
		from, to epoch.Epoch
		want     string
	}{
		{1, 3, "+ 1 b\n+ 2 x\n"},
		{1, 4, "+ 1 c\n"},
		{2, 4, "- 1 a\n+ 1 c\n"},
		{2, 5, ""},
		{3, 5, "- 1 b\n+ 1 a\n- 2 x\n"},
	} {
		if got := l.changes(t, w.from, w.to); got != w.want {
			t.Errorf("(%d, %d]: got\n%swant\n%s", w.from, w.to, got, w.want)
		}
	}
}

// What a window holds back is bounded: changes past the bound are told in parts that add up to the same.
func TestChangesSpill(t *testing.T) {
	l := newLogged()
	long := strings.Repeat("z", 1<<20)
	for i := range 12 {
		l.epoch(map[int64]string{1: long + fmt.Sprint(i), 2: fmt.Sprint(i)})
	}
	v := l.store.View()
	defer v.Close()
	sum, chunks := map[string]int{}, 0
	err := state.NewRelationSnapshot(v, state.FormatOf(l.rel), []int{0, 1}).Changes(0, 1, l.at, nil, func(c *chunk.Chunk) error {
		chunks++
		for i := range c.Rows() {
			sum[c.Cols[1].Datum(i).Bytes()] += int(c.Op(i))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if chunks < 2 {
		t.Errorf("12 MiB of changes were held back")
	}
	for text, n := range sum {
		if want := map[bool]int{true: 1}[text == "11" || text == long+"11"]; n != want {
			t.Errorf("%.10s...: %d times, want %d", text, n, want)
		}
	}
}
