package expr

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/types"
)

// TestRegistryComplete: every function has what the reference prints and planenc stores.
func TestRegistryComplete(t *testing.T) {
	r := NewRegistry()
	seen := map[string]bool{}
	for _, f := range r.Funcs() {
		if seen[f.ID()] {
			t.Errorf("%s is there twice", f.ID())
		}
		seen[f.ID()] = true
		if f.Doc == "" || f.Family == "" || f.Ret == nil || f.Eval == nil {
			t.Errorf("%s lacks documentation, result type or implementation", f.ID())
		}
		if got, err := r.ByID(f.ID()); err != nil || got != f {
			t.Errorf("ByID(%s) finds another function: %v", f.ID(), err)
		}
	}
	for _, f := range r.SetFuncs() {
		if f.Doc == "" || f.Fields == nil || f.Rows == nil {
			t.Errorf("%s lacks documentation, columns or implementation", f.ID())
		}
		if got, err := r.SetByID(f.ID()); err != nil || got != f {
			t.Errorf("SetByID(%s) finds another function: %v", f.ID(), err)
		}
	}
}

// TestNullsAndSelections: for the operators on integers, an evaluation over a selection gives what one over all rows
// gives, a NULL operand gives NULL, and failing rows become NULL when errors are reported.
func TestNullsAndSelections(t *testing.T) {
	r := NewRegistry()
	fields := []types.Field{{Name: "a", Type: types.Int4}, {Name: "b", Type: types.Int4}}
	texts := []string{
		"a + b", "a - b", "a * b", "a / b", "a % b", "a < b", "a = b", "- a", "abs(a)", "a::smallint", "a::bigint * b", "a::float8 / b", "a::numeric + b",
		"coalesce(a / b, 7)", "case when a < b then a + 1 when b = 0 then 1 / b else b end", "a < b and a / b = 0", "a < b or a % b = 0",
		"a is distinct from b", "greatest(a, b)", "nullif(a, b)", "array[a, b]", "a = any(array[b, 3])", "a || 'x'", "a::text",
	}
	exprs := make([]Expr, len(texts))
	for i, text := range texts {
		exprs[i] = mustParse(t, r, text, fields...)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "rows")
		b := chunk.NewBuilder([]types.T{types.Int4, types.Int4}, n)
		value := rapid.SampledFrom([]types.Datum{
			types.Null, types.NewInt(0), types.NewInt(1), types.NewInt(-1), types.NewInt(3), types.NewInt(40000), types.NewInt(1<<31 - 1), types.NewInt(-1 << 31),
		})
		for range n {
			b.Append(chunk.Insert, types.Row{value.Draw(t, "a"), value.Draw(t, "b")})
		}
		c := b.Take()
		k := rapid.IntRange(0, len(exprs)-1).Draw(t, "expression")
		e := exprs[k]
		failed := map[int]bool{}
		ctx := scriptCtx()
		ctx.OnError = func(row int, err error) { failed[row] = true }
		all, err := e.Eval(ctx, c, nil)
		if err != nil {
			t.Fatalf("%s: %v", texts[k], err)
		}
		sel := slices.Collect(func(yield func(int32) bool) {
			for i := range int32(n) {
				if rapid.Bool().Draw(t, "selected") && !yield(i) {
					return
				}
			}
		})
		if sel == nil {
			sel = []int32{}
		}
		some, err := e.Eval(ctx, c, sel)
		if err != nil {
			t.Fatalf("%s: %v", texts[k], err)
		}
		for _, i := range sel {
			if all.Datum(int(i)) != some.Datum(int(i)) {
				t.Fatalf("%s, row %d: %v alone, %v among all", texts[k], i, some.Datum(int(i)), all.Datum(int(i)))
			}
		}
		for i := range n {
			checkRow(t, texts[k], e, c, i, all.Datum(i), failed[i])
		}
	})
}

// checkRow compares a row with the evaluation of constants, folded and not.
func checkRow(t *rapid.T, text string, e Expr, c *chunk.Chunk, i int, got types.Datum, failed bool) {
	one := Rewrite(e, func(p Expr) Expr {
		if col, ok := p.(*Col); ok {
			return &Const{Value: c.Cols[col.Index].Datum(i), T: col.T}
		}
		return p
	})
	ctx := scriptCtx()
	want, err := EvalConst(ctx, one)
	if (err != nil) != failed && !failed {
		t.Fatalf("%s, row %v: %v, but no failure was reported", text, c.Row(i), err)
	}
	if err == nil && want != got {
		t.Fatalf("%s, row %v: %v, as constants %v", text, c.Row(i), got, want)
	}
	folded, ferr := EvalConst(ctx, Fold(one, ctx))
	if (ferr != nil) != (err != nil) || folded != want {
		t.Fatalf("%s, row %v: %v %v folded, %v %v not", text, c.Row(i), folded, ferr, want, err)
	}
}

// TestExpressionsAsData: Shift and MapColumns move columns and nothing else, and Equal tells expressions apart.
func TestExpressionsAsData(t *testing.T) {
	r := NewRegistry()
	fields := []types.Field{{Name: "a", Type: types.Int4}, {Name: "b", Type: types.Int4}}
	e := mustParse(t, r, "case when a < b then coalesce(a, 1) else b + 2 end", fields...)
	if got := Columns(e); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("columns %v", got)
	}
	shifted := Shift(e, 3)
	if got := Columns(shifted); !slices.Equal(got, []int{3, 4}) {
		t.Errorf("columns after the shift %v", got)
	}
	if Equal(e, shifted) || !Equal(e, Shift(shifted, -3)) {
		t.Error("Shift back does not give the expression again")
	}
	if !CouldFail(e) || CouldFail(mustParse(t, r, "a < b", fields...)) {
		t.Error("CouldFail: an addition may overflow, a comparison may not")
	}
	if VolatilityOf(mustParse(t, r, "random() < a", fields...)) != Volatile || VolatilityOf(mustParse(t, r, "now() is null")) != Momentary || VolatilityOf(e) != Immutable {
		t.Error("VolatilityOf: random is volatile, now momentary, arithmetic immutable")
	}
	if got := String(And(Conjuncts(mustParse(t, r, "a < b and (b < 3 and a = 1)", fields...))...)); got != "((a < b) AND (b < 3) AND (a = 1))" {
		t.Errorf("conjuncts %s", got)
	}
}
