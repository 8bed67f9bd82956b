package sim

import (
	"context"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/fragment"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/query"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// oracle computes what relations should hold from the history of the tables alone: a view's query is run over what its
// upstreams should hold. A query over the rows that it was run over before has the answer that it had, so each is run
// once for all epochs in which its upstreams stay the same.
type oracle struct {
	history *history
	*scope
	moments map[moment]*contents // of one check
	tables  map[stand]*contents
}

// contents is what a relation holds for some time: the same one as long as it stays the same.
type contents struct{ image }

// stand is a table as a statement has left it.
type stand struct {
	table id.Table
	last  *statement
}

func newOracle(h *history) *oracle {
	o := &oracle{history: h, scope: &scope{}}
	o.forget()
	return o
}

// forget is for when history or the jobs have changed.
func (o *oracle) forget() {
	o.moments, o.tables = map[moment]*contents{}, map[stand]*contents{}
}

// moment is a relation, or what it was, at an epoch.
type moment struct {
	table id.Table
	at    epoch.Epoch
}

// view is a query over stored relations.
type view struct {
	rel    *catalog.Relation
	root   plan.Node
	leaves []fragment.ScanLeaf // in the order in which the job numbers its inputs
	groups []groupTable
	in     *scope // what those that it reads were when it was learnt
	known  []known
}

// known is an answer, and what it was computed of.
type known struct {
	of     []*contents
	answer *contents
}

// knownMax bounds the answers of a view that are kept: its readers are at several epochs at a time.
const knownMax = 8

// groupTable is where an aggregation of a view keeps its groups.
type groupTable struct {
	id     id.Table
	vnodes int
}

// leafTable is the number of the first table that stands for a leaf: each leaf may see other rows of one relation.
const leafTable id.Table = 1 << 30

// newView puts the fragments of a job together again.
func newView(rel *catalog.Relation, j *meta.Job, in *scope) *view {
	v := &view{rel: rel, leaves: j.Graph.Scans(), in: in}
	scans := map[*plan.Scan]*plan.Scan{}
	for _, f := range j.Graph.Fragments {
		nodes := 0
		fragment.Walk(f.Root, func(n plan.Node) {
			switch n := n.(type) {
			case *plan.Scan:
				leaf, from := *n, *n.Rel
				from.Table = leafTable + id.Table(len(scans))
				leaf.Rel = &from
				scans[n] = &leaf
			case *plan.Agg:
				v.groups = append(v.groups, groupTable{f.Tables[nodes][0], f.Dist.Vnodes})
			}
			nodes++
		})
	}
	v.root = j.Graph.Whole(func(s *plan.Scan) plan.Node { return scans[s] })
	return v
}

// at returns what a relation should hold at an epoch.
func (o *oracle) at(rel *catalog.Relation, e epoch.Epoch) (image, error) {
	c, err := o.holds(rel, o.views[rel.ID], e)
	if err != nil {
		return nil, err
	}
	return c.image, nil
}

// holds is at of a table, or of a view as it is or was.
func (o *oracle) holds(rel *catalog.Relation, v *view, e epoch.Epoch) (c *contents, err error) {
	m := moment{rel.Table, e}
	if v != nil {
		m.table = v.rel.Table
	}
	if c, ok := o.moments[m]; ok {
		return c, nil
	}
	if v != nil {
		c, err = o.answer(v, e)
	} else {
		c = o.table(rel, e)
	}
	o.moments[m] = c
	return c, err
}

// table returns what a table holds at an epoch.
func (o *oracle) table(rel *catalog.Relation, e epoch.Epoch) *contents {
	all := touching(rel.Table, o.history.before(e))
	s := stand{table: rel.Table}
	if n := len(all); n > 0 {
		s.last = all[n-1]
	}
	c := o.tables[s]
	if c == nil {
		rs := rows{}
		for _, s := range all {
			rs.apply(rel.Table, s.writes)
		}
		c = &contents{imageOf(rel, rs)}
		o.tables[s] = c
	}
	return c
}

// leaves returns what the leaves of a view hold at an epoch.
func (o *oracle) leaves(v *view, e epoch.Epoch) ([]*contents, error) {
	out := make([]*contents, len(v.leaves))
	for i, l := range v.leaves {
		var err error
		if out[i], err = o.holds(l.Rel, v.in.read(l.Rel.ID, e), e); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// answer returns the answer of a view's query at an epoch.
func (o *oracle) answer(v *view, e epoch.Epoch) (*contents, error) {
	of, err := o.leaves(v, e)
	if err != nil {
		return nil, err
	}
	for _, k := range v.known {
		if slices.Equal(k.of, of) {
			return k.answer, nil
		}
	}
	img, err := v.run(of, nil)
	if err != nil {
		return nil, err
	}
	return v.learn(of, img), nil
}

// learn keeps an answer. One that is as it was before is the same contents.
func (v *view) learn(of []*contents, img image) *contents {
	answer := &contents{img}
	for _, k := range v.known {
		if k.answer.equal(img) {
			answer = k.answer
		}
	}
	if len(v.known) == knownMax {
		v.known = v.known[1:]
	}
	v.known = append(v.known, known{of, answer})
	return answer
}

// partly returns the answer over those rows of the leaves that the scans of the view's catch-ups have passed.
func (o *oracle) partly(v *view, e epoch.Epoch, p progress) (image, error) {
	of, err := o.leaves(v, e)
	if err != nil {
		return nil, err
	}
	return v.run(of, p)
}

// run runs the query over those rows of its leaves that scans have passed; nil: over all.
func (v *view) run(of []*contents, p progress) (image, error) {
	var in image
	for i, c := range of {
		var some func(vnode.ID, []byte) bool
		if p != nil {
			some = p[i].passed
		}
		in = append(in, c.as(leafTable+id.Table(i), some)...)
	}
	out := newStoring(v.rel)
	env := query.Env{Reader: in, Ctx: &expr.Ctx{}}
	if err := query.Run(context.Background(), v.root, env, func(c *chunk.Chunk) error { return out.add(c) }); err != nil {
		return nil, err
	}
	return out.image()
}
