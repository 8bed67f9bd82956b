package sim

import (
	"fmt"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/plan"
)

// indexesMax bounds the indexes that there are at a time.
const indexesMax = 2

// createIndex makes an index over column y of a relation.
func (s *scheduler) createIndex() bool {
	c := s.engine.Catalog()
	from := readable(c)
	if !s.serving() || len(relations(c))-len(from) >= indexesMax {
		return false
	}
	s.named++
	on := from[s.rand.IntN(len(from))]
	s.begin(fmt.Sprintf("CREATE INDEX i%d ON %s (y)", s.named, on.Name), indexOf(on, fmt.Sprintf("i%d", s.named)))
	return true
}

// indexOf defines what a session defines for an index: the columns of a relation in another order, under another key.
func indexOf(on *catalog.Relation, name string) engine.Definition {
	scan := &plan.Scan{Rel: on, Cols: []int{1, 0}}
	rel := &catalog.Relation{Schema: on.Schema, Name: name, Kind: catalog.KindIndex, Indexed: on.ID, DependsOn: []id.Relation{on.ID},
		Columns: []catalog.Column{on.Columns[1], on.Columns[0]}}
	if key := plan.UniqueKey(scan); key != nil {
		rel.DistKey = []int{0}
		rel.Key = append([]int{0}, slices.DeleteFunc(key, func(c int) bool { return c == 0 })...)
	}
	return engine.Definition{Relation: rel, Plan: scan}
}
