package op

import (
	"math/rand"
	"slices"
	"strconv"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/types"
)

// randomRow makes rows with few distinct values, NULLs among them; numerics equal each other in two forms.
func randomRow(r *rand.Rand, ts []types.T, distinct int) types.Row {
	row := make(types.Row, len(ts))
	for i, t := range ts {
		n := r.Intn(distinct)
		switch {
		case n == 0 && r.Intn(2) == 0:
			row[i] = types.Null
		case t.Kind == types.KindText:
			row[i] = types.NewBytes("v" + strconv.Itoa(n))
		case t.Kind == types.KindNumeric:
			row[i] = types.NewNumeric(types.NumFromScaled(int64(n*10), 1))
		case t.Kind == types.KindFloat8:
			row[i] = types.NewFloat(float64(n) / 4)
		case t.Kind == types.KindBool:
			row[i] = types.NewBool(n%2 == 0)
		default:
			row[i] = types.NewInt(int64(n))
		}
	}
	return row
}

// rowsOf is a generator of rows for ports of the given types.
func rowsOf(distinct int, ports ...[]types.T) func(*rand.Rand, int) types.Row {
	return func(r *rand.Rand, port int) types.Row { return randomRow(r, ports[port], distinct) }
}

// sortedRows returns the rows in the order of keys, ties by all columns.
func sortedRows(ts []types.T, rows []types.Row, by ...int) []types.Row {
	out := slices.Clone(rows)
	for i := range ts {
		by = append(by, i)
	}
	slices.SortStableFunc(out, func(a, b types.Row) int {
		for _, k := range by {
			if c := types.CompareNull(ts[k], a[k], b[k]); c != 0 {
				return c
			}
		}
		return 0
	})
	return out
}

// groupRows returns the rows by the printed values of columns, in order of first appearance.
func groupRows(rows []types.Row, by ...int) [][]types.Row {
	var out [][]types.Row
	at := map[string]int{}
	for _, r := range rows {
		key := ""
		for _, k := range by {
			key += datumKey(r[k]) + "|"
		}
		if _, ok := at[key]; !ok {
			at[key] = len(out)
			out = append(out, nil)
		}
		out[at[key]] = append(out[at[key]], r)
	}
	return out
}

func datumKey(d types.Datum) string {
	if d.IsNull() {
		return "NULL"
	}
	return strconv.FormatInt(d.Int(), 10) + d.Bytes()
}

// parseTypes reads the types of a script: int4, text and so on, separated by commas.
func parseTypes(t testing.TB, names []string) []types.T {
	t.Helper()
	out := make([]types.T, len(names))
	for i, n := range names {
		ty, err := types.Lookup(n)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = ty
	}
	return out
}

// arg returns the values of an argument, nil when it is not there.
func arg(d *datadriven.TestData, key string) []string {
	for _, a := range d.CmdArgs {
		if a.Key == key {
			return slices.Clone(a.Vals)
		}
	}
	return nil
}

// ints returns an argument as numbers.
func ints(t testing.TB, d *datadriven.TestData, key string) []int {
	var out []int
	for _, v := range arg(d, key) {
		n, err := strconv.Atoi(v)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, n)
	}
	return out
}

var (
	functions  = expr.NewRegistry()
	aggregates = agg.NewRegistry()
)

// aggCallOf builds the call of an aggregate over columns.
func aggCallOf(t testing.TB, in []types.T, name string, args ...int) agg.Call {
	t.Helper()
	ts := make([]types.T, len(args))
	for i, a := range args {
		ts[i] = in[a]
	}
	f, _, err := aggregates.Resolve(name, ts)
	if err != nil {
		t.Fatal(err)
	}
	return agg.Call{Fn: f, Args: args, Filter: -1, T: f.Ret(ts)}
}
