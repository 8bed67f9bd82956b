package catalog

import (
	"slices"
	"testing"

	"github.com/tidemark-db/tidemark/internal/types"
)

func TestResolve(t *testing.T) {
	row := func(vs ...int64) types.Row {
		out := types.Row{}
		for _, v := range vs {
			d := types.NewInt(v)
			if v < 0 {
				d = types.Null
			}
			out = append(out, d)
		}
		return out
	}
	rel := &Relation{Columns: []Column{{Name: "k", Type: types.Int4}, {Name: "v", Type: types.Int4}, {Name: "at", Type: types.Int4}}}
	versioned := *rel
	versioned.Version = []int{2}
	for _, c := range []struct {
		rel            *Relation
		policy         ConflictPolicy
		old, new, want types.Row
	}{
		{rel, ConflictOverwrite, row(1, 2, 3), row(1, -1, 0), row(1, -1, 0)},
		{rel, ConflictIgnore, row(1, 2, 3), row(1, 9, 9), row(1, 2, 3)},
		{rel, ConflictFill, row(1, 2, 3), row(1, -1, 9), row(1, 2, 9)},
		{&versioned, ConflictOverwrite, row(1, 2, 3), row(1, 9, 2), row(1, 2, 3)},
		{&versioned, ConflictOverwrite, row(1, 2, 3), row(1, 9, 3), row(1, 9, 3)},
		{&versioned, ConflictOverwrite, row(1, 2, 3), row(1, 9, -1), row(1, 2, 3)},
		{&versioned, ConflictOverwrite, row(1, 2, -1), row(1, 9, 0), row(1, 9, 0)},
		{&versioned, ConflictFill, row(1, 2, 3), row(1, -1, 4), row(1, 2, 4)},
	} {
		if got := c.rel.Resolve(c.policy, c.old, c.new); !slices.Equal(got, c.want) {
			t.Errorf("%v of %v and %v: %v, want %v", c.policy, c.old, c.new, got, c.want)
		}
	}
}
