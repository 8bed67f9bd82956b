package planenc_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/plan/planenc"
	"github.com/tidemark-db/tidemark/internal/sql/bind"
	"github.com/tidemark-db/tidemark/internal/sql/opt"
	"github.com/tidemark-db/tidemark/internal/sql/sqltest"
)

// world has the relations of the optimiser's scripts, whose queries are what is stored here.
func world(t *testing.T) (*sqltest.World, planenc.Resolver) {
	t.Helper()
	w := sqltest.New()
	err := w.Create(`CREATE TABLE t (a int PRIMARY KEY, b int, c text, d numeric); CREATE TABLE u (id int, a int, v bigint, w text);
		CREATE TABLE two (g varchar, n numeric, v int, PRIMARY KEY (g, n)); CREATE TABLE none (a int, b int);
		CREATE TABLE times (d date PRIMARY KEY, f real);`)
	if err != nil {
		t.Fatal(err)
	}
	return w, planenc.Resolver{Catalog: w.Catalog, Funcs: w.Funcs, Aggs: w.Aggs}
}

// queries are the SELECTs of the optimiser's scripts and some with forms that these do not have.
func queries(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../sql/opt/testdata/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	out := []string{
		"SELECT percentile_cont(0.25) WITHIN GROUP (ORDER BY b), percentile_disc(ARRAY[0.1, 0.9]) WITHIN GROUP (ORDER BY a), mode() WITHIN GROUP (ORDER BY c) FROM t",
		"SELECT sum(b) OVER (ORDER BY a RANGE BETWEEN 2 PRECEDING AND 3 FOLLOWING EXCLUDE TIES), lag(c, 2, 'x') OVER (PARTITION BY b ORDER BY a) FROM t",
		"SELECT last_value(c IGNORE NULLS) OVER (PARTITION BY b ORDER BY a SESSION WITH GAP 3) FROM t",
		"SELECT array_transform(ARRAY[a, b], |x| x + a) FROM t",
		"SELECT c, b, grouping(c), array_agg(DISTINCT a ORDER BY a) FILTER (WHERE d > 1.50) FROM t GROUP BY CUBE (c, b)",
		"SELECT a FROM t WHERE a = ANY (ARRAY[1, 2]) AND c LIKE 'x%' AND d::text ~ '^1' AND coalesce(b, 0) IN (1, 2) AND interval '1 day' > interval '1 hour'",
		"SELECT * FROM t EXCEPT SELECT * FROM t WHERE b IS DISTINCT FROM 1",
		"SELECT 1.5e300::float8, 'NaN'::float8, -0.0::float8, date '2020-01-01', '\\x00ff'::bytea, NULL::int[]",
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(b), "\n") {
			if strings.HasPrefix(line, "SELECT") {
				out = append(out, line)
			}
		}
	}
	return out
}

// A stored plan comes back as it was.
func TestRoundTrip(t *testing.T) {
	w, r := world(t)
	for _, q := range queries(t) {
		n, err := w.Bind(q)
		if err != nil {
			t.Fatalf("%s: %v", q, err)
		}
		n = bind.Streaming(opt.Run(n, opt.Options{}))
		if !storable(n) {
			continue
		}
		b, err := planenc.Encode(n)
		if err != nil {
			t.Fatalf("%s: %v", q, err)
		}
		back, err := planenc.Decode(b, r)
		if err != nil {
			t.Fatalf("%s: %v\n%s", q, err, b)
		}
		if got, want := plan.Format(back), plan.Format(n); got != want {
			t.Fatalf("%s\ngot\n%swant\n%s", q, got, want)
		}
		again, err := planenc.Encode(back)
		if err != nil || string(again) != string(b) {
			t.Fatalf("%s: stored differently the second time: %v\n%s\n%s", q, err, b, again)
		}
	}
}

// A filter by time comes back as it was.
func TestTimeFilterRoundTrip(t *testing.T) {
	w, r := world(t)
	if err := w.Create("CREATE TABLE at (a int, ts timestamptz, d date)"); err != nil {
		t.Fatal(err)
	}
	n, err := w.Bind("CREATE MATERIALIZED VIEW v AS SELECT a FROM at WHERE ts > now() - interval '1 hour' OR d = current_date")
	if err != nil {
		t.Fatal(err)
	}
	b := stored(t, w, r, n)
	if _, err := planenc.Decode([]byte(strings.Replace(string(b), `"Bounds":[`, `"Names":[],"Ignored":[`, 1)), r); err == nil {
		t.Error("a filter without bounds was taken for one")
	}
}

