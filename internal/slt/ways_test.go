package slt

import (
	"slices"
	"strings"
	"testing"
)

const wayScript = `
statement ok
create table t (a int);

statement ok
create materialized view m as select a from t;

statement ok
insert into t values (1);

statement ok
insert into t values (2);

query I
select a from m;
----
1
2
`

func wayOf(t *testing.T, name string) []string {
	t.Helper()
	unit := Unit{Path: "t.slt", Recs: Parse("t.slt", wayScript, nil)}
	out, err := inWays([]Unit{unit}, []string{name})
	if err != nil || len(out) != 1 {
		t.Fatal(out, err)
	}
	var texts []string
	for _, r := range out[0].Recs {
		texts = append(texts, strings.TrimSuffix(strings.TrimSpace(r.SQL), ";"))
	}
	return texts
}

func TestWays(t *testing.T) {
	const (
		table, view   = "create table t (a int)", "create materialized view m as select a from t"
		first, second = "insert into t values (1)", "insert into t values (2)"
		query, again  = "select a from m", "restart"
		check         = "select count(*) from ((select * from m except all (select a from t)) union all ((select a from t) except all select * from m)) difference"
	)
	for name, want := range map[string][]string{
		"incremental": {table, view, first, second, query, check},
		"backfill":    {table, first, second, view, query, check},
		"throttled":   {"set background_ddl = true", "set backfill_rate_limit = 40", table, first, view, second, "wait", query, "wait", check},
		"arranged":    {"set background_ddl = true", "set backfill_mode = 'arrangement'", "set backfill_rate_limit = 400", table, first, view, second, "wait", query, "wait", check},
		"restarted":   {table, again, view, again, first, again, second, again, query, check},
		"rescaled": {"set background_ddl = true", "set streaming_parallelism = 1", "set backfill_rate_limit = 4000", table, first, view,
			"alter materialized view m set parallelism = 4", second, "wait", "alter materialized view m set parallelism = 2", query, "wait", check},
		"parallel": {"set streaming_parallelism = 4", table, view, first, second, query, check},
	} {
		if got := wayOf(t, name); !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	if _, err := inWays(nil, []string{"sideways"}); err == nil {
		t.Error("an unknown way was taken")
	}
}

// comparisons is how often the views of a script are compared with their queries.
func comparisons(script string) (n int) {
	for _, r := range checkViews(Parse("m.slt", script, nil)) {
		if strings.Contains(r.SQL, "difference") {
			n++
		}
	}
	return n
}

// Under another search path the names of a view and of what it reads mean something else, so it is not compared there.
func TestWaysKeepToThePath(t *testing.T) {
	const script = "statement ok\ncreate materialized view m as select a from t\n\nquery I\nselect 1\n----\n1\n\n"
	for set, compared := range map[string]int{
		"set search_path = pg_catalog":                        1,
		"SET SESSION search_path TO s, public;":               1,
		"set schema 's'":                                      1,
		"reset search_path":                                   2,
		"set search_path = s\n\nstatement ok\nreset all":      2,
		"set search_path_of_mine = 1":                         2,
		"set search_path = s\n\nstatement ok\nset schema 's'": 1,
	} {
		if n := comparisons(script + "statement ok\n" + set + "\n\nquery I\nselect 2\n----\n2\n"); n != compared {
			t.Errorf("%s: compared %d times, want %d", set, n, compared)
		}
	}
}

// A script about how views come to be is run once, and nothing is added to it.
func TestWaysOff(t *testing.T) {
	unit := Unit{Path: "t.slt", Recs: Parse("t.slt", "control ways off\n"+wayScript, nil)}
	out, err := inWays([]Unit{unit}, []string{"backfill", "restarted"})
	if err != nil || len(out) != 1 || len(out[0].Recs) != len(unit.Recs) || out[0].Way != "" {
		t.Errorf("%d units, %v: %+v", len(out), err, out)
	}
}

// What a script builds in the background has no answer before the script reads it, so it is not compared before.
func TestWaysLeaveBackgroundViewsAlone(t *testing.T) {
	const made = "statement ok\ncreate materialized view n as select count(*) from t\n\nquery I\nselect min(a) from other\n----\n1\n\n"
	for set, compared := range map[string]int{
		"set background_ddl = true": 1, "SET SESSION background_ddl TO 'on';": 1, "set background_ddl = false": 2,
		"set background_ddl = on\n\nstatement ok\nreset background_ddl": 2,
	} {
		if n := comparisons("statement ok\n" + set + "\n\n" + made + "query I\nselect * from n\n----\n1\n"); n != compared {
			t.Errorf("%s: compared %d times, want %d", set, n, compared)
		}
	}
}

// A view that comes to be slowly is waited for before all that reads it, a cursor too.
func TestWaysWaitBeforeCursors(t *testing.T) {
	const cursor = "declare c cursor for select a from m"
	recs := waitBeforeQueries(Parse("c.slt", "statement ok\n"+cursor+"\n\nstatement error\n"+cursor+"\n", nil))
	var texts []string
	for _, r := range recs {
		texts = append(texts, strings.TrimSpace(r.SQL))
	}
	if want := []string{"wait", cursor, cursor}; !slices.Equal(texts, want) {
		t.Errorf("%q, want %q", texts, want)
	}
}
