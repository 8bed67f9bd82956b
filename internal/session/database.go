// Package session runs the statements of clients: it parses, binds, plans and executes them against one engine.
package session

import (
	"context"
	"iter"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidemark-db/tidemark/internal/capture"
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/connector"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/kv/memkv"
	"github.com/tidemark-db/tidemark/internal/kv/pebblekv"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/pgcatalog"
	"github.com/tidemark-db/tidemark/internal/plan/planenc"
	"github.com/tidemark-db/tidemark/internal/sched"
	"github.com/tidemark-db/tidemark/internal/settings"
	"github.com/tidemark-db/tidemark/internal/spill"
)

// Options say what a database runs on. The zero value is a database in memory with default settings.
type Options struct {
	Dir      string   // empty: in memory
	Store    kv.Store // a store that is open already, in place of Dir; Close closes it
	Settings *settings.Server
	Vnodes   int // of new relations; 0: the engine's default
	Logger   *slog.Logger
	Now      func() time.Time
	// Fatal is called once when the store or the engine has failed; the process should end.
	Fatal func(error)
	// Systems are the upstreams that changes can be captured from, by the word of option connector.
	Systems map[string]connector.System
	// Memory is what the store, the state of views and statements share; nil: nothing bounds them together.
	Memory *mem.Budget
	// Verifier makes what is stored of a password; nil: passwords cannot be set.
	Verifier func(password string) (string, error)
	// Dedicated: the process has nothing else to do, and its goroutines may be scheduled as suits the database.
	Dedicated bool
}

// Database is an engine with what its sessions share.
type Database struct {
	engine     *engine.Engine
	share      *sched.Share // of the processors
	store      kv.Store
	space      func() error // refuses new work on a full disk; nil in memory
	spill      *spill.Dir   // of what statements hold and memory does not; nil in memory
	memory     memory
	marks      watermarks
	seq        *dml.Sequencer
	opened     epoch.Epoch // what had been acknowledged before this start is in it
	systems    map[string]connector.System
	captures   *capture.Captures
	generators *generators
	sinks      *sinks
	settings   *settings.Server
	funcs      *expr.Registry
	aggs       *agg.Registry
	now        func() time.Time
	logger     *slog.Logger
	rowIDs     rowIDs
	system     *pgcatalog.Set
	functions  []pgcatalog.FunctionInfo
	verifier   func(string) (string, error)
	mu         struct {
		sync.Mutex
		tables   map[id.Relation]*dml.Table // prepared for DML
		sessions map[*Session]bool
	}
	pids  atomic.Uint32
	locks *advisory
	// cluster names the store, started is when it was opened.
	cluster string
	started time.Time
}

