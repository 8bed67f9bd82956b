package op

import (
	"math/rand"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/script"
	"github.com/tidemark-db/tidemark/internal/stream"
	"github.com/tidemark-db/tidemark/internal/types"
)

// timedRow is an id, a time and a flag.
var timedRow = []types.T{types.Int4, types.Timestamptz, types.Bool}

// clockFilter makes a filter of conditions by name, over rows of timedRow. bounded runs see the time of now.
func clockFilter(t testing.TB, name string, now *time.Time) script.Spec {
	hour := &expr.Const{Value: types.NewInterval(types.Iv{Micros: 3_600_000_000}), T: types.Interval}
	clock, err := functions.Call("now")
	if err != nil {
		t.Fatal(err)
	}
	c := TimeFilterConfig{Types: timedRow, Dist: []int{0}}
	bound := func(e expr.Expr) expr.Expr {
		c.Bounds, c.Keys = append(c.Bounds, e), append(c.Keys, col(timedRow, 1))
		return &expr.Col{Index: len(timedRow) + len(c.Bounds) - 1, T: types.Timestamptz}
	}
	from, to := bound(operator(t, "-", clock, hour)), bound(operator(t, "+", clock, hour))
	switch name {
	case "newer":
		c.Cond = operator(t, ">", col(timedRow, 1), from)
	case "older":
		c.Cond = operator(t, "<=", col(timedRow, 1), from)
	case "band":
		c.Cond = expr.And(operator(t, ">=", col(timedRow, 1), from), operator(t, "<", col(timedRow, 1), to))
	case "pinned":
		c.Cond = expr.Or(operator(t, ">", col(timedRow, 1), from), col(timedRow, 2))
	case "moment":
		c.Cond = operator(t, "=", col(timedRow, 1), from)
	}
	return script.Spec{
		Ports: []script.Port{{Types: timedRow, Keys: []int{0}}}, Out: timedRow, Tables: 1,
		Build: func(e script.Env) stream.Operator {
			c := c
			c.State, c.Vnodes, c.Owned, c.Ctx = e.Tables[0], e.Vnodes, e.Owned, &expr.Ctx{Now: *now}
			return NewTimeFilter(c)
		},
	}
}

func TestTimeFilterScript(t *testing.T) {
	script.RunScript(t, "testdata/timefilter", func(d *datadriven.TestData) script.Spec {
		return clockFilter(t, arg(d, "keep")[0], new(time.Time))
	})
}

// What was emitted adds up, at each barrier, to what a query at its time finds.
func TestTimeFilter(t *testing.T) {
	start := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	for _, name := range []string{"newer", "older", "band", "pinned", "moment"} {
		t.Run(name, func(t *testing.T) {
			now := start
			spec := clockFilter(t, name, &now)
			script.Check(t, script.Random{
				Spec: spec,
				Row: func(r *rand.Rand, _ int) types.Row {
					row := randomRow(r, timedRow, 4)
					if !row[1].IsNull() {
						row[1] = types.NewInt(types.TimestampFromTime(start.Add(time.Duration(r.Intn(20)-8) * 20 * time.Minute)))
					}
					return row
				},
				Clock: func(epoch int) time.Time { now = start.Add(time.Duration(epoch) * 20 * time.Minute); return now },
			})
		})
	}
}

// What the time cannot change any more is not kept.
func TestTimeFilterForgetsWhatIsSettled(t *testing.T) {
	now := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	w, err := script.NewWorld(clockFilter(t, "newer", &now), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	rows, err := chunk.Parse(timedRow, `+ 1 "2026-01-01 09:00:00+00" false
+ 2 "2026-01-01 09:30:00+00" false`)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Input(0, rows); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{3, 3, 2, 1} { // a record of the bounds, and each row until the lower bound is behind it
		w.Time = now.Add(time.Duration(i) * 40 * time.Minute)
		if _, err := w.Barrier(); err != nil {
			t.Fatal(err)
		}
		if n, err := w.Rows(0); err != nil || n != want {
			t.Errorf("at barrier %d there are %d rows of state, want %d (%v)", i, n, want, err)
		}
	}
}
