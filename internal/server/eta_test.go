package server_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

var etaRows = flag.Int("eta.rows", 0, "rows that the builds of TestETA read; they take seconds, and nothing else should run meanwhile")

const (
	etaBuilds = 5
	etaFrom   = 10   // percent of its history that a build has read when its ETA is taken
	etaOff    = 0.25 // of what was left, that the ETA may be off by
	etaLook   = 5 * time.Millisecond
)

// TestETA takes what a build of the real binary tells of the time that it has left after a tenth of its rows, and compares it
// with the time that it then took until it was attached.
func TestETA(t *testing.T) {
	if *etaRows == 0 {
		t.Skip("it measures; -eta.rows 5000000 on a machine that does nothing else")
	}
	srv := startBinary(t, buildBinary(t), t.TempDir())
	srv.exec(t, "create table t (id int primary key, g int, n int)")
	const statement = 1_000_000
	for from := 1; from <= *etaRows; from += statement {
		srv.exec(t, fmt.Sprintf("insert into t select n, n %% 1000000, n from generate_series(%d, %d) n", from, min(from+statement-1, *etaRows)))
	}
	conn, err := pgx.Connect(t.Context(), srv.dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	var offs []float64
	for range etaBuilds {
		offs = append(offs, etaOfBuild(t, conn))
	}
	slices.Sort(offs)
	if t.Logf("%d builds of %d rows, ETA off by %.2f of what was left, median %.2f", etaBuilds, *etaRows, offs, offs[etaBuilds/2]); offs[etaBuilds/2] > etaOff {
		t.Errorf("more than %v", etaOff)
	}
}

// etaOfBuild makes a view, and tells by what share of the time that was left its ETA was off.
func etaOfBuild(t *testing.T, conn *pgx.Conn) float64 {
	t.Helper()
	for _, sql := range []string{"flush", "set background_ddl = on", "create materialized view v as select g, count(*) as c, sum(n) as s from t group by g"} {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	began := time.Now()
	var told, at time.Duration
	var share float64
	tick := time.NewTicker(etaLook)
	defer tick.Stop()
	for state := ""; state != "RUNNING"; <-tick.C {
		var progress, rate float64
		var read, total int64
		row := conn.QueryRow(t.Context(), "select state, progress, rows_scanned, rows_total, rows_per_second from tm_jobs where name = 'v'")
		if err := row.Scan(&state, &progress, &read, &total, &rate); err != nil {
			t.Fatal(err)
		}
		if at == 0 && progress >= etaFrom && rate > 0 {
			at, share = time.Since(began), progress
			told = time.Duration(float64(total-read) / rate * float64(time.Second))
		}
	}
	left := time.Since(began) - at
	if at == 0 {
		t.Fatal("the build was over before it told a rate; take more rows")
	}
	if _, err := conn.Exec(t.Context(), "drop materialized view v"); err != nil {
		t.Fatal(err)
	}
	off := math.Abs(float64(told-left)) / float64(left)
	t.Logf("at %.1f %%, after %v: told %v, took %v, off by %.2f", share, at.Round(time.Millisecond), told.Round(time.Millisecond), left.Round(time.Millisecond), off)
	return off
}
