package session

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv/pebblekv"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/settings"
)

// Whatever holds rows for a query is counted: a query that does not fit is refused, leaves nothing behind, and others go on.
func TestQueriesThatDoNotFitAreRefused(t *testing.T) {
	_, s := opened(t, Options{Memory: mem.New("process", 4<<20)})
	exec(t, s, "CREATE TABLE few (k int PRIMARY KEY); INSERT INTO few VALUES (1), (2)")
	const many = "generate_series(1, 80000) AS g(i)"
	for name, sql := range map[string]string{
		"group":    "SELECT i, count(*) FROM " + many + " GROUP BY i",
		"collect":  "SELECT length(string_agg(i::text, '')) FROM " + many,
		"distinct": "SELECT count(DISTINCT i) FROM " + many,
		"sort":     "SELECT i FROM " + many + " ORDER BY -i",
		"join":     "SELECT count(*) FROM " + many + " JOIN generate_series(1, 80000) AS h(j) ON i = j",
		"except":   "SELECT i FROM " + many + " EXCEPT SELECT 1",
		"window":   "SELECT i, lag(i) OVER (ORDER BY i) FROM " + many,
		"not in":   "SELECT k FROM few WHERE k NOT IN (SELECT i FROM " + many + ")",
		"change":   "INSERT INTO few SELECT i + 10 FROM " + many,
	} {
		err := s.Simple(t.Context(), sql, func(r Result) error {
			for {
				if c, err := r.Next(t.Context()); c == nil || err != nil {
					r.Close()
					return err
				}
			}
		})
		if e, ok := errs.As(err); !ok || e.Entry != errs.OutOfMemory {
			t.Errorf("%s: %v, want %s", name, err, errs.OutOfMemory.Code)
		}
		s.Abort()
		if used := s.memory.Used(); used != 0 {
			t.Errorf("%s has left %d bytes in its account", name, used)
		}
	}
	if got, want := exec(t, s, "SELECT i, k FROM "+many+" JOIN few ON k = i % 3 ORDER BY i DESC LIMIT 2"), "+ 80000 2\n+ 79999 1\n"; got != want {
		t.Errorf("a query that fits gives %q, want %q", got, want)
	}
}

// With a directory, what queries sort and group may be larger than memory; nothing of it is left.
func TestQueriesAreLargerThanMemory(t *testing.T) {
	dir := t.TempDir()
	memory := mem.New("process", 16<<20)
	_, s := opened(t, Options{Dir: dir, Memory: memory})
	const many = "generate_series(1, 60000) AS g(i)"
	for sql, want := range map[string]string{
		"SELECT count(*), sum(n), min(k), max(k) FROM (SELECT i % 50000 AS k, count(*) AS n FROM " + many + " GROUP BY i % 50000) x": "+ 50000 60000 0 49999\n",
		"SELECT i FROM " + many + " ORDER BY -i OFFSET 59998":                                                                        "+ 2\n+ 1\n",
		"SELECT k FROM (SELECT DISTINCT i % 50000 AS k FROM " + many + ") x ORDER BY k DESC LIMIT 2":                                 "+ 49999\n+ 49998\n",
	} {
		before := s.d.spill.Files()
		if got := exec(t, s, sql); got != want {
			t.Errorf("%s gives %q, want %q", sql, got, want)
		}
		if s.d.spill.Files() == before {
			t.Errorf("%s has made no file", sql)
		}
	}
	if left := statementFiles(t, dir); len(left) > 0 || s.memory.Used() != 0 {
		t.Errorf("left: %v, %d bytes", left, s.memory.Used())
	}
}

