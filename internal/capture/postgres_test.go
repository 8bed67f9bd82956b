package capture_test

import (
	"testing"

	"github.com/tidemark-db/tidemark/internal/pgtest"
)

// testFollowsAllChanges takes a table through history and every kind of change, with a view above it.
func testFollowsAllChanges(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, "CREATE TABLE t (id int PRIMARY KEY, g text, v bigint); INSERT INTO t SELECT i, 'g' || i % 7, i FROM generate_series(1, 1000) i")
	w.exec("CREATE SOURCE pg " + w.with())
	w.exec("CREATE TABLE t (*) FROM pg TABLE 'public.t'")
	w.exec("CREATE MATERIALIZED VIEW m AS SELECT g, count(*) AS n, sum(v) AS s FROM t GROUP BY g")
	check := func() {
		t.Helper()
		w.same("SELECT * FROM t")
		w.follows("SELECT * FROM m", "SELECT g, count(*), sum(v) FROM t GROUP BY g")
	}
	check()
	for _, sql := range []string{
		"INSERT INTO t VALUES (2000, 'new', 5)",
		"UPDATE t SET v = v + 1 WHERE id < 100",
		"UPDATE t SET id = id + 5000 WHERE id % 10 = 0",
		"DELETE FROM t WHERE g = 'g3'",
		"BEGIN; INSERT INTO t VALUES (7001, 'x', 1); UPDATE t SET v = 2 WHERE id = 7001; DELETE FROM t WHERE id = 7001; COMMIT",
		"BEGIN; INSERT INTO t VALUES (7002, NULL, NULL); TRUNCATE t; INSERT INTO t VALUES (1, 'after', 1); COMMIT",
	} {
		w.pg.Exec(sql)
		check()
	}
	w.restart()
	w.pg.Exec("INSERT INTO t SELECT i, 'h' || i % 3, i FROM generate_series(2, 50) i")
	check()
	w.exec("DROP SOURCE pg CASCADE")
	if rows := w.upstream("SELECT slot_name FROM pg_replication_slots UNION ALL SELECT pubname FROM pg_publication"); len(rows) > 0 {
		t.Errorf("left upstream: %v", rows)
	}
}
