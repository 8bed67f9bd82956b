//go:build unix

package capture_test

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"

	"github.com/tidemark-db/tidemark/internal/pgtest"
)

// TestLateStandby captures a table while commits wait for a real standby, a receiver of the log that is stopped and let go on
// again and again: they are in the log before anybody sees them. In between a transaction is open over several reads, and the
// server ends at once.
func TestLateStandby(t *testing.T) {
	pg := pgtest.Start(t, pgtest.Options{Logical: true, Settings: map[string]string{"wal_sender_timeout": "0"}}) // who is stopped is not given up
	w := newWorld(t, pg, "CREATE TABLE probe (x int); CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t SELECT x, 0 FROM generate_series(1, 3000) x")
	w.patience = 5 * followMax // however loaded the machine is
	w.exec("CREATE SOURCE up " + w.with() + "; SET background_ddl = true; SET backfill_rate_limit = 1500; CREATE TABLE t (*) FROM up TABLE 't'")
	last := openTransaction(t, pg, "UPDATE t SET v = v + 1000 WHERE id % 100 = 99")
	receiver := startReceiver(t, w)
	pg.Exec("ALTER SYSTEM SET synchronous_standby_names = 'late'")
	pg.Query("SELECT pg_reload_conf()")
	for i := range 4 {
		signal(t, receiver, syscall.SIGSTOP)
		committed, begun := make(chan error, 1000), 0
		begin := func(sql string) {
			begun++
			go func() {
				_, err := pg.Try(sql)
				committed <- err
			}()
		}
		waiting := func() int { return len(w.upstream("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")) }
		w.until(func() bool { // the setting has arrived; one probe at a time, the server has few connections
			if len(committed) == begun {
				begin("INSERT INTO probe VALUES (1)")
			}
			return waiting() > 0
		})
		before := waiting()
		begin(fmt.Sprintf("UPDATE t SET v = v + 1 WHERE id %% 4 = %d AND id %% 100 <> 99", i))
		begin(fmt.Sprintf("UPDATE t SET id = id + 10000 WHERE id < 3000 AND id %% 48 = %d AND id %% 100 <> 99", (i+2)%4+4))
		w.until(func() bool { return waiting() >= before+2 })
		pg.Exec(fmt.Sprintf("SET synchronous_commit = off; INSERT INTO t VALUES (%d, 5); DELETE FROM t WHERE id = %d", 20000+i, 20000+i-1))
		signal(t, receiver, syscall.SIGCONT)
		for range begun {
			if err := <-committed; err != nil {
				t.Fatal(err)
			}
		}
	}
	last("COMMIT")
	pg.Exec("ALTER SYSTEM RESET synchronous_standby_names")
	pg.Crash() // the receiver ends with it
	_ = receiver.Wait()
	pg.Exec("UPDATE t SET v = v + 1 WHERE id % 2 = 0")
	w.same("SELECT * FROM t")
}

// startReceiver runs a standby of the name late, which has what it has confirmed on disk.
func startReceiver(t *testing.T, w *world) *exec.Cmd {
	t.Helper()
	cmd := w.pg.Program("pg_receivewal", "--directory", t.TempDir(), "--synchronous", "--no-loop")
	cmd.Env = append(cmd.Env, "PGAPPNAME=late")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Signal(os.Kill) }) // it may be stopped, or have ended
	w.until(func() bool {
		return len(w.upstream("SELECT pid FROM pg_stat_replication WHERE application_name = 'late' AND flush_lsn IS NOT NULL")) == 1
	})
	return cmd
}

func signal(t *testing.T, cmd *exec.Cmd, sig os.Signal) {
	t.Helper()
	if err := cmd.Process.Signal(sig); err != nil {
		t.Fatal("pg_receivewal "+strconv.Itoa(cmd.Process.Pid), err)
	}
}
