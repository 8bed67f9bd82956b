package capture_test

import (
	"flag"
	"fmt"
	"testing"

	"github.com/tidemark-db/tidemark/internal/pgtest"
)

var pausedMegabytes = flag.Int("paused.megabytes", 96, "log that is written upstream while TestPausedTable has its table paused")

// walMax bounds the log that the upstream of TestPausedTable keeps once the slot has moved: some segments, whatever was written.
const walMax = 80 << 20

// TestPausedTable pauses a table's history at its beginning while much log passes, of that table, of another one and of one
// that is not captured: the slot moves on, the upstream throws its log away, and the table is right in the end.
func TestPausedTable(t *testing.T) {
	pg := pgtest.Start(t, pgtest.Options{Logical: true, Settings: map[string]string{"max_wal_size": "64MB", "min_wal_size": "32MB"}})
	w := newWorld(t, pg, `CREATE TABLE paused (id int PRIMARY KEY, v int); INSERT INTO paused SELECT x, 0 FROM generate_series(1, 2000) x;
CREATE TABLE other (id int PRIMARY KEY, v int); INSERT INTO other VALUES (1, 0); CREATE TABLE noise (t text)`)
	w.patience = 5 * followMax // all of the log is read by then, however loaded the machine is
	w.exec("CREATE SOURCE up " + w.with("slot.name = 'mine'") + "; CREATE TABLE other (*) FROM up TABLE 'other'")
	w.exec("SET background_ddl = true; SET backfill_rate_limit = 0; CREATE TABLE paused (*) FROM up TABLE 'paused'; SET backfill_rate_limit = DEFAULT")
	first := w.upstream("SELECT pg_current_wal_lsn()")[0]
	for i := range *pausedMegabytes {
		pg.Exec(fmt.Sprintf(`INSERT INTO noise SELECT repeat('n', 1000) FROM generate_series(1, 1000); TRUNCATE noise;
UPDATE paused SET v = v + 1 WHERE id %% 7 = %[1]d %% 7; DELETE FROM paused WHERE id = %[1]d; INSERT INTO paused VALUES (%[1]d + 5000, 1); UPDATE other SET v = v + 1`, i))
	}
	at := w.upstream("SELECT pg_current_wal_lsn()")[0]
	if written := number(t, w.upstream(fmt.Sprintf("SELECT pg_wal_lsn_diff('%s', '%s')::bigint", at, first))[0]); written < *pausedMegabytes<<20 {
		t.Fatalf("only %d bytes of log were written", written)
	}
	w.until(func() bool { // a checkpoint lets the slot's beginning move, and throws log away
		pg.Exec("CHECKPOINT")
		return w.upstream("SELECT confirmed_flush_lsn >= '" + at + "' FROM pg_replication_slots")[0] == "t" &&
			number(t, w.upstream("SELECT sum(size)::bigint FROM pg_ls_waldir()")[0]) <= walMax
	})
	w.same("SELECT * FROM other")
	if rows := w.exec("SELECT rows_read, state FROM tm_captured_tables WHERE name = 'paused'"); len(rows) != 1 || rows[0] != "0|SCANNING" {
		t.Errorf("the paused table is %v", rows)
	}
	w.exec("ALTER TABLE paused SET backfill_rate_limit = DEFAULT")
	w.same("SELECT * FROM paused")
}
