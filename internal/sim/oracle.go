package sim

import (
	"context"

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
// upstreams should hold.
type oracle struct {
	history *history
	*scope
	memo map[moment]image
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
	in     *scope // of a view that was replaced; nil: what is now
}

// groupTable is where an aggregation of a view keeps its groups.
type groupTable struct {
	id     id.Table
	vnodes int
}

// leafTable is the number of the first table that stands for a leaf: each leaf may see other rows of one relation.
const leafTable id.Table = 1 << 30

// newView puts the fragments of a job together again.
func newView(rel *catalog.Relation, j *meta.Job) *view {
	v := &view{rel: rel, leaves: j.Graph.Scans()}
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
	return o.holds(rel, o.views[rel.ID], e)
}

// holds is at of a table, or of a view as it is or was.
func (o *oracle) holds(rel *catalog.Relation, v *view, e epoch.Epoch) (img image, err error) {
	m := moment{rel.Table, e}
	if v != nil {
		m.table = v.rel.Table
	}
	if img, ok := o.memo[m]; ok {
		return img, nil
	}
	if v != nil {
		img, err = o.answer(v, e, nil)
	} else {
		img = imageOf(rel, o.history.table(rel, e, false))
	}
	o.memo[m] = img
	return img, err
}

// answer runs a view's query at an epoch, over those rows of its leaves that the scans of its catch-ups have passed;
// nil: all.
func (o *oracle) answer(v *view, e epoch.Epoch, p progress) (image, error) {
	scope := o.scope
	if v.in != nil {
		scope = v.in
	}
	var in image
	for i, l := range v.leaves {
		img, err := o.holds(l.Rel, scope.read(l.Rel.ID, e), e)
		if err != nil {
			return nil, err
		}
		var some func(vnode.ID, []byte) bool
		if p != nil {
			some = p[i].passed
		}
		in = append(in, img.as(leafTable+id.Table(i), some)...)
	}
	out := newStoring(v.rel)
	env := query.Env{Reader: in, Ctx: &expr.Ctx{}}
	if err := query.Run(context.Background(), v.root, env, func(c *chunk.Chunk) error { return out.add(c) }); err != nil {
		return nil, err
	}
	return out.image()
}
