package session

import (
	"context"
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
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

// actorsOf reads the rule; ADAPTIVE and DEFAULT are as many actors as the server has by default, which no number stands for.
func actorsOf(a *ast.SetParameter) (settings.Actors, error) {
	name, text := strings.ToLower(a.Name), strings.ToLower(a.Value.Text)
	switch n, err := strconv.Atoi(text); {
	case text == "default":
		return settings.Actors{}, nil
	case err == nil && n == 0:
		return settings.Actors{}, errs.SettingRange.New("name", name, "value", n, "min", 1, "max", settings.ActorsMax)
	case err != nil && text != "adaptive" && !strings.HasSuffix(text, ")"):
		return settings.Actors{}, errs.SettingValue.New("name", name, "value", a.Value.Text, "why", "It is a whole number, ADAPTIVE, ratio(share) or bounded(number).").At(int(a.Pos))
	}
	return settings.ParseActors(name, text)
}

// parallelismFor is the rule for a job of a kind of relations that is created now.
func (s *Session) parallelismFor(kind catalog.RelationKind) string {
	name := engine.ParallelismSetting + "_for_" + strings.ReplaceAll(kind.String(), " ", "_")
	if rule := s.vars.Text(name); rule != "default" {
		return rule
	}
	return s.vars.Text(engine.ParallelismSetting)
}
