package session

import (
	"context"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// blackhole is the connector that takes rows and does nothing with them.
const blackhole = "blackhole"

// createSink runs CREATE SINK to the blackhole connector: the query runs as that of a view, whose rows nobody can read. It
// shows what a query costs.
func (s *Session) createSink(ctx context.Context, st *ast.CreateSink, sql string) (Result, error) {
	schema, err := s.schema(st.Name.Schema())
	if err != nil {
		return nil, err
	}
	with := map[string]string{}
	for _, o := range st.Options {
		with[o.Key] = o.Value.Text
	}
	if len(st.Into.Parts) > 0 {
		return s.createSinkInto(ctx, st, schema, sql)
	}
	if with["connector"] != blackhole {
		return nil, errs.Unsupported.New("feature", "a sink that is neither INTO a table nor to the connector blackhole").At(int(st.Pos))
	}
	rel, n, err := s.binder(nil).CreateView(&ast.CreateView{Pos: st.Pos, Materialized: true, Name: st.Name, Query: sinkQuery(st)}, schema)
	if err != nil {
		return nil, err
	}
	rel.Kind, rel.With, rel.Definition, rel.Owner = catalog.KindSink, with, ast.Format(st), s.startup.User
	root, err := s.viewPlan(n)
	if err != nil {
		return nil, err
	}
	rel.Key = plan.UniqueKey(root)
	dependOnLookups(rel, root)
	settings, err := s.sinkSettings(rel, st.Options)
	if err != nil {
		return nil, err
	}
	made, err := s.create(ctx, engine.Definition{Relation: rel, Plan: root, SQL: sql, Settings: settings}, st.IfNotExists)
	if err != nil || made == nil {
		return done("CREATE SINK"), err
	}
	return done("CREATE SINK"), s.waitCreated(ctx, made)
}

// sinkSettings are those of the job that a sink is: the session's, and the order in which it reads its history.
func (s *Session) sinkSettings(rel *catalog.Relation, options []ast.Option) (settings map[string]string, err error) {
	settings = s.jobSettings(catalog.KindSink)
	settings[orderOption], err = s.scanOrder(rel, options)
	return settings, err
}

// sinkQuery is the query of a sink, or all of the relation that it is FROM.
func sinkQuery(st *ast.CreateSink) *ast.Query {
	if st.Query != nil {
		return st.Query
	}
	return &ast.Query{Pos: st.Pos, Body: &ast.Select{Pos: st.Pos, Items: []ast.SelectItem{{Pos: st.Pos, Expr: &ast.Star{Pos: st.Pos}}},
		From: []ast.TableExpr{&ast.TableRef{Pos: st.From.Pos, Name: st.From}}}}
}