// So does a join that looks rows up.
func TestLookupJoinRoundTrip(t *testing.T) {
	w, r := world(t)
	if err := w.Create("CREATE TABLE o (a int, k int) APPEND ONLY; CREATE TABLE c (k int PRIMARY KEY, b int)"); err != nil {
		t.Fatal(err)
	}
	n, err := w.Bind("CREATE MATERIALIZED VIEW v AS SELECT a, b FROM o LEFT JOIN c FOR SYSTEM_TIME AS OF PROCTIME() ON o.k = c.k AND a > b")
	if err != nil {
		t.Fatal(err)
	}
	b := stored(t, w, r, n)
	if _, err := planenc.Decode([]byte(strings.Replace(string(b), `"LeftKeys":[1]`, `"LeftKeys":[1,1]`, 1)), r); err == nil {
		t.Error("a look-up by more columns than the key has was taken for one")
	}
}

// stored is the stored form of a view's plan, which must come back as it was.
func stored(t *testing.T, w *sqltest.World, r planenc.Resolver, n plan.Node) []byte {
	t.Helper()
	n, err := opt.View(n, opt.Options{Funcs: w.Funcs})
	if err != nil {
		t.Fatal(err)
	}
	b, err := planenc.Encode(n)
	if err != nil {
		t.Fatal(err)
	}
	r.Catalog = w.Catalog
	back, err := planenc.Decode(b, r)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := plan.Format(back), plan.Format(n); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	return b
}

// storable: parameters of prepared statements are not stored.
func storable(n plan.Node) bool {
	ok := true
	plan.MapExprs(n, func(e expr.Expr) expr.Expr {
		expr.Walk(e, func(e expr.Expr) bool {
			if _, param := e.(*expr.Param); param {
				ok = false
			}
			return ok
		})
		return e
	})
	return ok
}

// What is not known is refused, never guessed.
func TestUnknown(t *testing.T) {
	w, r := world(t)
	n, err := w.Bind("SELECT c, sum(a + 1) FROM t GROUP BY c")
	if err != nil {
		t.Fatal(err)
	}
	stored, err := planenc.Encode(opt.Run(n, opt.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new string }{
		{`"Version":1`, `"Version":9`},
		{`"Op":"agg"`, `"Op":"aggregate"`},
		{`"Op":"col"`, `"Op":"column"`},
		{`sum(integer)`, `sums(integer)`},
		{`"Rel":101`, `"Rel":999`},
	} {
		bad := strings.Replace(string(stored), c.old, c.new, 1)
		if bad == string(stored) {
			t.Fatalf("%s is not in %s", c.old, stored)
		}
		if _, err := planenc.Decode([]byte(bad), r); err == nil {
			t.Errorf("%s was taken for %s", c.new, c.old)
		}
	}
	if _, err := planenc.Decode(stored, planenc.Resolver{Catalog: w.Catalog, Funcs: w.Funcs, Aggs: &agg.Registry{}}); err == nil {
		t.Error("an aggregate was found in an empty registry")
	}
}

// No bytes make Decode panic.
func FuzzDecode(f *testing.F) {
	w := sqltest.New()
	if err := w.Create("CREATE TABLE t (a int PRIMARY KEY, b int)"); err != nil {
		f.Fatal(err)
	}
	n, err := w.Bind("SELECT b, sum(a) FROM t WHERE a > 1 GROUP BY b")
	if err != nil {
		f.Fatal(err)
	}
	b, err := planenc.Encode(n)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(b))
	f.Add([]byte(`{"Version":1,"Op":"project","In":[{"Op":"values"}],"Exprs":[{"Op":"case"}]}`))
	r := planenc.Resolver{Catalog: w.Catalog, Funcs: w.Funcs, Aggs: w.Aggs}
	f.Fuzz(func(t *testing.T, b []byte) { planenc.Decode(b, r) })
}
