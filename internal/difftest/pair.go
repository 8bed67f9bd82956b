package difftest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
)

// Failure is a difference between the two databases.
type Failure struct {
	Kind string
	Code string // what differs: SQLSTATEs, types or rows
	What string
	Step int // position in the history
}

// Like tells whether two failures are probably the same: what a smaller script must show as well.
func (f *Failure) Like(g *Failure) bool { return f.Kind == g.Kind && f.Code == g.Code }

// Error implements error.
func (f *Failure) Error() string { return fmt.Sprintf("%s: %s", f.Kind, f.What) }

// The kinds of failures.
const (
	failView   = "a view differs from PostgreSQL"
	failQuery  = "a query differs from PostgreSQL"
	failVerify = "a view is not what its query gives"
	failError  = "an error differs from PostgreSQL"
	failWrite  = "a statement differs from PostgreSQL"
	failCrash  = "the database does not open after a crash"
	failLagged = "a view does not settle"
)

// refusal is the SQLSTATE of what Tidemark says it does not do.
const refusal = "0A000"

// Pair is both databases under one history.
type Pair struct {
	Oracle    Oracle
	Subject   *Subject
	Count     *Count
	live      []*View
	tables    []string
	retracted bool // since the last check something was deleted or updated
}

// Do takes both databases through a step. It returns false if the step did not happen because PostgreSQL refuses it, or
// because Tidemark does so by name.
func (p *Pair) Do(ctx context.Context, s Step) (bool, error) {
	switch s.Kind {
	case StepCheck:
		_, err := p.Check(ctx, 0)
		return err == nil, err
	case StepCrash:
		return true, p.crash(ctx)
	case StepRestart:
		return true, p.restart(ctx)
	case StepHere:
		return p.here(ctx, s)
	case StepTorn:
		return true, p.torn(ctx, s)
	case StepView:
		return p.view(ctx, s)
	case StepDrop:
		return p.drop(ctx, s)
	case StepQuery:
		return p.query(ctx, s)
	}
	want, wantErr := p.Oracle.Exec(ctx, s.Postgres())
	if sqlState(wantErr) == "" && wantErr != nil {
		return false, fmt.Errorf("%s: %w", s.SQL, wantErr)
	}
	got, gotErr := p.Subject.Exec(ctx, s.Tidemark())
	if f := sameErrors(s, gotErr, wantErr); f != nil {
		return false, f
	}
	if wantErr != nil {
		p.Count.Failed++
		return false, nil
	}
	if strings.HasPrefix(s.SQL, "SET ") {
		p.Subject.setup = append(p.Subject.setup, s.SQL)
	}
	if s.Kind == StepTable {
		p.tables = append(p.tables, s.Name)
	}
	if s.Kind == StepWrite {
		p.Count.Statements++
		p.retracted = p.retracted || retracts(s.SQL)
		if f := sameRows(failWrite, s.SQL, got, want, nil); f != nil {
			return false, f
		}
	}
	return true, nil
}

// sameRows compares two results.
func sameRows(kind, what string, got, want Rows, cols []Column) error {
	if d := got.DiffersInTypes(want); d != "" {
		return &Failure{Kind: kind, Code: "types", What: what + "\n" + d}
	}
	if d := got.Differs(want, cols); d != "" {
		return &Failure{Kind: kind, Code: "rows", What: what + "\n" + d}
	}
	return nil
}

// query compares the rows of a query. What PostgreSQL fails on is passed over, and so is what Tidemark refuses by name.
func (p *Pair) query(ctx context.Context, s Step) (bool, error) {
	want, err := p.Oracle.Exec(ctx, bounded(s.SQL))
	if sqlState(err) == "" && err != nil {
		return false, err
	}
	if err != nil {
		p.Count.unanswered(err)
		return false, nil
	}
	got, err := p.Subject.Exec(ctx, s.SQL)
	if state(err) == refusal {
		p.Count.refused(err)
		return false, nil
	}
	if f := sameErrors(s, err, nil); f != nil {
		return false, f
	}
	p.Count.Queries++
	return true, sameRows(failQuery, s.SQL, got, want, s.View.Cols)
}

