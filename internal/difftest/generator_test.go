package difftest

import (
	"testing"

	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
)

// TestSeedsRepeat holds D1: the same seed makes the same statements, all of which can be read.
func TestSeedsRepeat(t *testing.T) {
	make := func(seed uint64) (out []string) {
		g := newGenerator(seed)
		out = append(out, g.table().SQL, g.table().SQL)
		for range 20 {
			out = append(out, g.view().sql, g.lookUp().sql, g.index(), g.change(g.tables[0]))
		}
		return out
	}
	for seed := range uint64(40) {
		first, second := make(seed), make(seed)
		for i, sql := range first {
			if sql != second[i] {
				t.Fatalf("seed %d: %q, then %q", seed, sql, second[i])
			}
			if printed := reprint(t, sql); reprint(t, printed) != printed {
				t.Errorf("seed %d: printed twice: %s", seed, printed)
			}
		}
	}
}

// reprint reads a statement and prints it.
func reprint(t *testing.T, sql string) string {
	t.Helper()
	stmts, err := parser.ParseAll(sql, parser.Options{})
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return ast.Format(stmts[0].Stmt)
}

func TestTemplates(t *testing.T) {
	exact, fuzzy := templates()
	n := len(fuzzy)
	for k, list := range exact {
		n += len(list)
		for _, tm := range list {
			if tm.out != k || len(tm.args) == 0 {
				t.Errorf("%q", tm.sql)
			}
		}
	}
	if n < 150 {
		t.Errorf("only %d templates were read", n)
	}
}
