package session

import (
	"context"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// refresh runs REFRESH. That of a materialized view has nothing to do: a view shows what was written before the statement that
// reads it. Tools made for PostgreSQL send it, so it is accepted, and says so.
func (s *Session) refresh(ctx context.Context, st *ast.Refresh) (Result, error) {
	switch {
	case st.Kind != ast.MaterializedViewObject:
		return s.refreshCaptured(ctx, st)
	case st.WithNoData:
		return nil, errs.Unsupported.New("feature", "a materialized view without its rows").At(int(st.Pos))
	}
	rel, err := s.binder(nil).Relation(st.Name)
	if err != nil {
		return nil, err
	}
	if rel.Kind != catalog.KindMaterializedView {
		return nil, errs.WrongObject.New("what", "\""+rel.Name+"\" is not a materialized view").At(int(st.Name.Pos))
	}
	if err := s.owns(kindName(rel.Kind), rel.Name, rel.Owner); err != nil {
		return nil, err
	}
	s.notice("NOTICE", "materialized view \"%s\" is always current", rel.Name)
	return done("REFRESH MATERIALIZED VIEW"), nil
}
