package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark"
	"github.com/tidemark-db/tidemark/internal/golden"
)

// TestDocuments runs the examples of the guides: SQL on one database in memory, whose output must be the block of text that
// follows, commands in one directory, and lines of Go that must stand in the example program.
func TestDocuments(t *testing.T) {
	program, err := os.ReadFile("../../examples/embed/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../../docs/tutorial.md", "../../docs/backfill.md", "../../docs/operations.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		g := newGuide(t, string(program))
		golden.File(t, name, g.run(t, string(text)))
		if g.examples < 5 {
			t.Errorf("%s has %d examples", name, g.examples)
		}
	}
}

// guide runs the examples of one document.
type guide struct {
	out      strings.Builder
	sql      sqlRun
	dir      string
	program  string
	examples int
}

func newGuide(t *testing.T, program string) *guide {
	t.Helper()
	g := &guide{dir: t.TempDir(), program: program}
	p := textPrinter{&g.out, &g.out}
	c, err := connect(t.Context(), sqlOptions{data: tidemark.Memory}, p.notice)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.close(); err != nil {
			t.Error(err)
		}
	})
	g.sql = sqlRun{client: c, printer: p}
	return g
}

// run returns the document with the output that its examples have now.
func (g *guide) run(t *testing.T, text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "```")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		kind, rest, _ := strings.Cut(rest, "\n")
		body, after, _ := strings.Cut(rest, "```")
		if kind == "text" {
			body = g.out.String()
		} else {
			g.example(t, kind, body)
		}
		b.WriteString("```" + kind + "\n" + body + "```")
		text = after
	}
}

func (g *guide) example(t *testing.T, kind, body string) {
	g.examples++
	g.out.Reset()
	switch kind {
	case "sql":
		if err := g.sql.script(t.Context(), body); err != nil && !errors.Is(err, errReported) {
			t.Fatalf("%s: %v", body, err)
		}
	case "sh":
		for _, line := range strings.Split(strings.TrimSpace(body), "\n") {
			t.Run(line, func(t *testing.T) { g.command(t, line) })
		}
	case "go":
		if !strings.Contains(g.program, body) {
			t.Errorf("the example program does not have\n%s", body)
		}
	default:
		t.Fatalf("a block of %q is not run", kind)
	}
}

// command runs a line such as: tidemark sql -c "SELECT 1".
func (g *guide) command(t *testing.T, line string) {
	var args []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			args = append(args, part)
			continue
		}
		args = append(args, strings.Fields(part)...)
	}
	if args[0] != "tidemark" {
		t.Fatalf("%s: not a command of tidemark", line)
	}
	t.Chdir(g.dir)
	if code := run(context.Background(), args[1:], strings.NewReader(""), &g.out, &g.out); code != exitOK {
		t.Errorf("%s: exit code %d\n%s", line, code, g.out.String())
	}
}
