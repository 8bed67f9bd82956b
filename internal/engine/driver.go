package engine

import (
	"maps"
	"slices"
	"time"

	"github.com/tidemark-db/tidemark/internal/actor"
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/checkpoint"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/sched"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
)

// barrierShare bounds what urgent barriers may cost: the next comes no sooner than this many times what the last took.
const barrierShare = 10

// driver is the one goroutine that owns the coordinator and all instances. Everything that changes them is an event.
type driver struct {
	e        *Engine
	coord    *checkpoint.Coordinator
	counters meta.Counters
	jobs     map[id.Job]*meta.Job
	insts    map[id.Job]*instance // with actors, running or stopping
	sets     map[checkpoint.SetID]*detachedSet
	retired  map[id.Job]retirement // failures of jobs that attached again a short while ago
	cause    error                 // of the failure that is being handled
	attempt  id.Attempt
	actorSeq id.Actor

	lookAgain  time.Time // when a detached set is due; zero when only an event can change that
	urgent     bool      // somebody waits for a barrier
	wanted     bool      // something happened since the last barrier
	tickAt     time.Time // of the last barrier
	clock      time.Time // that the last barrier carried
	tickCost   time.Duration
	awaited    func()    // while a barrier is under way: says that it has come through
	toldAt     time.Time // when statuses were told last
	commitAt   time.Time
	commitSoon bool // somebody waits for durability
	seqs       []epochSeq
	dirty      map[id.Job]bool           // jobs whose status a commit must write
	dmlTrimmed uint64                    // entries of the DML log up to it are gone, or go with the commit under way
	created    map[id.Job]bool           // jobs that have been attached once
	broken     map[id.Job]error          // jobs whose stored form cannot be run
	limits     map[id.Job]*sched.Limiter // of catch-ups; they outlive attempts
	progress   map[id.Job]*progress      // of catch-ups, likewise
	// standsSince is the epoch since which a job is attached, or in the set that it is in.
	standsSince map[id.Job]epoch.Epoch
	kept        map[id.Table]id.Job      // tables of relations that were replaced, for what is owed, and whose they were
	rows        map[id.Job]int64         // of the jobs' relations, as published
	records     map[id.Job]backfill.Sums // of progress records, as published, of jobs that are not in step
	tallies     map[id.Job]*tallied      // sums of these rows, where they are kept
	tallyKey    uint64
	leases      map[*Lease]bool          // of readers who follow a changelog
	movedAt     map[id.Job]epoch.Epoch   // in which rows of the jobs' relations came or went last, since this driver began
	began       epoch.Epoch              // that was durable then
	leased      map[id.Table]epoch.Epoch // what was leased when the commit under way began
	running     int                      // actors and background work that have not ended
	closing     bool
	closeAt     epoch.Epoch // what must be durable before the driver ends
	ending      bool        // all actors were told to end; nothing is decided any more

	alterations   []alteration // wait for the next barrier
	rescaling     bool         // jobs may be outgrown
	recoveries    uint64       // how often all actors were to be replaced
	handOvers     []handOver
	subscriptions map[id.Relation]*subscription
}

// epochSeq remembers which DML entries were fed before a barrier.
type epochSeq struct {
	e   epoch.Epoch
	seq uint64
}

// init takes over the state and builds the instances of all jobs.
func (d *driver) init(e *Engine, s *meta.State, existed bool) error {
	d.e, d.jobs, d.counters, d.dmlTrimmed = e, s.Jobs, s.Counters, s.DMLSeq
	d.broken = s.Broken
	d.insts, d.sets = map[id.Job]*instance{}, map[checkpoint.SetID]*detachedSet{}
	d.dirty, d.retired = map[id.Job]bool{}, map[id.Job]retirement{}
	d.progress, d.rows = map[id.Job]*progress{}, map[id.Job]int64{}
	d.records = map[id.Job]backfill.Sums{}
	d.tallies, d.tallyKey = map[id.Job]*tallied{}, s.TallyKey
	d.standsSince, d.movedAt = map[id.Job]epoch.Epoch{}, map[id.Job]epoch.Epoch{}
	d.created, d.limits, d.leases = map[id.Job]bool{}, map[id.Job]*sched.Limiter{}, map[*Lease]bool{}
	durable := e.store.Durable()
	open := max(s.Counters.Epoch, durable+1)
	d.counters.Epoch = open.NextBlock()
	writes := []kv.Write{meta.PutCounters(d.counters)}
	if !existed {
		writes = append(writes, d.bootstrap(s)...)
	}
	if err := e.store.Apply(writes); err != nil {
		return err
	}
	d.coord, d.began = checkpoint.New(durable, open), durable
	e.gate.open, e.seen.visible, e.seen.durable = open, durable, durable
	e.gate.seq.Store(s.DMLSeq)
	e.snap.Store(s.Catalog)
	if err := e.store.DropTables(d.keepOwed(s.Dropped)); err != nil {
		return err
	}
	d.recoverSubscriptions()
	return d.recoverJobs(s)
}

