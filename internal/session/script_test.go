package session

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv/memkv"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
)

// TestScripts runs scripts of statements, each file on a database of its own:
//
//	sql [as=name] [user=name]
//
// runs the input, one statement after the other as psql sends them, in the session of that name; rows, notices, tags and
// errors are printed. "restart" opens the database again on what a crash at this moment would leave; all sessions end.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		w := &scripted{store: memkv.Open(), sessions: map[string]*Session{}}
		w.open(t)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "sql":
				name, user := "main", ""
				d.MaybeScanArgs(t, "as", &name)
				d.MaybeScanArgs(t, "user", &user)
				return w.run(t, name, user, d.Input)
			case "restart":
				left := w.store.Crash()
				w.close(t)
				w.store = left
				w.open(t)
				return ""
			}
			t.Fatalf("%s: no command %s", d.Pos, d.Cmd)
			return ""
		})
		w.close(t)
	})
}

// scripted is the database of a script with its sessions by name.
type scripted struct {
	store    *memkv.Store
	d        *Database
	sessions map[string]*Session
	notices  strings.Builder
}

func (w *scripted) open(t *testing.T) {
	t.Helper()
	d, err := Open(Options{Store: w.store, Vnodes: 4})
	if err != nil {
		t.Fatal(err)
	}
	w.d = d
}

func (w *scripted) close(t *testing.T) {
	t.Helper()
	for _, s := range w.sessions {
		s.Close()
	}
	clear(w.sessions)
	if err := w.d.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func (w *scripted) session(t *testing.T, name, user string) *Session {
	t.Helper()
	s := w.sessions[name]
	if s == nil {
		var err error
		s, err = w.d.NewSession(Startup{User: user, Notice: func(n Notice) { fmt.Fprintf(&w.notices, "%s: %s\n", n.Severity, n.Message) }})
		if err != nil {
			t.Fatal(err)
		}
		w.sessions[name] = s
	}
	return s
}

// run runs the statements of a text; an error ends only its own.
func (w *scripted) run(t *testing.T, name, user, text string) string {
	t.Helper()
	s := w.session(t, name, user)
	w.notices.Reset()
	stmts, err := parser.ParseAll(text, parser.Options{})
	if err != nil {
		return failure(err)
	}
	for _, st := range stmts {
		if err := w.statement(s, text[st.Start:st.End]); err != nil {
			s.Abort()
			w.notices.WriteString(failure(err))
		}
	}
	return w.notices.String()
}

func (w *scripted) statement(s *Session, sql string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return s.Simple(ctx, sql, func(r Result) error {
		for {
			c, err := r.Next(ctx)
			if err != nil {
				return err
			}
			if c == nil {
				break
			}
			for line := range strings.Lines(chunk.Format(c)) {
				w.notices.WriteString(strings.TrimPrefix(line, "+ "))
			}
		}
		tag, err := r.Finish(ctx)
		if err == nil && len(r.Columns()) == 0 {
			w.notices.WriteString(tag.Text + "\n")
		}
		return err
	})
}

// failure prints an error as a client sees it.
func failure(err error) string {
	e, ok := errs.As(err)
	if !ok {
		return "error: " + err.Error() + "\n"
	}
	out := fmt.Sprintf("error %s: %s\n", e.Entry.SQLState, e.Message)
	if e.Detail != "" {
		out += "detail: " + strings.ReplaceAll(e.Detail, "\n", "\n        ") + "\n"
	}
	return out
}
