package session

import (
	"context"
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/settings"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// setParallelism runs ALTER ... SET PARALLELISM = n | ADAPTIVE [DEFERRED]: it waits until the job runs with so many actors,
// unless that is deferred.
func (s *Session) setParallelism(ctx context.Context, j id.Job, a *ast.SetParameter) error {
	actors, err := actorsOf(a)
	if err != nil {
		return err
	}
	if err := s.d.engine.SetParallelism(ctx, j, actors); err != nil || a.Deferred {
		return err
	}
	return s.d.engine.WaitScaled(ctx, j)
}

// actorsOf reads a number of actors; 0 is ADAPTIVE, as many as the server has by default, which no number stands for.
func actorsOf(a *ast.SetParameter) (int, error) {
	name, text := strings.ToLower(a.Name), strings.ToLower(a.Value.Text)
	if text == "adaptive" || text == "default" {
		return 0, nil
	}
	switch n, err := strconv.Atoi(text); {
	case err != nil:
		return 0, errs.SettingValue.New("name", name, "value", a.Value.Text, "why", "It is a whole number, or ADAPTIVE.").At(int(a.Pos))
	case n == 0:
		return 0, errs.SettingRange.New("name", name, "value", n, "min", 1, "max", settings.ActorsMax)
	}
	return settings.Actors(name, text)
}
