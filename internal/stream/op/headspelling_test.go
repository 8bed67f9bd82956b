package op

import (
	"testing"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/script"
	"github.com/tidemark-db/tidemark/internal/types"
)

// The first of the distinct values goes with the last row that has it, however that row spells it.
func TestFirstDistinctValueGoesInAnySpelling(t *testing.T) {
	in := []types.T{types.Int4, types.Numeric}
	c := aggCallOf(t, in, "first_value", 1)
	c.Distinct, c.OrderBy = true, []agg.Order{{Col: 1}}
	w, err := script.NewWorld(aggSpec(AggConfig{Input: in, Group: []int{0}, Calls: []agg.Call{c}}), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	shown := ""
	for _, s := range []struct {
		op    chunk.Op
		value string
		want  string
	}{{chunk.Insert, "2", "2"}, {chunk.Insert, "1.0", "1.0"}, {chunk.Insert, "1.00", "1.0"}, {chunk.Delete, "1.0", "1.0"}, {chunk.Delete, "1.00", "2"}} {
		v, err := types.Parse(types.Numeric, s.value, types.Ctx{})
		if err != nil {
			t.Fatal(err)
		}
		b := chunk.NewBuilder(in, 1)
		b.Append(s.op, types.Row{types.NewInt(1), v})
		if err := w.Input(0, b.Take()); err != nil {
			t.Fatal(err)
		}
		out, err := w.Barrier()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range out {
			for i := range c.Rows() {
				if c.Op(i) == chunk.Insert {
					shown = types.Format(types.Numeric, c.Row(i)[1], types.Ctx{})
				}
			}
		}
		if shown != s.want {
			t.Errorf("after %+d of %s: %s, want %s", s.op, s.value, shown, s.want)
		}
	}
}
