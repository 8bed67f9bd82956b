// Package build turns the fragments of a stored plan into trees of operators: the one switch over plan nodes at run time.
package build

import (
	"sync/atomic"
	"time"

	"github.com/tidemark-db/tidemark/internal/actor"
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/fragment"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
	"github.com/tidemark-db/tidemark/internal/stream/op"
	"github.com/tidemark-db/tidemark/internal/tally"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Env is what the operators of one actor need of the world.
type Env struct {
	Owned   vnode.Set
	Vnodes  int
	Unread  bool // nobody has read the job's results yet
	Tables  func(t id.Table, logged bool) *state.Table
	CatchUp func(rel *catalog.Relation, cols []int) CatchUp
	Zone    *time.Location                                           // in which expressions read and print times
	Lookups func(rel *catalog.Relation, cols []int) (Lookups, error) // a relation as it is visible
	OnError func(error)                                              // a row's expression failed; it is NULL. Nil: it stops the job
	// Relation is set for the fragment that writes it; DML: its rows come from statements, not from a plan.
	Relation *state.RelationFormat
	Tally    *tally.Counter // of its rows; nil: they are not counted
	Conflict catalog.ConflictPolicy
	DML      bool
}

// Lookups is one view of a relation that rows are looked up in.
type Lookups = op.Lookups

// CatchUp says how one leaf catches up.
type CatchUp struct {
	Job   id.Job
	Input int
	Live  bool
	Pins  backfill.Pins
	AsOf  epoch.Epoch
	// Generation of the owners of the ranges.
	Generation uint32
	Order      backfill.Order
	Check      backfill.Standing
	Scanned    *atomic.Uint64 // rows read by the scans
	// Arrangement of a job that is attached before it has read its history; nil: of one that is not.
	Arrangement *backfill.Arrangement
}

// Tree is the operators of one actor, children first, and where its inputs go.
type Tree struct {
	Nodes     []actor.Node
	Control   int // node that takes what comes through the control input
	Leaves    []Leaf
	Exchanges []Exchange
	Vnodes    int
}

// Leaf is a node that reads another job.
type Leaf struct {
	Node, Input int
	Rel         *catalog.Relation
	Cols        []int
}

// Exchange is a port that reads another fragment of the job.
type Exchange struct {
	Node, Port int
	Fragment   int
	Keys       []int
}

// Fragment builds the tree of one actor.
func Fragment(f *fragment.Fragment, env Env) (*Tree, error) {
	b := &builder{Env: env, f: f, tree: &Tree{Vnodes: f.Dist.Vnodes}}
	root := -1
	if !env.DML {
		var err error
		if root, err = b.node(f.Root); err != nil {
			return nil, err
		}
	}
	if env.Relation != nil {
		m := &op.Materialize{Format: env.Relation, Table: env.Tables(env.Relation.Table, true), Policy: env.Conflict, Tally: env.Tally}
		at := b.add(m)
		if root >= 0 {
			b.connect(root, at, 0)
		}
		b.tree.Control = at
	}
	return b.tree, nil
}

type builder struct {
	Env
	f     *fragment.Fragment
	tree  *Tree
	nodes int // plan nodes visited, in post order
}

func (b *builder) add(o stream.Operator) int {
	b.tree.Nodes = append(b.tree.Nodes, actor.Node{Op: o, Parent: -1})
	return len(b.tree.Nodes) - 1
}

func (b *builder) connect(child, parent, port int) {
	b.tree.Nodes[child].Parent, b.tree.Nodes[child].Port = parent, port
}

// tables opens the state tables of the plan node that was visited last.
func (b *builder) table(i int) *state.Table {
	return b.Tables(b.f.Tables[b.nodes-1][i], false)
}

// node builds the operators below and including n. An exchange has no operator of its own: its rows go straight to the
// port of the node above.
func (b *builder) node(n plan.Node) (int, error) {
	var children []int
	for _, in := range n.Inputs() {
		if _, ok := in.(*plan.Exchange); ok {
			b.nodes++
			children = append(children, -1)
			continue
		}
		c, err := b.node(in)
		if err != nil {
			return 0, err
		}
		children = append(children, c)
	}
	b.nodes++
	if s, ok := n.(*plan.Scan); ok {
		return b.scan(s), nil
	}
	if x, ok := n.(*plan.Exchange); ok { // the root itself: rows pass through
		at := b.add(&op.Union{})
		b.tree.Exchanges = append(b.tree.Exchanges, Exchange{Node: at, Fragment: x.Fragment, Keys: x.Keys})
		return at, nil
	}
	o, err := Operator(n, OpEnv{Vnodes: b.Vnodes, Owned: b.Owned, Unread: b.Unread, Keys: b.f.Keys[b.nodes-1], Table: b.table, Ctx: b.context(), Lookups: b.Lookups})
	if err != nil {
		return 0, err
	}
	at := b.add(o)
	for port, c := range children {
		if c >= 0 {
			b.connect(c, at, port)
			continue
		}
		x := n.Inputs()[port].(*plan.Exchange)
		b.tree.Exchanges = append(b.tree.Exchanges, Exchange{Node: at, Port: port, Fragment: x.Fragment, Keys: x.Keys})
	}
	return at, nil
}

func (b *builder) scan(s *plan.Scan) int {
	c := b.CatchUp(s.Rel, s.Cols)
	progress := &progress{b.table(0)}
	at := b.add(backfill.New(backfill.Config{Job: c.Job, Input: c.Input, Owned: b.Owned.IDs(), Pins: c.Pins, Progress: progress, Live: c.Live,
		AsOf: c.AsOf, Generation: c.Generation, Order: c.Order, Check: c.Check, Scanned: c.Scanned,
		Arrangement: c.Arrangement}))
	b.tree.Leaves = append(b.tree.Leaves, Leaf{Node: at, Input: c.Input, Rel: s.Rel, Cols: s.Cols})
	return at
}

// context is the evaluation context of one operator of a running view: what fails is NULL and counted, or stops the job.
func (b *builder) context() *expr.Ctx {
	ctx := &expr.Ctx{Ctx: types.Ctx{Loc: b.Zone}}
	if b.OnError != nil {
		ctx.OnError = func(_ int, err error) { b.OnError(err) }
	}
	return ctx
}

// progress keeps the records of a catch-up in a state table: one row a vnode, with an empty key.
type progress struct{ table *state.Table }

func (p *progress) Load(v vnode.ID) ([]byte, bool, error) { return p.table.Get(v, nil) }

func (p *progress) Store(v vnode.ID, rec []byte) error {
	p.table.Put(v, nil, nil, rec)
	return nil
}

// unsupported reports a node that no operator exists for.
func unsupported(n plan.Node) error {
	return errs.Internal.New("what", "no operator for a plan node").WithDetail("%T", n)
}
