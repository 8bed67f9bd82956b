package bench_test

import (
	"context"
	"testing"

	"github.com/tidemark-db/tidemark/internal/bench"
)

// TestBudgets measures a server of its own process: -server names the program. Without it there is nothing to measure.
func TestBudgets(t *testing.T) {
	if *program == "" {
		t.Skip("-server is not set")
	}
	measures, err := bench.Budgets(context.Background(), bench.Program{Path: *program, Directory: t.TempDir()}, *rows)
	if err != nil {
		t.Fatal(err)
	}
	report(t, bench.Report{Measures: measures})
}
