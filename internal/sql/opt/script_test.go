package opt_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/opt"
	"github.com/tidemark-db/tidemark/internal/sql/sqltest"
)

// TestScripts runs testdata: `create` makes relations, `plan` prints a statement's plan with its rules, the ones given as
// disable=(...) left out; `view` prints that of a CREATE MATERIALIZED VIEW;
// `once` prints the plan of a statement that runs once; `trace` prints the plan as bound and after each rule that changed it. Whatever is planned
// must be able to run for good once it is a view.
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
			o := opt.Options{Disable: map[string]bool{}, Ctx: &expr.Ctx{}, Once: d.Cmd == "once"}
			for _, arg := range d.CmdArgs {
				for _, v := range arg.Vals {
					o.Disable[v] = true
				}
			}
			var trace strings.Builder
			if d.Cmd == "trace" {
				trace.WriteString("bound\n" + plan.Format(n))
				o.Trace = func(rule string, n plan.Node) { trace.WriteString(rule + "\n" + plan.Format(n)) }
			}
			if d.Cmd == "view" {
				o.Funcs = w.Funcs
				if n, err = opt.View(n, o); err != nil {
					return sqltest.Failure(d.Input, err)
				}
				return plan.Format(n)
			}
			n = opt.Run(n, o)
			streams(t, d, w)
			if d.Cmd == "trace" {
				return trace.String()
			}
			return plan.Format(n)
		})
	})
}

// streams checks that the query can be a view.
func streams(t *testing.T, d *datadriven.TestData, w *sqltest.World) {
	if !strings.HasPrefix(d.Input, "SELECT") {
		return
	}
	q, err := w.Bind(d.Input)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for i := range q.Schema() {
		names = append(names, "c"+string(rune('a'+i)))
	}
	n, err := w.Bind("CREATE MATERIALIZED VIEW v (" + strings.Join(names, ", ") + ") AS " + d.Input)
	if e := (*errs.Error)(nil); errors.As(err, &e) && e.Entry == errs.NotMaintainable {
		return
	}
	if err != nil {
		t.Fatalf("%s: as a view: %v", d.Pos, err)
	}
	if bad := plan.CheckStreaming(opt.Run(n, opt.Options{})); bad != nil {
		t.Fatalf("%s: a view cannot run\n%s", d.Pos, plan.Format(bad))
	}
}
