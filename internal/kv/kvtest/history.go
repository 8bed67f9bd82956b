package kvtest

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
)

var (
	seedFlag  = flag.Uint64("kvtest.seed", 1, "first seed of the random histories")
	seedsFlag = flag.Int("kvtest.seeds", 4, "how many random histories")
)

const (
	stepsPerHistory = 800
	viewsMax        = 5
	jobs            = 3
	vnodes          = 3
	directTable     = id.Table(99) // rows written by Apply only
)

// history drives a store and the model side by side.
type history struct {
	testing.TB
	h     Harness
	s     kv.Store
	m     *model
	rng   *rand.Rand
	views []pinnedView
	next  epoch.Epoch // the epoch that jobs write now
	seq   int
	gone  map[id.Table]bool
}

type pinnedView struct {
	kv.View
	want snapshot
}

func testHistories(t *testing.T, h Harness) {
	for i := range uint64(*seedsFlag) {
		seed := *seedFlag + i
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			hy := &history{TB: t, h: h, s: h.Open(t), m: newModel(), rng: rand.New(rand.NewPCG(seed, 1)), next: 1, gone: map[id.Table]bool{}}
			for range stepsPerHistory {
				hy.step()
			}
			hy.closeViews()
			if err := hy.s.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func (h *history) step() {
	switch n := h.rng.IntN(100); {
	case n < 30:
		h.stage()
	case n < 45:
		h.publish()
	case n < 53:
		h.commit()
	case n < 56:
		j := h.job()
		h.s.Discard(j)
		h.m.staged[j] = nil
	case n < 64:
		h.pin()
	case n < 76:
		h.checkView()
	case n < 84:
		h.compare(h.s.Own(1+id.Job(h.rng.IntN(jobs))), nil)
	case n < 90:
		h.apply()
	case n < 95:
		h.lease()
	case n < 96:
		h.drop()
	case n < 98:
		h.crash()
	default:
		h.checkMeta()
	}
}

func (h *history) job() id.Job { return id.Job(1 + h.rng.IntN(jobs)) }

// table is one of the two tables of a job that still exist.
func (h *history) table(j id.Job) (id.Table, bool) {
	t := id.Table(10*uint32(j)) + id.Table(h.rng.IntN(2))
	return t, !h.gone[t]
}

func (h *history) randomKey(t id.Table) []byte {
	return key(t, uint16(h.rng.IntN(vnodes)), fmt.Sprintf("k%02d", h.rng.IntN(20)))
}

func (h *history) randomValue() []byte {
	h.seq++
	if h.rng.IntN(3) == 0 {
		return nil
	}
	return fmt.Appendf(nil, "v%d", h.seq)
}

// stage hands over one or two runs with disjoint keys, as two actors would.
func (h *history) stage() {
	j := h.job()
	own := h.m.own(j)
	writes := map[string]kv.Write{}
	for range 1 + h.rng.IntN(12) {
		t, ok := h.table(j)
		if !ok {
			continue
		}
		k := h.randomKey(t)
		w := kv.Write{Key: k, New: h.randomValue()}
		if old, ok := own[string(k)]; ok {
			w.Old = []byte(old)
		}
		writes[string(k)] = w
	}
	e := h.next + epoch.Epoch(h.rng.IntN(2))
	if n := len(h.m.staged[j]); n > 0 {
		e = max(e, h.m.staged[j][n-1].epoch)
	}
	var parts [2][]kv.Write
	for _, k := range slices.Sorted(maps.Keys(writes)) {
		n := h.rng.IntN(2)
		parts[n] = append(parts[n], writes[k])
	}
	for _, p := range parts {
		h.s.Stage(j, e, run(p...))
		h.m.staged[j] = append(h.m.staged[j], modelRun{epoch: e, writes: p})
	}
}

func (h *history) publish() {
	var which []id.Job
	for j := range id.Job(jobs) {
		if h.rng.IntN(4) > 0 {
			which = append(which, j+1)
		}
	}
	h.s.Publish(h.next, which)
	h.m.publish(h.next, which)
	h.next += 1 + epoch.Epoch(h.rng.IntN(2))
}

// commit makes some visible epoch durable, not always the last one.
func (h *history) commit() {
	epochs := slices.Sorted(maps.Keys(h.m.past))
	e := epochs[len(epochs)-1-h.rng.IntN(min(3, len(epochs)))]
	if e <= h.m.durable {
		return
	}
	w := kv.Write{Key: meta(fmt.Sprintf("c%d", h.rng.IntN(4))), New: h.randomValue()}
	commit(h, h.s, e, w)
	write(h.m.direct, w)
	h.m.commit(e)
}

func (h *history) pin() {
	if len(h.views) == viewsMax {
		h.closeView(h.rng.IntN(viewsMax))
	}
	v := h.s.View()
	if v.Epoch() != h.m.epoch {
		h.Fatalf("view of epoch %d, visible is %d", v.Epoch(), h.m.epoch)
	}
	h.views = append(h.views, pinnedView{View: v, want: h.m.snapshot()})
}

func (h *history) closeView(i int) {
	closeView(h, h.views[i].View)
	h.views = slices.Delete(h.views, i, i+1)
}

func (h *history) closeViews() {
	for len(h.views) > 0 {
		h.closeView(0)
	}
}

func (h *history) checkView() {
	if len(h.views) == 0 {
		return
	}
	v := h.views[h.rng.IntN(len(h.views))]
	h.compare(v, v.want.rows)
	t := id.Table(10*uint32(h.job())) + id.Table(h.rng.IntN(2))
	vn := uint16(h.rng.IntN(vnodes))
	from := v.want.epoch - min(v.want.epoch, epoch.Epoch(h.rng.IntN(12)))
	to := from + epoch.Epoch(h.rng.IntN(12))
	want, ok := v.want.changes(t, vn, from, to)
	it, err := v.Log(t, vn, from, to)
	if !ok {
		if !errors.Is(err, kv.ErrLogGone) {
			h.Fatalf("log of table %d in (%d, %d]: error %v, want ErrLogGone", t, from, to, err)
		}
		return
	}
	if err != nil {
		h.Fatalf("log of table %d in (%d, %d] at %d, durable %d: %v", t, from, to, v.want.epoch, v.want.durable, err)
	}
	got, err := changelog(it)
	if err != nil || !slices.Equal(got, want) {
		h.Fatalf("log of table %d vnode %d in (%d, %d]: %v\ngot  %v\nwant %v", t, vn, from, to, err, got, want)
	}
}

// compare reads a range and some keys; want nil means: as a random job.
func (h *history) compare(r kv.Reader, want map[string]string) {
	if want == nil {
		j := h.job()
		r, want = h.s.Own(j), h.m.own(j)
	}
	start, end := h.bounds()
	var rows []string
	for _, k := range slices.Sorted(maps.Keys(want)) {
		if (start == nil || k >= string(start)) && (end == nil || k < string(end)) {
			rows = append(rows, k+"="+want[k])
		}
	}
	if got := scan(h, r, start, end); !slices.Equal(got, rows) {
		h.Fatalf("scan [%q, %q):\ngot  %q\nwant %q", start, end, got, rows)
	}
	for range 5 {
		k := h.randomKey(id.Table(10*uint32(h.job())) + id.Table(h.rng.IntN(2)))
		if got := get(h, r, k); got != want[string(k)] {
			h.Fatalf("get %q: got %q, want %q", k, got, want[string(k)])
		}
	}
}

func (h *history) bounds() (start, end []byte) {
	t := id.Table(10*uint32(h.job())) + id.Table(h.rng.IntN(2))
	switch h.rng.IntN(4) {
	case 0:
		return nil, nil
	case 1:
		return kv.TableRange(t)
	case 2:
		p := kv.AppendTable(nil, t, uint16(h.rng.IntN(vnodes)))
		return p, kv.PrefixEnd(p)
	}
	a, b := h.randomKey(t), h.randomKey(t+id.Table(h.rng.IntN(2)))
	if string(a) > string(b) {
		a, b = b, a
	}
	return a, b
}

func (h *history) apply() {
	writes := []kv.Write{{Key: meta(fmt.Sprintf("a%d", h.rng.IntN(5))), New: h.randomValue()}}
	if h.rng.IntN(2) == 0 {
		writes = append(writes, kv.Write{Key: h.randomKey(directTable), New: h.randomValue()})
	}
	if err := h.s.Apply(writes); err != nil {
		h.Fatal(err)
	}
	for _, w := range writes {
		write(h.m.direct, w)
	}
}

// lease grants leases of epochs that are not below the durable one, and moves old ones forward.
func (h *history) lease() {
	leases := map[id.Table]epoch.Epoch{}
	for j := range id.Job(jobs) {
		t, ok := h.table(j + 1)
		if !ok || h.rng.IntN(3) == 0 {
			continue
		}
		leases[t] = h.m.durable + epoch.Epoch(h.rng.IntN(4))
		if kept, ok := h.m.logs[t]; ok {
			leases[t] = kept + epoch.Epoch(h.rng.IntN(3))
		}
	}
	h.s.SetLeases(leases)
	h.m.setLeases(leases)
}

func (h *history) drop() {
	j := h.job()
	t, ok := h.table(j)
	if !ok || len(h.gone) > jobs {
		return
	}
	h.s.Discard(j)
	h.m.staged[j] = nil
	if err := h.s.DropTables([]id.Table{t}); err != nil {
		h.Fatal(err)
	}
	h.gone[t] = true
	h.m.drop(t)
}

func (h *history) crash() {
	h.closeViews()
	h.s = h.h.Crash(h, h.s)
	h.m.crash()
	if h.s.Visible() != h.m.durable || h.s.Durable() != h.m.durable {
		h.Fatalf("opened at epochs %d, %d, want %d", h.s.Visible(), h.s.Durable(), h.m.durable)
	}
	h.compare(h.s.Own(1), nil)
	h.next = h.next.NextBlock()
}

func (h *history) checkMeta() {
	want := []string{}
	for _, k := range slices.Sorted(maps.Keys(h.m.direct)) {
		if k[0] == kv.SpaceMeta {
			want = append(want, k+"="+h.m.direct[k])
		}
	}
	if got := scan(h, h.s.Meta(), nil, nil); !slices.Equal(got, want) {
		h.Fatalf("meta space:\ngot  %q\nwant %q", got, want)
	}
}
