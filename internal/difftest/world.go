package difftest

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Plan is how long a history gets.
type Plan struct {
	Tables  int // at least; one or two more are made
	Batches [3]int
	Rounds  int  // of changes after each batch of views
	Rows    int  // of the first table; 0: few, as in the others
	Crashes bool // kill the database now and then
}

// everyday is the plan of a usual history: views before the data, between, and after.
var everyday = Plan{Tables: 2, Batches: [3]int{8, 8, 8}, Rounds: 3}

// world makes a history while both databases go through it.
type world struct {
	g     *generator
	p     *Pair
	plan  Plan
	h     History
	first []string // what fills the tables; empty once it has
}

// Run makes the history of a seed on both databases. The history is returned with the failure, if there is one.
func Run(ctx context.Context, p *Pair, seed uint64, plan Plan) (History, error) {
	w := &world{g: newGenerator(seed), p: p, plan: plan}
	p.Count.Histories++
	err := w.run(ctx)
	var f *Failure
	if errors.As(err, &f) {
		f.Step = len(w.h.Steps) - 1
	}
	return w.h, err
}

// do records a step and takes it.
func (w *world) do(ctx context.Context, s Step) (bool, error) {
	w.h.Steps = append(w.h.Steps, s)
	ok, err := w.p.Do(ctx, s)
	if err != nil || !w.plan.Crashes || !w.g.chance(crashShare) {
		return ok, err
	}
	w.h.Steps = append(w.h.Steps, Step{Kind: StepCrash})
	_, err = w.p.Do(ctx, Step{Kind: StepCrash})
	return ok, err
}

// delayMax bounds how often others run before a crash within a statement: most statements have ended by then.
const delayMax = 200

// crashShare is how many percent of the steps a crash follows.
const crashShare = 20

func (w *world) run(ctx context.Context) error {
	if zone := w.g.zone(); zone != "" {
		if _, err := w.do(ctx, Step{Kind: StepWrite, SQL: "SET timezone = '" + zone + "'"}); err != nil {
			return err
		}
	}
	for range w.plan.Tables + w.g.n(3) {
		if _, err := w.do(ctx, w.g.table()); err != nil {
			return err
		}
	}
	for _, t := range w.g.tables {
		w.first = append(w.first, w.g.fillUp(t))
	}
	if w.plan.Rows > 0 {
		w.first[0] = w.g.fillMany(w.g.tables[0], w.plan.Rows)
	}
	for _, n := range w.plan.Batches {
		if err := w.views(ctx, n); err != nil {
			return err
		}
		for _, sql := range w.first {
			if _, err := w.do(ctx, Step{Kind: StepWrite, SQL: sql}); err != nil {
				return err
			}
		}
		w.first = nil
		if err := w.rounds(ctx); err != nil {
			return err
		}
	}
	return nil
}

// tries bounds how many queries are made for one view.
const tries = 8

// views creates n views.
func (w *world) views(ctx context.Context, n int) error {
	for range n {
		for range tries {
			ok, err := w.view(ctx)
			if err != nil {
				return err
			}
			if ok {
				break
			}
		}
	}
	return nil
}

func (w *world) view(ctx context.Context) (bool, error) {
	q := w.g.view()
	if worth, err := w.worth(ctx, q); !worth || err != nil {
		return false, err
	}
	v := &View{Name: w.g.fresh("v"), Query: q.sql, Cols: q.cols, Features: q.features}
	r := &relation{name: v.Name, cols: q.cols}
	for _, u := range q.uses {
		v.Uses = append(v.Uses, u.name)
		r.depth = max(r.depth, u.depth)
	}
	r.depth++
	n := len(w.h.Steps)
	ok, err := w.do(ctx, Step{Kind: StepView, Name: v.Name, SQL: q.sql, View: v})
	if err != nil {
		return false, err
	}
	if !ok {
		w.h.Steps = append(w.h.Steps[:n], w.h.Steps[n+1:]...)
		return false, nil
	}
	w.g.views = append(w.g.views, r)
	return true, nil
}

