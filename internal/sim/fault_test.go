package sim

import (
	"bytes"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/actor"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
	"github.com/tidemark-db/tidemark/internal/stream/op"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// faultSeedsMax bounds how many seeds may pass until a planted fault is found. Most are found by one of the first three.
const faultSeedsMax = 200

// planted is a way to break the engine.
type planted struct {
	name  string
	fault fault
}

// faults are those that a simulator of this engine must find.
var faults = []planted{
	{"a barrier is taken for visibility", pins(func(c *backfill.CatchUp) backfill.Pins { return &eager{Pins: c.Pins} })},
	{"the last replay of an attach is one epoch short", snapshots(func(c *backfill.CatchUp, s backfill.Snapshot) backfill.Snapshot {
		if c.Holding() {
			return short{s}
		}
		return s
	})},
	{"a replay drops deletes", snapshots(func(_ *backfill.CatchUp, s backfill.Snapshot) backfill.Snapshot { return keeping{s} })},
	{"a re-pin replays what the scan has not passed", snapshots(func(_ *backfill.CatchUp, s backfill.Snapshot) backfill.Snapshot { return beyond{s} })},
	{"the inputs of a job attach at different barriers", fault{actor: lateInputs}},
	{"a scan's cursor runs ahead of its rows", snapshots(func(_ *backfill.CatchUp, s backfill.Snapshot) backfill.Snapshot { return hasty{s} })},
	{"an actor acknowledges before it has staged", fault{actor: stageLate}},
	{"a commit is told before it is synced", fault{store: func(s kv.Store) kv.Store { return &unsynced{Store: s} }}},
	{"a statement is acknowledged before it is logged", fault{store: func(s kv.Store) kv.Store { return &unlogged{Store: s} }}},
	{"a commit trims one entry of the log too many", fault{store: func(s kv.Store) kv.Store { return trimming{s} }}},
	{"what a failed job staged is not discarded", fault{store: func(s kv.Store) kv.Store { return hoarding{s} }}},
	{"a lease is not granted", fault{store: func(s kv.Store) kv.Store { return leaseless{s} }}},
	{"an attach that takes long is not undone", fault{world: func(w *world) { w.options.AttachPatience = time.Hour }}},
	{"what a first scan has held back is not given at its end", aggregations(func(h *op.HashAgg) stream.Operator { return holding{h} })},
	{"an epoch is published without one of its jobs", fault{store: func(s kv.Store) kv.Store { return partial{s} }}},
}

// rescaled are the faults of owners that take over from others.
var rescaled = []planted{
	{"new owners lose what happened to ranges that were scanned", snapshots(func(c *backfill.CatchUp, s backfill.Snapshot) backfill.Snapshot {
		if c.Generation > 0 {
			return unfinished{s}
		}
		return s
	})},
	{"a range has two owners", owners(func(c *backfill.CatchUp) {
		if n := len(c.Owned); n > 0 {
			c.Owned = append(slices.Clone(c.Owned), (c.Owned[n-1]+1)%2)
		}
	})},
	{"new owners take a range that is being scanned for one that was", slowly(owners(func(c *backfill.CatchUp) {
		c.Progress = ahead{c.Progress}
	}))},
}

// owners changes catch-ups that take over.
func owners(change func(*backfill.CatchUp)) fault {
	return catchUps(func(c *backfill.CatchUp) {
		if c.Generation > 0 {
			change(c)
		}
	})
}

// unfinished replays for ranges that are being scanned only.
type unfinished struct{ backfill.Snapshot }

func (s unfinished) Changes(v vnode.ID, from, to epoch.Epoch, upTo []byte, emit func(*chunk.Chunk) error) error {
	if upTo == nil {
		return nil
	}
	return s.Snapshot.Changes(v, from, to, upTo, emit)
}

// ahead moves the cursor of a range that is being scanned to its end.
type ahead struct{ backfill.Progress }

func (p ahead) Load(v vnode.ID) ([]byte, bool, error) {
	b, ok, err := p.Progress.Load(v)
	if err != nil || !ok {
		return b, ok, err
	}
	rec, err := backfill.DecodeRecord(b)
	if err != nil {
		return nil, false, err
	}
	if rec.Phase == backfill.Scanning {
		rec.Phase = backfill.Replaying
	}
	return rec.Encode(), true, nil
}

// TestPlantedFaults: a simulator that finds nothing proves nothing.
func TestPlantedFaults(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(heapGrowth))
	for _, p := range slices.Concat(faults, rescaled, replaced, summed, arranged, misread, misstored) {
		t.Run(p.name, func(t *testing.T) {
			for seed := range uint64(faultSeedsMax) {
				if _, err := Run(seed, Options{fault: p.fault}); err != nil {
					t.Logf("seed %d, %v", seed, err)
					return
				}
			}
			t.Errorf("%d seeds have not found it", faultSeedsMax)
		})
	}
}

