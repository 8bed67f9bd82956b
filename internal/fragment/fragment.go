// Package fragment cuts a plan into fragments: parts that run as parallel actors, each over its own vnodes, with
// exchanges between them. The graph is what a job stores; recovery reads it and never plans again.
package fragment

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Graph is a job's plan in fragments, children first; the last one writes the job's relation.
type Graph struct {
	Fragments []*Fragment
}

// Fragment is a part of a plan that needs no exchange inside.
type Fragment struct {
	Root   plan.Node    // its leaves are Scan (a catch-up), Values and Exchange
	Dist   Dist         // of the rows that its operators keep
	Tables [][]id.Table // state tables by node, in post order
	Keys   [][]int      // by node: input columns whose hash is the vnode of what its operator keeps; nil: vnode 0
}

// Dist says how rows are spread over actors. Single: one actor has all of them. Otherwise the vnode is the hash of the
// columns; nil Cols of a spread distribution means that the columns are not in the output: nobody may rely on them.
type Dist struct {
	Single bool
	Cols   []int
	Vnodes int
}

// Options are fixed when a job is created.
type Options struct {
	Vnodes    int
	NextTable func() id.Table
}

// Build cuts a plan. A DistKey that the relation has stays, and so does everything when it has Vnodes; otherwise both are
// set to what the plan offers if that is part of the key, so that the last exchange can be spared.
func Build(root plan.Node, rel *catalog.Relation, o Options) *Graph {
	b := &builder{Options: o}
	n, d := b.node(root)
	key := rel.Key
	if len(key) == 0 {
		key = rel.Visible()
	}
	switch {
	case rel.Vnodes == 1:
		n, d = b.require(n, d, nil)
	case rel.Vnodes > 1:
		n, d = b.spread(n, d, rel.DistKey), Dist{Cols: rel.DistKey, Vnodes: rel.Vnodes}
	case d.Single:
		rel.Vnodes, rel.DistKey = 1, nil
	case len(rel.DistKey) > 0:
		rel.Vnodes = o.Vnodes
		n, d = b.require(n, d, rel.DistKey)
		rel.DistKey = d.Cols
	case len(d.Cols) > 0 && subset(d.Cols, key):
		rel.Vnodes, rel.DistKey = d.Vnodes, d.Cols
	default:
		rel.Vnodes, rel.DistKey = o.Vnodes, key
		n, d = b.exchange(n, d, key), Dist{Cols: key, Vnodes: o.Vnodes}
	}
	b.finish(n, d)
	return &Graph{Fragments: b.fragments}
}

type builder struct {
	Options
	fragments []*Fragment
	keys      map[plan.Node][]int
}

// finish ends the fragment whose root is n.
func (b *builder) finish(n plan.Node, d Dist) int {
	f := &Fragment{Root: n, Dist: d}
	b.tables(n, f)
	b.fragments = append(b.fragments, f)
	return len(b.fragments) - 1
}

func (b *builder) tables(n plan.Node, f *Fragment) {
	for _, in := range n.Inputs() {
		b.tables(in, f)
	}
	var ts []id.Table
	for range tablesOf(n) {
		ts = append(ts, b.NextTable())
	}
	f.Tables = append(f.Tables, ts)
	f.Keys = append(f.Keys, b.keys[n])
}

// keyed remembers the columns by which an operator's state is spread.
func (b *builder) keyed(n plan.Node, cols []int) plan.Node {
	if b.keys == nil {
		b.keys = map[plan.Node][]int{}
	}
	b.keys[n] = cols
	return n
}

// tablesOf is how many state tables the operator of a node has.
func tablesOf(n plan.Node) int {
	switch n.(type) {
	case *plan.Scan, *plan.Values:
		return 1 // progress
	case *plan.TimeFilter:
		return 1
	case *plan.Agg, *plan.Join, *plan.SetOp, *plan.TopN, *plan.Window:
		return 2
	}
	return 0
}

// exchange ends the fragment of n and returns a leaf that reads it, hashed by keys; nil keys: all rows at one actor.
func (b *builder) exchange(n plan.Node, d Dist, keys []int) plan.Node {
	return &plan.Exchange{Fragment: b.finish(n, d), Keys: keys, Fields: n.Schema()}
}

