// Package script has small worlds in which one operator runs as its actors would run it: over a store, in epochs, split
// by vnode over instances, with crashes. A world is driven by a golden script (RunScript) or at random against an oracle
// (Check).
package script

import (
	"time"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/kv/memkv"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Spec describes an operator under test.
type Spec struct {
	Ports  []Port
	Out    []types.T
	Tables int
	Logged bool // its tables keep old values
	Vnodes int  // 0 is 1
	Single bool // it always runs as one instance with one vnode
	// CacheMax of its tables; see state.Options.
	CacheMax int
	// Build makes one instance. In a bounded run the tables are in memory, one instance owns everything and Bounded is set.
	Build func(env Env) stream.Operator
	// BuildFirst are the ports that a bounded run drives first.
	BuildFirst []int
}

// Port is an input.
type Port struct {
	Types []types.T
	Keys  []int // columns whose hash says which instance gets a row; nil: the first one gets all
}

// Env is what an instance is built from.
type Env struct {
	Tables  []*state.Table
	Vnodes  int
	Owned   vnode.Set
	Bounded bool
	// CacheMax is that of the spec, for operators with a cache of their own.
	CacheMax int
}

// job is the only one of a world.
const job = id.Job(1)

// World runs an operator.
type World struct {
	Spec
	Time  time.Time // of the next barrier
	Hold  bool      // the next barrier lets results be held back
	store *memkv.Store
	epoch epoch.Epoch
	parts []*instance
	out   stream.Collect
}

type instance struct {
	op     stream.Operator
	tables []*state.Table
}

// NewWorld starts n instances over an empty store.
func NewWorld(s Spec, n int) (*World, error) {
	if s.Vnodes == 0 {
		s.Vnodes = 1
	}
	w := &World{Spec: s, store: memkv.Open(), epoch: 1}
	return w, w.Rescale(n)
}

// Close ends the world.
func (w *World) Close() { w.store.Close() }

// Rescale replaces all instances by n new ones, which recover. What was not staged is lost.
func (w *World) Rescale(n int) error {
	w.parts, w.out = nil, stream.Collect{}
	for _, owned := range vnode.Assign(w.Vnodes, min(n, w.Vnodes)) {
		p := &instance{}
		for i := range w.Tables {
			p.tables = append(p.tables, state.New(state.Options{
				ID: id.Table(i + 1), Reader: w.store.Own(job), Logged: w.Logged, CacheMax: w.CacheMax}))
		}
		p.op = w.Build(Env{Tables: p.tables, Vnodes: w.Vnodes, Owned: owned, CacheMax: w.CacheMax})
		if r, ok := p.op.(stream.Recoverer); ok {
			if err := r.Recover(); err != nil {
				return err
			}
		}
		w.parts = append(w.parts, p)
	}
	return nil
}

// Crash loses what is not durable, input of the current epoch included, and starts as many instances again.
func (w *World) Crash() error {
	old := w.store
	w.store = old.Crash()
	old.Close()
	return w.Rescale(len(w.parts))
}

// Input sends a chunk to a port.
func (w *World) Input(port int, c *chunk.Chunk) error {
	owners := vnode.Assign(w.Vnodes, len(w.parts))
	if len(w.Ports[port].Keys) == 0 {
		return w.parts[0].op.Chunk(port, c, &w.out)
	}
	route := stream.NewRoute(w.Ports[port].Keys, w.Vnodes, owners)
	return route.Split(c, func(i int, part *chunk.Chunk) error { return w.parts[i].op.Chunk(port, part, &w.out) })
}

// Barrier ends the epoch on all instances, makes it durable, and returns what was emitted in it.
func (w *World) Barrier() ([]*chunk.Chunk, error) {
	b := stream.Barrier{Pair: epoch.Pair{Prev: w.epoch, Curr: w.epoch + 1}, Time: w.Time}
	if w.Hold {
		b.Mutations = []stream.Mutation{stream.Hold{}}
	}
	for _, p := range w.parts {
		if err := p.op.Barrier(b, &w.out); err != nil {
			return nil, err
		}
		run, err := state.Stage(p.tables, func() {})
		if err != nil {
			return nil, err
		}
		if run != nil {
			w.store.Stage(job, w.epoch, run)
		}
	}
	w.store.Publish(w.epoch, []id.Job{job})
	if _, err := w.store.Commit(kv.Commit{Epoch: w.epoch}); err != nil {
		return nil, err
	}
	w.epoch++
	out := w.out.Chunks
	w.out = stream.Collect{}
	return out, nil
}

// Rows counts the durable rows of a table.
func (w *World) Rows(table int) (n int, err error) {
	v := w.store.View()
	defer v.Close()
	it := v.Scan(kv.AppendTable(nil, id.Table(table+1), 0), kv.AppendTable(nil, id.Table(table+2), 0))
	for it.Next() {
		n++
	}
	return n, it.Close()
}

// Bounded runs the operator once over inputs that end, as a query does, and returns what it emitted.
func Bounded(s Spec, inputs [][]*chunk.Chunk) ([]*chunk.Chunk, error) {
	env := Env{Vnodes: 1, Bounded: true}
	for range s.Tables {
		env.Tables = append(env.Tables, state.New(state.Options{}))
	}
	op := s.Build(env)
	var out stream.Collect
	for _, port := range portOrder(s) {
		for _, c := range inputs[port] {
			if err := op.Chunk(port, c, &out); err != nil {
				return nil, err
			}
		}
	}
	err := op.Barrier(stream.Barrier{}, &out)
	return out.Chunks, err
}

func portOrder(s Spec) []int {
	order := append([]int{}, s.BuildFirst...)
	for p := range s.Ports {
		first := false
		for _, b := range s.BuildFirst {
			first = first || b == p
		}
		if !first {
			order = append(order, p)
		}
	}
	return order
}