// aggregations replaces aggregations.
func aggregations(with func(*op.HashAgg) stream.Operator) fault {
	return fault{actor: func(a *actor.Actor) {
		for i, n := range a.Nodes {
			if h, ok := n.Op.(*op.HashAgg); ok {
				a.Nodes[i].Op = with(h)
			}
		}
	}}
}

// holding holds results back whatever the barrier says.
type holding struct{ *op.HashAgg }

func (h holding) Barrier(b stream.Barrier, out stream.Out) error {
	b.Mutations = append(slices.Clone(b.Mutations), stream.Hold{})
	return h.HashAgg.Barrier(b, out)
}

// pins replaces where catch-ups get their snapshots from.
func pins(with func(*backfill.CatchUp) backfill.Pins) fault {
	return catchUps(func(c *backfill.CatchUp) { c.Pins = with(c) })
}

// catchUps changes catch-ups.
func catchUps(change func(*backfill.CatchUp)) fault {
	return fault{actor: func(a *actor.Actor) {
		for _, n := range a.Nodes {
			if c, ok := n.Op.(*backfill.CatchUp); ok {
				change(c)
			}
		}
	}}
}

// snapshots replaces the snapshots.
func snapshots(with func(*backfill.CatchUp, backfill.Snapshot) backfill.Snapshot) fault {
	return pins(func(c *backfill.CatchUp) backfill.Pins { return changed{c.Pins, c, with} })
}

type changed struct {
	backfill.Pins
	c    *backfill.CatchUp
	with func(*backfill.CatchUp, backfill.Snapshot) backfill.Snapshot
}

func (p changed) At(e epoch.Epoch) (backfill.Snapshot, bool) {
	s, ok := p.Pins.At(e)
	if ok {
		s = p.with(p.c, s)
	}
	return s, ok
}

// eager takes the last snapshot for that of an epoch which is not visible yet.
type eager struct {
	backfill.Pins
	last backfill.Snapshot
}

func (p *eager) At(e epoch.Epoch) (backfill.Snapshot, bool) {
	if s, ok := p.Pins.At(e); ok {
		p.last = s
	}
	return p.last, p.last != nil
}

// short leaves the last epoch out of a replay.
type short struct{ backfill.Snapshot }

func (s short) Changes(v vnode.ID, from, to epoch.Epoch, upTo []byte, emit func(*chunk.Chunk) error) error {
	return s.Snapshot.Changes(v, from, to-1, upTo, emit)
}

// keeping leaves deletes out of a replay.
type keeping struct{ backfill.Snapshot }

func (s keeping) Changes(v vnode.ID, from, to epoch.Epoch, upTo []byte, emit func(*chunk.Chunk) error) error {
	return s.Snapshot.Changes(v, from, to, upTo, func(c *chunk.Chunk) error {
		var rows []int32
		for i := range c.Rows() {
			if c.Op(i) == chunk.Insert {
				rows = append(rows, int32(i))
			}
		}
		return emit(c.Gather(rows))
	})
}

