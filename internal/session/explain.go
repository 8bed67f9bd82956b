package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/query"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/opt"
	"github.com/tidemark-db/tidemark/internal/types"
)

// planColumn is what EXPLAIN answers.
var planColumn = []Column{{Name: "QUERY PLAN", Type: types.Text}}

// explainOptions are what EXPLAIN is asked for. PostgreSQL's that say how much to print of what Tidemark does not have
// (costs, buffers, wal, settings) are taken and mean nothing; so are RisingWave's physical and distsql.
type explainOptions struct {
	analyze, timing, summary bool
	logical                  bool // the plan as bound, before rules
	trace                    bool // the plan after each rule that changed it
	json                     bool
}

// explain prints a plan, or the page of an error.
func (s *Session) explain(ctx context.Context, st ast.Stmt) (Result, error) {
	if e, ok := st.(*ast.ExplainError); ok {
		entry, ok := errs.Lookup(e.Code)
		if !ok {
			return nil, errs.UndefinedObject.New("kind", "error", "name", e.Code)
		}
		return lines(errs.Page(entry)), nil
	}
	e := st.(*ast.Explain)
	o, err := explainOptionsOf(e.Options)
	if err != nil {
		return nil, err
	}
	began := s.d.now()
	x, err := s.explained(e.Stmt, o)
	if err != nil {
		return nil, err
	}
	planning := s.d.now().Sub(began)
	if !o.analyze {
		return x.result(o, nil, nil), nil
	}
	if !x.runs {
		return nil, errs.Unsupported.New("feature", "EXPLAIN ANALYZE of a statement that writes").At(int(e.Stmt.Position()))
	}
	m := query.NewMeasure(s.d.now)
	running, err := s.measure(ctx, x, m)
	if err != nil {
		return nil, err
	}
	var summary []string
	if o.summary {
		summary = []string{"Planning Time: " + millis(planning) + " ms", "Execution Time: " + millis(running) + " ms"}
	}
	return x.result(o, m, summary), nil
}

// explained is a statement's plan.
type explained struct {
	head  string // of a statement that writes: what it does with the rows
	root  plan.Node
	steps string // of the rules, for trace
	runs  bool   // it is a query
	uses  []*catalog.Relation
}

// explained binds and optimises a statement as if it were run.
func (s *Session) explained(st ast.Stmt, o explainOptions) (x explained, err error) {
	p := &Prepared{stmt: st}
	var params []types.Datum
	if e, ok := st.(*ast.Execute); ok {
		if p, ok = s.prepared[e.Name]; !ok {
			return x, errs.UndefinedPrepared.New("name", e.Name)
		}
		if params, err = s.arguments(e, p); err != nil {
			return x, err
		}
		st = p.stmt
	}
	switch st := st.(type) {
	case *ast.CreateView, *ast.CreateSink, *ast.CreateIndex, *ast.CreateTable:
		return s.explainedDefinition(st, o)
	case *ast.Query, *ast.Insert, *ast.Update, *ast.Delete:
	default:
		return x, errs.Unsupported.New("feature", "EXPLAIN of this statement").At(int(st.Position()))
	}
	pl, err := s.plannedFor(p, params)
	if err != nil {
		return x, err
	}
	switch {
	case pl.insert != nil:
		x.head = "Insert " + pl.insert.Rel.Qualified()
	case pl.update != nil:
		x.head = "Update " + pl.update.Rel.Qualified()
	case pl.delete != nil:
		x.head = "Delete " + pl.delete.Rel.Qualified()
	}
	bound := bindParams(pl.source, pl.params, params)
	if o.logical {
		x.root = bound
	} else {
		x.root = opt.Run(bound, x.traced(s.once(pl.query() && s.seesIndexes()), bound, o))
	}
	x.runs, x.uses = pl.query(), pl.uses
	return x, nil
}

