package sim

import (
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/kv/memkv"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/meta"
)

// world is one simulated machine with its clients. What is below the line is lost in a crash.
type world struct {
	rand    *rand.Rand
	options engine.Options
	tight   bool // operators may keep next to nothing in memory
	hashed  bool // sums of all rows are kept
	patient bool // some views may hold up barriers
	brittle bool // a crash may be followed by another one while the engine recovers
	fault   fault
	data    data
	taste   taste
	clock   *clock
	sql     *compiler
	history *history
	oracle  *oracle
	trace   *trace
	step    int
	named   int   // views created so far
	broken  error // the first thing that did not hold
	shown   shown

	disk      *disk
	store     kv.Store // the disk as the engine has it
	host      *host
	engine    *engine.Stepper
	seq       *dml.Sequencer
	fresh     epoch.Epoch // nobody is served before it is visible
	ending    bool        // Close was called
	tables    map[id.Table]*dml.Table
	followers []*follower
}

func newWorld(r *rand.Rand, o Options) *world {
	w := &world{rand: r, fault: o.fault, clock: newClock(), sql: newCompiler(), history: newHistory(), trace: newTrace(o.Log)}
	w.oracle = newOracle(w.history)
	w.shown, w.data, w.taste = newShown(), datas[r.IntN(len(datas))], newTaste(r)
	w.options = engine.Options{Parallelism: 1 + r.IntN(3), Vnodes: 1 << r.IntN(4), Now: w.clock.time, Resolver: w.sql.resolver(),
		ChangelogRetention: []time.Duration{0, 0, time.Second, 20 * time.Second}[r.IntN(4)],
		DetachAfter:        []time.Duration{0, 0, 500 * time.Millisecond}[r.IntN(3)],
		ScanStep:           []time.Duration{0, 1, 1}[r.IntN(3)]}
	if o.fault.world != nil {
		o.fault.world(w)
	}
	return w
}

// stateMax is what the rows of one NOT IN fit in, which cannot be dropped; a cache may keep a small part of it.
const stateMax = 64 << 10

// memory is the account of the operators' caches, which ends with the process. When memory is tight, others have taken so
// much of it that nothing fits.
func (w *world) memory() *mem.Budget {
	if !w.tight {
		return nil
	}
	state := mem.New("state", stateMax)
	state.Child("others", 0).Force(1 << 40)
	return state
}

// fail records that something did not hold; what follows from it is not told.
func (w *world) fail(format string, args ...any) {
	if w.broken == nil {
		w.broken = fmt.Errorf(format, args...)
		w.note("broken", "%v", w.broken)
	}
}

func (w *world) note(what, format string, args ...any) { w.trace.add(w.step, what, format, args...) }

// must fails for errors that nothing here provokes.
func (w *world) must(doing string, err error) bool {
	if err != nil {
		w.fail("%s: %w", doing, err)
	}
	return err == nil
}

// dead reports whether this life of the engine has crashed, so that nothing it says counts.
func (w *world) dead() bool { return w.disk.image != nil }

// boot opens the engine over a store, as a process does that starts.
func (w *world) boot(s *memkv.Store) {
	w.disk = &disk{Store: s, trace: w.note}
	w.store = w.fault.between(w.disk)
	w.host = &host{rand: w.rand, fault: w.fault, slice: 1 + w.rand.IntN(4), thrift: []int{1, 1, 10}[w.rand.IntN(3)]}
	w.followers = nil
	w.tables, w.ending, w.fresh = map[id.Table]*dml.Table{}, false, 0
	if !w.forget(s) {
		return
	}
	if w.brittle && w.rand.IntN(2) == 0 {
		w.disk.fuse = 1 + w.rand.IntN(1+w.rand.IntN(fuseMax))
	}
	var err error
	o := w.options
	o.Memory = w.memory()
	if w.engine, err = engine.NewStepper(w.store, o, w.host); !w.must("recover", err) {
		return
	}
	durable := w.engine.DMLSeq()
	seq, at, err := dml.Replay(client{w}, s.Meta(), durable, w.table, nil)
	if !w.must("replay the log", err) {
		return
	}
	w.fresh = at
	if last := w.history.last(); seq != last {
		w.fail("the log ends with statement %d, not %d", seq, last)
	}
	w.seq = dml.NewStepped(client{w}, seq, dml.Options{})
	w.note("boot", "durable %d, statements up to %d, %d fed again", s.Durable(), durable, seq-durable)
	w.createTables()
	w.check()
}