// bootstrap makes what every new store has.
func (d *driver) bootstrap(s *meta.State) []kv.Write {
	d.counters = meta.Counters{Relation: firstRelation, Job: 1, Table: 1, Epoch: d.counters.Epoch}
	public := catalog.Schema{ID: d.counters.Relation, Name: catalog.DefaultSchema, Owner: catalog.Root,
		Grants: catalog.Grants{{To: catalog.Public, By: catalog.Root, Privilege: "USAGE"}}}
	d.counters.Relation++
	s.Catalog.PutSchema(public)
	root := catalog.User{Name: catalog.Root, Super: true, CreateDB: true}
	s.Catalog.PutUser(root)
	return []kv.Write{meta.PutVersion(), meta.PutSchema(public), meta.PutUser(root), meta.PutCounters(d.counters)}
}

// firstRelation leaves room for the system relations, as PostgreSQL does.
const firstRelation id.Relation = 16384

// run is the driver's goroutine.
func (d *driver) run() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case fn := <-d.e.events:
			fn()
		case <-timer.C:
		}
		d.drain()
		if !d.turn() {
			return
		}
		timer.Reset(d.pause())
	}
}

// turn decides on what is known. It reports false once everything has ended.
func (d *driver) turn() bool {
	if !d.ending {
		d.act()
		if d.e.fatal.Load() == nil && !(d.closing && d.closed()) {
			return true
		}
		d.shutdown()
	}
	if d.running > 0 {
		return true
	}
	d.ended()
	return false
}

// drain takes what else is there, so that decisions are made on all that is known.
func (d *driver) drain() {
	for range eventQueue {
		select {
		case fn := <-d.e.events:
			fn()
		default:
			return
		}
	}
}

// step gives the coordinator an event and carries out what follows.
func (d *driver) step(ev checkpoint.Event) {
	if d.ending {
		return
	}
	d.coord.Step(ev)
	for effects := d.coord.Ready(); len(effects) > 0; effects = d.coord.Ready() {
		for _, f := range effects {
			d.effect(f)
		}
	}
}

func (d *driver) effect(f checkpoint.Effect) {
	switch f := f.(type) {
	case checkpoint.Inject:
		d.inject(f)
	case checkpoint.InjectSet:
		d.injectSet(f)
	case checkpoint.Publish:
		d.publish(f)
	case checkpoint.Commit:
		d.commit(f.Epoch)
	case checkpoint.Durable:
		d.durable(f.Epoch)
	case checkpoint.Stop:
		for _, j := range f.Jobs {
			d.stop(j)
		}
	case checkpoint.Detach:
		d.detached(f)
	}
}

// act decides what is due now: steps of sets, a barrier, a commit.
func (d *driver) act() {
	now := d.e.opts.Now()
	d.expireLeases(now)
	d.ageSubscriptions(now)
	d.endHandOvers()
	d.swapShadows()
	d.rescaleAttached()
	d.lookAgain = time.Time{}
	for sid, s := range d.eachSet() {
		until := d.moveSet(sid, s, now)
		if !until.IsZero() && (d.lookAgain.IsZero() || until.Before(d.lookAgain)) {
			d.lookAgain = until
		}
	}
	d.hurryArranging()
	d.tellProgress(now)
	d.detachLate(now)
	d.relieve()
	if d.barrierDue(now) {
		d.step(checkpoint.Tick{})
	}
	if d.commitSoon || now.Sub(d.commitAt) >= d.e.opts.CheckpointInterval {
		d.step(checkpoint.CommitDue{})
	}
}

// fed: rows were given to tables. Who follows a changelog waits for them.
func (d *driver) fed() {
	d.wanted = true
	d.urgent = d.urgent || len(d.leases) > 0
}

// barrierDue: when somebody waits, as soon as the last one is paid for; else after the interval if anything happened. Who waits
// never waits for longer than that: a process that was stopped for a while has a last barrier that took as long.
func (d *driver) barrierDue(now time.Time) bool {
	if d.coord.Collecting() || len(d.handOvers) > 0 {
		return false
	}
	since := now.Sub(d.tickAt)
	paid := min(barrierShare*d.tickCost/time.Duration(d.e.opts.Parallelism+1), d.e.opts.BarrierInterval)
	return d.urgent && since >= paid || d.wanted && since >= d.e.opts.BarrierInterval ||
		since >= max(timeStep, d.e.opts.BarrierInterval) && d.watchesTime()
}

