package session

import (
	"context"
	"strings"

	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// backfill runs CHECK BACKFILL, which tells what is wrong with the progress of a job and what would be done about it, and
// REPAIR BACKFILL, which does it.
func (s *Session) backfill(ctx context.Context, st *ast.Backfill) (Result, error) {
	if st.VNodes != nil {
		return nil, errs.Unsupported.New("feature", "CHECK or REPAIR BACKFILL of some vnodes").At(int(st.Pos))
	}
	rel, err := s.binder(nil).Relation(st.Name)
	if err != nil {
		return nil, err
	}
	if rel.Job == 0 {
		return nil, errs.WrongObject.New("what", "\""+rel.Name+"\" is not maintained by a job").At(int(st.Name.Pos))
	}
	if err := s.owns(kindName(rel.Kind), rel.Name, rel.Owner); err != nil {
		return nil, err
	}
	if !st.Repair {
		found, err := s.d.engine.CheckBackfill(ctx, rel.Job)
		if err != nil {
			return nil, err
		}
		return s.findings("CHECK", found), nil
	}
	found, err := s.d.engine.RepairBackfill(ctx, rel.Job, st.FromScratch)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 && !st.FromScratch {
		s.notice("NOTICE", "nothing is wrong with the backfill of \"%s\"", rel.Name)
	}
	return s.findings("REPAIR", found), nil
}

// findings has a row for each record that is not as it should be.
func (s *Session) findings(tag string, found []engine.Checked) Result {
	var rows []types.Row
	for _, f := range found {
		input, v := types.Null, types.Null
		if rel, ok := s.d.engine.Catalog().Relation(f.From); ok {
			input = text(rel.Name)
		}
		if f.Vnode >= 0 {
			v = types.NewInt(int64(f.Vnode))
		}
		problem := f.Err.Message
		if f.Err.Detail != "" {
			problem += ". " + strings.TrimSuffix(f.Err.Detail, ".")
		}
		rows = append(rows, types.Row{input, v, text(f.Err.Entry.Code), text(problem), text(string(f.Mend))})
	}
	return table(tag, findingColumns(), rows)
}

func findingColumns() []Column {
	return []Column{{Name: "input", Type: types.Varchar}, {Name: "vnode", Type: types.Int4}, {Name: "code", Type: types.Varchar},
		{Name: "problem", Type: types.Varchar}, {Name: "remedy", Type: types.Varchar}}
}