// forget brings history in line with what a store holds after a crash.
func (w *world) forget(s *memkv.Store) bool {
	st, _, err := meta.Load(s.Meta(), "dev", w.sql.resolver())
	if !w.must("load the control state", err) {
		return false
	}
	logged := map[uint64]bool{}
	it := s.Meta().Scan(dml.LogRange(^uint64(0) - 1))
	for it.Next() {
		k := it.Key()
		logged[binary.BigEndian.Uint64(k[len(k)-8:])] = true
	}
	it.Close()
	if err := w.history.recover(st.DMLSeq, logged); err != nil {
		w.fail("%w", err)
	}
	if s.Durable() < w.shown.told {
		w.fail("epoch %d was said to be durable, and a crash goes back to %d", w.shown.told, s.Durable())
	}
	w.shown.crash(s.Durable())
	w.learn(st)
	return true
}

// learn takes over the views that are stored.
func (w *world) learn(st *meta.State) {
	before := w.oracle.scope
	w.oracle.forget()
	w.oracle.scope = &scope{views: map[id.Relation]*view{}}
	for _, j := range st.Jobs {
		rel, ok := st.Catalog.Relation(j.Relation)
		if ok && rel.Kind != catalog.KindTable {
			w.oracle.views[rel.ID] = newView(rel, j, w.oracle.scope)
		}
	}
	w.oracle.follow(before, st.Jobs)
}

// restart boots what a crash has left.
func (w *world) restart() {
	w.boot(w.disk.image)
}

func (w *world) createTables() {
	for _, name := range tables {
		if _, ok := w.engine.Catalog().Find(catalog.DefaultSchema, name); !ok {
			w.create("CREATE TABLE " + name + " (x int PRIMARY KEY, y int)")
		}
	}
}

// settings are those of every job.
func (w *world) settings() map[string]string {
	if w.hashed {
		return map[string]string{engine.TallySetting: "on"}
	}
	return map[string]string{}
}

// create runs a CREATE statement.
func (w *world) create(sql string) {
	def, err := w.sql.define(w.engine.Catalog(), sql)
	if !w.must(sql, err) {
		return
	}
	w.begin(sql, def)
}

// begin makes what is defined.
func (w *world) begin(sql string, def engine.Definition) {
	def.Settings = w.ownSettings()
	rel, err := w.engine.Create(context.Background(), def, func(*catalog.Snapshot) error { return nil })
	if !w.must(sql, err) {
		return
	}
	w.note("create", "job %d: %s", rel.Job, sql)
	if slices.ContainsFunc(rel.DependsOn, func(r id.Relation) bool { _, replaced := w.engine.Catalog().Shadow(r); return replaced }) {
		w.trace.counts["create over a view that is being replaced"]++
	}
	w.relearn()
}

// ownSettings are those of a new job: many read in the order of sizes, while they are attached, or slowly, so that much
// happens meanwhile.
func (w *world) ownSettings() map[string]string {
	out := w.settings()
	if w.named%2 == 0 {
		out["backfill_order"] = engine.OrderBySize
	}
	if w.patient && w.named%2 == 1 {
		out[meta.LagSetting] = meta.LagSlow
	}
	if w.rand.IntN(sharesOf) < w.taste.arranged {
		out[meta.ModeSetting] = meta.ModeArrangement
	}
	if w.rand.IntN(sharesOf) < w.taste.slow {
		out["backfill_rate_limit"] = strconv.Itoa(slowRate)
	}
	return out
}

