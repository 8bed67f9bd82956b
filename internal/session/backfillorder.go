package session

import (
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// orderOption says in which order a view or sink reads what it is made of.
const orderOption = "backfill_order"

// orderWords are the words of backfill_order; FIXED is followed by edges.
var orderWords = []string{engine.OrderBySize, "none", "default"}

// scanOrder is the setting of a view's job for its backfill_order. One that can not be kept is refused: one that names what
// the view does not read, or that runs in a circle.
func (s *Session) scanOrder(rel *catalog.Relation, options []ast.Option) (setting string, err error) {
	for _, o := range options {
		if strings.ToLower(o.Key) != orderOption {
			continue
		}
		if o.Value.Kind != ast.OptOrder {
			if setting = strings.ToLower(o.Value.Text); !slices.Contains(orderWords, setting) {
				return "", errs.BackfillOrder.New("what", o.Value.Text).At(int(o.Pos))
			}
			continue
		}
		after, err := s.edges(rel, o.Value.Edges)
		if err != nil {
			return "", err
		}
		if circular(after) {
			return "", errs.BackfillOrder.New("what", "it runs in a circle").At(int(o.Pos))
		}
		setting = engine.ScanOrder(after)
	}
	return setting, nil
}

// edges finds what comes after each relation.
func (s *Session) edges(rel *catalog.Relation, edges []ast.Edge) (map[id.Relation][]id.Relation, error) {
	after := map[id.Relation][]id.Relation{}
	for _, e := range edges {
		var ends [2]id.Relation
		for i, name := range []ast.Name{e.From, e.To} {
			end, err := s.binder(nil).Relation(name)
			if err != nil {
				return nil, err
			}
			if !slices.Contains(rel.DependsOn, end.ID) {
				return nil, errs.BackfillOrder.New("what", "the view does not read \""+end.Name+"\"").At(int(name.Pos))
			}
			ends[i] = end.ID
		}
		after[ends[0]] = append(after[ends[0]], ends[1])
	}
	return after, nil
}

// circular reports whether a relation comes after itself.
func circular(after map[id.Relation][]id.Relation) bool {
	const (
		entered = iota + 1
		left
	)
	state := map[id.Relation]int{}
	var visit func(r id.Relation) bool
	visit = func(r id.Relation) bool {
		switch state[r] {
		case entered:
			return true
		case left:
			return false
		}
		state[r] = entered
		if slices.ContainsFunc(after[r], visit) {
			return true
		}
		state[r] = left
		return false
	}
	for r := range after {
		if visit(r) {
			return true
		}
	}
	return false
}
