package sim

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/tidemark-db/tidemark/internal/actor"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/stream/op"
	"github.com/tidemark-db/tidemark/internal/tally"
)

// summed are the faults of the sums that are kept of rows, which no answer shows.
var summed = []planted{
	{"the first changes of an owner are counted twice", tallies(func(first bool, t []tally.Delta) []tally.Delta {
		if first {
			return append(slices.Clone(t), t...)
		}
		return t
	})},
	{"new owners lose the sums of a vnode", tallies(func(first bool, t []tally.Delta) []tally.Delta {
		if first && len(t) > 0 {
			return t[1:]
		}
		return t
	})},
	{"sums are stored by the commit after that of their rows", fault{store: func(s kv.Store) kv.Store {
		return &tardy{Store: s, before: map[string][]byte{}}
	}}},
}

// tallies changes what the writers of relations report of their sums, in their first epoch with any and later.
func tallies(change func(first bool, t []tally.Delta) []tally.Delta) fault {
	return fault{actor: func(a *actor.Actor) {
		for i, n := range a.Nodes {
			if m, ok := n.Op.(*op.Materialize); ok {
				a.Nodes[i].Op = &miscounting{Materialize: m, change: change, first: true}
			}
		}
	}}
}

type miscounting struct {
	*op.Materialize
	change func(first bool, t []tally.Delta) []tally.Delta
	first  bool
}

func (m *miscounting) Report() any {
	g := m.Materialize.Report().(stream.Grown)
	told := m.change(m.first, g.Tally)
	m.first = m.first && len(g.Tally) == 0
	g.Tally = told
	return g
}

// tardy stores with each status the sums that the one before should have had.
type tardy struct {
	kv.Store
	before map[string][]byte
}

func (s *tardy) Commit(c kv.Commit) (kv.CommitStats, error) {
	for i, w := range c.Meta {
		var st meta.Status
		if !bytes.HasPrefix(w.Key, append([]byte{kv.SpaceMeta}, "status/"...)) || json.Unmarshal(w.New, &st) != nil || st.Tally == nil {
			continue
		}
		before, ok := s.before[string(w.Key)]
		if s.before[string(w.Key)] = st.Tally; ok {
			st.Tally = before
		}
		c.Meta[i].New, _ = json.Marshal(st)
	}
	return s.Store.Commit(c)
}
