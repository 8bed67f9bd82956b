package op

import (
	"fmt"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/script"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
)

var joinKinds = map[string]plan.Kind{"inner": plan.Inner, "left": plan.Left, "right": plan.Right, "full": plan.Full,
	"semi": plan.Semi, "anti": plan.Anti, "nullanti": plan.NullAnti}

func joinSpec(c JoinConfig) script.Spec {
	out := append(append([]types.T{}, c.Types[0]...), c.Types[1]...)
	if c.Kind >= plan.Semi {
		out = c.Types[0]
	}
	keys := c.Keys
	if c.Kind == plan.NullAnti {
		keys = [2][]int{}
	}
	return script.Spec{
		Ports: []script.Port{{Types: c.Types[0], Keys: keys[0]}, {Types: c.Types[1], Keys: keys[1]}}, Out: out, Tables: 2, BuildFirst: []int{1},
		Build: func(e script.Env) stream.Operator {
			c := c
			c.Vnodes = e.Vnodes
			c.CacheMax = e.CacheMax
			if !e.Bounded {
				c.State = [2]*state.Table{e.Tables[0], e.Tables[1]}
			}
			if c.Kind == plan.NullAnti {
				return NewNullAnti(c)
			}
			return NewHashJoin(c)
		},
	}
}

// less is a condition between a left and a right column.
func less(t testing.TB, ts [2][]types.T, l, r int) expr.Expr {
	t.Helper()
	e, err := functions.Operator("<", &expr.Col{Index: l, T: ts[0][l]}, &expr.Col{Index: len(ts[0]) + r, T: ts[1][r]})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestHashJoinScript(t *testing.T) {
	script.RunScript(t, "testdata/hashjoin", func(d *datadriven.TestData) script.Spec {
		c := JoinConfig{Kind: joinKinds[arg(d, "kind")[0]], Keys: [2][]int{ints(t, d, "lkeys"), ints(t, d, "rkeys")},
			Types: [2][]types.T{parseTypes(t, arg(d, "left")), parseTypes(t, arg(d, "right"))}}
		if l := ints(t, d, "less"); l != nil {
			c.Cond = less(t, c.Types, l[0], l[1])
		}
		return joinSpec(c)
	})
}

func TestHashJoin(t *testing.T) {
	ts := [2][]types.T{{types.Int4, types.Int4}, {types.Int4, types.Int4}}
	for name, kind := range joinKinds {
		for _, cond := range []bool{false, true} {
			for _, nullSafe := range []bool{false, true} {
				c := JoinConfig{Kind: kind, Types: ts, Keys: [2][]int{{0}, {0}}, NullSafe: []bool{nullSafe}}
				if cond {
					c.Cond = less(t, ts, 1, 1)
				}
				t.Run(fmt.Sprintf("%s cond=%v nullsafe=%v", name, cond, nullSafe), func(t *testing.T) {
					script.Check(t, script.Random{Spec: joinSpec(c), Seeds: 3, Row: rowsOf(4, ts[0], ts[1]),
						Oracle: func(in [][]types.Row) []types.Row { return naiveJoin(c, in[0], in[1]) }})
				})
			}
		}
	}
}

// truth is SQL's three-valued logic.
type truth int8

const (
	no truth = iota
	unknown
	yes
)

func naiveMatch(c JoinConfig, l, r types.Row) truth {
	result := yes
	switch a, b := l[0], r[0]; {
	case c.NullSafe[0] || !a.IsNull() && !b.IsNull():
		if a != b {
			return no
		}
	default:
		result = unknown
	}
	if c.Cond == nil {
		return result
	}
	if l[1].IsNull() || r[1].IsNull() {
		return min(result, unknown)
	}
	if l[1].Int() < r[1].Int() {
		return result
	}
	return no
}

func naiveJoin(c JoinConfig, left, right []types.Row) (out []types.Row) {
	pair := func(l, r types.Row) types.Row { return append(append(types.Row{}, l...), r...) }
	matched := make([]bool, len(right))
	for _, l := range left {
		some, mayBe := false, false
		for i, r := range right {
			m := naiveMatch(c, l, r)
			mayBe = mayBe || m != no
			if m != yes {
				continue
			}
			some, matched[i] = true, true
			if c.Kind <= plan.Full {
				out = append(out, pair(l, r))
			}
		}
		switch {
		case (c.Kind == plan.Left || c.Kind == plan.Full) && !some:
			out = append(out, pair(l, make(types.Row, 2)))
		case c.Kind == plan.Semi && some, c.Kind == plan.Anti && !some, c.Kind == plan.NullAnti && !mayBe:
			out = append(out, l)
		}
	}
	for i, r := range right {
		if (c.Kind == plan.Right || c.Kind == plan.Full) && !matched[i] {
			out = append(out, pair(make(types.Row, 2), r))
		}
	}
	return out
}
