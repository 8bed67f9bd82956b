package session

import (
	"context"
	"strings"

	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/settings"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// setParallelism runs ALTER ... SET PARALLELISM = n | ADAPTIVE [DEFERRED]: it waits until the job runs with so many actors,
// unless that is deferred.
func (s *Session) setParallelism(ctx context.Context, j id.Job, a *ast.SetParameter) error {
	actors, err := settings.Actors(strings.ToLower(a.Name), a.Value.Text)
	if err != nil {
		return err
	}
	if err := s.d.engine.SetParallelism(ctx, j, actors); err != nil || a.Deferred {
		return err
	}
	return s.d.engine.WaitScaled(ctx, j)
}