// pause is how long the driver may sleep when no event comes.
func (d *driver) pause() time.Duration {
	if d.urgent && !d.coord.Collecting() {
		return time.Millisecond
	}
	p := min(d.e.opts.BarrierInterval, d.e.opts.CheckpointInterval)
	if !d.lookAgain.IsZero() {
		p = min(p, max(d.lookAgain.Sub(d.e.opts.Now()), time.Millisecond))
	}
	return p
}

// inject sends a barrier to the sources of all attached jobs, and connects the jobs that attach at it.
func (d *driver) inject(f checkpoint.Inject) {
	if d.awaited == nil {
		d.awaited = d.e.Attend()
	}
	d.tickAt, d.urgent, d.wanted = d.e.opts.Now(), false, false
	b := &stream.Barrier{Pair: f.Pair, Time: d.barrierTime()}
	if len(f.Attach) > 0 {
		d.wanted, d.urgent = true, true
		b.Mutations = append(b.Mutations, d.connect(f.Attach), stream.Attach{Jobs: f.Attach})
	}
	d.reserveEpochs(f.Pair.Curr)
	d.e.gate.Lock()
	defer d.e.gate.Unlock()
	d.e.gate.open = f.Pair.Curr
	b.Marks = d.e.Marks()
	d.seqs = append(d.seqs, epochSeq{f.Pair.Prev, d.e.gate.seq.Load()})
	tables := d.changingHands(f.Attach)
	b.Mutations = append(b.Mutations, d.alter()...)
	for _, j := range slices.Sorted(maps.Keys(d.insts)) {
		// The coordinator has attached those of f.Attach already; they get theirs below, once.
		if in := d.insts[j]; d.coord.Attached(j) && !slices.Contains(f.Attach, j) && !in.stopping {
			if d.arranging(j) {
				in.work.begin()
			}
			in.sources(b)
		}
	}
	for _, t := range tables {
		d.handOver(t, f.Pair.Prev)
	}
	d.hurry(f.Attach)
	for _, j := range f.Attach {
		d.insts[j].control(b)
		d.setOf(j).attachAt = f.Pair.Prev
	}
	for _, s := range d.sets {
		s.Attaching = s.Attaching && s.attachAt != 0 // one whose upstream has failed since it asked was refused
	}
}

// connect makes the edges of the attaching jobs to what they read outside of themselves.
func (d *driver) connect(jobs []id.Job) actor.AddOutputs {
	m := actor.AddOutputs{Outputs: map[id.Actor][]*actor.Output{}}
	for _, j := range jobs {
		in := d.insts[j]
		for _, f := range in.frags {
			for _, l := range f.leaves {
				if l.wired {
					continue
				}
				for a, o := range in.outputsTo(f, l, d.insts[l.from.Job]) {
					m.Outputs[a] = append(m.Outputs[a], o)
				}
			}
		}
	}
	return m
}

func (d *driver) injectSet(f checkpoint.InjectSet) {
	b := &stream.Barrier{Pair: f.Pair, Time: d.barrierTime(), Marks: d.e.Marks()}
	if f.Until > 0 {
		b.Mutations = append(b.Mutations, stream.Replay{Until: f.Until})
	}
	if s := d.sets[f.Set]; s != nil {
		if s.Before = 0; s.Replayed {
			s.Before = s.Window
		}
		s.InStep, s.StepAt, s.Replayed = true, d.e.opts.Now(), false
		if s.Held = d.firstScan(s); s.Held {
			b.Mutations = append(b.Mutations, stream.Hold{})
		}
	}
	for _, j := range f.Jobs {
		d.insts[j].work.begin()
		d.insts[j].control(b)
	}
}

// reserveEpochs keeps the durable reservation ahead of the numbers in use.
func (d *driver) reserveEpochs(next epoch.Epoch) {
	if next+1 < d.counters.Epoch {
		return
	}
	d.counters.Epoch = next.NextBlock()
	if err := d.e.store.Apply([]kv.Write{meta.PutCounters(d.counters)}); err != nil {
		d.fail(err)
	}
}

// fail stops the engine: it can not keep its promises any more.
func (d *driver) fail(err error) {
	f, ok := errs.As(err)
	if !ok {
		f = errs.StoreFailed.New("what", err.Error()).Wrap(err)
	}
	if d.e.fatal.CompareAndSwap(nil, f) && d.e.opts.Fatal != nil {
		d.e.host.Background(func() { d.e.opts.Fatal(f) })
	}
	d.e.opts.Logger.Error("engine stopped", "code", f.Entry.Code, "error", err)
}
