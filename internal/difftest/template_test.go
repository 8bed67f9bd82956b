package difftest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/pgtest"
)

// samplesOfTemplate is how often each template is tried.
const samplesOfTemplate = 12

// everyTemplate tries each template with constants: both databases must take it and give one value.
func everyTemplate(t *testing.T, pg *pgtest.Server) {
	oracle := connect(t, pg, "templates")
	subject, err := begin(t.Context(), oracle, Shape{Parallelism: 1, Vnodes: 1, Commit: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	g := newGenerator(*seedFlag)
	for _, list := range g.exact {
		for _, tpl := range list {
			var out []term
			for range samplesOfTemplate {
				args := make([]term, len(tpl.args))
				for i, k := range tpl.args {
					args[i] = g.literal(k)
				}
				out = append(out, tpl.apply(args))
			}
			want, wantErr := oracle.Exec(t.Context(), "SELECT "+sqls(out))
			got, err := subject.Exec(t.Context(), "SELECT "+sqls(out))
			if err != nil || wantErr != nil {
				t.Errorf("%s: %v, want %v", tpl.sql, err, wantErr)
				continue
			}
			for i := range out {
				if got.Types[i] != want.Types[i] || got.Rows[0][i] != want.Rows[0][i] {
					t.Errorf("%s: %s of type %d, want %s of type %d", out[i].sql, got.Rows[0][i], got.Types[i], want.Rows[0][i], want.Types[i])
				}
			}
			if oid, err := oracle.Exec(t.Context(), fmt.Sprintf("SELECT %s, NULL::%s", out[0].sql, tpl.out.SQL())); err == nil && oid.Types[0] != oid.Types[1] {
				t.Errorf("%s: has type %d and not %s", tpl.sql, oid.Types[0], tpl.out.SQL())
			}
		}
	}
	if err := subject.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestTemplatesAreRead tells of lines that the reader passes over.
func TestTemplatesAreRead(t *testing.T) {
	for line := range strings.Lines(templateText) {
		parts := strings.Split(strings.TrimSpace(line), " | ")
		if len(parts) == 1 && parts[0] == "" {
			continue
		}
		if len(parts) != 3 {
			t.Errorf("%q has %d parts, want kind, expression and arguments", line, len(parts))
			continue
		}
		for _, name := range append(strings.Fields(parts[2]), strings.TrimPrefix(parts[0], "~")) {
			if _, ok := kindNames[name]; !ok {
				t.Errorf("%q: no kind %s", line, name)
			}
		}
	}
}
