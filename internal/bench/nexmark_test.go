package bench_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/bench"
	"github.com/tidemark-db/tidemark/internal/nexmark"
	"github.com/tidemark-db/tidemark/internal/pgtest"
)

// TestNexmark runs each query on 20,000 events, two batches, and compares with PostgreSQL.
func TestNexmark(t *testing.T) {
	contests := runNexmark(t, bench.NexmarkOptions{Events: 2 * nexmark.Batch, Runs: 1})
	if len(contests) != len(nexmark.Queries) {
		t.Fatalf("%d contests", len(contests))
	}
	for _, c := range contests {
		t.Logf("\n%s", c)
	}
}

// A rival that leaves the right rows is compared, one that leaves others is refused.
func TestRival(t *testing.T) {
	right := scripted(t, "awk -F, '{print $1\",\"$3}' $2/bid/*.csv | awk -F, '$1 % 123 == 0' > $4\necho '{\"cpu\": 2, \"wall\": 1, \"peak_mb\": 3}'")
	o := bench.NexmarkOptions{Queries: []string{"q2"}, Events: 2 * nexmark.Batch, Runs: 1, Rivals: []bench.Rival{right}}
	c := runNexmark(t, o)[0].Systems[1]
	if c.CPU != 2 || c.Wall != 1 || c.PeakMB != 3 {
		t.Errorf("%+v", c)
	}
	o.Rivals = []bench.Rival{scripted(t, "echo 1,2 > $4\necho '{}'")}
	_, err := bench.Nexmark(context.Background(), bench.Program{Path: built(t), Directory: t.TempDir()}, oracle(t), o)
	if err == nil || !strings.Contains(err.Error(), "results differ: rival") {
		t.Errorf("%v", err)
	}
}

func TestParseRival(t *testing.T) {
	if r, err := bench.ParseRival("flink=java -jar x.jar"); err != nil || r != (bench.Rival{Name: "flink", Command: "java -jar x.jar"}) {
		t.Errorf("%+v, %v", r, err)
	}
	for _, s := range []string{"flink", "=java", "flink= "} {
		if _, err := bench.ParseRival(s); err == nil {
			t.Errorf("%q is a rival", s)
		}
	}
}

func runNexmark(t *testing.T, o bench.NexmarkOptions) []bench.Contest {
	t.Helper()
	contests, err := bench.Nexmark(context.Background(), bench.Program{Path: built(t), Directory: t.TempDir()}, oracle(t), o)
	if err != nil {
		t.Fatal(err)
	}
	return contests
}

func oracle(t *testing.T) bench.System {
	t.Helper()
	return bench.System{Name: "postgres", DSN: pgtest.Start(t, pgtest.Options{Settings: bench.PeerSettings()}).DSN()}
}

// scripted writes a shell script.
func scripted(t *testing.T, script string) bench.Rival {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rival.sh")
	if err := os.WriteFile(path, []byte(script+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return bench.Rival{Name: "rival", Command: "sh " + path}
}
