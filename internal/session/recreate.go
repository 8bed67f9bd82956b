package session

import (
	"context"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/sql/parser"
)

// recreate runs RECREATE: a view or index is made anew by the plan that it has, or from its definition where that can not
// be read any more.
func (s *Session) recreate(ctx context.Context, st *ast.Recreate, sql string) (Result, error) {
	rel, err := s.binder(nil).Relation(st.Name)
	if err != nil {
		return nil, err
	}
	if rel.Kind != kindOf[st.Kind] {
		return nil, errs.WrongObject.New("what", "\""+rel.Name+"\" is not "+oneOf(st.Kind)).At(int(st.Name.Pos))
	}
	find := func(c *catalog.Snapshot) (*catalog.Relation, error) {
		now, ok := c.Relation(rel.ID)
		if !ok {
			return nil, errs.UndefinedTable.New("name", rel.Name)
		}
		return now, s.owns(kindName(now.Kind), now.Name, now.Owner)
	}
	made, err := s.d.engine.Recreate(ctx, engine.Definition{SQL: sql, Settings: s.changedJobSettings(rel.Kind)}, find)
	if errs.Is(err, errs.Corruption) && rel.Kind == catalog.KindMaterializedView {
		return done(statementName(st)), s.remake(ctx, rel)
	}
	if err != nil {
		return nil, err
	}
	return done(statementName(st)), s.waitSwapped(ctx, made)
}

// remake makes a view from its definition.
func (s *Session) remake(ctx context.Context, rel *catalog.Relation) error {
	stmt, err := parser.Parse(rel.Definition)
	st, ok := stmt.(*ast.CreateView)
	if err != nil || !ok {
		return errs.Internal.New("what", "the definition of a view does not parse").Wrap(err)
	}
	st.Name.Parts = []string{rel.Schema, rel.Name}
	def, err := s.materialized(st, rel.Schema, rel.Definition)
	if err != nil {
		return err
	}
	_, err = s.replaceMaterialized(ctx, def)
	return err
}

// changedJobSettings are the settings that shape a job, as far as the session has them otherwise than they are by default:
// the others stay as they were when the job was created.
func (s *Session) changedJobSettings(kind catalog.RelationKind) map[string]string {
	out := map[string]string{"background_ddl": s.vars.Text("background_ddl")}
	if rate := s.vars.Int("backfill_rate_limit"); rate >= 0 {
		out["backfill_rate_limit"] = s.vars.Text("backfill_rate_limit")
	}
	if rule := s.parallelismFor(kind); rule != "default" {
		out[engine.ParallelismSetting] = rule
	}
	if what := s.vars.Text(meta.LagSetting); what != meta.LagDetach {
		out[meta.LagSetting] = what
	}
	if s.vars.Bool(engine.TallySetting) {
		out[engine.TallySetting] = "on"
	}
	return out
}

// replaceMaterialized gives a materialized view another query, for CREATE OR REPLACE MATERIALIZED VIEW; there is false when
// there is none to replace.
func (s *Session) replaceMaterialized(ctx context.Context, def engine.Definition) (there bool, err error) {
	rel := def.Relation
	was, there := s.d.engine.Catalog().Find(rel.Schema, rel.Name)
	if !there {
		return false, nil
	}
	made, err := s.d.engine.Recreate(ctx, def, func(c *catalog.Snapshot) (*catalog.Relation, error) {
		now, ok := c.Relation(was.ID)
		if !ok {
			return nil, errs.UndefinedTable.New("name", rel.Name)
		}
		if now.Kind != catalog.KindMaterializedView {
			return nil, errs.WrongObject.New("what", "\""+now.Name+"\" is not a materialized view")
		}
		if err := s.owns(kindName(now.Kind), now.Name, now.Owner); err != nil {
			return nil, err
		}
		return now, sameColumns(now, rel)
	})
	if err != nil {
		return true, err
	}
	return true, s.waitSwapped(ctx, made)
}