// worth tells whether a view of the query would be of use: PostgreSQL takes it, and it has rows, not too many. Some without
// rows are taken too. Before the tables are filled it asks what the view will have then.
func (w *world) worth(ctx context.Context, q query) (bool, error) {
	begin := append([]string{"BEGIN"}, w.first...)
	rows, err := w.p.Oracle.Exec(ctx, strings.Join(append(begin, "SELECT count(*) FROM ("+q.sql+") AS q"), "; "))
	if sqlState(err) == "" && err != nil {
		return false, err
	}
	if _, err := w.p.Oracle.Exec(ctx, "ROLLBACK"); err != nil {
		return false, err
	}
	if err != nil {
		w.p.Count.invalid(err)
		return false, nil
	}
	n := rows.Rows[0][0]
	return len(n) < len(fmt.Sprint(viewRowsMax+w.plan.Rows)) && (n != "0" || w.g.chance(emptyShare)), nil
}

// emptyShare is how many percent of the queries without rows become views.
const emptyShare = 15

// rounds changes the tables and compares, a few times.
func (w *world) rounds(ctx context.Context) error {
	if err := w.check(ctx); err != nil {
		return err
	}
	for range w.plan.Rounds {
		statements := w.g.transaction()
		for _, sql := range statements {
			s := Step{Kind: StepWrite, SQL: sql}
			if w.plan.Crashes && len(statements) == 1 && w.g.chance(50) {
				s.Kind, s.Delay = StepTorn, w.g.n(delayMax)
			}
			if _, err := w.do(ctx, s); err != nil {
				return err
			}
		}
		if err := w.check(ctx); err != nil {
			return err
		}
		if err := w.between(ctx); err != nil {
			return err
		}
	}
	return nil
}

// between is what happens beside views and changes: queries, and now and then another schema.
func (w *world) between(ctx context.Context) error {
	for range w.g.n(3) {
		q := w.g.lookUp()
		if w.g.chance(40) {
			q = w.g.query(1)
		}
		s := Step{Kind: StepQuery, SQL: q.sql, View: &View{Query: q.sql, Cols: q.cols}}
		if ok, err := w.do(ctx, s); err != nil {
			return err
		} else if !ok {
			w.h.Steps = w.h.Steps[:len(w.h.Steps)-1]
		}
	}
	if w.g.chance(12) {
		if _, err := w.do(ctx, Step{Kind: StepWrite, SQL: w.g.index()}); err != nil {
			return err
		}
	}
	if w.g.chance(8) {
		if _, err := w.do(ctx, Step{Kind: StepWrite, SQL: w.g.addColumn()}); err != nil {
			return err
		}
	}
	if w.g.chance(15) {
		if _, err := w.do(ctx, Step{Kind: StepHere, SQL: w.g.here()}); err != nil {
			return err
		}
	}
	if w.g.chance(4) {
		if _, err := w.do(ctx, Step{Kind: StepRestart}); err != nil {
			return err
		}
	}
	if w.g.chance(10) && len(w.p.live) > 0 {
		return w.drop(ctx, w.p.live[w.g.n(len(w.p.live))].Name)
	}
	return nil
}

// check compares, gives up views that have become too large, and looks how large the tables are.
func (w *world) check(ctx context.Context) error {
	w.h.Steps = append(w.h.Steps, Step{Kind: StepCheck})
	giveUp, err := w.p.Check(ctx, viewRowsMax+w.plan.Rows)
	if err != nil {
		return err
	}
	for _, name := range giveUp {
		if err := w.drop(ctx, name); err != nil {
			return err
		}
	}
	for _, t := range w.g.tables {
		rows, err := w.p.Oracle.Exec(ctx, "SELECT 1 FROM "+t.name)
		if err != nil {
			return err
		}
		t.rows = len(rows.Rows)
	}
	return nil
}

// drop removes a view and forgets those that went with it.
func (w *world) drop(ctx context.Context, name string) error {
	if _, err := w.do(ctx, Step{Kind: StepDrop, Name: name}); err != nil {
		return err
	}
	live := map[string]bool{}
	for _, v := range w.p.live {
		live[v.Name] = true
	}
	kept := w.g.views[:0:0]
	for _, r := range w.g.views {
		if live[r.name] {
			kept = append(kept, r)
		}
	}
	w.g.views = kept
	return nil
}