// Open opens a database and recovers what was running.
func Open(o Options) (*Database, error) {
	if o.Settings == nil {
		o.Settings = settings.NewServer(settings.NewRegistry())
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if tell := o.Fatal; tell != nil { // the store and the engine both do; the first is heard
		var once sync.Once
		o.Fatal = func(err error) { once.Do(func() { tell(err) }) }
	}
	store, err := openStore(o)
	if err != nil {
		return nil, err
	}
	parts, err := divide(o.Memory, o.Settings.Int("state_memory"))
	if err != nil {
		store.Close()
		return nil, err
	}
	d := &Database{store: store, space: spaceOf(store), memory: parts, settings: o.Settings, funcs: expr.NewRegistry(), aggs: agg.NewRegistry(), now: o.Now, share: o.share(), logger: o.Logger, verifier: o.Verifier, system: pgcatalog.New()}
	if o.Store == nil && o.Dir != "" {
		d.spill = spill.In(pebblekv.SpillDir(o.Dir), d.space)
	}
	d.functions = pgcatalog.FunctionsOf(d.funcs, d.aggs)
	if d.verifier == nil {
		d.verifier = func(string) (string, error) {
			return "", errs.Unsupported.New("feature", "a password without a server")
		}
	}
	d.locks = newAdvisory()
	d.mu.tables, d.mu.sessions = map[id.Relation]*dml.Table{}, map[*Session]bool{}
	if err := d.start(o); err != nil {
		store.Close()
		return nil, err
	}
	return d, nil
}

// share is the one of this process.
func (o Options) share() *sched.Share {
	if o.Dedicated {
		return sched.NewDedicated(o.Now)
	}
	return sched.NewShare(runtime.GOMAXPROCS(0), o.Now)
}

func openStore(o Options) (kv.Store, error) {
	switch {
	case o.Store != nil:
		return o.Store, nil
	case o.Dir == "":
		return memkv.Open(), nil
	}
	return pebblekv.Open(pebblekv.Options{Dir: o.Dir, Budget: o.Memory, Logger: o.Logger, OnFatal: o.Fatal})
}

// start recovers the engine and feeds the entries of the DML log that the durable epoch does not hold.
func (d *Database) start(o Options) error {
	if err := d.rowIDs.open(d.store); err != nil {
		return err
	}
	if err := d.storedSettings(); err != nil {
		return err
	}
	if err := d.identify(); err != nil {
		return err
	}
	var err error
	d.engine, err = engine.Open(d.store, engine.Options{
		Parallelism:        parallelism(o.Settings, d.share),
		BarrierInterval:    o.Settings.Duration("barrier_interval"),
		CheckpointInterval: o.Settings.Duration("checkpoint_interval"),
		DetachAfter:        o.Settings.Duration("detach_after"),
		ChangelogRetention: o.Settings.Duration("changelog_retention"),
		Vnodes:             o.Vnodes,
		Share:              d.share,
		Now:                o.Now, Logger: o.Logger, Fatal: o.Fatal,
		Memory:   d.memory.state,
		Changes:  d.memory.changes,
		Resolver: planenc.Resolver{Funcs: d.funcs, Aggs: d.aggs},
	})
	if err != nil {
		return err
	}
	if err := d.openWatermarks(); err != nil {
		return err
	}
	apart, err := d.apart()
	if err != nil {
		return err
	}
	seq, at, err := dml.Replay(feeder{d}, d.store.Meta(), d.engine.DMLSeq(), d.tableByID, apart)
	if err != nil {
		return err
	}
	if err := d.engine.WaitVisible(context.Background(), at); err != nil { // what was acknowledged is there for the first reader
		return err
	}
	d.opened = d.engine.Visible()
	d.seq = dml.New(feeder{d}, seq, dml.Options{Memory: d.memory.writes, WaitVisible: d.engine.WaitVisible, Spill: d.spill,
		RowSizeMax: func() int64 { return d.settings.Int("row_size_max") }})
	if err := d.openSinks(); err != nil {
		return err
	}
	if err := d.openCaptures(o.Systems); err != nil {
		return err
	}
	return d.openGenerators()
}

// apart lets writes of the log be fed again one after the other, where rows are looked up in other tables: what was written
// first is there for what was written then, as it was before. Others need not wait.
func (d *Database) apart() (func(epoch.Epoch) error, error) {
	looksUp, err := d.engine.LooksUp(context.Background())
	if err != nil || !looksUp {
		return nil, err
	}
	return func(e epoch.Epoch) error { return d.engine.WaitVisible(context.Background(), e) }, nil
}

// Close makes everything durable and closes the store; no statement may be running any more.
func (d *Database) Close(ctx context.Context) error {
	d.generators.close()
	d.captures.Close()
	d.sinks.close()
	d.seq.Close()
	return d.engine.Close(ctx)
}

// Engine gives the server and tests what they need to look at.
func (d *Database) Engine() *engine.Engine { return d.engine }

// Settings are the server's settings.
func (d *Database) Settings() *settings.Server { return d.settings }

// table prepares a relation for DML, once.
func (d *Database) table(rel *catalog.Relation) *dml.Table {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.mu.tables[rel.ID]
	if t == nil || t.Rel != rel {
		t = dml.NewTable(rel)
		d.mu.tables[rel.ID] = t
	}
	return t
}

// tableByID finds the table that an entry of the DML log names.
func (d *Database) tableByID(t id.Table) (*dml.Table, bool) {
	for _, rel := range d.engine.Catalog().Relations() {
		if rel.Table == t && rel.Base() {
			return d.table(rel), true
		}
	}
	return nil, false
}

// feeder is the engine as the sequencer sees it.
type feeder struct{ d *Database }

func (f feeder) View() kv.View               { return f.d.engine.View() }
func (f feeder) Visible() epoch.Epoch        { return f.d.engine.Visible() }
func (f feeder) Durable() epoch.Epoch        { return f.d.engine.Durable() }
func (f feeder) Log(writes []kv.Write) error { return f.d.store.Apply(writes) }

func (f feeder) Feed(seq uint64, rows iter.Seq2[dml.Fed, error]) (epoch.Epoch, error) {
	return f.d.engine.Feed(seq, rows)
}
