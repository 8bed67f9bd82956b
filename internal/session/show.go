package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// show runs SHOW of objects and DESCRIBE.
func (s *Session) show(ctx context.Context, st ast.Stmt) (Result, error) {
	if d, ok := st.(*ast.Describe); ok {
		return s.describeRelation(d.Name)
	}
	sh := st.(*ast.Show)
	c := s.d.engine.Catalog()
	kinds := map[string]catalog.RelationKind{"tables": catalog.KindTable, "materialized views": catalog.KindMaterializedView,
		"views": catalog.KindView, "sources": catalog.KindSource, "sinks": catalog.KindSink, "subscriptions": catalog.KindSubscription}
	if kind, ok := kinds[sh.What]; ok {
		return s.showRelations(c, sh, kind), nil
	}
	switch sh.What {
	case "jobs":
		return s.showJobs(), nil
	case "backfill":
		return s.showBackfill(ctx, sh)
	case "schemas":
		var rows []types.Row
		for _, sc := range c.Schemas() {
			rows = append(rows, types.Row{text(sc.Name)})
		}
		return table("SHOW", textColumns("Name"), rows), nil
	case "databases":
		return table("SHOW", textColumns("Name"), []types.Row{{text(c.Database)}}), nil
	case "columns":
		return s.describeRelation(sh.Name)
	case "create table", "create materialized view", "create view", "create index", "create source", "create sink",
		"create subscription":
		rel, err := s.binder(nil).Relation(sh.Name)
		if err != nil {
			return nil, err
		}
		return table("SHOW", textColumns("Name", "Create Sql"), []types.Row{{text(rel.Qualified()), text(rel.Definition)}}), nil
	}
	return nil, errs.Unsupported.New("feature", "SHOW "+strings.ToUpper(sh.What)).At(int(sh.Pos))
}

func (s *Session) showRelations(c *catalog.Snapshot, sh *ast.Show, kind catalog.RelationKind) Result {
	schema := sh.Name.Last()
	if schema == "" {
		schema, _ = s.schema("")
	}
	var names []string
	for _, r := range c.Relations() {
		if r.Kind == kind && r.Schema == schema {
			names = append(names, r.Name)
		}
	}
	slices.Sort(names)
	var rows []types.Row
	for _, n := range names {
		rows = append(rows, types.Row{text(n)})
	}
	return table("SHOW", textColumns("Name"), rows)
}

// describeRelation lists the columns of a relation.
func (s *Session) describeRelation(name ast.Name) (Result, error) {
	rel, err := s.binder(nil).Relation(name)
	if err != nil {
		return nil, err
	}
	var rows []types.Row
	for _, c := range rel.Columns {
		rows = append(rows, types.Row{text(c.Name), text(types.SQLName(c.Type)), text(fmt.Sprint(c.Hidden)), text(c.Comment)})
	}
	var key []string
	for _, k := range rel.Key {
		key = append(key, rel.Columns[k].Name)
	}
	rows = append(rows, types.Row{text("primary key"), text(strings.Join(key, ", ")), types.Null, types.Null})
	return table("DESCRIBE", textColumns("Name", "Type", "Is Hidden", "Description"), rows), nil
}
