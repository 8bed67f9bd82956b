package capture_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/pgtest"
)

// jobs is SHOW JOBS as one text.
func (w *world) jobs() string { return strings.Join(w.exec("SHOW JOBS"), "\n") }

// testRefresh reads a source anew whose log is gone. Its tables and views answer all the time, and get the differences.
func testRefresh(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, `CREATE TABLE a (id int PRIMARY KEY, v int); INSERT INTO a SELECT x, 0 FROM generate_series(1, 3000) x;
CREATE TABLE n (k numeric PRIMARY KEY, v int); INSERT INTO n SELECT x, 0 FROM generate_series(1, 100) x; CREATE TABLE gone (id int PRIMARY KEY)`)
	w.exec("CREATE SOURCE up " + w.with("slot.name = 'mine'"))
	for _, table := range []string{"a", "n", "gone"} {
		w.exec(fmt.Sprintf("CREATE TABLE %s (*) FROM up TABLE '%s'", table, table))
	}
	w.exec("CREATE MATERIALIZED VIEW m AS SELECT v, count(*) AS n FROM a GROUP BY v; CREATE SUBSCRIPTION ch FROM a WITH (retention = '1h'); FLUSH")
	w.close()
	w.dropSlot("mine")
	pg.Exec("DELETE FROM a WHERE id % 100 = 0; UPDATE a SET v = 1 WHERE id % 100 = 1; INSERT INTO a VALUES (-5, 2), (9000, 2); DELETE FROM n WHERE k < 50; DROP TABLE gone")
	w.open()
	w.until(func() bool {
		return strings.Contains(w.jobs(), "does not exist: changes since")
	})
	if rows := w.exec("SELECT n FROM m"); len(rows) != 1 || rows[0] != "3000" {
		t.Errorf("while the log is gone the view has %v", rows)
	}
	w.exec("DECLARE changes SUBSCRIPTION CURSOR FOR ch SINCE now()")
	w.exec("REFRESH SOURCE up")
	w.same("SELECT * FROM a")
	w.same("SELECT * FROM n")
	w.follows("SELECT * FROM m", "SELECT v, count(*) FROM a GROUP BY v")
	w.exec("FLUSH")
	if rows := w.exec("FETCH 1000 FROM changes"); len(rows) != 30+2*30+2 {
		t.Errorf("%d changes were made of 62 differences", len(rows))
	}
	if !strings.Contains(w.jobs(), "FAILED") {
		t.Errorf("the table that is gone is not told of: %s", w.jobs())
	}
	w.exec("SELECT * FROM gone")
	w.exec("DROP TABLE gone")
	w.pg.Exec("UPDATE a SET v = v + 1 WHERE id < 50")
	w.same("SELECT * FROM a")
	if jobs := w.jobs(); jobs != "" {
		t.Errorf("jobs %s", jobs)
	}
	w.exec("REFRESH TABLE a")
	w.same("SELECT * FROM a")
	if _, err := w.try("REFRESH TABLE m"); !errs.Of(err, errs.NotASource) {
		t.Error(err)
	}
	w.restart()
	w.pg.Exec("DELETE FROM a WHERE id > 100")
	w.same("SELECT * FROM a")
}

