package reference

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/golden"
	"github.com/tidemark-db/tidemark/internal/session"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
)

// TestSQLPage runs every example, in order and for one client. One that is refused as unsupported is listed as such; any
// other error is a fault of the page.
func TestSQLPage(t *testing.T) {
	db, err := session.Open(session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := db.NewSession(session.Startup{})
	if err != nil {
		t.Fatal(err)
	}
	golden.File(t, "../../docs/sql.md", Markdown(func(st Statement) bool { return supported(t, s, st) }))
	s.Close()
	if err := db.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// supported runs the example of a statement, as psql does, one statement at a time.
func supported(t *testing.T, s *session.Session, st Statement) bool {
	t.Helper()
	stmts, err := parser.ParseAll(st.Example, parser.Options{})
	if err != nil {
		t.Errorf("%s: %v", st.Name, err)
	}
	for _, one := range stmts {
		if err := drain(s, st.Example[one.Start:one.End]); err != nil {
			s.Abort()
			if e, ok := errs.As(err); ok && e.Entry.SQLState == "0A000" {
				return false
			}
			if e, ok := errs.As(err); ok && e.Entry == errs.NoSuchJob {
				continue // the number of a job in an example is made up
			}
			t.Errorf("%s: %v", st.Example[one.Start:one.End], err)
		}
	}
	return true
}

func drain(s *session.Session, sql string) error {
	ctx := context.Background()
	return s.Simple(ctx, sql, func(r session.Result) error {
		for {
			if c, err := r.Next(ctx); err != nil || c == nil {
				if err == nil {
					_, err = r.Finish(ctx)
				}
				return err
			}
		}
	})
}

var statementMethod = regexp.MustCompile(`func \(\*?(\w+)\) stmt\(\)`)

// withoutExample are statements whose examples need more than this test has: another server.
var withoutExample = map[string]bool{"CreateSource": true}

// Every statement that the parser makes has an example, so that none is forgotten.
func TestEveryStatementHasAnExample(t *testing.T) {
	seen := map[string]bool{}
	for _, section := range Sections() {
		for _, st := range section.Statements {
			stmts, err := parser.ParseAll(st.Example, parser.Options{})
			if err != nil {
				t.Error(st.Name, err)
			}
			for _, one := range stmts {
				seen[reflect.TypeOf(one.Stmt).Elem().Name()] = true
			}
		}
	}
	files, err := filepath.Glob("../sql/ast/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range statementMethod.FindAllStringSubmatch(string(text), -1) {
			if !seen[m[1]] && !withoutExample[m[1]] {
				t.Errorf("no example of %s", m[1])
			}
		}
	}
}
