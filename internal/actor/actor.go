// Package actor runs the operators of one fragment over a set of vnodes: a pure core that is fed messages, and a
// driver, Loop, whose Run is the only goroutine on the data path.
package actor

import (
	"slices"
	"sync/atomic"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/sched"
	"github.com/tidemark-db/tidemark/internal/stream"
)

// Control is the input through which the driver feeds an actor directly: barriers, and the rows of DML.
const Control = 0

// Node is an operator in its place: what it emits goes to a port of its parent, what the root emits leaves the actor.
type Node struct {
	Op     stream.Operator
	Parent int // position in Config.Nodes, -1 for the root
	Port   int // of the parent
}

// Input says where the messages of an input of the inbox go.
type Input struct {
	Node, Port int
	Active     bool // barriers are expected on it from the start
	Attaches   bool // it becomes active when the job attaches; Control becomes inactive then
}

// Config is what an actor is made of. The tree is given children first.
type Config struct {
	ID       id.Actor
	Job      id.Job
	Fragment id.Fragment
	Nodes    []Node
	Inputs   []Input // Inputs[Control] first
	Outputs  []*Output
	// Stage hands over what the operators wrote in the epoch that ends; it runs after all of them have seen the barrier.
	Stage func(e epoch.Epoch) error
	// Written is about how many bytes the operators' tables would stage by now; nil: none.
	Written func() int
	// Memory is the account of what operators hold of an epoch; nil: nobody counts it.
	Memory *mem.Budget
	// Pace keeps the actor to its share of the processors while it is a catch-up; nil: never.
	Pace *sched.Pace
	// Stopped reports that the actor is to end in the middle of what it does; nil: never.
	Stopped func() bool
}

// Output is the edge to one consumer: the actors of another fragment, of this job or of one that reads it.
type Output struct {
	Job   id.Job // of the consumer
	Route *stream.Route
	Cols  []int            // columns that the consumer reads; nil: all
	Send  []func(Msg) bool // to each of its actors; false when it is gone
}

// AddOutputs makes the actors named send to new consumers, from the epoch that the barrier opens.
type AddOutputs struct {
	Outputs map[id.Actor][]*Output
}

// Mutation makes AddOutputs ride on a barrier.
func (AddOutputs) Mutation() {}

// Actor is the pure core: it does no waiting of its own; sending may wait where the transport does.
type Actor struct {
	Config
	align   *stream.Aligner
	workers []int // nodes that are Workers
	holders []stream.Holder
	pending []stream.Pending
	held    mem.Meter // of pending
	writers []stream.Unstaged
	// unstaged is about how many bytes the next barrier stages. Anybody may read it.
	unstaged atomic.Int64
	attach   bool // this actor has inputs that wait for the job to attach
}

// New returns an actor that has not recovered yet.
func New(c Config) *Actor {
	a := &Actor{Config: c, align: stream.NewAligner(len(c.Inputs)), holders: make([]stream.Holder, len(c.Nodes)), held: mem.NewMeter(c.Memory)}
	for i, in := range c.Inputs {
		if in.Active {
			a.align.Activate(i)
		}
		a.attach = a.attach || in.Attaches && !in.Active
	}
	for i, n := range c.Nodes {
		if _, ok := n.Op.(stream.Worker); ok {
			a.workers = append(a.workers, i)
		}
		a.holders[i], _ = n.Op.(stream.Holder)
		if p, ok := n.Op.(stream.Pending); ok {
			a.pending = append(a.pending, p)
		}
		if w, ok := n.Op.(stream.Unstaged); ok {
			a.writers = append(a.writers, w)
		}
	}
	return a
}

// note tells the account what the operators hold by now, and whoever asks what they are going to stage.
func (a *Actor) note() {
	n := 0
	for _, p := range a.pending {
		n += p.Pending()
	}
	a.held.Note(int64(n))
	if a.Written == nil {
		return
	}
	n = a.Written()
	for _, w := range a.writers {
		n += w.Unstaged()
	}
	a.unstaged.Store(int64(n))
}

// Unstaged is about how many bytes the next barrier would stage.
func (a *Actor) Unstaged() int64 { return a.unstaged.Load() }

