package bind_test

import (
	"fmt"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/sqltest"
	"github.com/tidemark-db/tidemark/internal/types"
)

// TestScripts runs testdata: `create` makes relations, `bind` prints the columns and the plan of a statement as bound,
// `columns` only the columns, `params` the types of parameters, and each prints the error where there is one. Messages,
// SQLSTATEs and positions are those of PostgreSQL 15, with which the scripts were compared.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		w := sqltest.New()
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "create" {
				if err := w.Create(d.Input); err != nil {
					return sqltest.Failure(d.Input, err)
				}
				return "ok\n"
			}
			n, err := w.Bind(d.Input)
			if err != nil {
				return sqltest.Failure(d.Input, err)
			}
			switch d.Cmd {
			case "columns":
				return sqltest.Columns(n)
			case "params":
				return params(w.Params)
			case "bind":
				return sqltest.Columns(n) + plan.Format(n)
			}
			t.Fatalf("%s: no command %s", d.Pos, d.Cmd)
			return ""
		})
	})
}

func params(ts []types.T) string {
	s := ""
	for i, t := range ts {
		s += fmt.Sprintf("$%d %s\n", i+1, types.SQLName(t))
	}
	return s
}