// beyond replays beyond the cursor.
type beyond struct{ backfill.Snapshot }

func (s beyond) Changes(v vnode.ID, from, to epoch.Epoch, _ []byte, emit func(*chunk.Chunk) error) error {
	return s.Snapshot.Changes(v, from, to, nil, emit)
}

// hasty moves the cursor a little further than the rows it returns.
type hasty struct{ backfill.Snapshot }

func (s hasty) Scan(v vnode.ID, after []byte, rowsMax int) (*chunk.Chunk, []byte, bool, error) {
	c, cursor, end, err := s.Snapshot.Scan(v, after, rowsMax)
	if err == nil && !end {
		_, cursor, _, err = s.Snapshot.Scan(v, bytes.Clone(cursor), 1)
	}
	return c, cursor, end, err
}

// lateInputs lets the second input of each job miss the first epoch after the attach.
func lateInputs(a *actor.Actor) {
	for i, n := range a.Nodes {
		if c, ok := n.Op.(*backfill.CatchUp); ok && c.Input == 1 {
			a.Nodes[i].Op = &lateInput{CatchUp: c}
		}
	}
}

type lateInput struct {
	*backfill.CatchUp
	waits bool
}

func (l *lateInput) Chunk(port int, c *chunk.Chunk, out stream.Out) error {
	if l.waits {
		return nil
	}
	return l.CatchUp.Chunk(port, c, out)
}

func (l *lateInput) Barrier(b stream.Barrier, out stream.Out) error {
	err := l.CatchUp.Barrier(b, out)
	l.waits = l.Holding()
	return err
}

// stageLate stages at each barrier what belongs to the one before.
func stageLate(a *actor.Actor) {
	stage := a.Stage
	var last epoch.Epoch
	a.Stage = func(e epoch.Epoch) error {
		due := last
		if last = e; due == 0 {
			return nil
		}
		return stage(due)
	}
}

// unsynced begins each commit when the next one comes.
type unsynced struct {
	kv.Store
	due *kv.Commit
}

func (s *unsynced) Commit(c kv.Commit) (stats kv.CommitStats, err error) {
	if s.due != nil {
		stats, err = s.Store.Commit(*s.due)
	}
	s.due = &c
	return stats, err
}

// unlogged writes each entry of the log when the next one comes.
type unlogged struct {
	kv.Store
	due []kv.Write
}

func (s *unlogged) Apply(writes []kv.Write) error {
	if !bytes.HasPrefix(writes[0].Key, dml.LogKey(0)[:5]) {
		return s.Store.Apply(writes)
	}
	due := s.due
	s.due = writes
	return s.Store.Apply(due)
}

// trimming deletes one entry more than the commit holds.
type trimming struct{ kv.Store }

func (s trimming) Commit(c kv.Commit) (kv.CommitStats, error) {
	for _, w := range c.Meta {
		if bytes.HasPrefix(w.Key, dml.LogKey(0)[:5]) {
			next := bytes.Clone(w.Key)
			next[len(next)-1]++
			c.Meta = append(c.Meta[:len(c.Meta):len(c.Meta)], kv.Write{Key: next})
		}
	}
	return s.Store.Commit(c)
}

// hoarding discards nothing.
type hoarding struct{ kv.Store }

func (hoarding) Discard(id.Job) {}

// leaseless grants no leases.
type leaseless struct{ kv.Store }

func (leaseless) SetLeases(map[id.Table]epoch.Epoch) {}

// partial forgets the last job of a publication with several.
type partial struct{ kv.Store }

func (s partial) Publish(e epoch.Epoch, jobs []id.Job) {
	if n := len(jobs); n > 2 && e%4 == 0 {
		jobs = jobs[:n-1]
	}
	s.Store.Publish(e, jobs)
}
