package session

import (
	"context"
	"strconv"
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/verify"
)

// differencesShown is how many rows VERIFY returns at most.
const differencesShown = 100

// proof runs the statements that prove what is stored, and put it right.
func (s *Session) proof(ctx context.Context, st ast.Stmt) (Result, error) {
	if st, ok := st.(*ast.Backfill); ok {
		return s.backfill(ctx, st)
	}
	return s.verify(ctx, st.(*ast.Verify))
}

// verify runs VERIFY: the query of a view or index is computed afresh as of one epoch and compared with its rows. The
// stream goes on meanwhile.
func (s *Session) verify(ctx context.Context, st *ast.Verify) (Result, error) {
	rel, err := s.binder(nil).Relation(st.Name)
	if err != nil {
		return nil, err
	}
	if rel.Kind != kindOf[st.Kind] {
		return nil, errs.WrongObject.New("what", "\""+rel.Name+"\" is not "+oneOf(st.Kind)).At(int(st.Name.Pos))
	}
	if err := s.access(rel, "SELECT"); err != nil {
		return nil, err
	}
	if _, err := s.d.engine.WaitFresh(ctx, []id.Job{rel.Job}, 0, false); err != nil { // one that is being created has no rows
		return nil, err
	}
	began := s.d.now()
	at, err := s.d.engine.Standing(ctx, rel.Job)
	if err != nil {
		return nil, err
	}
	defer at.View.Close()
	switch {
	case at.Partial:
		return nil, errs.VerifyPartial.New("name", rel.Name)
	case plan.LooksAtClock(at.Plan):
		return nil, errs.VerifyClock.New("name", rel.Name)
	case plan.LooksUp(at.Plan):
		return nil, errs.VerifyLookedUp.New("name", rel.Name)
	}
	o := verify.Options{Shown: differencesShown}
	if st.Percent != "" {
		percent, err := strconv.ParseFloat(st.Percent, 64)
		if err != nil || percent <= 0 || percent > 100 {
			return nil, errs.SettingValue.New("name", "SAMPLE", "value", st.Percent, "why", "It is a percentage, more than 0 and 100 at most.").At(int(st.Pos))
		}
		o.Vnodes = verify.Sample(at.Relation.Vnodes, percent, uint64(at.AsOf))
	}
	found, err := verify.Run(ctx, subjectOf(at), o)
	if err != nil {
		return nil, err
	}
	s.noticeVerified(at, found, s.d.now().Sub(began))
	return s.differences(at.Relation, found), nil
}

// subjectOf is a view as its job keeps it: a row whose expression fails has NULL there, unless that stops the job.
func subjectOf(at *engine.Standing) verify.Subject {
	c := &expr.Ctx{Ctx: types.Ctx{Loc: at.Zone}}
	if !at.Strict {
		c.OnError = func(int, error) {}
	}
	return verify.Subject{Relation: at.Relation, Plan: at.Plan, Reader: verify.Rewind(at.View, at.Behind), Ctx: c}
}

// noticeVerified sums up.
func (s *Session) noticeVerified(at *engine.Standing, found *verify.Result, took time.Duration) {
	said := "equals its query"
	switch n := len(found.Differences); {
	case found.More:
		said = "differs from its query in more rows than are listed"
	case n > 0:
		said = sprintf("differs from its query in %d rows", []any{n})
	}
	n := Notice{Severity: "NOTICE", Message: sprintf("\"%s\" %s; it has %d rows in what was compared", []any{at.Relation.Name, said, found.Rows}),
		Detail: sprintf("As of epoch %d, in %.3f s.", []any{at.AsOf, took.Seconds()})}
	if len(found.Differences) > 0 {
		n.Hint = "Report how it came to that; RECREATE MATERIALIZED VIEW makes it anew, and what reads it with it."
	}
	s.send(n)
}

// differences has a row for each difference: how many times more often the view has the row, negative when it lacks it.
func (s *Session) differences(rel *catalog.Relation, found *verify.Result) Result {
	var rows []types.Row
	for _, d := range found.Differences {
		line := types.Null
		if d.Row != nil {
			line = text(s.record(rel, d.Row))
		}
		rows = append(rows, types.Row{types.NewInt(int64(d.Vnode)), types.NewInt(d.Count), line})
	}
	return table("VERIFY", differenceColumns(), rows)
}

func differenceColumns() []Column {
	return []Column{{Name: "vnode", Type: types.Int4}, {Name: "difference", Type: types.Int8}, {Name: "row", Type: types.Text}}
}

// record prints the visible columns of a row as PostgreSQL prints a record.
func (s *Session) record(rel *catalog.Relation, row types.Row) string {
	var fields []types.Field
	var values []types.Datum
	for _, c := range rel.Visible() {
		fields = append(fields, types.Field{Name: rel.Columns[c].Name, Type: rel.Columns[c].Type})
		values = append(values, row[c])
	}
	t := types.StructOf(fields...)
	return types.Format(t, types.NewStruct(t, values), s.TextContext())
}
