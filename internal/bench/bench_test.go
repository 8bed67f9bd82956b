package bench_test

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/bench"
	"github.com/tidemark-db/tidemark/internal/pgtest"
	"github.com/tidemark-db/tidemark/internal/server"
	"github.com/tidemark-db/tidemark/internal/session"
	"github.com/tidemark-db/tidemark/internal/settings"
)

// The defaults are a smoke test: they show that all workloads run and give equal results, not how fast.
var (
	rows    = flag.Int("rows", 5000, "rows of the large table")
	program = flag.String("server", "", "tidemark program for the budgets; empty: it is built")
	lookups = flag.Int("lookups", 20, "look-ups of a connection in a round")
	writes  = flag.Int("writes", 20, "statements of each kind")
	runs    = flag.Int("runs", 1, "interleaved runs of each backfill")
	subject = flag.String("subject", "", "DSN of a running Tidemark; empty: one inside of this process")
	out     = flag.String("out", "", "file for the report; empty: the test's log")
)

// pair starts both systems. PostgreSQL has the settings of the specification.
func pair(t *testing.T) bench.Pair {
	t.Helper()
	pg := pgtest.Start(t, pgtest.Options{Durable: true, Settings: map[string]string{
		"shared_buffers": "2GB", "work_mem": "1GB", "max_parallel_workers_per_gather": "0", "max_wal_size": "8GB",
	}})
	dsn := *subject
	if dsn == "" {
		dsn = tidemark(t)
	}
	return bench.Pair{Subject: bench.System{Name: "tidemark", DSN: dsn}, Peer: bench.System{Name: "postgres", DSN: pg.DSN()}}
}

// tidemark serves a database on disk and returns its address.
func tidemark(t *testing.T) string {
	t.Helper()
	set := settings.NewServer(settings.NewRegistry())
	db, err := session.Open(session.Options{Dir: t.TempDir(), Settings: set})
	if err != nil {
		t.Fatal(err)
	}
	srv, err := server.New(db, set, nil)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go srv.Serve(ln)
	t.Cleanup(func() {
		ctx := context.Background()
		if err := srv.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		if err := db.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return fmt.Sprintf("postgres://root@%s/dev?sslmode=disable", ln.Addr())
}

// report prints the figures; no speed fails the test.
func report(t *testing.T, r bench.Report) {
	t.Helper()
	r.Command, r.Machine = "go test ./internal/bench "+strings.Join(os.Args[1:], " "), bench.Machine()
	r.Data = fmt.Sprintf("%d rows, %d runs", *rows, *runs)
	var b strings.Builder
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	if *out == "" {
		t.Log("\n" + b.String())
		return
	}
	if err := os.WriteFile(*out, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestBackfill measures B1 to B4.
func TestBackfill(t *testing.T) {
	figures, err := bench.Backfill(context.Background(), pair(t), *rows, *runs)
	if err != nil {
		t.Fatal(err)
	}
	if len(figures) != 4 {
		t.Fatalf("%d figures", len(figures))
	}
	report(t, bench.Report{Figures: figures})
}

// TestServing measures S1.
func TestServing(t *testing.T) {
	figures, err := bench.Serving(context.Background(), pair(t), *rows, *lookups)
	if err != nil {
		t.Fatal(err)
	}
	if len(figures) != 2 {
		t.Fatalf("%d figures", len(figures))
	}
	report(t, bench.Report{Figures: figures})
}

// TestWriting measures one-row writes and freshness.
func TestWriting(t *testing.T) {
	s := bench.System{Name: "tidemark", DSN: *subject}
	if s.DSN == "" {
		s.DSN = tidemark(t)
	}
	latencies, measures, err := bench.Writing(context.Background(), s, t.TempDir(), *writes)
	if err != nil {
		t.Fatal(err)
	}
	if len(latencies) != 5 || latencies[0].Count != *writes {
		t.Fatalf("%+v", latencies)
	}
	report(t, bench.Report{Latency: latencies, Measures: measures})
}
