// Package engine opens a store, recovers what was running, and drives the three cores: it carries out what the
// coordinator decides, moves detached sets along, and takes DDL, rows of DML and reads from sessions.
package engine

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/job"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/plan/planenc"
	"github.com/tidemark-db/tidemark/internal/sched"
)

// Options say how an engine runs. The zero value works.
type Options struct {
	Database           string
	Parallelism        int           // actors per fragment
	Vnodes             int           // of new jobs
	BarrierInterval    time.Duration // between barriers when nobody waits
	CheckpointInterval time.Duration // between commits
	DetachAfter        time.Duration // how long a job may hold up a barrier
	AttachPatience     time.Duration // how long one that attaches may at least
	ScanStep           time.Duration // how far steps of a scan are apart; 0: as they cost
	ChangelogRetention time.Duration // how long a reader may fall behind before its lease is given up
	Now                func() time.Time
	Logger             *slog.Logger
	Fatal              func(error)      // told once why the engine has stopped; nil: nobody is
	Resolver           planenc.Resolver // functions that stored plans may name
	Memory             *mem.Budget      // account of all operators' caches; nil: each has a bound of its own
	Share              *sched.Share     // of the processors, between catch-ups and what somebody waits for; nil: nobody divides them
	Changes            *mem.Budget      // account of what was staged, until it is durable and nobody reads it; nil: nothing bounds it
}

// WithDefaults fills what is not set.
func (o Options) WithDefaults() Options {
	if o.Database == "" {
		o.Database = "dev"
	}
	if o.Parallelism <= 0 {
		o.Parallelism = 1
	}
	if o.Vnodes <= 0 {
		o.Vnodes = 64
	}
	if o.BarrierInterval <= 0 {
		o.BarrierInterval = 100 * time.Millisecond
	}
	if o.CheckpointInterval <= 0 {
		o.CheckpointInterval = time.Second
	}
	if o.DetachAfter <= 0 {
		o.DetachAfter = 5 * time.Second
	}
	if o.AttachPatience <= 0 {
		o.AttachPatience = job.AttachPatience
	}
	if o.ChangelogRetention <= 0 {
		o.ChangelogRetention = 24 * time.Hour
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Engine runs all jobs of one store.
type Engine struct {
	opts    Options
	store   kv.Store
	host    Host
	stepped bool // the caller of everything is the driver
	snap    atomic.Pointer[catalog.Snapshot]
	events  chan func()
	stopped chan struct{} // closed when the driver has ended
	fatal   atomic.Pointer[errs.Error]

	// gate orders rows against barriers: rows of one statement enter between two barriers.
	gate struct {
		sync.RWMutex
		open epoch.Epoch
		seq  atomic.Uint64 // highest DML sequence number fed
	}
	// seen is what readers wait on.
	seen struct {
		sync.Mutex
		changed chan struct{} // closed and replaced whenever something below changes
		visible epoch.Epoch
		durable epoch.Epoch
		jobs    map[id.Job]JobStatus
	}
	// marks are how far the watermarks of tables have come. The map is replaced when one moves.
	marks struct {
		sync.Mutex
		at map[id.Relation]int64
	}
	// inputs are the ways into the actors of tables, by job: id.Job -> *instance.
	inputs    sync.Map
	rowErrors rowErrors
	d         driver // owned by the driver's goroutine
}

// eventQueue bounds what waits for the driver; senders wait when it is full.
const eventQueue = 1024

// Open recovers the store and starts everything that was running.
func Open(store kv.Store, o Options) (*Engine, error) {
	e, err := newEngine(store, o, goroutines{})
	if err != nil {
		return nil, err
	}
	go e.d.run()
	return e, nil
}

// newEngine recovers the store; its actors run, its driver does not yet.
func newEngine(store kv.Store, o Options, h Host) (*Engine, error) {
	o = o.WithDefaults()
	state, existed, err := meta.Load(store.Meta(), o.Database, o.Resolver)
	if err != nil {
		return nil, err
	}
	e := &Engine{opts: o, store: store, host: h, events: make(chan func(), eventQueue), stopped: make(chan struct{})}
	e.rowErrors.now = o.Now
	e.seen.changed, e.seen.jobs = make(chan struct{}), map[id.Job]JobStatus{}
	if err := e.d.init(e, state, existed); err != nil {
		return nil, err
	}
	return e, nil
}

// Catalog returns the current catalog.
func (e *Engine) Catalog() *catalog.Snapshot { return e.snap.Load() }

// Store gives readers access to views; they must not write.
func (e *Engine) Store() kv.Store { return e.store }

// DMLSeq is the sequence number up to which the recovered epoch holds the DML log.
func (e *Engine) DMLSeq() uint64 { return e.gate.seq.Load() }

// Attend says that somebody waits for what the caller does, until done is called: catch-ups leave it a processor.
func (e *Engine) Attend() (done func()) {
	e.opts.Share.Enter()
	return e.opts.Share.Leave
}

// do runs fn on the driver's goroutine and waits for it.
func (e *Engine) do(ctx context.Context, fn func(*driver) error) error {
	call := func() error {
		if e.d.ending {
			return e.closedError()
		}
		return fn(&e.d)
	}
	if e.stepped {
		return call()
	}
	done := make(chan error, 1)
	if !e.post(func() { done <- call() }) {
		return e.closedError()
	}
	select {
	case err := <-done:
		return err
	case <-e.stopped:
		select {
		case err := <-done: // it was the last thing that the driver did
			return err
		default:
			return e.closedError()
		}
	case <-ctx.Done():
		return ctx.Err()
	}
}

// post hands fn to the driver without waiting for it to run.
func (e *Engine) post(fn func()) bool {
	select {
	case e.events <- fn:
		return true
	case <-e.stopped:
		return false
	}
}

// Close makes what is visible durable and stops everything.
func (e *Engine) Close(ctx context.Context) error {
	err := e.do(ctx, func(d *driver) error { d.beginClose(); return nil })
	if err != nil && e.fatal.Load() == nil {
		return err
	}
	<-e.stopped
	if err := e.store.Close(); err != nil {
		return err
	}
	if f := e.fatal.Load(); f != nil {
		return f
	}
	return nil
}

func (e *Engine) closedError() error {
	if f := e.fatal.Load(); f != nil {
		return f
	}
	return errs.ShuttingDown.New()
}