// With a directory, what a statement changes may be larger than the memory of its session. All of it is in one epoch, what is
// undone leaves nothing.
func TestChangesAreLargerThanMemory(t *testing.T) {
	dir := t.TempDir()
	d, s := opened(t, Options{Dir: dir, Memory: mem.New("process", 16<<20)})
	exec(t, s, "CREATE TABLE a (i int PRIMARY KEY, v text); CREATE MATERIALIZED VIEW sums AS SELECT count(*) AS n, sum(i) AS s, max(v) AS v FROM a")
	files := d.spill.Files()
	step := func(sql, count, view string) {
		t.Helper()
		exec(t, s, sql)
		if now := d.spill.Files(); now == files {
			t.Errorf("%s has made no file", sql)
		} else {
			files = now
		}
		if got := exec(t, s, "SELECT count(*), sum(i) FROM a"); got != count {
			t.Errorf("after %s the table has %q, want %q", sql, got, count)
		}
		if got := exec(t, s, "SELECT n, s, v FROM sums"); got != view {
			t.Errorf("after %s the view has %q, want %q", sql, got, view)
		}
	}
	const rows = "SELECT i, 'value ' || i FROM generate_series(1, 6000) AS g(i)"
	step("INSERT INTO a "+rows, "+ 6000 18003000\n", "+ 6000 18003000 \"value 999\"\n")
	step("UPDATE a SET v = v || '!'", "+ 6000 18003000\n", "+ 6000 18003000 \"value 999!\"\n")
	step("UPDATE a SET i = i + 10", "+ 6000 18063000\n", "+ 6000 18063000 \"value 999!\"\n")
	step("BEGIN; DELETE FROM a WHERE i > 11; ROLLBACK", "+ 6000 18063000\n", "+ 6000 18063000 \"value 999!\"\n")
	step("BEGIN; DELETE FROM a; INSERT INTO a "+rows+" WHERE i < 3; COMMIT", "+ 2 3\n", "+ 2 3 \"value 2\"\n")
	err := s.Simple(t.Context(), "INSERT INTO a SELECT 8000 - i, 'x' FROM generate_series(1, 7999) AS g(i)", func(r Result) error { return nil })
	if e, ok := errs.As(err); !ok || e.Entry != errs.UniqueViolation {
		t.Errorf("%v, want %s", err, errs.UniqueViolation.Code)
	}
	s.Abort()
	if used := s.memory.Used(); used != 0 {
		t.Errorf("%d bytes are left", used)
	}
	if left := statementFiles(t, dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// statementFiles are the temporary files of statements; a commit may have some of its own there at any time.
func statementFiles(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(pebblekv.SpillDir(dir), "statement-*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// Views whose state is many times what may stay in memory are right, and give back what they read.
func TestViewsAreLargerThanMemory(t *testing.T) {
	memory := mem.New("process", 1<<20)
	_, s := opened(t, Options{Memory: memory})
	exec(t, s, `CREATE TABLE a (i int PRIMARY KEY, k int, v text); CREATE TABLE b (k int PRIMARY KEY, w text);
		CREATE MATERIALIZED VIEW groups AS SELECT k, count(*) AS n, max(v) AS v FROM a GROUP BY k;
		CREATE MATERIALIZED VIEW pairs AS SELECT a.i, a.v, b.w FROM a LEFT JOIN b ON a.k = b.k;
		CREATE MATERIALIZED VIEW firsts AS SELECT DISTINCT k % 2000 AS k FROM a`)
	const keys, rows, step = 4000, 8000, 500
	for from := 0; from < rows; from += step {
		exec(t, s, fmt.Sprintf("INSERT INTO a SELECT i, i %% %d, 'value ' || i FROM generate_series(%d, %d) AS g(i)", keys, from, from+step-1))
	}
	for from := 0; from < keys; from += step {
		exec(t, s, fmt.Sprintf("INSERT INTO b SELECT i, 'other ' || i FROM generate_series(%d, %d) AS g(i) WHERE i %% 2 = 0", from, from+step-1))
	}
	exec(t, s, "DELETE FROM a WHERE i < 500; UPDATE a SET v = 'z' WHERE i BETWEEN 6000 AND 6009")
	for sql, want := range map[string]string{
		"SELECT count(*), sum(n), count(*) FILTER (WHERE v = 'z'), count(*) FILTER (WHERE n = 1) FROM groups": "+ 4000 7500 10 500\n",
		"SELECT count(*), count(w), count(*) FILTER (WHERE v = 'z') FROM pairs":                               "+ 7500 3750 10\n",
		"SELECT count(*), sum(k) FROM firsts":                                                                 "+ 2000 1999000\n",
	} {
		if got := exec(t, s, sql); got != want {
			t.Errorf("%s\ngot  %swant %s", sql, got, want)
		}
	}
	for _, a := range memory.Accounts() {
		if a.Name() == "state" && a.Used() > 3*a.Limit() {
			t.Errorf("caches hold %d bytes, the limit is %d", a.Used(), a.Limit())
		}
	}
}

// What was staged is counted, and a commit begins by itself when that takes more than its part.
func TestChangesAreCommittedBeforeTheyAreTooMany(t *testing.T) {
	set := settings.NewServer(settings.NewRegistry())
	if err := set.Alter("checkpoint_interval", "10min"); err != nil {
		t.Fatal(err)
	}
	memory := mem.New("process", 4<<20)
	d, s := opened(t, Options{Memory: memory, Settings: set})
	exec(t, s, "CREATE TABLE a (i int PRIMARY KEY, v text); CREATE MATERIALIZED VIEW lengths AS SELECT i, length(v) AS n FROM a")
	exec(t, s, "INSERT INTO a VALUES (0, '')")
	exec(t, s, "SELECT count(*) FROM lengths") // what the creation has committed is over
	rel, _ := d.engine.Catalog().Find("public", "a")
	if err := d.engine.WaitDurable(t.Context(), d.engine.Visible()); err != nil {
		t.Fatal(err)
	}
	exec(t, s, "INSERT INTO a SELECT i, repeat('x', 100) FROM generate_series(1, 3000) AS g(i)")
	exec(t, s, "SELECT count(*) FROM lengths")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	view, _, err := d.engine.NextDurable(ctx, rel.Job, d.engine.Visible()-1)
	if err != nil {
		t.Fatal("nobody has begun a commit:", err)
	}
	view.Close()
	for _, a := range memory.Accounts() {
		if a.Name() == "changes" && (a.Peak() < a.Limit() || a.Peak() > 8*a.Limit()) {
			t.Errorf("changes took %d bytes, their part is %d", a.Peak(), a.Limit())
		}
	}
}