// sameErrors compares how a statement failed, or that it did not.
func sameErrors(s Step, got, want error) error {
	switch {
	case got == nil && want == nil:
	case got == nil:
		return &Failure{Kind: failError, Code: "none for " + sqlState(want), What: fmt.Sprintf("%s\nno error, want %v", s.Tidemark(), want)}
	case want == nil:
		return &Failure{Kind: failError, Code: state(got), What: fmt.Sprintf("%s\n%v (SQLSTATE %s), want none", s.Tidemark(), got, state(got))}
	case state(got) != sqlState(want):
		return &Failure{Kind: failError, Code: state(got) + " for " + sqlState(want), What: fmt.Sprintf("%s\n%v (SQLSTATE %s), want %v", s.Tidemark(), got, state(got), want)}
	}
	return nil
}

// view creates a view on both sides.
func (p *Pair) view(ctx context.Context, s Step) (bool, error) {
	if _, err := p.Oracle.Exec(ctx, s.Postgres()); err != nil {
		p.Count.invalid(err)
		return false, nil
	}
	sql := s.Tidemark()
	if p.Subject.shape.Background {
		sql = "SET background_ddl = on; " + sql
	}
	_, err := p.Subject.Exec(ctx, sql)
	if state(err) == refusal {
		p.Count.refused(err)
		_, err := p.Oracle.Exec(ctx, "DROP VIEW "+s.Name)
		return false, err
	}
	if f := sameErrors(s, err, nil); f != nil {
		return false, f
	}
	p.live = append(p.live, s.View)
	p.Count.created(s.View)
	return true, nil
}

// drop removes a view and those that stand on it.
func (p *Pair) drop(ctx context.Context, s Step) (bool, error) {
	if !slices.ContainsFunc(p.live, func(v *View) bool { return v.Name == s.Name }) {
		return false, nil
	}
	if _, err := p.Oracle.Exec(ctx, s.Postgres()+" CASCADE"); err != nil {
		return false, fmt.Errorf("%s: %w", s.Postgres(), err)
	}
	_, err := p.Subject.Exec(ctx, s.Tidemark()+" CASCADE")
	if f := sameErrors(s, err, nil); f != nil {
		return false, f
	}
	p.live = without(p.live, s.Name)
	return true, nil
}

// without removes a view and those that use it, however indirectly; views are in the order of their creation.
func without(views []*View, name string) []*View {
	gone := map[string]bool{name: true}
	return slices.DeleteFunc(slices.Clone(views), func(v *View) bool {
		if slices.ContainsFunc(v.Uses, func(u string) bool { return gone[u] }) {
			gone[v.Name] = true
		}
		return gone[v.Name]
	})
}

// here lets the database under test alone take a statement. What it was not able to do there and then is passed over: a job
// may be under way, or gone in a smaller history.
func (p *Pair) here(ctx context.Context, s Step) (bool, error) {
	_, err := p.Subject.Exec(ctx, s.SQL)
	if errs.Is(err, errs.Bug) || errs.Is(err, errs.Corruption) {
		return false, &Failure{Kind: failError, Code: state(err), What: fmt.Sprintf("%s: %v", s.SQL, err)}
	}
	return true, nil
}

// restart closes and opens the database under test; a transaction block ends on both sides.
func (p *Pair) restart(ctx context.Context) error {
	if _, err := p.Oracle.Exec(ctx, "ROLLBACK"); err != nil {
		return err
	}
	if err := p.Subject.Restart(ctx); err != nil {
		return &Failure{Kind: failCrash, What: err.Error()}
	}
	return nil
}

// crash kills the database under test; what was in a transaction block is gone on both sides.
func (p *Pair) crash(ctx context.Context) error {
	if _, err := p.Oracle.Exec(ctx, "ROLLBACK"); err != nil {
		return err
	}
	p.Count.Crashes++
	if err := p.Subject.Crash(ctx); err != nil {
		return &Failure{Kind: failCrash, What: err.Error()}
	}
	return nil
}
