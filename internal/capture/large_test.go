package capture_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/connector/builtin"
	"github.com/tidemark-db/tidemark/internal/mem"
	"github.com/tidemark-db/tidemark/internal/pgtest"
	"github.com/tidemark-db/tidemark/internal/session"
)

// testLargeTransactions follows transactions of the upstream that are applied in parts, and a TRUNCATE that is done in slices,
// with restarts in the middle of them.
func testLargeTransactions(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, `CREATE TABLE big (id int PRIMARY KEY, v int, filler text); INSERT INTO big SELECT x, 1, repeat('x', 300) FROM generate_series(1, 70000) x;
CREATE TABLE pk (id int PRIMARY KEY DEFERRABLE, v int, filler text); ALTER TABLE pk REPLICA IDENTITY FULL; INSERT INTO pk SELECT x, x, repeat('y', 300) FROM generate_series(1, 20000) x`)
	w.exec("CREATE SOURCE up " + w.with())
	w.exec("CREATE TABLE big (*) FROM up TABLE 'big'; CREATE TABLE pk (*) FROM up TABLE 'pk'")
	w.exec("CREATE MATERIALIZED VIEW s AS SELECT count(*) AS n, sum(v) AS v FROM big")
	check := func() {
		t.Helper()
		w.follows("SELECT * FROM s", "SELECT count(*), sum(v) FROM big")
		w.follows("SELECT count(*), sum(v), sum(id + v), sum(length(filler)) FROM pk", "SELECT count(*), sum(v), sum(id::bigint + v), sum(length(filler)) FROM pk")
	}
	w.pg.Exec("BEGIN; UPDATE big SET v = v + id; UPDATE pk SET id = id + 1; DELETE FROM big WHERE id % 7 = 0; COMMIT")
	w.until(func() bool { return w.exec("SELECT count(*) FROM big WHERE v > 1")[0] != "0" }) // it is under way
	w.restart()
	check()
	w.pg.Exec("BEGIN; INSERT INTO big VALUES (-1, 5, ''); TRUNCATE big; INSERT INTO big VALUES (-2, 7, ''); COMMIT")
	w.restart()
	check()
}

var (
	largeRows   = flag.Int("large.rows", 8_000, "rows of the transaction of TestMemoryIsKept")
	largeMemory = flag.Int64("large.memory", 16<<20, "budget of TestMemoryIsKept in bytes")
)

// largeTimes is how much more a transaction changes than the account of captures may hold.
const largeTimes = 3

// TestMemoryIsKept captures a table and then transactions that change and delete all of it, several times what the account of
// captures may hold: it is never above its limit, and nothing is left in it. With -large.rows they are larger.
func TestMemoryIsKept(t *testing.T) {
	pg := pgtest.Start(t, pgtest.Options{Logical: true})
	w := newWorld(t, pg, fmt.Sprintf(`CREATE TABLE m (id int PRIMARY KEY, v int, filler text); ALTER TABLE m REPLICA IDENTITY FULL;
INSERT INTO m SELECT x, 1, repeat('x', 300) FROM generate_series(1, %d) x`, *largeRows))
	w.close()
	w.patience = time.Duration(5+*largeRows/50_000) * followMax // however loaded the machine is
	memory := mem.New("process", *largeMemory)
	w.openWith(session.Options{Dir: w.dir, Systems: builtin.Systems(), Memory: memory})
	w.exec("CREATE SOURCE up " + w.with() + "; CREATE TABLE m (*) FROM up TABLE 'm'")
	captures := memory.Accounts()[slices.IndexFunc(memory.Accounts(), func(a *mem.Budget) bool { return a.Name() == "captures" })]
	if changed := int64(*largeRows) * 2 * 300; changed < largeTimes*captures.Limit() {
		t.Fatalf("a transaction of %d bytes proves nothing about %d", changed, captures.Limit())
	}
	const sum = "SELECT count(*), sum(v), sum(id::bigint), sum(length(filler)) FROM m"
	kept := func(what string, least int64) {
		t.Helper()
		w.same(sum)
		if peak, limit := captures.Peak(), captures.Limit(); peak > limit || peak < least {
			t.Errorf("%s: %d bytes were held, of %d", what, peak, limit)
		}
		w.until(func() bool { return captures.Used() == 0 })
	}
	kept("history", 64<<10)
	pg.Exec("BEGIN; UPDATE m SET v = v + id; DELETE FROM m WHERE id % 7 = 0; UPDATE m SET id = -id WHERE id % 5 = 0; COMMIT")
	kept("changes", 64<<10)
	pg.Exec("TRUNCATE m; INSERT INTO m VALUES (1, 1, '')")
	kept("TRUNCATE", 64<<10)
	t.Logf("%d rows, %d bytes held at most of %d, the process %d of %d", *largeRows, captures.Peak(), captures.Limit(), memory.Peak(), *largeMemory)
}

// testRowTooLarge leaves out the table with a row above row_size_max, in changes and in history, and follows the others.
func testRowTooLarge(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, "CREATE TABLE big (id int PRIMARY KEY, a text); CREATE TABLE small (id int PRIMARY KEY)")
	w.exec("ALTER SYSTEM SET row_size_max = '1kB'")
	w.restart()
	w.exec("CREATE SOURCE up " + w.with() + "; CREATE TABLE big (*) FROM up TABLE 'big'; CREATE TABLE small (*) FROM up TABLE 'small'")
	w.pg.Exec("INSERT INTO big VALUES (1, 'a'), (2, repeat('a', 3000)); INSERT INTO small VALUES (1)")
	w.same("SELECT * FROM small")
	w.until(func() bool { return strings.Contains(w.jobs(), "more than the 1024 that a row may have") })
	w.pg.Exec("INSERT INTO small VALUES (2); DELETE FROM big WHERE id = 2")
	w.same("SELECT * FROM small")
	w.exec("REFRESH TABLE big")
	w.same("SELECT * FROM big")
}
