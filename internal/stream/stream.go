// Package stream is the contract between operators and what runs them.
//
// Operators are pure state machines: no goroutine, clock, lock, channel, global or map order. An actor feeds them
// chunks between barriers; at a barrier they flush what the epoch held back and stage their state. A result is a
// function of the multiset of input changes of each epoch, whatever their order and chunking.
package stream

import (
	"errors"
	"slices"
	"time"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/tally"
	"github.com/tidemark-db/tidemark/internal/types"
)

// Operator consumes the changes of its ports and emits its own.
type Operator interface {
	// Chunk takes a batch of changes of an input. The operator may keep the chunk but not change it.
	Chunk(port int, c *chunk.Chunk, out Out) error
	// Watermark takes a promise of an input: no later change has a smaller value in the column.
	Watermark(port int, w Watermark, out Out) error
	// Barrier ends an epoch: the operator emits what it held back and hands its writes to its state tables. The actor
	// stages the tables and forwards the barrier; an operator can neither forget, repeat nor reorder one.
	Barrier(b Barrier, out Out) error
}

// Worker is an operator with work of its own: a source or a catch-up. The actor calls Work only between messages, so
// that a barrier can fall between any two slices and never inside one.
type Worker interface {
	// Work does at most about budget rows of work (a slice of <= 5 ms) and reports whether there is more to do now.
	Work(budget int, out Out) (more bool, err error)
}

// Recoverer is an operator that reads its state before the first message.
type Recoverer interface {
	Recover() error
}

// Reporter is an operator with something to tell when a barrier is acknowledged.
type Reporter interface {
	Report() any
}

// Sized is an operator that holds rows in memory.
type Sized interface {
	// Size is about how many bytes it holds; of a bounded operator also what its barrier is going to need beside them.
	Size() int
}

// Pending is an operator that holds the changes of an epoch until its barrier.
type Pending interface {
	// Pending is about how many bytes they take, beside what the caches of state count.
	Pending() int
	// Shrink gives back what is kept of that after a barrier for the changes of the next epoch.
	Shrink()
}

// Unstaged is an operator whose barrier writes state that its tables do not have yet.
type Unstaged interface {
	// Unstaged is about how many bytes that comes to.
	Unstaged() int
}

// Grown is what the operator that writes a relation reports: how many rows more it has than before the epoch, and what has
// happened to the sums of its rows where these are kept.
type Grown struct {
	Rows    int64
	Changed bool // some rows came or went, though there may be as many as before
	Tally   []tally.Delta
}

// Out takes what an operator emits.
type Out interface {
	Chunk(c *chunk.Chunk) error // ErrStopped when the job is being stopped
	Watermark(w Watermark) error
}

// ErrStopped ends an operator in the middle of its work because its job is being stopped; it is not a failure.
var ErrStopped = errors.New("job is being stopped")

// Watermark promises that no later change has a value of the column below Value.
type Watermark struct {
	Col   int
	Value types.Datum
}

// Barrier ends epoch Prev and opens Curr.
type Barrier struct {
	epoch.Pair
	Time      time.Time             // now() of every expression of the epoch that the barrier opens
	Marks     map[id.Relation]int64 // how far the watermarks of tables have come; nobody changes it
	Mutations []Mutation
}

// Mark is how far the watermark of a table has come, by the number of its relation.
func (b Barrier) Mark(rel int64) (int64, bool) {
	at, ok := b.Marks[id.Relation(rel)]
	return at, ok
}

// Mutation is a change of the dataflow that rides on a barrier. Operators see it in Barrier; what an actor changes of
// itself it changes after the barrier was forwarded.
type Mutation interface{ Mutation() }

// Replay ends a step of a detached set: before the barrier passes, each catch-up of the set emits the changes of its
// upstream after its as_of up to Until, and from then on scans the upstream as of Until.
type Replay struct{ Until epoch.Epoch }

// Hold is on a barrier in the middle of a first scan: nobody reads the results that the job has then. An operator may keep
// back what it would emit, as part of its state, and give all of it at a later barrier without Hold.
type Hold struct{}

// Holds reports whether results may be kept back.
func (b Barrier) Holds() bool {
	return slices.ContainsFunc(b.Mutations, func(m Mutation) bool { _, holds := m.(Hold); return holds })
}

// Attach is on the last barrier that comes to the jobs directly. From it on their upstreams send to them; they replay up
// to the epoch that the barrier ends as soon as it is visible, and only then read what was sent.
type Attach struct{ Jobs []id.Job }

// Widen tells the job of a table that columns were added: what it writes and passes on from this barrier on has them.
type Widen struct {
	Table id.Table
	Types []types.T
	Added [][]byte // encoded initial values of the last columns
}

func (Widen) Mutation()  {}
func (Replay) Mutation() {}
func (Hold) Mutation()   {}
func (Attach) Mutation() {}

// Holder is an operator that must not be fed for a while; its actor leaves the inputs of such an operator unread.
type Holder interface{ Holding() bool }

// NoWatermark gives an operator that does not care for watermarks its method; the watermark ends here.
type NoWatermark struct{}

func (NoWatermark) Watermark(int, Watermark, Out) error { return nil }

// Discard is an Out that forgets.
type Discard struct{}

func (Discard) Chunk(*chunk.Chunk) error  { return nil }
func (Discard) Watermark(Watermark) error { return nil }

// Collect is an Out that keeps the chunks.
type Collect struct{ Chunks []*chunk.Chunk }

func (c *Collect) Chunk(x *chunk.Chunk) error { c.Chunks = append(c.Chunks, x); return nil }
func (c *Collect) Watermark(Watermark) error  { return nil }
