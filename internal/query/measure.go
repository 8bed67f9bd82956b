package query

import (
	"time"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/stream"
)

// Measure notes what each operator of a query gives and takes, for EXPLAIN ANALYZE. The time of an operator is its own:
// while it hands rows on, the clock runs for the one that takes them.
type Measure struct {
	Now   func() time.Time
	nodes map[plan.Node]*Taken
	as    map[plan.Node]plan.Node // operators of a round of a recursion: those of its step
	at    plan.Node               // whose time runs
	since time.Time
}

// Taken is the rows that an operator gave and the time that it took.
type Taken struct {
	Rows int64
	Time time.Duration
}

// NewMeasure returns a measure by a clock.
func NewMeasure(now func() time.Time) *Measure {
	return &Measure{Now: now, nodes: map[plan.Node]*Taken{}, as: map[plan.Node]plan.Node{}, since: now()}
}

// Of is what an operator took; ok is false for one that did not run by itself.
func (m *Measure) Of(n plan.Node) (t Taken, ok bool) {
	if p := m.nodes[n]; p != nil {
		return *p, true
	}
	return t, false
}

// count has the operators of a round of a recursion counted as those of its step, which have the same inputs. The returned
// function forgets the round.
func (m *Measure) count(round, step plan.Node) (forget func()) {
	if m == nil {
		return func() {}
	}
	var added []plan.Node
	var walk func(a, b plan.Node)
	walk = func(a, b plan.Node) {
		if a != b {
			m.as[a] = m.of(b)
			added = append(added, a)
		}
		ins := b.Inputs()
		for i, in := range a.Inputs() {
			walk(in, ins[i])
		}
	}
	walk(round, step)
	return func() {
		for _, n := range added {
			delete(m.as, n)
		}
	}
}

// of is the operator of the plan that a node is counted for.
func (m *Measure) of(n plan.Node) plan.Node {
	if step, ok := m.as[n]; ok {
		return step
	}
	return n
}

// enter lets the clock run for an operator and returns the one it ran for.
func (m *Measure) enter(n plan.Node) (was plan.Node) {
	now := m.Now()
	if p := m.nodes[m.at]; p != nil {
		p.Time += now.Sub(m.since)
	}
	n = m.of(n)
	if n != nil && m.nodes[n] == nil {
		m.nodes[n] = &Taken{}
	}
	was, m.at, m.since = m.at, n, now
	return was
}

// measured is an Out that counts what an operator gives to another.
type measured struct {
	m        *Measure
	from, to plan.Node
	out      stream.Out
}

func (o measured) Chunk(c *chunk.Chunk) error {
	o.m.nodes[o.from].Rows += int64(c.Rows())
	o.m.enter(o.to)
	defer o.m.enter(o.from)
	return o.out.Chunk(c)
}

func (o measured) Watermark(w stream.Watermark) error { return o.out.Watermark(w) }
