// Package golden compares what a test produced with a file of the repository, and writes the file anew under -rewrite:
// the same flag that datadriven scripts obey.
//
//	golden.File(t, "../../docs/errors.md", errs.Markdown())
package golden

import (
	"flag"
	"os"
	"strings"
	"testing"

	_ "github.com/cockroachdb/datadriven" // defines -rewrite
)

// Rewrite tells whether the test run was asked to write golden files.
func Rewrite() bool {
	f := flag.Lookup("rewrite")
	return f != nil && f.Value.String() == "true"
}

// File fails the test where the file differs from got, naming the first line that does.
func File(t *testing.T, path, got string) {
	t.Helper()
	if Rewrite() {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; `make rewrite` writes it", err)
	}
	if string(want) == got {
		return
	}
	w, g := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		if i >= len(w) || i >= len(g) || w[i] != g[i] {
			t.Fatalf("%s is stale at line %d; `make rewrite` writes it anew\nfile: %s\nnow:  %s", path, i+1, at(w, i), at(g, i))
		}
	}
}

func at(lines []string, i int) string {
	if i >= len(lines) {
		return "(end)"
	}
	return lines[i]
}
