package pgcatalog

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
)

// TestPsqlColumns: each relation and column that psql names exists.
func TestPsqlColumns(t *testing.T) {
	set := New()
	for _, line := range dataLines(t, "testdata/psql/columns.txt") {
		name, columns, _ := strings.Cut(line, ":")
		rel, ok := set.Find("pg_catalog", name)
		if !ok {
			t.Errorf("no relation %s", name)
			continue
		}
		for _, column := range strings.Fields(columns) {
			if !slices.ContainsFunc(rel.Columns, func(c catalog.Column) bool { return c.Name == column }) {
				t.Errorf("%s has no column %s", name, column)
			}
		}
	}
}

// TestPsqlFunctions: each function that psql calls exists.
func TestPsqlFunctions(t *testing.T) {
	functions, aggregates := expr.NewRegistry(), agg.NewRegistry()
	for _, name := range dataLines(t, "testdata/psql/functions.txt") {
		if !functions.Has(name) && !functions.IsSet(name) && !aggregates.Has(name) {
			t.Errorf("no function %s", name)
		}
	}
}

// TestAnswers: what the registry leaves to the catalog, the catalog answers, and the other way round. Volatile functions
// change or wait for something and are the session's to answer, before it asks the catalog.
func TestAnswers(t *testing.T) {
	asked := map[string]bool{}
	for _, f := range expr.NewRegistry().Funcs() {
		if f.Family != "Catalog" || f.Volatile == expr.Volatile {
			continue
		}
		asked[f.Name] = true
		if !Answers(f.Name) {
			t.Errorf("nobody answers %s", f.ID())
		}
	}
	for name := range answers {
		if cast := strings.HasPrefix(name, "reg"); !cast && !asked[name] {
			t.Errorf("no function asks for %s", name)
		}
	}
}

// dataLines are the lines of a file but comments.
func dataLines(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "#") })
}
