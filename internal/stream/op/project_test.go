package op

import (
	"testing"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/script"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
)

func col(ts []types.T, i int) expr.Expr { return &expr.Col{Index: i, T: ts[i]} }

func operator(t testing.TB, name string, args ...expr.Expr) expr.Expr {
	t.Helper()
	e, err := functions.Operator(name, args...)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

var twoInts = []types.T{types.Int4, types.Int4}

// quotient fails on rows whose second column is 0.
func quotient(t testing.TB) expr.Expr { return operator(t, "/", col(twoInts, 0), col(twoInts, 1)) }

func feed(t testing.TB, o stream.Operator, ts []types.T, rows string) string {
	t.Helper()
	c, err := chunk.Parse(ts, rows)
	if err != nil {
		t.Fatal(err)
	}
	var out stream.Collect
	if err := o.Chunk(0, c, &out); err != nil {
		return err.Error()
	}
	text := ""
	for _, c := range out.Chunks {
		text += chunk.Format(c)
	}
	return text
}

func TestProjectReportsFailingRowsInAView(t *testing.T) {
	failures := 0
	ctx := &expr.Ctx{OnError: func(int, error) { failures++ }}
	p := &Project{Exprs: []expr.Expr{quotient(t), col(twoInts, 0)}, Ctx: ctx}
	if got, want := feed(t, p, twoInts, "+ 6 3\n+ 1 0\n- 1 0"), "+ 2 6\n+ NULL 1\n- NULL 1\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if failures != 2 {
		t.Errorf("%d failures reported, want 2", failures)
	}
	p.Ctx = &expr.Ctx{}
	if got := feed(t, p, twoInts, "+ 1 0"); got != "division by zero" {
		t.Errorf("a query got %q", got)
	}
}

func TestFilterDropsRowsThatFailOrAreNull(t *testing.T) {
	ctx := &expr.Ctx{OnError: func(int, error) {}}
	f := &Filter{Cond: operator(t, ">", quotient(t), &expr.Const{Value: types.NewInt(1), T: types.Int4}), Ctx: ctx}
	if got, want := feed(t, f, twoInts, "+ 6 3\n+ 1 0\n+ NULL 1\n- 9 3\n+ 1 1"), "+ 6 3\n- 9 3\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestProjectSetRunsFunctionsInLockStep(t *testing.T) {
	series := func(from, to expr.Expr) plan.SetCall {
		f, args, err := functions.ResolveSet("generate_series", []expr.Expr{from, to})
		if err != nil {
			t.Fatal(err)
		}
		return plan.SetCall{Fn: f, Args: args, Fields: f.Fields(expr.Types(args))}
	}
	one := &expr.Const{Value: types.NewInt(1), T: types.Int4}
	calls := []plan.SetCall{series(one, col(twoInts, 0)), series(one, col(twoInts, 1))}
	out := []types.T{types.Int4, types.Int4, types.Int4, types.Int4, types.Int8}
	for _, c := range []struct {
		name  string
		outer bool
		in    string
		want  string
	}{
		{"the shorter is padded", false, "+ 2 1", "+ 2 1 1 1 1\n+ 2 1 2 NULL 2\n"},
		{"a delete takes the same rows back", false, "- 0 1", "- 0 1 NULL 1 1\n"},
		{"no rows, no row", false, "+ 0 0\n+ NULL 0", ""},
		{"outer keeps the row", true, "+ 0 0", "+ 0 0 NULL NULL NULL\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := NewProjectSet(calls, true, c.outer, out, &expr.Ctx{})
			if got := feed(t, p, twoInts, c.in); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

func TestProjectSetSplitsLongResults(t *testing.T) {
	f, args, err := functions.ResolveSet("generate_series", []expr.Expr{&expr.Const{Value: types.NewInt(1), T: types.Int4}, col(twoInts, 0)})
	if err != nil {
		t.Fatal(err)
	}
	p := NewProjectSet([]plan.SetCall{{Fn: f, Args: args, Fields: f.Fields(expr.Types(args))}}, false, false, append(twoInts[:2:2], types.Int4), &expr.Ctx{})
	var out stream.Collect
	c, err := chunk.Parse(twoInts, "+ 3000 0")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Chunk(0, c, &out); err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, c := range out.Chunks {
		if c.Rows() > chunk.RowsMax {
			t.Errorf("a chunk of %d rows", c.Rows())
		}
		rows += c.Rows()
	}
	if rows != 3000 {
		t.Errorf("%d rows, want 3000", rows)
	}
}

// Values sends its rows in the first epoch of the job's life and never again.
func TestValuesAreSentOnce(t *testing.T) {
	c, err := chunk.Parse(twoInts, "+ 1 2")
	if err != nil {
		t.Fatal(err)
	}
	w, err := script.NewWorld(script.Spec{Out: twoInts, Tables: 1, Build: func(e script.Env) stream.Operator {
		return &Values{Rows: c, State: e.Tables[0]}
	}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	want := []int{1, 0, 0}
	for epoch, rows := range want {
		out, err := w.Barrier()
		if err != nil {
			t.Fatal(err)
		}
		if len(out) != rows {
			t.Errorf("epoch %d sent %d chunks, want %d", epoch, len(out), rows)
		}
		if epoch == 0 {
			if err := w.Crash(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