// require makes the rows of n be spread by the columns; without columns they come together at one actor.
func (b *builder) require(n plan.Node, d Dist, cols []int) (plan.Node, Dist) {
	if len(cols) == 0 {
		if d.Single {
			return n, d
		}
		return b.exchange(n, d, nil), Dist{Single: true, Vnodes: 1}
	}
	if d.Single || !d.Single && len(d.Cols) > 0 && d.Vnodes == b.Vnodes && subset(d.Cols, cols) {
		return n, d
	}
	return b.exchange(n, d, cols), Dist{Cols: cols, Vnodes: b.Vnodes}
}

// node cuts below n and returns it with the distribution of its output.
func (b *builder) node(n plan.Node) (plan.Node, Dist) {
	switch n := n.(type) {
	case *plan.Scan:
		return n, scanDist(n)
	case *plan.Values:
		return n, Dist{Single: true, Vnodes: 1}
	case *plan.Project:
		in, d := b.node(n.Input)
		return n.WithInputs([]plan.Node{in}), d.through(projectMap(n))
	case *plan.Agg:
		in, d := b.node(n.Input)
		in, d = b.require(in, d, n.Group)
		return b.keyed(n.WithInputs([]plan.Node{in}), d.Cols), d.through(positions(n.Group))
	case *plan.TopN:
		return b.partitioned(n, n.Partition)
	case *plan.Window:
		return b.partitioned(n, n.Partition)
	case *plan.TimeFilter:
		return b.timeFilter(n)
	case *plan.Join:
		return b.join(n)
	case *plan.SetOp:
		return b.setOp(n)
	case *plan.Union:
		return b.union(n)
	case *plan.Filter, *plan.ProjectSet, *plan.LookupJoin:
		in, d := b.node(n.Inputs()[0])
		return n.WithInputs([]plan.Node{in}), d
	}
	return n, Dist{Single: true, Vnodes: 1}
}

// partitioned is for operators that keep their input's columns in place.
func (b *builder) partitioned(n plan.Node, by []int) (plan.Node, Dist) {
	in, d := b.node(n.Inputs()[0])
	in, d = b.require(in, d, by)
	return b.keyed(n.WithInputs([]plan.Node{in}), d.Cols), d
}

// timeFilter keeps rows where they are, unless what they are spread by is not among their columns any more.
func (b *builder) timeFilter(n *plan.TimeFilter) (plan.Node, Dist) {
	in, d := b.node(n.Input)
	if !d.Single && len(d.Cols) == 0 {
		in, d = b.require(in, d, allColumns(n))
	}
	return b.keyed(n.WithInputs([]plan.Node{in}), d.Cols), d
}

// join spreads both sides by the join keys, whole and in order, so that equal keys meet. A side that is spread by just
// these columns stays where it is.
func (b *builder) join(n *plan.Join) (plan.Node, Dist) {
	l, ld := b.node(n.Left)
	r, rd := b.node(n.Right)
	if len(n.LeftKeys) == 0 || n.Kind == plan.NullAnti {
		l, _ = b.require(l, ld, nil)
		r, _ = b.require(r, rd, nil)
		return n.WithInputs([]plan.Node{l, r}), Dist{Single: true, Vnodes: 1}
	}
	if !(ld.Single && rd.Single) {
		l = b.spread(l, ld, n.LeftKeys)
		r = b.spread(r, rd, n.RightKeys)
		ld = Dist{Cols: n.LeftKeys, Vnodes: b.Vnodes}
	}
	switch n.Kind {
	case plan.Right, plan.Full:
		ld.Cols = nil // keys of the left are NULL in rows without a left part
	}
	return n.WithInputs([]plan.Node{l, r}), ld
}

func (b *builder) spread(n plan.Node, d Dist, keys []int) plan.Node {
	if !d.Single && d.Vnodes == b.Vnodes && slices.Equal(d.Cols, keys) {
		return n
	}
	return b.exchange(n, d, keys)
}

// setOp spreads both sides by all columns.
func (b *builder) setOp(n *plan.SetOp) (plan.Node, Dist) {
	l, ld := b.node(n.Left)
	r, rd := b.node(n.Right)
	if ld.Single && rd.Single {
		return n.WithInputs([]plan.Node{l, r}), ld
	}
	cols := allColumns(n)
	l, r = b.spread(l, ld, cols), b.spread(r, rd, cols)
	return n.WithInputs([]plan.Node{l, r}), Dist{Cols: cols, Vnodes: b.Vnodes}
}