// Recover lets the operators read their state.
func (a *Actor) Recover() error {
	for _, n := range a.Nodes {
		if r, ok := n.Op.(stream.Recoverer); ok {
			if err := r.Recover(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Open reports whether the input may be read now.
func (a *Actor) Open(input int) bool {
	if !a.align.Open(input) {
		return false
	}
	h := a.holders[a.Inputs[input].Node]
	return input == Control || h == nil || !h.Holding()
}

// Step takes a message. When it was a barrier and the last one awaited, done is true and the epoch staged.
func (a *Actor) Step(input int, m Msg) (done *stream.Barrier, err error) {
	defer a.note()
	in := a.Inputs[input]
	switch {
	case m.Chunk != nil:
		return nil, a.Nodes[in.Node].Op.Chunk(in.Port, m.Chunk, hop{a, in.Node})
	case m.Watermark != nil:
		return nil, a.Nodes[in.Node].Op.Watermark(in.Port, *m.Watermark, hop{a, in.Node})
	}
	aligned, err := a.align.Step(input, *m.Barrier)
	if err != nil || !aligned {
		return nil, err
	}
	return m.Barrier, a.barrier(m.Barrier)
}

// barrier passes a complete barrier through the operators, stages, forwards, and then applies what rides on it.
func (a *Actor) barrier(b *stream.Barrier) error {
	for i, n := range a.Nodes {
		if err := n.Op.Barrier(*b, hop{a, i}); err != nil {
			return err
		}
	}
	if a.Stage != nil {
		if err := a.Stage(b.Prev); err != nil {
			return err
		}
	}
	a.broadcast(Msg{Barrier: b})
	a.Outputs = slices.DeleteFunc(a.Outputs, (*Output).gone)
	for _, m := range b.Mutations {
		a.mutate(m)
	}
	if a.Memory.Pressed() {
		for _, p := range a.pending {
			p.Shrink()
		}
	}
	return nil
}

// gone reports whether no actor of the consumer takes anything any more.
func (o *Output) gone() bool {
	return !slices.ContainsFunc(o.Send, func(send func(Msg) bool) bool { return send != nil })
}

func (a *Actor) mutate(m stream.Mutation) {
	switch m := m.(type) {
	case AddOutputs:
		a.Outputs = append(a.Outputs, m.Outputs[a.ID]...)
	case stream.Attach:
		for _, j := range m.Jobs {
			if j == a.Job && a.attach {
				a.switchInputs()
			}
		}
	}
}

// switchInputs turns from direct barriers to those of the upstreams.
func (a *Actor) switchInputs() {
	a.attach = false
	a.align.Deactivate(Control)
	for i, in := range a.Inputs {
		if in.Attaches {
			a.align.Activate(i)
		}
	}
}

// Work lets the operators that have work of their own do a slice, one after the other, until one has more to do. It
// counts the rows that they emitted.
func (a *Actor) Work(budget int) (rows int, more bool, err error) {
	defer a.note()
	for _, i := range a.workers {
		more, err = a.Nodes[i].Op.(stream.Worker).Work(budget-rows, meter{hop{a, i}, &rows})
		if more || err != nil || rows >= budget {
			return rows, true, err
		}
	}
	return rows, false, nil
}

// meter counts the rows that pass.
type meter struct {
	hop
	rows *int
}

func (m meter) Chunk(c *chunk.Chunk) error {
	*m.rows += c.Rows()
	return m.hop.Chunk(c)
}

// holding reports whether an operator leaves its inputs unread.
func (a *Actor) holding() bool {
	return slices.ContainsFunc(a.holders, func(h stream.Holder) bool { return h != nil && h.Holding() })
}

// Working reports whether operators have work of their own.
func (a *Actor) Working() bool { return len(a.workers) > 0 }

// Report collects what the operators have to tell.
func (a *Actor) Report() []any {
	var out []any
	for _, n := range a.Nodes {
		if r, ok := n.Op.(stream.Reporter); ok {
			out = append(out, r.Report())
		}
	}
	return out
}

// broadcast sends a barrier or watermark to every actor of every consumer.
func (a *Actor) broadcast(m Msg) {
	for _, o := range a.Outputs {
		for i, send := range o.Send {
			if send != nil && !send(m) {
				o.Send[i] = nil
			}
		}
	}
}

// hop is where node i emits to.
type hop struct {
	a *Actor
	i int
}

func (h hop) Chunk(c *chunk.Chunk) error {
	if c.Rows() == 0 {
		return nil
	}
	h.a.Pace.Rest()
	n := h.a.Nodes[h.i]
	if n.Parent >= 0 {
		return h.a.Nodes[n.Parent].Op.Chunk(n.Port, c, hop{h.a, n.Parent})
	}
	if h.a.Stopped != nil && h.a.Stopped() {
		return stream.ErrStopped
	}
	for _, o := range h.a.Outputs {
		if err := o.dispatch(c); err != nil {
			return err
		}
	}
	return nil
}

func (h hop) Watermark(w stream.Watermark) error {
	n := h.a.Nodes[h.i]
	if n.Parent >= 0 {
		return h.a.Nodes[n.Parent].Op.Watermark(n.Port, w, hop{h.a, n.Parent})
	}
	h.a.broadcast(Msg{Watermark: &w})
	return nil
}

// dispatch sends the rows of a chunk to the actors that own them. A consumer that is gone gets nothing.
func (o *Output) dispatch(c *chunk.Chunk) error {
	return o.Route.Split(c, func(i int, part *chunk.Chunk) error {
		if o.Cols != nil {
			part = part.Project(o.Cols)
		}
		if send := o.Send[i]; send != nil && !send(Msg{Chunk: part}) {
			o.Send[i] = nil
		}
		return nil
	})
}
