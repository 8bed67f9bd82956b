package agg

import (
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/types"
)

// TestScripts runs aggregates over rows: the first line of a stanza has the argument types, the next ones a row each
// with values divided by blanks, and "agg" names the functions, with direct arguments as name:0.5. Results are
// PostgreSQL 15's.
func TestScripts(t *testing.T) {
	r := NewRegistry()
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			lines := strings.Split(d.Input, "\n")
			ts := parseTypes(t, lines[0])
			rows := make([]types.Row, 0, len(lines))
			for _, line := range lines[1:] {
				rows = append(rows, parseRow(t, ts, line))
			}
			var out strings.Builder
			for _, a := range d.CmdArgs {
				out.WriteString(a.Key + ": " + runAgg(r, a.Key, ts, rows) + "\n")
			}
			return out.String()
		})
	})
}

func parseTypes(t *testing.T, line string) []types.T {
	var ts []types.T
	for name := range strings.FieldsSeq(line) {
		typ, err := types.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		ts = append(ts, typ)
	}
	return ts
}

func parseRow(t *testing.T, ts []types.T, line string) types.Row {
	row := make(types.Row, len(ts))
	for i, f := range strings.Fields(line) {
		if f == "NULL" {
			continue
		}
		d, err := types.Parse(ts[i], f, types.Ctx{})
		if err != nil {
			t.Fatal(err)
		}
		row[i] = d
	}
	return row
}

func runAgg(r *Registry, key string, ts []types.T, rows []types.Row) string {
	name, list, direct := strings.Cut(key, "@")
	f, to, err := r.Resolve(name, ts)
	if err != nil {
		return "ERROR: " + err.Error()
	}
	if direct {
		var values []types.Datum
		var ts []types.T
		for number := range strings.SplitSeq(list, ",") {
			d, err := types.Parse(types.Float8, number, types.Ctx{})
			if err != nil {
				return "ERROR: " + err.Error()
			}
			values, ts = append(values, d), append(ts, types.Float8)
		}
		if f, err = f.WithDirect(values, ts); err != nil {
			return "ERROR: " + err.Error()
		}
	}
	rows, err = coerceRows(ts, to, rows)
	if err != nil {
		return "ERROR: " + err.Error()
	}
	d, err := compute(f, to, rows)
	if err != nil {
		return "ERROR: " + err.Error()
	}
	if d.IsNull() {
		return "NULL"
	}
	return types.Format(f.Ret(to), d, types.Ctx{})
}

// coerceRows casts the arguments as the binder does.
func coerceRows(from, to []types.T, rows []types.Row) ([]types.Row, error) {
	funcs := expr.NewRegistry()
	out := make([]types.Row, len(rows))
	for i, row := range rows {
		out[i] = make(types.Row, len(row))
		for k, d := range row {
			e, err := funcs.Cast(&expr.Const{Value: d, T: from[k]}, to[k], expr.CastImplicit)
			if err != nil {
				return nil, err
			}
			if out[i][k], err = expr.EvalConst(&expr.Ctx{}, e); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// compute is the batch result of an aggregate.
func compute(f *Func, ts []types.T, rows []types.Row) (types.Datum, error) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r types.Row) bool { return !f.NullsIn && hasNull(r) })
	if f.Ordered != nil {
		return computeOrdered(f, ts, rows)
	}
	a := f.Additive(ts)
	a.Grow(1)
	a.Reset(0)
	if err := a.Update(make([]int32, len(rows)), nil, nil, columns(ts, rows)); err != nil {
		return types.Null, err
	}
	return a.Value(0)
}

func hasNull(r types.Row) bool {
	return slices.ContainsFunc(r, types.Datum.IsNull)
}

func columns(ts []types.T, rows []types.Row) []*chunk.Vec {
	b := chunk.NewBuilder(ts, len(rows)+1)
	for _, r := range rows {
		b.Append(chunk.Insert, r)
	}
	if c := b.Take(); c != nil {
		return c.Cols
	}
	empty := make([]*chunk.Vec, len(ts))
	for k, t := range ts {
		empty[k] = chunk.NewVec(t, 0)
	}
	return empty
}

func computeOrdered(f *Func, ts []types.T, rows []types.Row) (types.Datum, error) {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b types.Row) int {
		for k := range a {
			c := types.CompareNull(ts[k], a[k], b[k])
			if f.Ordered.Desc {
				c = -c
			}
			if c != 0 {
				return c
			}
		}
		return 0
	})
	i := 0
	return f.Ordered.Finish(&expr.Ctx{}, ts, func() (types.Row, int64, bool) {
		if i == len(rows) {
			return nil, 0, false
		}
		i++
		return rows[i-1], 1, true
	})
}
