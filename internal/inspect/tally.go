package inspect

import (
	"context"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/tally"
)

// tally compares the rows of a relation with the sums that were kept of them, if any were.
func (x *checker) tally(rel *catalog.Relation) {
	kept := x.state.Status[rel.Job].Tally
	if kept == nil {
		return
	}
	counted, err := tally.Decode(kept)
	if err != nil {
		x.found(rel.Qualified(), err)
		return
	}
	stored, err := state.Tally(context.Background(), x.store.Reader(), state.FormatOf(rel), x.state.TallyKey)
	if err != nil {
		x.found(rel.Qualified(), err)
		return
	}
	x.Hashed++
	if more := stored.Less(counted); len(more) > 0 {
		x.found(rel.Qualified(), state.TallyDiffers(rel, counted, more))
	}
}