// explainedDefinition is the plan of what a statement would make. Whether the name is taken does not matter.
func (s *Session) explainedDefinition(st ast.Stmt, o explainOptions) (x explained, err error) {
	var n plan.Node
	switch st := st.(type) {
	case *ast.CreateView:
		_, n, err = s.binder(nil).CreateView(st, "public")
	case *ast.CreateSink:
		_, n, err = s.binder(nil).CreateView(&ast.CreateView{Pos: st.Pos, Materialized: true, Name: st.Name, Query: sinkQuery(st)}, "public")
	case *ast.CreateIndex:
		return s.explainedIndex(st)
	case *ast.CreateTable:
		return s.explainedTable(st, o)
	}
	if err != nil || o.logical {
		x.root = n
		return x, err
	}
	x.root, err = opt.View(n, x.traced(s.viewRules(), n, o))
	return x, err
}

func (s *Session) explainedIndex(st *ast.CreateIndex) (x explained, err error) {
	on, err := s.binder(nil).Relation(st.Table)
	if err != nil {
		return x, err
	}
	x.head = "Index " + on.Qualified()
	x.root, err = indexScan(on, st)
	return x, err
}

// explainedTable is the query that fills a table, or that statements write its rows.
func (s *Session) explainedTable(st *ast.CreateTable, o explainOptions) (x explained, err error) {
	x.head = "Table " + st.Name.String()
	if st.Query != nil {
		filled, err := s.explained(st.Query, o)
		x.root, x.steps = filled.root, filled.steps
		return x, err
	}
	rel, err := s.binder(nil).CreateTable(st, "public")
	if err != nil {
		return x, err
	}
	v := &plan.Values{}
	for _, c := range rel.Columns {
		v.Fields = append(v.Fields, types.Field{Name: c.Name, Type: c.Type})
	}
	x.root = v
	return x, nil
}

// traced makes the rules write down what they do.
func (x *explained) traced(rules opt.Options, bound plan.Node, o explainOptions) opt.Options {
	if o.trace {
		x.steps = "Begin:\n" + plan.Format(bound) + "\n"
		rules.Trace = func(rule string, n plan.Node) { x.steps += rule + ":\n" + plan.Format(n) + "\n" }
	}
	return rules
}

// measure runs a query for its figures; its rows go nowhere.
func (s *Session) measure(ctx context.Context, x explained, m *query.Measure) (time.Duration, error) {
	via, _ := lookupsOnly(x.root)
	view, err := s.view(ctx, basisOf(append(slices.Clip(x.uses), via...)...))
	if err != nil {
		return 0, err
	}
	defer view.Close()
	env := s.env(s.reader(view))
	env.Measure = m
	began := s.d.now()
	err = query.Run(ctx, x.root, env, func(*chunk.Chunk) error { return nil })
	return s.d.now().Sub(began), err
}

// result prints the plan, with the figures of a run.
func (x explained) result(o explainOptions, m *query.Measure, summary []string) Result {
	if o.json {
		return table("EXPLAIN", planColumn, []types.Row{{text(planJSON(x, o, m, summary))}})
	}
	note := func(n plan.Node) string {
		if t, ok := taken(m, n); ok {
			return " " + t.text(o.timing)
		}
		return ""
	}
	out := plan.FormatWith(x.root, note)
	if x.head != "" {
		out = x.head + "\n  " + strings.ReplaceAll(strings.TrimRight(out, "\n"), "\n", "\n  ")
	}
	return lines(strings.Join(append([]string{x.steps + strings.TrimRight(out, "\n")}, summary...), "\n"))
}

// figures are what an operator took, to be printed.
type figures struct{ query.Taken }

func taken(m *query.Measure, n plan.Node) (figures, bool) {
	if m == nil {
		return figures{}, false
	}
	t, ok := m.Of(n)
	return figures{t}, ok
}

func (f figures) text(timing bool) string {
	if !timing {
		return fmt.Sprintf("(rows=%d)", f.Rows)
	}
	return fmt.Sprintf("(rows=%d time=%s ms)", f.Rows, millis(f.Time))
}

func millis(d time.Duration) string { return fmt.Sprintf("%.3f", float64(d.Microseconds())/1000) }

// lines is a plan or page with a row a line.
func lines(s string) Result {
	var rows []types.Row
	for _, l := range strings.Split(strings.TrimRight(s, "\n"), "\n") {
		rows = append(rows, types.Row{text(l)})
	}
	return table("EXPLAIN", planColumn, rows)
}
