package backfill

import (
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// More than may be held of an epoch waits until the epoch before is visible, so that something can be read; then it passes
// by the cursor as it is, which stays there until the epoch ends.
func TestHeldIsBounded(t *testing.T) {
	w := &world{history: map[epoch.Epoch]*chunk.Chunk{}, staged: map[vnode.ID][]byte{0: (&Record{}).Encode()},
		fresh: map[vnode.ID][]byte{}, kept: map[string]int{}, emitted: map[string]int{}, jobID: 3}
	b := chunk.NewBuilder(columns, 2)
	for _, k := range []string{"a1", "a3"} {
		b.Append(chunk.Insert, types.Row{types.NewBytes(k), types.NewInt(1)})
	}
	w.history[5] = b.Take()
	o := New(Config{Job: w.jobID, Owned: []vnode.ID{0}, Pins: w, Progress: w, Order: w, Live: true, AsOf: 5, Check: Standing{Arranges: true, Visible: 5},
		Arrangement: &Arrangement{Places: w, Cols: []int{0, 1}, Attached: true, Visible: 5}})
	if err := o.Recover(); err != nil {
		t.Fatal(err)
	}
	live := func(key string) {
		b := chunk.NewBuilder(columns, 1)
		b.Append(chunk.Insert, types.Row{types.NewBytes(key), types.NewInt(2)})
		if err := o.Chunk(0, b.Take(), w); err != nil {
			t.Fatal(err)
		}
	}
	work := func(budget int, more bool) {
		t.Helper()
		if got, err := o.Work(budget, w); got != more || err != nil {
			t.Fatalf("more is %v: %v", got, err)
		}
	}
	live("a0" + strings.Repeat("x", heldMax))
	if !o.Holding() || o.Pending() <= heldMax {
		t.Fatalf("the port is read on, with %d bytes held", o.Pending())
	}
	work(1, false)
	w.pinned = 5
	if work(1, true); o.Holding() || len(w.emitted) > 0 {
		t.Fatalf("the port is not read on, or %d rows were read that nobody has granted", len(w.emitted))
	}
	work(1, true)
	live("a2")
	if len(w.emitted) != 2 || o.Pending() != 0 { // a0 and what was read, not a2
		t.Errorf("%d rows were emitted, %d bytes are held", len(w.emitted), o.Pending())
	}
	work(1, false)
	live("a00")
	if len(w.emitted) != 3 {
		t.Errorf("%d rows were emitted", len(w.emitted))
	}
	if err := o.Barrier(stream.Barrier{Pair: epoch.Pair{Prev: 6, Curr: 7}}, w); err != nil {
		t.Fatal(err)
	}
	if w.pinned = 6; o.settled() {
		t.Error("nothing is read in the next epoch")
	}
}
