package session

import (
	"os"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/sql/parser"
)

// TestTour runs the tour of the README: each block of SQL must give the output below it.
func TestTour(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, s := opened(t, Options{})
	blocks := 0
	for rest := string(text); ; blocks++ {
		sql, after, ok := fenced(rest, "sql")
		if !ok {
			break
		}
		want, next, ok := fenced(after, "output")
		if !ok {
			t.Fatalf("no output for %q", sql)
		}
		if got := statements(t, s, sql); got != want {
			t.Errorf("%s\ngot\n%swant\n%s", sql, got, want)
		}
		rest = next
	}
	if blocks < 3 {
		t.Errorf("the tour has %d blocks", blocks)
	}
}

// statements runs a text as psql sends it, one statement at a time, and returns the rows of the last.
func statements(t *testing.T, s *Session, sql string) string {
	t.Helper()
	stmts, err := parser.ParseAll(sql, parser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out := ""
	for _, st := range stmts {
		out = exec(t, s, sql[st.Start:st.End])
	}
	return out
}

// fenced returns the text of the next fenced block of a language and what follows it.
func fenced(text, language string) (block, rest string, ok bool) {
	_, after, ok := strings.Cut(text, "```"+language+"\n")
	if !ok {
		return "", "", false
	}
	return strings.Cut(after, "```\n")
}
