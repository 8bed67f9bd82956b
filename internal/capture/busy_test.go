package capture_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/pgserver"
	"github.com/tidemark-db/tidemark/internal/pgtest"
)

var busySeconds = flag.Int("busy.seconds", 4, "how long the writers of TestBusyUpstream write")

// keptMax bounds the log that a slot may hold back while its tables have much to read: what is written within some seconds,
// and the log of a transaction that is open.
const keptMax = 64 << 20

// busyTables are captured one after the other while they are written to; the history of the last one is paused for half of
// the time.
const busyTables = 4

// TestBusyUpstream captures tables while writers change them, with every kind of commit: waited for, not waited for, waited
// for by a standby that answers late, and one that is open all the time. Afterwards each table equals the upstream's, and the
// slot has not held back more than it should. With -busy.seconds it runs longer.
func TestBusyUpstream(t *testing.T) {
	pg := pgtest.Start(t, pgtest.Options{Logical: true})
	var setup strings.Builder
	for i := range busyTables {
		fmt.Fprintf(&setup, "CREATE TABLE b%[1]d (id int PRIMARY KEY, v int, pad text); INSERT INTO b%[1]d SELECT x, 0, repeat('p', 50) FROM generate_series(1, 20000) x;", i)
	}
	w := newWorld(t, pg, setup.String())
	w.exec("CREATE SOURCE up " + w.with("slot.name = 'mine'"))
	w.exec("CREATE TABLE b0 (*) FROM up TABLE 'b0'")

	long := openTransaction(t, pg, "UPDATE b1 SET v = v + 1 WHERE id % 100 = 7; INSERT INTO b2 VALUES (-7, 1)")
	end, step := time.Now().Add(time.Duration(*busySeconds)*time.Second), time.Duration(*busySeconds)*time.Second/8
	writers := startWriters(t, pg, end)
	w.exec(fmt.Sprintf("SET background_ddl = true; SET backfill_rate_limit = %d", 60000/(*busySeconds)))
	for i := 1; i < busyTables; i++ {
		time.Sleep(step) // the moments are the test's input
		w.exec(fmt.Sprintf("CREATE TABLE b%[1]d (*) FROM up TABLE 'b%[1]d'", i))
	}
	w.exec(fmt.Sprintf("ALTER TABLE b%d SET backfill_rate_limit = 0", busyTables-1))
	w.until(func() bool { return strings.Contains(w.jobs(), "waits for upstream transaction") })
	pg.Exec("ALTER SYSTEM SET synchronous_standby_names = 'late'")
	pg.Query("SELECT pg_reload_conf()")
	time.Sleep(step)
	pg.Exec("ALTER SYSTEM RESET synchronous_standby_names") // the standby has answered
	pg.Query("SELECT pg_reload_conf()")
	long("COMMIT")
	w.restart()
	writers.Wait()
	w.until(func() bool { // the paused table does not hold the slot back
		return number(t, w.upstream("SELECT (pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn))::bigint FROM pg_replication_slots")[0]) < 1<<16
	})
	kept := number(t, w.upstream("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::bigint FROM pg_replication_slots")[0])
	if kept > keptMax {
		t.Errorf("the slot holds back %d bytes", kept)
	}
	t.Logf("%d transactions, %d bytes of log held back at their end", writers.committed.Load(), kept)
	w.exec(fmt.Sprintf("ALTER TABLE b%d SET backfill_rate_limit = DEFAULT", busyTables-1))
	for i := range busyTables {
		w.same(fmt.Sprintf("SELECT id, v FROM b%d", i))
	}
}

// openTransaction begins one; what it returns runs a last statement in it.
func openTransaction(t *testing.T, pg *pgtest.Server, sql string) (last func(sql string)) {
	t.Helper()
	c, err := pg.Dial()
	if err != nil {
		t.Fatal(err)
	}
	run := func(sql string) {
		if _, err := c.Exec(context.Background(), sql).ReadAll(); err != nil {
			t.Fatal(err)
		}
	}
	run("BEGIN; " + sql)
	return func(sql string) {
		run(sql)
		pgserver.CloseConn(c)
	}
}

// busyWriters are on their way, and count what they have committed.
type busyWriters struct {
	sync.WaitGroup
	committed atomic.Int64
}

// startWriters change all tables until a time: each a range of keys of its own, so that they do not wait for each other.
func startWriters(t *testing.T, pg *pgtest.Server, end time.Time) *busyWriters {
	var all busyWriters
	for n := range 3 {
		all.Go(func() {
			rnd := rand.New(rand.NewPCG(1, uint64(n)))
			for time.Now().Before(end) {
				if _, err := pg.Try(busyTransaction(rnd, n)); err != nil {
					t.Error(err)
					return
				}
				all.committed.Add(1)
			}
		})
	}
	return &all
}

// busyTransaction is a random one of a writer. Keys that the transaction that is open has written are left out.
func busyTransaction(rnd *rand.Rand, writer int) string {
	sql := "BEGIN; SET LOCAL synchronous_commit = " + []string{"on", "off", "local"}[rnd.IntN(3)] + ";"
	for range 1 + rnd.IntN(4) {
		table, id := rnd.IntN(busyTables), rnd.IntN(6000)*3+1+writer
		if id%100 == 7 {
			continue
		}
		switch rnd.IntN(5) {
		case 0:
			sql += fmt.Sprintf("DELETE FROM b%d WHERE id = %d;", table, id)
		case 1:
			sql += fmt.Sprintf("INSERT INTO b%d VALUES (%d, 5, 'new') ON CONFLICT DO NOTHING;", table, 30000+id)
		case 2:
			sql += fmt.Sprintf("UPDATE b%[1]d SET id = id + 60000 WHERE id = %[2]d AND NOT EXISTS (SELECT FROM b%[1]d WHERE id = %[2]d + 60000);", table, id)
		default:
			sql += fmt.Sprintf("UPDATE b%d SET v = v + 1 WHERE id BETWEEN %d AND %d AND id %% 3 = %d AND id %% 100 <> 7;", table, id, id+rnd.IntN(300), (1+writer)%3)
		}
	}
	return sql + "COMMIT"
}

// testUpstreamOnly follows changes of a table without its history: rows come as they are changed, a value that the log
// leaves out is read.
func testUpstreamOnly(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, "CREATE TABLE o (id int PRIMARY KEY, v int, body text); ALTER TABLE o ALTER COLUMN body SET STORAGE EXTERNAL; INSERT INTO o SELECT x, 0, repeat('b', 5000) FROM generate_series(1, 100) x")
	w.exec("CREATE SOURCE up " + w.with())
	w.exec("CREATE TABLE o (*) FROM up TABLE 'o' WITH (snapshot = 'false')")
	if rows := w.exec("SELECT * FROM o"); len(rows) != 0 {
		t.Errorf("%d rows of history", len(rows))
	}
	w.pg.Exec("UPDATE o SET v = v + 1 WHERE id <= 10; DELETE FROM o WHERE id = 5 OR id = 50; INSERT INTO o VALUES (200, 1, 'x'); UPDATE o SET id = 300 WHERE id = 60")
	follows := func() {
		t.Helper()
		w.follows("SELECT id, v, md5(body) FROM o", "SELECT id, v, md5(body) FROM o WHERE v > 0 OR id = 300")
	}
	follows()
	w.restart()
	w.pg.Exec("UPDATE o SET v = v + 1 WHERE id BETWEEN 8 AND 12")
	follows()
	w.pg.Exec("TRUNCATE o; INSERT INTO o VALUES (1, 1, 'y')")
	follows()
}
