//go:build linux

package capture_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/pgserver"
	"github.com/tidemark-db/tidemark/internal/pgtest"
)

var benchRows = flag.Int("bench.rows", 100_000, "rows of the captured table")

// benchMax bounds one step of a benchmark.
const benchMax = 10 * time.Minute

// BenchmarkCapture takes the history of a table as workload C1 has it, and then one transaction that changes all of it. The
// peer is COPY of the same table to nowhere; times of both are reported, and the processor time of this process and of the
// server.
//
//	go test ./internal/capture -run '^$' -bench Capture -benchtime 1x -bench.rows 1000000
func BenchmarkCapture(b *testing.B) {
	pg := pgtest.Start(b, pgtest.Options{Logical: true, Settings: map[string]string{"max_wal_size": "8GB", "shared_buffers": "1GB"}})
	n := *benchRows
	w := newWorld(b, pg, fmt.Sprintf(`CREATE TABLE t (id bigint PRIMARY KEY, g int, h int, a int, b int, c int, v bigint, s text);
INSERT INTO t SELECT i * 2654435761 %% 4294967291, i * 7919 %% 100000, i * 7919 %% 1000000, i %% 1000, i %% 7, i %% 11, i, 'row-' || i %% 5000 FROM generate_series(1, %d::bigint) i`, n))
	pg.Exec("VACUUM ANALYZE t")
	w.patience = benchMax
	w.exec("CREATE SOURCE up " + w.with())
	b.Run("history", func(b *testing.B) {
		for range b.N {
			raw := copyTime(b, pg)
			m := measure(b, pg, n)
			w.exec("CREATE TABLE t (*) FROM up TABLE 't'")
			m.report()
			b.ReportMetric(float64(time.Since(m.began))/float64(raw), "of-raw-copy")
			w.exec("DROP TABLE t")
		}
	})
	w.exec("CREATE TABLE t (*) FROM up TABLE 't'")
	defer w.same("SELECT count(*), sum(v) FROM t")
	b.Run("transaction", func(b *testing.B) {
		for range b.N {
			m := measure(b, pg, n)
			pg.Exec("UPDATE t SET v = v + 1")
			at := w.upstream("SELECT pg_current_wal_lsn()")[0]
			w.until(func() bool {
				return w.upstream("SELECT confirmed_flush_lsn >= '" + at + "' FROM pg_replication_slots")[0] == "t"
			})
			m.report()
		}
	})
}

// copyTime is how long the server takes to give the table away.
func copyTime(b *testing.B, pg *pgtest.Server) time.Duration {
	b.Helper()
	c, err := pg.Dial()
	if err != nil {
		b.Fatal(err)
	}
	defer pgserver.CloseConn(c)
	began := time.Now()
	if _, err := c.CopyTo(context.Background(), io.Discard, "COPY t TO STDOUT"); err != nil {
		b.Fatal(err)
	}
	return time.Since(began)
}

// measurement is what a piece of work has taken.
type measurement struct {
	b             *testing.B
	pg            *pgtest.Server
	rows          int
	began         time.Time
	own, upstream time.Duration // of processors
}

func measure(b *testing.B, pg *pgtest.Server, rows int) measurement {
	own, _ := processorTime(b, os.Getpid())
	return measurement{b, pg, rows, time.Now(), own, serverTime(b, pg)}
}

func (m measurement) report() {
	own, _ := processorTime(m.b, os.Getpid())
	m.b.ReportMetric(float64((own-m.own).Microseconds())/float64(m.rows), "cpu-us/row")
	m.b.ReportMetric(float64((serverTime(m.b, m.pg)-m.upstream).Microseconds())/float64(m.rows), "server-us/row")
}

// clockTick is what the system counts processor time in.
const clockTick = time.Second / 100

// processorTime is what a process has used, and what its children had when they ended; parent is whose child it is.
func processorTime(b *testing.B, pid int) (all time.Duration, parent int) {
	b.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0 // it has ended
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	f := strings.Fields(after)
	for _, ticks := range f[11:15] {
		all += time.Duration(number(b, ticks)) * clockTick
	}
	return all, number(b, f[1])
}

// serverTime is what the processes of a server have used.
func serverTime(b *testing.B, pg *pgtest.Server) (all time.Duration) {
	b.Helper()
	first, _, _ := strings.Cut(pg.Query("SELECT pg_read_file('postmaster.pid')")[0][0], "\n")
	postmaster := number(b, first)
	processes, err := os.ReadDir("/proc")
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range processes {
		if pid, err := strconv.Atoi(p.Name()); err == nil {
			if used, parent := processorTime(b, pid); pid == postmaster || parent == postmaster {
				all += used
			}
		}
	}
	return all
}
