package session

import (
	"context"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// lookupTypes are key types with values that are equal, alike or just about comparable.
var lookupTypes = map[string][]string{
	"int":              {"0", "1", "'-1'", "2147483647", "NULL"},
	"bigint":           {"0", "1", "9223372036854775807", "'-9223372036854775808'", "NULL"},
	"text":             {"''", "'a'", "'a '", "'A'", "'ä'", "'a\\x00'", "NULL"},
	"varchar(5)":       {"''", "'a'", "'a '", "'b'", "NULL"},
	"char(3)":          {"''", "'a'", "'a '", "'ab'", "NULL"},
	"numeric":          {"0", "1.0", "1.00", "'NaN'", "'-0.0'", "1e10", "NULL"},
	"double precision": {"0", "'-0'", "'NaN'", "1.5", "'Infinity'", "NULL"},
	"real":             {"0", "'-0'", "'NaN'", "1.5", "'0.1'", "NULL"},
	"boolean":          {"true", "false", "NULL"},
	"date":             {"'2020-01-01'", "'infinity'", "'0001-01-01 BC'", "NULL"},
	"timestamptz":      {"'2020-01-01 00:00+00'", "'2020-01-01 01:00+01'", "'infinity'", "NULL"},
	"interval":         {"'1 mon'", "'30 days'", "'720 hours'", "'1 day'", "NULL"},
	"bytea":            {"'\\x'", "'\\x00'", "'\\x0000'", "NULL"},
	"uuid":             {"'00000000-0000-0000-0000-000000000001'", "'00000000-0000-0000-0000-000000000002'", "NULL"},
}

// TestLookupIsScan compares `k = x`, which becomes a look-up, with `k >= x AND k <= x`, which is a scan: over the primary
// key, its first column, and an index, outside and inside of transactions with writes of their own.
func TestLookupIsScan(t *testing.T) {
	_, s := opened(t, Options{})
	for _, typ := range sortedKeys(lookupTypes) {
		t.Run(typ, func(t *testing.T) {
			l := lookupCase{t: t, s: s, r: rand.New(rand.NewSource(7)), typ: typ, table: "t_" + strings.Map(letters, typ)}
			l.run()
		})
	}
}

func sortedKeys(m map[string][]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func letters(r rune) rune {
	if r >= 'a' && r <= 'z' {
		return r
	}
	return -1
}

type lookupCase struct {
	t          *testing.T
	s          *Session
	r          *rand.Rand
	typ, table string
}

func (l *lookupCase) do(format string, args ...any) string {
	l.t.Helper()
	return exec(l.t, l.s, fmt.Sprintf(format, args...))
}

// value is a random value of the type; key says that it must not be NULL.
func (l *lookupCase) value(key bool) string {
	vs := lookupTypes[l.typ]
	v := vs[l.r.Intn(len(vs))]
	if key && v == "NULL" {
		v = vs[0]
	}
	return v + "::" + l.typ
}

func (l *lookupCase) run() {
	l.do("CREATE TABLE %s (k %s, n int, x %s, PRIMARY KEY (k, n))", l.table, l.typ, l.typ)
	l.do("CREATE INDEX %s_x ON %s (x)", l.table, l.table)
	if plan := l.do("EXPLAIN SELECT n FROM %s WHERE x = %s", l.table, l.value(true)); !strings.Contains(plan, "Lookup public."+l.table+"_x") {
		l.t.Fatalf("the index is not used:\n%s", plan)
	}
	for range 12 {
		end := ""
		if l.r.Intn(2) == 0 {
			l.do("BEGIN")
			end = []string{"COMMIT", "ROLLBACK"}[l.r.Intn(2)]
		}
		for range 3 {
			l.write()
			l.compare()
		}
		if end != "" {
			l.do("%s", end)
			l.compare()
		}
	}
}

// write changes some rows, by key too.
func (l *lookupCase) write() {
	n := l.r.Intn(4)
	switch l.r.Intn(4) {
	case 0:
		l.do("DELETE FROM %s WHERE k = %s AND n = %d", l.table, l.value(true), n)
	case 1:
		l.do("UPDATE %s SET x = %s WHERE k = %s", l.table, l.value(false), l.value(true))
	default:
		l.do("INSERT INTO %s VALUES (%s, %d, %s) ON CONFLICT (k, n) DO UPDATE SET x = excluded.x", l.table, l.value(true), n, l.value(false))
	}
}

func (l *lookupCase) compare() {
	l.t.Helper()
	k, n, x := l.value(false), l.r.Intn(4), l.value(false)
	for _, c := range [][2]string{
		{fmt.Sprintf("k = %s AND n = %d", k, n), fmt.Sprintf("k >= %s AND k <= %s AND n + 0 = %d", k, k, n)},
		{fmt.Sprintf("%s = k", k), fmt.Sprintf("k >= %s AND k <= %s", k, k)},
		{fmt.Sprintf("x = %s", x), fmt.Sprintf("x >= %s AND x <= %s", x, x)},
	} {
		const q = "SELECT k, n, x FROM %s WHERE %s ORDER BY 1, 2"
		got, want := l.do(q, l.table, c[0]), l.do(q, l.table, c[1])
		if got != want {
			l.t.Fatalf("WHERE %s: got\n%swant\n%s", c[0], got, want)
		}
	}
}

// An index that is younger than what a transaction reads knows nothing of it.
func TestLookupInOlderEpoch(t *testing.T) {
	d, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	reader, err := d.NewSession(Startup{})
	if err != nil {
		t.Fatal(err)
	}
	writer, err := d.NewSession(Startup{})
	if err != nil {
		t.Fatal(err)
	}
	exec(t, writer, "CREATE TABLE t (k int PRIMARY KEY, x int); INSERT INTO t VALUES (1, 7)")
	exec(t, reader, "BEGIN ISOLATION LEVEL REPEATABLE READ")
	const query = "SELECT k FROM t WHERE x = 7"
	before := exec(t, reader, query)
	exec(t, writer, "CREATE INDEX t_x ON t (x); INSERT INTO t VALUES (2, 7)")
	if got := exec(t, reader, query); got != before {
		t.Errorf("the transaction reads\n%safter\n%s", got, before)
	}
	exec(t, reader, "COMMIT")
	if got, want := exec(t, reader, query+" ORDER BY k"), "+ 1\n+ 2\n"; got != want {
		t.Errorf("afterwards %q, want %q", got, want)
	}
	reader.Close()
	writer.Close()
	if err := d.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
}