// union runs where its inputs are when they are spread alike; otherwise each becomes a fragment and the rows go by all
// columns.
func (b *builder) union(n *plan.Union) (plan.Node, Dist) {
	ins := make([]plan.Node, len(n.Ins))
	dists := make([]Dist, len(n.Ins))
	same := true
	for i, in := range n.Ins {
		ins[i], dists[i] = b.node(in)
		same = same && dists[i].Single == dists[0].Single && dists[i].Vnodes == dists[0].Vnodes &&
			len(dists[i].Cols) > 0 == (len(dists[0].Cols) > 0) && slices.Equal(dists[i].Cols, dists[0].Cols) &&
			(dists[i].Single || len(dists[i].Cols) > 0)
	}
	if same {
		return n.WithInputs(ins), dists[0]
	}
	cols := allColumns(n)
	for i := range ins {
		ins[i] = b.exchange(ins[i], dists[i], cols)
	}
	return n.WithInputs(ins), Dist{Cols: cols, Vnodes: b.Vnodes}
}

// scanDist is how the relation is stored, seen through the columns that are read.
func scanDist(n *plan.Scan) Dist {
	key := n.Rel.DistKey
	if n.Rel.Vnodes == 1 {
		return Dist{Single: true, Vnodes: 1}
	}
	return Dist{Cols: key, Vnodes: n.Rel.Vnodes}.through(positions(n.Cols))
}

// through maps the columns of a distribution to where they are in the output; to[c] < 0 or absent: not in the output.
func (d Dist) through(to map[int]int) Dist {
	if d.Single {
		return d
	}
	cols := make([]int, 0, len(d.Cols))
	for _, c := range d.Cols {
		o, ok := to[c]
		if !ok {
			return Dist{Vnodes: d.Vnodes}
		}
		cols = append(cols, o)
	}
	return Dist{Cols: cols, Vnodes: d.Vnodes}
}

func allColumns(n plan.Node) []int {
	cols := make([]int, len(n.Schema()))
	for i := range cols {
		cols[i] = i
	}
	return cols
}

// positions maps each column to its place in the list.
func positions(cols []int) map[int]int {
	m := map[int]int{}
	for i, c := range cols {
		m[c] = i
	}
	return m
}

func subset(cols, of []int) bool {
	for _, c := range cols {
		if !slices.Contains(of, c) {
			return false
		}
	}
	return true
}

// Owners assigns the vnodes of the fragment to its actors.
func (f *Fragment) Owners(parallelism int) []vnode.Set {
	return vnode.Assign(f.Dist.Vnodes, min(parallelism, f.Dist.Vnodes))
}

// ForTable is the graph of a table: one fragment that writes what DML sends it.
func ForTable(rel *catalog.Relation, o Options) *Graph {
	rel.Vnodes = o.Vnodes
	if len(rel.DistKey) == 0 {
		rel.DistKey = rel.Key
	}
	fields := make([]types.Field, len(rel.Columns))
	for i, c := range rel.Columns {
		fields[i] = types.Field{Name: c.Name, Type: c.Type}
	}
	b := &builder{Options: o}
	b.finish(&plan.Values{Fields: fields}, Dist{Cols: rel.DistKey, Vnodes: o.Vnodes})
	return &Graph{Fragments: b.fragments}
}

// ScanLeaf is a leaf that reads another job's relation.
type ScanLeaf struct {
	Rel    *catalog.Relation
	Cols   []int    // that it reads
	Table  id.Table // of its progress records
	Vnodes int      // ranges
}

// Scans returns the leaves that read relations, in the order in which the job numbers its inputs.
func (g *Graph) Scans() []ScanLeaf {
	var out []ScanLeaf
	for _, f := range g.Fragments {
		k := 0
		Walk(f.Root, func(n plan.Node) {
			if s, ok := n.(*plan.Scan); ok {
				out = append(out, ScanLeaf{Rel: s.Rel, Cols: s.Cols, Table: f.Tables[k][0], Vnodes: s.Rel.Vnodes})
			}
			k++
		})
	}
	return out
}

// Reads returns the columns of a relation that the graph reads, by scans and look-ups.
func (g *Graph) Reads(of id.Relation) []int {
	var out []int
	for _, f := range g.Fragments {
		Walk(f.Root, func(n plan.Node) {
			switch n := n.(type) {
			case *plan.Scan:
				if n.Rel.ID == of {
					out = append(out, n.Cols...)
				}
			case *plan.LookupJoin:
				if n.Rel.ID == of || n.Rel.Indexed == of {
					out = append(out, n.Cols...)
				}
			}
		})
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Walk visits the nodes of a fragment in post order, which is the order of Fragment.Tables.
func Walk(n plan.Node, visit func(plan.Node)) {
	for _, in := range n.Inputs() {
		Walk(in, visit)
	}
	visit(n)
}
