package capture_test

import (
	"testing"

	"github.com/tidemark-db/tidemark/internal/pgtest"
)

// testCommitsNobodySees reads history while transactions wait for a standby that does not come: they are in the log, and no
// snapshot sees them. Windows by position alone would lose them, and double those that are made without waiting.
func testCommitsNobodySees(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, "CREATE TABLE probe (x int); CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t SELECT x, 0 FROM generate_series(1, 2000) x")
	w.exec("CREATE SOURCE up " + w.with())
	w.exec("SET background_ddl = true; SET backfill_rate_limit = 4000; CREATE TABLE t (*) FROM up TABLE 't'")
	pg.Exec("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
	pg.Query("SELECT pg_reload_conf()")
	done, begun := make(chan error, 1000), 0
	begin := func(sql string) {
		begun++
		go func() {
			_, err := pg.Try(sql)
			done <- err
		}()
	}
	waiting := func() int { return len(w.upstream("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")) }
	w.until(func() bool { // the setting has arrived; one probe at a time, the server has few connections
		if len(done) == begun {
			begin("INSERT INTO probe VALUES (1)")
		}
		return waiting() > 0
	})
	before := waiting()
	begin("UPDATE t SET v = v + 1 WHERE id % 2 = 0")
	begin("UPDATE t SET id = -id WHERE id % 10 = 1")
	w.until(func() bool { return waiting() >= before+2 })
	for range 5 {
		pg.Exec("SET synchronous_commit = off; UPDATE t SET v = v + 10 WHERE id % 5 = 2 AND id % 2 = 1; INSERT INTO t SELECT max(id) + 1, 5 FROM t")
	}
	pg.Exec("ALTER SYSTEM RESET synchronous_standby_names")
	pg.Query("SELECT pg_reload_conf()")
	for range begun {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	w.same("SELECT * FROM t")
}