// relearn looks at the stored jobs again.
func (w *world) relearn() {
	st, _, err := meta.Load(w.disk.Meta(), "dev", w.sql.resolver())
	if w.must("load the control state", err) {
		w.learn(st)
	}
}

// drop drops a relation with those that read it.
func (w *world) drop(rel *catalog.Relation) {
	err := w.engine.Drop(context.Background(), func(c *catalog.Snapshot) ([]*catalog.Relation, error) {
		return dependants(c, rel), nil
	})
	if w.must("drop "+rel.Name, err) {
		w.note("drop", "%s", rel.Name)
		w.relearn()
	}
}

// dependants returns a relation and all that read it, readers first.
func dependants(c *catalog.Snapshot, rel *catalog.Relation) []*catalog.Relation {
	var out []*catalog.Relation
	for _, r := range relations(c) {
		if r.ID != rel.ID && slices.Contains(r.DependsOn, rel.ID) {
			for _, d := range dependants(c, r) {
				if !slices.Contains(out, d) {
					out = append(out, d)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b *catalog.Relation) int { return int(b.ID) - int(a.ID) })
	return append(out, rel)
}

// relations returns all stored relations in the order of their creation.
func relations(c *catalog.Snapshot) []*catalog.Relation {
	out := slices.Clone(c.Relations())
	out = slices.DeleteFunc(out, func(r *catalog.Relation) bool { return r.Job == 0 })
	slices.SortFunc(out, func(a, b *catalog.Relation) int { return int(a.ID) - int(b.ID) })
	return out
}

// readable returns those that queries read: all but indexes.
func readable(c *catalog.Snapshot) []*catalog.Relation {
	return slices.DeleteFunc(relations(c), func(r *catalog.Relation) bool { return r.Kind == catalog.KindIndex })
}

// views returns the views that are there, and those that are to take their places.
func (w *world) views() []*catalog.Relation {
	return slices.DeleteFunc(w.stored(), func(r *catalog.Relation) bool { return r.Kind == catalog.KindTable })
}

// stored returns all stored relations, shadows last.
func (w *world) stored() []*catalog.Relation {
	c := w.engine.Catalog()
	return append(relations(c), c.Shadows()...)
}

// table finds a table for DML.
func (w *world) table(t id.Table) (*dml.Table, bool) {
	if tbl := w.tables[t]; tbl != nil {
		return tbl, true
	}
	for _, rel := range w.engine.Catalog().Relations() {
		if rel.Table == t && rel.Kind == catalog.KindTable {
			w.tables[t] = dml.NewTable(rel)
			return w.tables[t], true
		}
	}
	return nil, false
}

// client is the engine as the sequencer sees it.
type client struct{ w *world }

func (c client) View() kv.View        { return c.w.engine.View() }
func (c client) Visible() epoch.Epoch { return c.w.engine.Visible() }
func (c client) Durable() epoch.Epoch { return c.w.engine.Durable() }

func (c client) Log(writes []kv.Write) error { return c.w.store.Apply(writes) }

func (c client) Feed(seq uint64, fed iter.Seq2[dml.Fed, error]) (epoch.Epoch, error) {
	e, err := c.w.engine.Feed(seq, fed)
	if err == nil {
		c.w.must("feed", c.w.history.fed(seq, e))
	}
	return e, err
}

// describe prints where all jobs stand.
func (w *world) describe() string {
	var b strings.Builder
	jobs := w.engine.Jobs()
	for _, rel := range w.stored() {
		st := jobs[rel.Job]
		fmt.Fprintf(&b, " %s(job %d %s as of %d", rel.Name, rel.Job, st.State, st.AsOf)
		if st.Reason != "" {
			fmt.Fprintf(&b, " %q", st.Reason)
		}
		b.WriteString(")")
	}
	return fmt.Sprintf("visible %d, open %d, %d events, %d in the background,%s", w.engine.Visible(), w.engine.OpenEpoch(),
		w.engine.Waiting(), len(w.host.background), b.String())
}
