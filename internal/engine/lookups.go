package engine

import (
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream/build"
)

// lookups is a relation as it is visible, for joins that look rows up in it.
type lookups struct {
	*state.Scanner
	view kv.View
}

// Close implements build.Lookups.
func (l lookups) Close() { l.view.Close() }

// lookups opens a relation; the catalog may know more columns of it than the plan that names it.
func (e *Engine) lookups(rel *catalog.Relation, cols []int) (build.Lookups, error) {
	now, ok := e.Catalog().Relation(rel.ID)
	if !ok {
		return nil, errs.Internal.New("what", "a relation that a view looks rows up in was dropped")
	}
	view := e.store.View()
	return lookups{state.NewScanner(view, state.FormatOf(now), cols), view}, nil
}
