package fragment

import (
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/plan"
)

// Whole puts the fragments together again: the plan as it was before it was cut, with what leaf makes of each scan.
func (g *Graph) Whole(leaf func(*plan.Scan) plan.Node) plan.Node {
	return g.whole(g.Fragments[len(g.Fragments)-1].Root, leaf)
}

func (g *Graph) whole(n plan.Node, leaf func(*plan.Scan) plan.Node) plan.Node {
	switch n := n.(type) {
	case *plan.Exchange:
		return g.whole(g.Fragments[n.Fragment].Root, leaf)
	case *plan.Scan:
		return leaf(n)
	}
	return plan.MapInputs(n, func(in plan.Node) plan.Node { return g.whole(in, leaf) })
}

// Repointed is the graph with its scans of a relation reading what the relation is now.
func (g *Graph) Repointed(rel *catalog.Relation) *Graph {
	return g.each(func(f *Fragment) {
		f.Root = mapScans(f.Root, func(s *plan.Scan) plan.Node {
			if s.Rel.ID != rel.ID {
				return s
			}
			return &plan.Scan{Rel: rel, Cols: s.Cols}
		})
	})
}

// Renumbered is the graph with other state tables.
func (g *Graph) Renumbered(to map[id.Table]id.Table) *Graph {
	return g.each(func(f *Fragment) {
		tables := make([][]id.Table, len(f.Tables))
		for i, ts := range f.Tables {
			for _, t := range ts {
				tables[i] = append(tables[i], to[t])
			}
		}
		f.Tables = tables
	})
}

// each returns a copy of the graph after change has been made to each fragment.
func (g *Graph) each(change func(f *Fragment)) *Graph {
	out := &Graph{}
	for _, f := range g.Fragments {
		c := *f
		change(&c)
		out.Fragments = append(out.Fragments, &c)
	}
	return out
}

func mapScans(n plan.Node, to func(*plan.Scan) plan.Node) plan.Node {
	if s, ok := n.(*plan.Scan); ok {
		return to(s)
	}
	return plan.MapInputs(n, func(in plan.Node) plan.Node { return mapScans(in, to) })
}
