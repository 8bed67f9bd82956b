package engine

import (
	"sync/atomic"

	"github.com/tidemark-db/tidemark/internal/actor"
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/sched"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
	"github.com/tidemark-db/tidemark/internal/tally"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// instance is one incarnation of a job: its actors, and how they are wired to each other and to other jobs.
type instance struct {
	def      *meta.Job
	rel      *catalog.Relation
	attempt  id.Attempt
	parallel int    // actors that a fragment may have
	recovery uint64 // after which it was built
	order    *scanOrder
	frags    []*fragmentActors
	stopping bool
	timed    bool // its rows come and go with the time
	live     int  // actors that have not ended
	// status of the catch-ups by input and actor, as of their last barrier
	status map[leafActor]backfill.Status
	memory *mem.Budget // account of its actors' caches; open until they have ended
	pins   *pinTable
	kept   pinList // of no set: of a job that was dropped or reads while it is attached, until its actors have ended or go on
	limit  *sched.Limiter
	work   work
	grown  int64         // rows that the relation has more in epochs not published yet
	moved  bool          // some of its rows came or went in these
	tally  []tally.Delta // what has happened to their sums in these
	route  *stream.Route // of a table: spreads rows of DML over its actors
	// heldFrom is the epoch that was open when the reads of an attached job were held, because its owners change; 0: they are not.
	heldFrom epoch.Epoch
	// behindOthers: it is a catch-up that reads its history, so it keeps to its share of the processors (E17).
	behindOthers atomic.Bool
}

// fragmentActors are the parallel actors of one fragment.
type fragmentActors struct {
	owners []vnode.Set
	actors []*runningActor
	leaves []leaf
}

// leaf is an input of a fragment that reads another job.
type leaf struct {
	input int // position among the inputs of the job
	from  *catalog.Relation
	cols  []int
	// edges maps the upstream's actor to the input of each of our actors, -1 where no row can pass.
	edges [][]int
	wired bool // its edges exist from the start, because the job is attached or the upstream in its set
}

type runningActor struct {
	id    id.Actor
	actor *actor.Actor
	inbox *actor.Inbox
}

type leafActor struct {
	input int
	actor id.Actor
}

// root is the fragment that writes the job's relation.
func (in *instance) root() *fragmentActors { return in.frags[len(in.frags)-1] }

// count is the number of actors, all of which acknowledge a barrier.
func (in *instance) count() int {
	n := 0
	for _, f := range in.frags {
		n += len(f.actors)
	}
	return n
}

// each calls fn for every actor.
func (in *instance) each(fn func(f *fragmentActors, a *runningActor)) {
	for _, f := range in.frags {
		for _, a := range f.actors {
			fn(f, a)
		}
	}
}

// control sends a barrier to all actors that get theirs directly.
func (in *instance) control(b *stream.Barrier) {
	in.each(func(_ *fragmentActors, a *runningActor) {
		if a.actor.Inputs[actor.Control].Active {
			a.inbox.Send(actor.Control, actor.Msg{Barrier: b})
		}
	})
}

// sources sends a barrier to the actors that never get one from anybody else.
func (in *instance) sources(b *stream.Barrier) {
	in.each(func(f *fragmentActors, a *runningActor) {
		if a.actor.Inputs[actor.Control].Active && len(f.leaves) == 0 {
			a.inbox.Send(actor.Control, actor.Msg{Barrier: b})
		}
	})
}

// behind reports whether an actor has something to read.
func (in *instance) behind() bool {
	behind := false
	in.each(func(_ *fragmentActors, a *runningActor) { behind = behind || a.inbox.Pending() })
	return behind
}

// wake makes all actors look at their work again.
func (in *instance) wake() {
	in.each(func(_ *fragmentActors, a *runningActor) { a.inbox.Wake() })
}

// stop closes the inboxes; the actors end soon, done tells when.
func (in *instance) stop() {
	in.stopping = true
	in.each(func(_ *fragmentActors, a *runningActor) { a.inbox.Close() })
}

// outputsTo makes the edges from the upstream's root actors to a leaf of this instance, by upstream actor.
func (in *instance) outputsTo(f *fragmentActors, l leaf, up *instance) map[id.Actor]*actor.Output {
	out := map[id.Actor]*actor.Output{}
	for u, ua := range up.root().actors {
		o := &actor.Output{Job: in.def.ID, Cols: l.cols}
		var owners []vnode.Set
		for d, da := range f.actors {
			input := l.edges[u][d]
			if input < 0 {
				continue
			}
			owners = append(owners, f.owners[d])
			o.Send = append(o.Send, paced(ua.actor.Pace, da.inbox, input))
		}
		o.Route = stream.NewRoute(l.from.DistKey, l.from.Vnodes, owners)
		out[ua.id] = o
	}
	return out
}
