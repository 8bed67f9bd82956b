package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/opt"
	"github.com/tidemark-db/tidemark/internal/sql/sqltest"
)

// TestProperties runs testdata/properties: `create` makes relations, `properties` prints what is known of a query's rows.
func TestProperties(t *testing.T) {
	w := sqltest.New()
	datadriven.RunTest(t, "testdata/properties", func(t *testing.T, d *datadriven.TestData) string {
		if d.Cmd == "create" {
			if err := w.Create(d.Input); err != nil {
				t.Fatal(err)
			}
			return "ok\n"
		}
		n, err := w.Bind(d.Input)
		if err != nil {
			t.Fatalf("%s: %v", d.Pos, err)
		}
		n = opt.Run(n, opt.Options{})
		fields := n.Schema()
		key := "none"
		if k := plan.UniqueKey(n); k != nil {
			var names []string
			for _, c := range k {
				names = append(names, fields[c].Name)
			}
			key = "(" + strings.Join(names, ", ") + ")"
		}
		var full []string
		for i, f := range fields {
			if plan.NotNull(n, i) {
				full = append(full, f.Name)
			}
		}
		return fmt.Sprintf("key: %s\nnot null: %s\nappend only: %t\n", key, strings.Join(full, ", "), plan.AppendOnly(n))
	})
}