// testColumnsChangeUpstream tells how columns differ, goes on without them, and takes them over when it is told to.
func testColumnsChangeUpstream(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, `CREATE TABLE c (id int PRIMARY KEY, a int, b int); INSERT INTO c VALUES (1, 1, 1); CREATE TABLE other (id int PRIMARY KEY); CREATE TABLE auto (id int PRIMARY KEY, a int); INSERT INTO auto VALUES (1, 1)`)
	w.exec("CREATE SOURCE up " + w.with() + "; CREATE SOURCE auto_up " + w.with("auto.schema.change = 'true'"))
	w.exec("CREATE TABLE c (*) FROM up TABLE 'c'; CREATE TABLE few (id int PRIMARY KEY, b int) FROM up TABLE 'c'; CREATE TABLE other (*) FROM up TABLE 'other'; CREATE TABLE auto (*) FROM auto_up TABLE 'auto'")
	w.exec("CREATE MATERIALIZED VIEW mb AS SELECT count(*) AS n, sum(b) AS s FROM c")
	// A column that is gone is NULL in what comes; a new one is passed over until it is asked for.
	w.pg.Exec("ALTER TABLE c DROP COLUMN b; INSERT INTO c VALUES (10, 1)")
	w.until(func() bool {
		return strings.Contains(w.jobs(), `DRIFTED`) && strings.Contains(w.jobs(), `column "b" is gone upstream`)
	})
	w.follows("SELECT * FROM c", "SELECT id, a, CASE WHEN id = 1 THEN 1 END FROM c")
	w.pg.Exec("ALTER TABLE c ADD COLUMN d int DEFAULT 7, ADD COLUMN e text; INSERT INTO c VALUES (11, 2, 5, 'x')")
	w.until(func() bool {
		return strings.Contains(w.jobs(), `column "d" is new upstream`) && strings.Contains(w.jobs(), "ALTER TABLE c REFRESH SCHEMA")
	})
	w.follows("SELECT id, a FROM c", "SELECT id, a FROM c")
	w.exec("ALTER TABLE c REFRESH SCHEMA")
	w.same("SELECT id, a, d, e FROM c")
	w.pg.Exec("UPDATE c SET e = 'y', d = NULL WHERE id = 1")
	w.same("SELECT id, a, d, e FROM c")
	w.follows("SELECT n FROM mb", "SELECT count(*) FROM c")
	// A type whose values do not fit fails its table alone, which keeps its rows.
	w.pg.Exec("ALTER TABLE c ALTER COLUMN a TYPE bigint; INSERT INTO c VALUES (12, 5000000000, 1, ''); INSERT INTO other VALUES (1)")
	w.until(func() bool { return strings.Contains(w.jobs(), "FAILED") && strings.Contains(w.jobs(), `column "a"`) })
	w.same("SELECT * FROM other")
	if rows := w.exec("SELECT id FROM c"); len(rows) != 3 {
		t.Errorf("rows %v", rows)
	}
	w.exec("DROP MATERIALIZED VIEW mb; ALTER TABLE c REFRESH SCHEMA")
	w.same("SELECT id, a, d, e FROM c")
	w.restart()
	w.pg.Exec("ALTER TABLE c RENAME COLUMN d TO f; INSERT INTO c VALUES (13, 1, 2, 'z')")
	w.until(func() bool {
		return strings.Contains(w.jobs(), `column "f" is new upstream`) && strings.Contains(w.jobs(), `column "d" is gone upstream`)
	})
	// A source may be told to take new columns over by itself.
	w.pg.Exec("ALTER TABLE auto ADD COLUMN b int DEFAULT 7, ADD COLUMN at timestamptz NOT NULL DEFAULT '2024-01-01Z'; INSERT INTO auto VALUES (2, 2, 3)")
	w.same("SELECT * FROM auto")
	w.exec("DROP TABLE c CASCADE") // the other table of the same one upstream goes on
	w.pg.Exec("DELETE FROM c WHERE id = 12")
	w.follows("SELECT * FROM few", "SELECT id, NULL FROM c")
}

// testAlteredDuringHistory alters tables while their histories are read.
func testAlteredDuringHistory(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, `CREATE TABLE a (id int PRIMARY KEY, v int, gone int); INSERT INTO a SELECT x, x, x FROM generate_series(1, 3000) x; CREATE TABLE b (id int PRIMARY KEY, v int); INSERT INTO b SELECT x, x FROM generate_series(1, 3000) x;
CREATE TABLE c (id int PRIMARY KEY, v int); INSERT INTO c SELECT x, x FROM generate_series(1, 3000) x`)
	w.exec("CREATE SOURCE up " + w.with() + "; SET background_ddl = true; SET backfill_rate_limit = 300")
	for _, name := range []string{"a", "b", "c"} {
		w.exec("CREATE TABLE " + name + " (*) FROM up TABLE '" + name + "'")
	}
	w.until(func() bool { return len(w.exec("SELECT 1 FROM tm_captured_tables WHERE rows_read > 0")) == 3 })
	w.pg.Exec("ALTER TABLE a DROP COLUMN gone; ALTER TABLE a ADD COLUMN fresh text DEFAULT 'f'; UPDATE a SET v = -v WHERE id % 3 = 0; ALTER TABLE a RENAME TO a2; INSERT INTO a2 VALUES (5000, 1); ALTER TABLE a2 RENAME TO a")
	w.pg.Exec("ALTER TABLE b ALTER COLUMN v TYPE bigint; UPDATE b SET v = v + 1 WHERE id % 3 = 0; INSERT INTO b VALUES (5000, 50000000000)")
	w.pg.Exec("DROP TABLE c; CREATE TABLE c (id int PRIMARY KEY, v int); INSERT INTO c SELECT x, -x FROM generate_series(1, 100) x")
	for _, name := range []string{"a", "b", "c"} {
		w.exec("ALTER TABLE " + name + " SET backfill_rate_limit = DEFAULT")
	}
	w.follows("SELECT id, v FROM a", "SELECT id, v FROM a")
	w.told("DRIFTED", `"fresh" is new upstream`)
	w.told("FAILED", `column "v"`)
	w.told("FAILED", `leaves out public.c`)
	w.exec("ALTER TABLE a REFRESH SCHEMA; ALTER TABLE b REFRESH SCHEMA")
	w.same("SELECT id, v, fresh FROM a")
	w.same("SELECT * FROM b")
	w.exec("ALTER JOB " + w.job("c") + " RESUME")
	w.same("SELECT * FROM c")
}
