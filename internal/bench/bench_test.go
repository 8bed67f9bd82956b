package bench_test

import (
	"context"
	"flag"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/bench"
	"github.com/tidemark-db/tidemark/internal/pgtest"
	"github.com/tidemark-db/tidemark/internal/server"
	"github.com/tidemark-db/tidemark/internal/session"
	"github.com/tidemark-db/tidemark/internal/settings"
)

// A smoke test: it shows that all workloads run and give equal results, not how fast.
var (
	rows    = flag.Int("rows", 5000, "rows of the large table")
	writes  = flag.Int("writes", 20, "statements of each kind")
	program = flag.String("server", "", "tidemark program for the budgets; empty: it is built")
)

// field starts both systems.
func field(t *testing.T) bench.Field {
	t.Helper()
	pg := pgtest.Start(t, pgtest.Options{Durable: true, Settings: bench.PeerSettings()})
	return bench.Field{Subject: bench.System{Name: "tidemark", DSN: tidemark(t)},
		Peer: bench.System{Name: "postgres", DSN: pg.DSN(), Process: bench.Process(pg.PID())}}
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

// measure runs workloads and prints the figures; no speed fails the test.
func measure(t *testing.T, p bench.Field, only ...string) bench.Report {
	t.Helper()
	r, err := bench.Run(context.Background(), p, bench.Options{Only: only, Rows: *rows, Runs: 1, Lookups: 20, Writes: *writes, Directory: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	r.Table(&b)
	t.Log("\n" + b.String())
	return r
}

// TestBackfill runs B1 to B4.
func TestBackfill(t *testing.T) {
	if r := measure(t, field(t), "B1", "B2", "B3", "B4"); len(r.Figures) != 4 {
		t.Fatalf("%d figures", len(r.Figures))
	}
}

// A batch engine has its own columns. Another PostgreSQL stands for it here, since DuckDB's program is not built by everyone.
func TestBatchEngine(t *testing.T) {
	f := field(t)
	other := pgtest.Start(t, pgtest.Options{})
	f.Batch = bench.System{Name: "duckdb", DSN: other.DSN(), Process: bench.Process(other.PID())}
	r := measure(t, f, "B1")
	if b := r.Figures[0].Batch; b == nil || b.Runs != 1 || b.Ratio <= 0 || b.CPUTarget != 2 {
		t.Fatalf("%+v", b)
	}
	var table, json strings.Builder
	r.Table(&table)
	if err := r.JSON(&json); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(table.String(), "duckdb ms") || !strings.Contains(json.String(), `"Batch"`) {
		t.Fatalf("%s\n%s", table.String(), json.String())
	}
}

// TestServing runs S1.
func TestServing(t *testing.T) {
	if r := measure(t, field(t), "S1"); len(r.Figures) != 2 {
		t.Fatalf("%d figures", len(r.Figures))
	}
}

// TestWriting runs one-row writes, which have no peer.
func TestWriting(t *testing.T) {
	r := measure(t, bench.Field{Subject: bench.System{Name: "tidemark", DSN: tidemark(t)}}, "writes")
	if len(r.Latency) != 5 || r.Latency[0].Count != *writes {
		t.Fatalf("%+v", r.Latency)
	}
}

// TestResuming runs B6. A few rows may be read before they can be looked at; what they come to is compared all the same.
func TestResuming(t *testing.T) {
	measures, err := bench.Resume(context.Background(), bench.Program{Path: built(t), Directory: t.TempDir()}, *rows)
	if err != nil {
		t.Fatal(err)
	}
	print(t, measures)
}

// TestBusy runs B5.
func TestBusy(t *testing.T) {
	measures, err := bench.Busy(context.Background(), bench.Program{Path: built(t), Directory: t.TempDir()}, *rows)
	if err != nil {
		t.Fatal(err)
	}
	print(t, measures)
}

// TestNeighbour runs N3.
func TestNeighbour(t *testing.T) {
	measures, err := bench.Neighbour(context.Background(), bench.Program{Path: built(t), Directory: t.TempDir()}, *rows)
	if err != nil {
		t.Fatal(err)
	}
	print(t, measures)
}

// A workload that there is not is refused before anything is loaded.
func TestUnknownWorkload(t *testing.T) {
	_, err := bench.Run(context.Background(), bench.Field{}, bench.Options{Only: []string{"B9"}, Rows: 1, Runs: 1, Lookups: 1, Writes: 1})
	if err == nil || !strings.Contains(err.Error(), `no workload "B9"`) {
		t.Fatalf("%v", err)
	}
}
