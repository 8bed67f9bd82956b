package session

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/tidemark-db/tidemark/internal/capture"
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// removeTimeout bounds how long a DROP tries to drop what was made upstream.
const removeTimeout = 15 * time.Second

// waitLive waits for a table's history, unless the session wants it in the background. A statement that is cancelled, or
// whose table can not be captured, takes the table with it.
func (s *Session) waitLive(ctx context.Context, rel *catalog.Relation) error {
	if s.vars.Bool("background_ddl") {
		return nil
	}
	for {
		step, cancel := context.WithTimeout(ctx, progressEvery)
		err := s.d.captures.WaitLive(step, rel)
		cancel()
		if err == nil {
			return nil
		}
		if ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
			return errors.Join(err, s.dropRelations(context.WithoutCancel(ctx), func(c *catalog.Snapshot) ([]*catalog.Relation, error) {
				if r, ok := c.Relation(rel.ID); ok {
					return dependants(c, r), nil
				}
				return nil, nil
			}))
		}
		s.noticeCapture(rel)
	}
}

// noticeCapture tells the client how far a history is, and what it waits for.
func (s *Session) noticeCapture(rel *catalog.Relation) {
	st, _ := s.d.captures.Live(rel)
	s.notice("NOTICE", "table \"%s\": %d rows of history read%s", rel.Name, st.Rows, s.d.captures.Trouble(rel))
}

// dropRelations drops what find gives, here and upstream. That the upstream can not be reached is told, and no error.
func (s *Session) dropRelations(ctx context.Context, find func(*catalog.Snapshot) ([]*catalog.Relation, error)) error {
	var gone []*catalog.Relation
	err := s.d.engine.Drop(ctx, func(c *catalog.Snapshot) ([]*catalog.Relation, error) {
		rels, err := find(c)
		gone = rels
		return rels, err
	})
	if err != nil || !slices.ContainsFunc(gone, func(r *catalog.Relation) bool { return r.With[capture.ConnectorOption] != "" }) {
		return err
	}
	slices.SortStableFunc(gone, func(a, b *catalog.Relation) int { return int(b.Kind) - int(a.Kind) }) // sources before their tables
	ctx, cancel := context.WithTimeout(ctx, removeTimeout)
	defer cancel()
	if err := s.d.captures.Dropped(ctx, gone); err != nil {
		s.notice("WARNING", "what was made upstream is still there: %s", err.Error())
	}
	return nil
}

// refuseCaptured refuses to change rows that come from upstream.
func (d *Database) refuseCaptured(rel *catalog.Relation) error {
	if !d.captures.IsCaptured(rel) {
		return nil
	}
	return errs.CapturedTable.New("table", rel.Name, "upstream", rel.With[capture.TableOption])
}

// setRateOption changes an option that says how many rows a second come into a relation; the catalog keeps it.
func (s *Session) setRateOption(ctx context.Context, rel *catalog.Relation, option string, a *ast.SetParameter) error {
	if _, err := rateOf(a); err != nil {
		return err
	}
	return s.d.engine.Change(ctx, func(c *catalog.Snapshot) ([]kv.Write, error) {
		r := *rel
		r.With = maps.Clone(r.With)
		r.With[option] = a.Value.Text
		c.Put(&r)
		return []kv.Write{meta.PutRelation(&r)}, nil
	})
}
