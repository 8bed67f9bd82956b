package engine

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/actor"
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/fragment"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/sched"
	"github.com/tidemark-db/tidemark/internal/settings"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
	"github.com/tidemark-db/tidemark/internal/stream/build"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// build makes the actors of a job and wires them, without starting them. set is nil for an attached job.
func (d *driver) build(def *meta.Job, set *detachedSet) (*instance, error) {
	if err := d.broken[def.ID]; err != nil {
		return nil, err
	}
	rel, ok := d.e.Catalog().Relation(def.Relation)
	if !ok {
		return nil, errs.JobGraph.New("job", def.ID, "what", "its relation is not in the catalog")
	}
	d.attempt++
	in := &instance{def: def, rel: rel, attempt: d.attempt, pins: &pinTable{}, limit: d.limiter(def.ID), timed: timed(def)}
	in.parallel, in.recovery, in.order = d.parallelism(def), d.recoveries, d.scanOrderOf(def)
	in.memory = d.e.opts.Memory.Child("job "+def.ID.String()+" "+rel.Name, 0)
	in.status, in.work.ended = map[leafActor]backfill.Status{}, map[id.Actor]bool{}
	in.work.watched.Store(set != nil || d.arranging(def.ID))
	in.behindOthers.Store(set != nil)
	b := &builder{d: d, in: in, set: set}
	for i, f := range def.Graph.Fragments {
		fa, err := b.fragment(f, i == len(def.Graph.Fragments)-1)
		if err != nil {
			return nil, err
		}
		in.frags = append(in.frags, fa)
	}
	b.wire()
	d.insts[def.ID] = in
	if in.isTable() {
		in.route = stream.NewRoute(state.FormatOf(rel).DistKey, rel.Vnodes, in.root().owners)
		d.e.inputs.Store(def.ID, in)
	}
	return in, nil
}

// builder makes one instance.
type builder struct {
	d     *driver
	in    *instance
	set   *detachedSet
	input int        // inputs of the job numbered so far
	waits []exchange // exchanges inside the job, wired at the end
}

// exchange is an edge inside the job: who reads which fragment, through which inputs.
type exchange struct {
	from   int
	keys   []int
	to     *fragmentActors
	vnodes int
	inputs []int // first input of each actor of to; one an actor of from
}

// fragment makes the parallel actors of a fragment.
func (b *builder) fragment(f *fragment.Fragment, root bool) (*fragmentActors, error) {
	fa := &fragmentActors{owners: f.Owners(b.in.parallel)}
	first := b.input
	for i, owned := range fa.owners {
		b.input = first // the same inputs in every actor
		if err := b.actor(f, fa, i, owned, root); err != nil {
			return nil, err
		}
	}
	return fa, nil
}

// actor makes one actor: its operators, and its inputs in the order Control, leaves, exchanges.
func (b *builder) actor(f *fragment.Fragment, fa *fragmentActors, i int, owned vnode.Set, root bool) error {
	b.d.actorSeq++
	cfg := actor.Config{ID: b.d.actorSeq, Job: b.in.def.ID, Memory: b.in.memory}
	tables := &tables{store: b.d.e.store, job: b.in.def.ID, memory: b.in.memory, changes: b.d.e.opts.Changes}
	env := build.Env{
		Owned: owned, Vnodes: f.Dist.Vnodes, Unread: b.set != nil && b.d.unread(b.in.def.ID), Tables: tables.open, Zone: settings.Location(b.in.def.Settings["TimeZone"]),
		CatchUp: func(rel *catalog.Relation, cols []int) build.CatchUp { return b.catchUp(rel, cols) },
		Lookups: b.d.e.lookups,
		OnError: b.d.onRowError(b.in.def.ID),
	}
	if root {
		env.Relation = state.FormatOf(b.in.rel)
		env.Conflict = b.in.rel.OnConflict
		env.Tally = b.d.counter(b.in.def.ID, b.in.rel)
		env.DML = b.in.isTable()
	}
	tree, err := build.Fragment(f, env)
	if err != nil {
		return err
	}
	cfg.Nodes = tree.Nodes
	cfg.Inputs = []actor.Input{{Node: tree.Control, Active: len(tree.Exchanges) == 0 || len(tree.Leaves) > 0}}
	b.inputs(&cfg, tree, fa, i)
	inbox := actor.NewInbox(len(cfg.Inputs), b.d.e.host.QueueRows())
	cfg.Stopped, cfg.Pace = inbox.Closed, sched.NewPace(b.d.e.opts.Share, &b.in.behindOthers)
	cfg.Stage = func(e epoch.Epoch) error { return tables.stage(e, cfg.Pace) }
	cfg.Written = tables.unstaged
	fa.actors = append(fa.actors, &runningActor{id: cfg.ID, actor: actor.New(cfg), inbox: inbox})
	return nil
}

