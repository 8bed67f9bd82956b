package bench_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/bench"
)

// TestBudgets measures a server of its own process: the program that -server names, or one built here.
func TestBudgets(t *testing.T) {
	measures, err := bench.Budgets(context.Background(), bench.Program{Path: built(t), Directory: t.TempDir()}, *rows)
	if err != nil {
		t.Fatal(err)
	}
	print(t, measures)
}

// built returns the path of the program.
func built(t *testing.T) string {
	t.Helper()
	if *program != "" {
		return *program
	}
	path := filepath.Join(t.TempDir(), "tidemark")
	build := exec.Command("go", "build", "-o", path, "../../cmd/tidemark")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return path
}

func print(t *testing.T, measures []bench.Measure) {
	t.Helper()
	var b strings.Builder
	bench.Report{Measures: measures}.Table(&b)
	t.Log("\n" + b.String())
}
