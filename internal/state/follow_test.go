package state

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/kv/memkv"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// followed is a relation of two vnodes whose rows are staged by hand.
type followed struct {
	store  kv.Store
	format *RelationFormat
}

// write stages the change of a row from old to new; an empty text is none.
func (f *followed) write(t *testing.T, e epoch.Epoch, old, new string) {
	t.Helper()
	var w kv.Write
	encode := func(text string) []byte {
		if text == "" {
			return nil
		}
		row, err := chunk.ParseRow(f.format.Types, text)
		if err != nil {
			t.Fatal(err)
		}
		w.Key = append(kv.AppendTable(nil, f.format.Table, uint16(f.format.VnodeOf(row))), f.format.AppendKeyRow(nil, row)...)
		return keyenc.AppendDatums(nil, f.format.Types, row)
	}
	w.Old, w.New = encode(old), encode(new)
	var b kv.RunBuilder
	b.Add(w)
	f.store.Stage(1, e, b.Finish())
}

// Changes of several epochs come epoch by epoch, although each vnode has a changelog of its own, part of it committed.
func TestFollowIsInOrderOfEpochs(t *testing.T) {
	f := &followed{memkv.Open(), &RelationFormat{Table: 3, Types: []types.T{types.Int4, types.Text}, Key: []int{0}, DistKey: []int{0}, Vnodes: 2}}
	vnodes := map[vnode.ID]bool{}
	for i := range 8 {
		vnodes[f.format.VnodeOf(types.Row{types.NewInt(int64(i)), types.NewBytes("")})] = true
	}
	if len(vnodes) != 2 {
		t.Fatal("the rows must be in both vnodes")
	}
	f.store.SetLeases(map[id.Table]epoch.Epoch{3: 0})
	for i := range 8 {
		f.write(t, 1, "", fmt.Sprintf("%d a", i))
	}
	f.store.Publish(1, []id.Job{1})
	if _, err := f.store.Commit(kv.Commit{Epoch: 1}); err != nil {
		t.Fatal(err)
	}
	for e := epoch.Epoch(2); e <= 4; e++ {
		for i := range 8 {
			f.write(t, e, fmt.Sprintf("%d %c", i, 'a'+e-2), fmt.Sprintf("%d %c", i, 'a'+e-1))
		}
		f.store.Publish(e, []id.Job{1})
	}
	view := f.store.View()
	defer view.Close()
	for _, c := range []struct{ from, to epoch.Epoch }{{0, 4}, {1, 4}, {2, 3}, {4, 4}} {
		last, rows := c.from, 0
		err := NewRelationSnapshot(view, f.format, []int{0, 1}).Follow(c.from, c.to, func(e epoch.Epoch, ch *chunk.Chunk) error {
			if e < last || e <= c.from || e > c.to {
				t.Errorf("(%d, %d]: epoch %d after %d", c.from, c.to, e, last)
			}
			last = e
			rows += ch.Rows()
			if want := fmt.Sprintf(" %c", 'a'+e-1); !strings.Contains(chunk.Format(ch), want) {
				t.Errorf("epoch %d has no row with%s:\n%s", e, want, chunk.Format(ch))
			}
			return nil
		})
		want := 16 * int(c.to-c.from) // an old and a new row for each of 8
		if c.from == 0 {
			want -= 8
		}
		if err != nil || rows != want {
			t.Errorf("(%d, %d]: %d rows, want %d: %v", c.from, c.to, rows, want, err)
		}
	}
	stop := errors.New("enough")
	err := NewRelationSnapshot(view, f.format, []int{0}).Follow(0, 4, func(epoch.Epoch, *chunk.Chunk) error { return stop })
	if !errors.Is(err, stop) {
		t.Error(err)
	}
}