// inputs adds the inputs of leaves and exchanges.
func (b *builder) inputs(cfg *actor.Config, tree *build.Tree, fa *fragmentActors, i int) {
	outside := false
	for k, l := range tree.Leaves {
		live := b.live(l.Rel)
		outside = outside || !live
		ups := b.d.insts[l.Rel.Job].root()
		if i == 0 {
			fa.leaves = append(fa.leaves, leaf{input: l.Input, from: l.Rel, cols: b.portCols(l.Rel, l.Cols), wired: live, edges: noEdges(len(ups.actors), len(fa.owners))})
		}
		for u, owners := range ups.owners {
			if !owners.Overlaps(fa.owners[i]) {
				continue
			}
			fa.leaves[k].edges[u][i] = len(cfg.Inputs)
			cfg.Inputs = append(cfg.Inputs, actor.Input{Node: l.Node, Active: live, Attaches: !live})
		}
	}
	if i == 0 {
		for _, x := range tree.Exchanges {
			b.waits = append(b.waits, exchange{from: x.Fragment, keys: x.Keys, to: fa, vnodes: tree.Vnodes})
		}
	}
	for k, x := range tree.Exchanges {
		w := &b.waits[len(b.waits)-len(tree.Exchanges)+k]
		w.inputs = append(w.inputs, len(cfg.Inputs))
		for range b.in.frags[x.Fragment].actors {
			cfg.Inputs = append(cfg.Inputs, actor.Input{Node: x.Node, Port: x.Port, Active: true})
		}
	}
	// Barriers come directly only where no upstream brings them.
	cfg.Inputs[actor.Control].Active = outside || len(tree.Leaves)+len(tree.Exchanges) == 0
}

func noEdges(up, down int) [][]int {
	out := make([][]int, up)
	for i := range out {
		out[i] = slices.Repeat([]int{-1}, down)
	}
	return out
}

// live reports whether a leaf is fed from the start: the job is attached, or the upstream is in the same set.
func (b *builder) live(rel *catalog.Relation) bool {
	return b.set == nil || slices.Contains(b.set.jobs, rel.Job)
}

// catchUp configures the catch-up of the next input of the job.
func (b *builder) catchUp(rel *catalog.Relation, cols []int) build.CatchUp {
	c := build.CatchUp{Job: b.in.def.ID, Input: b.input, Live: b.live(rel), Pins: leafPins{b.in.def, b.in.pins, rel, cols},
		Generation: b.in.def.Generation, Order: b.in.order, Scanned: &b.in.work.scanned}
	c.Check, c.Arrangement = b.d.standing(b.in.def.ID), b.arrangement(rel, cols)
	if b.set != nil {
		c.AsOf = b.set.AsOf
	} else {
		c.Check.AsOf = b.d.coord.Visible()
	}
	b.input++
	return c
}

// wire connects the fragments of the job, and the leaves that are fed from the start to their upstreams.
func (b *builder) wire() {
	for _, x := range b.waits {
		for u, ua := range b.in.frags[x.from].actors {
			o := &actor.Output{Job: b.in.def.ID, Route: stream.NewRoute(x.keys, x.vnodes, x.to.owners)}
			for d, da := range x.to.actors {
				o.Send = append(o.Send, paced(ua.actor.Pace, da.inbox, x.inputs[d]+u))
			}
			ua.actor.Outputs = append(ua.actor.Outputs, o)
		}
	}
	for _, f := range b.in.frags {
		for _, l := range f.leaves {
			if !l.wired {
				continue
			}
			up := b.d.insts[l.from.Job]
			for a, o := range b.in.outputsTo(f, l, up) {
				up.attachOutput(a, o)
			}
		}
	}
}

// paced sends to an input of an inbox. A sender that has to wait leaves its processor to others: the reader may need it.
func paced(p *sched.Pace, to *actor.Inbox, input int) func(actor.Msg) bool {
	return func(m actor.Msg) bool {
		if p != nil && to.Full(input, m) {
			p.End()
			defer p.Begin()
		}
		return to.Send(input, m)
	}
}

// attachOutput adds an output to an actor that does not run yet.
func (in *instance) attachOutput(a id.Actor, o *actor.Output) {
	for _, ra := range in.root().actors {
		if ra.id == a {
			ra.actor.Outputs = append(ra.actor.Outputs, o)
		}
	}
}

// isTable reports whether the job takes rows of DML.
func (in *instance) isTable() bool { return in.rel.Base() }

// tables opens the state tables of one actor and stages what they hold at a barrier.
type tables struct {
	store   kv.Store
	job     id.Job
	memory  *mem.Budget
	changes *mem.Budget
	all     []*state.Table
}

func (t *tables) open(tid id.Table, logged bool) *state.Table {
	tbl := state.New(state.Options{ID: tid, Reader: t.store.Own(t.job), Logged: logged, Account: t.memory})
	t.all = append(t.all, tbl)
	return tbl
}

// unstaged is about how many bytes stage would hand over.
func (t *tables) unstaged() int {
	n := 0
	for _, tbl := range t.all {
		n += tbl.Unstaged()
	}
	return n
}

func (t *tables) stage(e epoch.Epoch, p *sched.Pace) error {
	run, err := state.Stage(t.all, p.Rest)
	if err != nil || run == nil {
		return err
	}
	countRun(t.changes, run)
	t.store.Stage(t.job, e, run)
	return nil
}
