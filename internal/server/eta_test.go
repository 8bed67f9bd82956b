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

var etaRows = flag.Int("eta.rows", 5_000_000, "rows that the builds of BenchmarkETA read; they take seconds, and nothing else should run meanwhile")

const (
	etaBuilds = 5
	etaFrom   = 10   // percent of its history that a build has read when its ETA is taken
	etaOff    = 0.25 // of what was left, that the ETA may be off by
	etaLook   = 5 * time.Millisecond
)

// BenchmarkETA takes what a build of the real binary tells of the time that it has left after a tenth of its rows, and compares it
// with the time that it then took until it was attached.
func BenchmarkETA(b *testing.B) {
	srv := startBinary(b, buildBinary(b), b.TempDir())
	srv.exec(b, "create table t (id int primary key, g int, n int)")
	const statement = 1_000_000
	for from := 1; from <= *etaRows; from += statement {
		srv.exec(b, fmt.Sprintf("insert into t select n, n %% 1000000, n from generate_series(%d, %d) n", from, min(from+statement-1, *etaRows)))
	}
	conn, err := pgx.Connect(b.Context(), srv.dsn)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close(context.Background())
	var offs []float64
	for range etaBuilds {
		offs = append(offs, etaOfBuild(b, conn))
	}
	slices.Sort(offs)
	if b.Logf("%d builds of %d rows, ETA off by %.2f of what was left, median %.2f", etaBuilds, *etaRows, offs, offs[etaBuilds/2]); offs[etaBuilds/2] > etaOff {
		b.Errorf("more than %v", etaOff)
	}
}

// etaOfBuild makes a view, and tells by what share of the time that was left its ETA was off.
func etaOfBuild(b *testing.B, conn *pgx.Conn) float64 {
	b.Helper()
	for _, sql := range []string{"flush", "set background_ddl = on", "create materialized view v as select g, count(*) as c, sum(n) as s from t group by g"} {
		if _, err := conn.Exec(b.Context(), sql); err != nil {
			b.Fatal(err)
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
		row := conn.QueryRow(b.Context(), "select state, progress, rows_scanned, rows_total, rows_per_second from tm_jobs where name = 'v'")
		if err := row.Scan(&state, &progress, &read, &total, &rate); err != nil {
			b.Fatal(err)
		}
		if at == 0 && progress >= etaFrom && rate > 0 {
			at, share = time.Since(began), progress
			told = time.Duration(float64(total-read) / rate * float64(time.Second))
		}
	}
	left := time.Since(began) - at
	if at == 0 {
		b.Fatal("the build was over before it told a rate; take more rows")
	}
	if _, err := conn.Exec(b.Context(), "drop materialized view v"); err != nil {
		b.Fatal(err)
	}
	off := math.Abs(float64(told-left)) / float64(left)
	b.Logf("at %.1f %%, after %v: told %v, took %v, off by %.2f", share, at.Round(time.Millisecond), told.Round(time.Millisecond), left.Round(time.Millisecond), off)
	return off
}
