package capture_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/pgtest"
)

// TestInvalidatedSlot lets the upstream throw away log that its slot needs, as max_slot_wal_keep_size tells it to.
func TestInvalidatedSlot(t *testing.T) {
	pg := pgtest.Start(t, pgtest.Options{Logical: true, Settings: map[string]string{"max_slot_wal_keep_size": "16MB", "max_wal_size": "32MB", "min_wal_size": "32MB"}})
	w := newWorld(t, pg, "CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1); CREATE TABLE noise (n text)")
	w.exec("CREATE SOURCE up " + w.with("slot.name = 'mine'") + "; CREATE TABLE t (*) FROM up TABLE 't'")
	w.close()
	w.until(func() bool {
		pg.Exec("INSERT INTO noise SELECT repeat('n', 1000) FROM generate_series(1, 20000); TRUNCATE noise")
		pg.Exec("CHECKPOINT")
		return w.upstream("SELECT wal_status FROM pg_replication_slots WHERE slot_name = 'mine'")[0] == "lost"
	})
	pg.Exec("INSERT INTO t VALUES (2)")
	w.open()
	w.told("CONNECTING", "was invalidated")
	w.exec("ALTER JOB " + w.job("up") + " RESUME")
	w.same("SELECT * FROM t")
}

// TestUpstreamInRecovery refuses a standby, waits while the upstream is one, and goes on when it was promoted.
func TestUpstreamInRecovery(t *testing.T) {
	pg := pgtest.Start(t, pgtest.Options{Logical: true})
	w := newWorld(t, pg, "CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)")
	w.exec("CREATE SOURCE up " + w.with() + "; CREATE TABLE t (*) FROM up TABLE 't'")
	data := w.upstream("SHOW data_directory")[0]
	pg.Stop()
	if err := os.WriteFile(filepath.Join(data, "standby.signal"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	pg.Restart()
	if _, err := w.try("CREATE SOURCE bad " + w.with()); !errs.Of(err, errs.UpstreamStandby) || !strings.Contains(text(err), "pg_promote") {
		t.Error(err)
	}
	w.told("CONNECTING", "is a standby")
	w.upstream("SELECT pg_promote()")
	w.until(func() bool { return w.upstream("SELECT pg_is_in_recovery()")[0] == "f" })
	pg.Exec("INSERT INTO t VALUES (2)")
	w.same("SELECT * FROM t")
}
