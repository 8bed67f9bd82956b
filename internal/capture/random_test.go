package capture

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"log/slog"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/keyenc"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/kv/memkv"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/types"
)

const (
	fakeSource = 7
	fakeTable  = 8
)

// keys are those of the random rows.
const keys = 24

// randomSeeds is how many runs a test makes.
const randomSeeds = 100

// TestRandomHistories runs a table's capture against random transactions, reads in the middle of them, and crashes. In the
// end it has the upstream's rows, whatever the order in which the log and the snapshots showed them; one without a history has
// those that the log has told of.
func TestRandomHistories(t *testing.T) {
	for seed := range uint64(randomSeeds) {
		if err := randomRun(seed, func(u *fakeUpstream) connector.Reader { return u }); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// randomRun runs a seed against the upstream as read makes it look.
func randomRun(seed uint64, read func(*fakeUpstream) connector.Reader) error {
	rnd := rand.New(rand.NewPCG(seed, 1))
	up := &fakeUpstream{rnd: rnd, full: seed%3 == 0, next: 100, locked: map[int64]bool{}, told: map[int64]bool{}}
	up.reset(0)
	w := newFakeWorld(up, seed%4 != 3)
	if w.changesOnly = seed%5 == 4; w.changesOnly {
		w.table.With[SnapshotOption] = "false"
	}
	w.reader = read(up)
	defer w.seq.Close()
	if err := w.connect(); err != nil {
		return err
	}
	change := func() error { up.change(keys); return nil }
	steps := []func() error{
		func() error { up.begin(); return nil },
		change, change, change,
		func() error { up.commit(); return nil },
		func() error { up.show(); return nil },
		func() error { up.deliver(1 + rnd.IntN(3)); return nil },
		w.turn, w.turn,
		func() error {
			if rnd.IntN(6) > 0 {
				return nil
			}
			if rnd.IntN(2) == 0 {
				w.ordered = !w.ordered // an index was made or dropped upstream
			}
			return w.connect() // a crash: what is not stored is forgotten
		},
		func() error {
			if rnd.IntN(12) > 0 || w.s.rec.Tables[fakeTable] == nil || w.changesOnly {
				return nil
			}
			return w.readAgain()
		},
	}
	for i := range 400 {
		if i == 60 {
			w.catalog.Put(w.table)
		}
		if err := steps[rnd.IntN(len(steps))](); err != nil {
			return err
		}
	}
	for i := 0; len(up.active()) > 0 || up.delivered < len(up.log) || !w.settled(); i++ {
		up.commit()
		up.show()
		up.deliver(10)
		if err := w.turn(); err != nil {
			return err
		}
		if i > 1000 {
			return fmt.Errorf("the table does not come to rest: %+v", w.s.rec.Tables[fakeTable])
		}
	}
	var want []types.Row
	for key, r := range up.visibleRows(func(*fakeTxn) bool { return true }) {
		if !w.changesOnly || up.told[key] {
			want = append(want, r)
		}
	}
	have, err := w.rows()
	if err != nil {
		return err
	}
	if h, u := texts(have), texts(want); !slices.Equal(h, u) {
		return fmt.Errorf("rows\n%q\nwant\n%q", h, u)
	}
	return nil
}

// fakeWorld is a source with one table over a store in memory, turned by hand.
type fakeWorld struct {
	up      *fakeUpstream
	reader  connector.Reader // up, or what a fault makes of it
	store   kv.Store
	seq     *dml.Sequencer
	catalog *catalog.Snapshot
	table   *catalog.Relation
	dml     *dml.Table
	c       *Captures
	s       *source
	now     time.Time
	ordered bool
	// changesOnly says that the table is captured without its history.
	changesOnly bool
}

func newFakeWorld(up *fakeUpstream, ordered bool) *fakeWorld {
	w := &fakeWorld{up: up, reader: up, store: memkv.Open(), now: time.Unix(0, 0), ordered: ordered}
	with := map[string]string{ConnectorOption: "fake", TableOption: "t"}
	w.table = &catalog.Relation{ID: fakeTable, Name: "t", Kind: catalog.KindTable, Table: 1, Vnodes: 4, Key: []int{0}, DistKey: []int{0},
		Columns:   []catalog.Column{{Name: "k", Type: types.Int8}, {Name: "n", Type: types.Int8}, {Name: "x", Type: types.Text}},
		DependsOn: []id.Relation{fakeSource}, With: with}
	w.dml = dml.NewTable(w.table)
	w.catalog = catalog.NewSnapshot("d")
	w.catalog.Put(&catalog.Relation{ID: fakeSource, Name: "s", Kind: catalog.KindSource, With: with})
	w.seq = dml.New(w, 0, dml.Options{})
	w.c = &Captures{o: Options{Systems: map[string]connector.System{"fake": fakeSystem{w}}, Store: w.store, Sequencer: w.seq,
		Catalog: func() *catalog.Snapshot { return w.catalog.Edit() }, Table: func(*catalog.Relation) *dml.Table { return w.dml },
		Now: func() time.Time { return w.now }, Logger: slog.New(slog.DiscardHandler)}}
	w.c.mu.sources, w.c.mu.changed = map[id.Relation]*source{}, make(chan struct{})
	return w
}

// connect begins anew from what is stored.
func (w *fakeWorld) connect() error {
	records, err := meta.LoadCaptures(w.store.Meta())
	if err != nil {
		return err
	}
	rel, _ := w.catalog.Relation(fakeSource)
	w.s = newSource(w.c, rel, records[fakeSource])
	w.s.tables, w.s.seen, w.s.at = map[id.Relation]*table{}, w.catalog, connector.Position(w.s.rec.Position)
	fresh, err := w.s.load(context.Background())
	if err != nil {
		return err
	}
	w.up.Capture(w.s.captures())
	w.up.reset(w.s.at)
	return w.s.begin(context.Background(), w.reader, fresh)
}

// readAgain lets the history be read from the beginning, over the rows that are there.
func (w *fakeWorld) readAgain() error {
	next := w.s.rec.Clone()
	next.Tables[fakeTable] = again(next.Tables[fakeTable], next.Tables[fakeTable].Number)
	if err := w.store.Apply([]kv.Write{meta.PutCapture(fakeSource, next)}); err != nil {
		return err
	}
	return w.connect()
}

// turn is one turn of the source's loop; nothing is waited for.
func (w *fakeWorld) turn() error {
	w.now = w.now.Add(time.Minute)
	w.s.wakeUp()
	if err := w.s.refresh(context.Background(), w.reader); err != nil {
		return err
	}
	for _, t := range w.s.tables {
		t.pace.rows, t.pace.bytes = 1+w.up.rnd.IntN(5), 1+w.up.rnd.IntN(1000) // a TRUNCATE is done in slices
	}
	if err := w.s.turn(context.Background(), w.reader); err != nil {
		return err
	}
	if w.s.reading != nil { // it reads what is there at this moment; what comes of it is written in a later turn
		<-w.s.reading.done
	}
	return w.check()
}

// check compares the table with what it must have at this moment: no row that was not read; of what is in an open window
// what its snapshot saw and what the log has given; of everything else what the log has given.
func (w *fakeWorld) check() error {
	t := w.s.tables[fakeTable]
	if t == nil || !t.ordered && !t.rec.Done { // one range: what an interrupted read has left is taken away by the next
		return nil
	}
	if w.up.parts > 0 || w.s.rec.Part != nil { // in the middle of a transaction
		return nil
	}
	if w.changesOnly { // which keys were told of at this moment is not known
		return nil
	}
	var want []types.Row
	unread := map[int64]bool{} // keys that may have a row of an earlier reading
	for key := range int64(keys) {
		k := t.key(fakeRow(key, 0, ""))
		sees := func(*fakeTxn) bool { return false }
		read := t.rec.Done || t.rec.Cursor != nil && bytes.Compare(k, t.rec.Cursor) <= 0
		for _, v := range t.windows {
			if bytes.Equal(v.Key, k) || v.Key == nil && (v.Low == nil || bytes.Compare(k, v.Low) > 0) && (v.High == nil || bytes.Compare(k, v.High) <= 0) {
				sees = func(x *fakeTxn) bool { return v.snapshot.Sees(x.xid) }
				if v.Key != nil {
					break // what its own window says of a key counts
				}
			}
		}
		if !read || t.holes[string(k)] {
			unread[key] = t.rec.Stale && !read
			continue
		}
		given := w.up.log[:w.s.at/10]
		if r := w.up.visibleRows(func(x *fakeTxn) bool { return sees(x) || slices.Contains(given, x) })[key]; r != nil {
			want = append(want, r)
		}
	}
	have, err := w.rows()
	if err != nil {
		return err
	}
	have = slices.DeleteFunc(have, func(r types.Row) bool { return unread[r[0].Int()] })
	if h, u := texts(have), texts(want); !slices.Equal(h, u) {
		return fmt.Errorf("at %d with %+v the rows are\n%q\nwant\n%q", w.s.at, t.rec, h, u)
	}
	return nil
}

func (w *fakeWorld) settled() bool {
	t := w.s.tables[fakeTable]
	return t != nil && t.settled() && uint64(w.s.at) == uint64(10*len(w.up.log))
}

// rows reads the table.
func (w *fakeWorld) rows() (out []types.Row, err error) {
	v := w.store.View()
	defer v.Close()
	it := v.Scan(kv.AppendTable(nil, 1, 0), kv.AppendTable(nil, 2, 0))
	for it.Next() {
		row, err := keyenc.DecodeRow(w.table.Types(), it.Value())
		if err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, it.Close()
}

// View, Visible, Feed and Log make the world what the sequencer takes for an engine: what is fed is in the table at once. A
// change that does not start from what the table has is refused.
func (w *fakeWorld) View() kv.View               { return w.store.View() }
func (w *fakeWorld) Visible() epoch.Epoch        { return w.store.Visible() }
func (w *fakeWorld) Durable() epoch.Epoch        { return w.store.Durable() }
func (w *fakeWorld) Log(writes []kv.Write) error { return w.store.Apply(writes) }

func (w *fakeWorld) Feed(_ uint64, fed iter.Seq2[dml.Fed, error]) (epoch.Epoch, error) {
	v := w.store.View()
	defer v.Close()
	var writes []kv.Write
	gone := map[string]bool{}
	for f, err := range fed {
		if err != nil {
			return 0, err
		}
		for i := range f.Rows.Rows() {
			row := f.Rows.Row(i)
			key := w.dml.Key(row)
			old, there, err := w.dml.Find(v, row)
			if err != nil {
				return 0, err
			}
			if f.Rows.Op(i) == chunk.Delete {
				if !there || !slices.Equal(old, row) {
					return 0, fmt.Errorf("%v is deleted, the table has %v", row, old)
				}
				gone[string(key)] = true
				writes = append(writes, kv.Write{Key: key})
				continue
			}
			if there && !gone[string(key)] {
				return 0, fmt.Errorf("%v is inserted, the table has %v", row, old)
			}
			writes = append(writes, kv.Write{Key: key, New: keyenc.AppendDatums([]byte{}, w.table.Types(), row)})
		}
	}
	return 1, w.store.Apply(writes)
}

// fakeSystem describes the one table.
type fakeSystem struct{ w *fakeWorld }

func (s fakeSystem) Prepare(_ context.Context, o connector.Options, _ func(connector.Options) error) (connector.Options, error) {
	return o, nil
}
func (s fakeSystem) Describe(context.Context, connector.Options, string) (*connector.Table, error) {
	t := &connector.Table{Number: 1, Name: "public.t", Key: []int{0}, Ordered: s.w.ordered, Entry: 1}
	for _, c := range s.w.table.Columns {
		t.Columns = append(t.Columns, connector.Column{Name: c.Name, Type: c.Type})
	}
	return t, nil
}
func (s fakeSystem) Publish(context.Context, connector.Options, string) error   { return nil }
func (s fakeSystem) Unpublish(context.Context, connector.Options, string) error { return nil }
func (s fakeSystem) Remove(context.Context, connector.Options) error            { return nil }
func (s fakeSystem) Renew(context.Context, connector.Options, []string) error   { return nil }
func (s fakeSystem) Open(context.Context, connector.Options, connector.Position, []connector.Capture, *mem.Budget) (connector.Reader, error) {
	return s.w.reader, nil
}
