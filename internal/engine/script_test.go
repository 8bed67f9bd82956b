package engine_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv/memkv"
	"github.com/tidemark-db/tidemark/internal/plan/planenc"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/bind"
	"github.com/tidemark-db/tidemark/internal/sql/opt"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
	"github.com/tidemark-db/tidemark/internal/sql/sqltest"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// TestScripts runs testdata, each file on an engine of its own:
//
//	create [rate=n]   CREATE TABLE or CREATE MATERIALIZED VIEW; a view is waited for unless its rate is 0
//	feed table=t      rows that go to a table between two barriers, exact as the sequencer gives them
//	show              the rows of a relation, once they have reached what was fed
//	jobs              what the jobs are doing
//	pause, resume, drop
//	durable           waits until all that was fed is in a commit
//	crash             opens the engine again on what the store has kept
//
// Without a DML log, what is not durable is lost by a crash; that it is not is the sequencer's part.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		w := &world{T: t, sql: sqltest.New(), store: memkv.Open()}
		w.open()
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			ctx, cancel := context.WithTimeout(t.Context(), commandMax)
			defer cancel()
			out, err := w.command(ctx, d)
			if err != nil {
				return sqltest.Failure("", err)
			}
			return out
		})
		w.close()
	})
}

// commandMax bounds a command; none comes near it, on the slowest machine too.
const commandMax = 5 * time.Minute

type world struct {
	*testing.T
	sql    *sqltest.World // functions to bind with
	store  *memkv.Store
	engine *engine.Engine
	fed    epoch.Epoch // of the last rows
}

func (w *world) open() {
	var err error
	w.engine, err = engine.Open(w.store, engine.Options{Database: "dev", Vnodes: 4, Parallelism: 2, BarrierInterval: 5 * time.Millisecond,
		CheckpointInterval: 5 * time.Millisecond, Resolver: planenc.Resolver{Funcs: w.sql.Funcs, Aggs: w.sql.Aggs}})
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) close() {
	if err := w.engine.Close(context.Background()); err != nil {
		w.Error(err)
	}
}

func (w *world) command(ctx context.Context, d *datadriven.TestData) (string, error) {
	switch d.Cmd {
	case "create":
		return "", w.create(ctx, d)
	case "feed":
		return "", w.feed(d)
	case "show":
		return w.show(ctx, w.relation(d.Input))
	case "jobs":
		return w.jobs(), nil
	case "pause":
		return "", w.engine.Pause(ctx, w.relation(d.Input).Job)
	case "resume":
		return "", w.engine.Resume(ctx, w.relation(d.Input).Job)
	case "drop":
		return "", w.engine.Drop(ctx, func(*catalog.Snapshot) ([]*catalog.Relation, error) {
			return []*catalog.Relation{w.relation(d.Input)}, nil
		})
	case "durable":
		return "", w.engine.WaitDurable(ctx, w.fed)
	case "crash":
		left := w.store.Crash()
		w.close()
		w.store = left
		w.open()
		w.fed = w.engine.Visible()
		return "", nil
	}
	d.Fatalf(w.T, "unknown command %s", d.Cmd)
	return "", nil
}

func (w *world) relation(name string) *catalog.Relation {
	rel, ok := w.engine.Catalog().Find(catalog.DefaultSchema, strings.TrimSpace(name))
	if !ok {
		w.Fatalf("there is no relation %s", name)
	}
	return rel
}

func (w *world) create(ctx context.Context, d *datadriven.TestData) error {
	rate := ""
	d.MaybeScanArgs(w.T, "rate", &rate)
	stmt, err := parser.Parse(d.Input)
	if err != nil {
		return err
	}
	b := &bind.Binder{Catalog: w.engine.Catalog(), Path: []string{catalog.DefaultSchema}, Funcs: w.sql.Funcs, Aggs: w.sql.Aggs, Ctx: &expr.Ctx{},
		System: func(string, string) (*catalog.Relation, bool) { return nil, false }}
	def := engine.Definition{SQL: d.Input, Settings: map[string]string{}}
	switch st := stmt.(type) {
	case *ast.CreateTable:
		def.Relation, err = b.CreateTable(st, catalog.DefaultSchema)
	case *ast.CreateView:
		if def.Relation, def.Plan, err = b.CreateView(st, catalog.DefaultSchema); err == nil {
			def.Plan, err = opt.View(def.Plan, opt.Options{Ctx: b.Ctx, Funcs: w.sql.Funcs})
		}
	}
	if err != nil {
		return err
	}
	if rate != "" {
		def.Settings["backfill_rate_limit"] = rate
	}
	rel, err := w.engine.Create(ctx, def, func(*catalog.Snapshot) error { return nil })
	if err != nil || rate == "0" {
		return err
	}
	return w.engine.WaitJob(ctx, rel.Job)
}

func (w *world) feed(d *datadriven.TestData) (err error) {
	name := ""
	d.ScanArgs(w.T, "table", &name)
	rel := w.relation(name)
	c, err := chunk.Parse(rel.Types(), d.Input)
	if err != nil {
		return err
	}
	w.fed, err = w.engine.Feed(0, func(yield func(dml.Fed, error) bool) { yield(dml.Fed{Job: rel.Job, Rows: c}, nil) })
	return err
}

// show prints the rows sorted as text.
func (w *world) show(ctx context.Context, rel *catalog.Relation) (string, error) {
	stale, err := w.engine.WaitFresh(ctx, []id.Job{rel.Job}, w.fed, false)
	if err != nil {
		return "", err
	}
	view := w.engine.View()
	defer view.Close()
	var rows []string
	for v := range rel.Vnodes {
		s := state.NewScanner(view, state.FormatOf(rel), allColumns(rel))
		c, _, _, err := s.Scan(vnode.ID(v), nil, chunk.RowsMax)
		if err != nil {
			return "", err
		}
		if c != nil {
			rows = append(rows, strings.Split(strings.TrimSpace(chunk.Format(c)), "\n")...)
		}
	}
	slices.Sort(rows)
	for _, s := range stale {
		rows = append(rows, "as of an earlier epoch: "+string(s.State))
	}
	if len(rows) == 0 {
		return "no rows\n", nil
	}
	return strings.Join(rows, "\n") + "\n", nil
}

func (w *world) jobs() string {
	var out strings.Builder
	all := w.engine.Jobs()
	for _, j := range slices.SortedFunc(maps.Keys(all), func(a, b id.Job) int { return cmp.Compare(a, b) }) {
		rel, _ := w.engine.Catalog().Relation(all[j].Relation)
		fmt.Fprintf(&out, "%s %s\n", rel.Name, all[j].State)
	}
	return out.String()
}

func allColumns(rel *catalog.Relation) []int {
	cols := make([]int, len(rel.Columns))
	for i := range cols {
		cols[i] = i
	}
	return cols
}
