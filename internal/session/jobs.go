package session

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
	"github.com/tidemark-db/tidemark/internal/types"
)

// job runs the statements that wait for jobs or steer them.
func (s *Session) job(ctx context.Context, st ast.Stmt) (Result, error) {
	switch st := st.(type) {
	case *ast.Flush:
		if err := s.commit(ctx); err != nil {
			return nil, err
		}
		at := s.d.engine.OpenEpoch()
		return done("FLUSH"), s.d.engine.WaitVisible(ctx, at)
	case *ast.Wait:
		return done("WAIT"), s.d.engine.WaitAll(ctx)
	case *ast.Recover:
		return done("RECOVER"), nil
	case *ast.CancelJobs:
		return s.cancelJobs(ctx, st)
	case *ast.AlterJob:
		if st.Action != "RESUME" {
			return nil, errs.Unsupported.New("feature", "ALTER JOB "+st.Action).At(int(st.Pos))
		}
		return done("ALTER_JOB"), s.d.engine.Resume(ctx, id.Job(st.Job))
	}
	return nil, errs.Internal.New("what", "no job statement")
}

func (s *Session) cancelJobs(ctx context.Context, st *ast.CancelJobs) (Result, error) {
	jobs := s.d.engine.Jobs()
	for _, n := range st.Jobs {
		j, ok := jobs[id.Job(n)]
		if !ok || j.Created {
			return nil, errs.NoSuchJob.New("job", n)
		}
		rel, ok := s.d.engine.Catalog().Relation(j.Relation)
		if !ok {
			continue
		}
		if err := s.cancelJob(ctx, rel); err != nil {
			return nil, err
		}
	}
	return done("CANCEL_JOBS"), nil
}

// setParameter runs ALTER ... SET name = value.
func (s *Session) setParameter(ctx context.Context, rel *catalog.Relation, a *ast.SetParameter) error {
	switch strings.ToLower(a.Name) {
	case "backfill_rate_limit", "source_rate_limit":
		rate := -1.0
		if a.Value.Text != "default" {
			var err error
			if rate, err = strconv.ParseFloat(a.Value.Text, 64); err != nil {
				return errs.Unsupported.New("feature", "rate limit "+a.Value.Text).At(int(a.Pos))
			}
		}
		return s.d.engine.SetRate(ctx, rel.Job, rate)
	}
	return errs.Unsupported.New("feature", "SET "+a.Name).At(int(a.Pos))
}

// show runs SHOW of objects and DESCRIBE.
func (s *Session) show(ctx context.Context, st ast.Stmt) (Result, error) {
	if d, ok := st.(*ast.Describe); ok {
		return s.describeRelation(d.Name)
	}
	sh := st.(*ast.Show)
	c := s.d.engine.Catalog()
	kinds := map[string]catalog.RelationKind{"tables": catalog.KindTable, "materialized views": catalog.KindMaterializedView,
		"views": catalog.KindView, "sources": catalog.KindSource, "sinks": catalog.KindSink}
	if kind, ok := kinds[sh.What]; ok {
		return s.showRelations(c, sh, kind), nil
	}
	switch sh.What {
	case "jobs":
		return s.showJobs(), nil
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
	case "create table", "create materialized view", "create view", "create index", "create source", "create sink":
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

func (s *Session) showJobs() Result {
	cols := []Column{{Name: "Id", Type: types.Int8}, {Name: "Statement", Type: types.Varchar}, {Name: "State", Type: types.Varchar},
		{Name: "Rows", Type: types.Int8}, {Name: "AsOf", Type: types.Int8}, {Name: "Reason", Type: types.Varchar}}
	jobs := s.d.engine.Jobs()
	var rows []types.Row
	for _, j := range slices.Sorted(maps.Keys(jobs)) {
		st := jobs[j]
		if st.Attached {
			continue
		}
		rows = append(rows, types.Row{types.NewInt(int64(j)), text(st.SQL), text(string(st.State)), types.NewInt(int64(st.Scanned)),
			types.NewInt(int64(st.AsOf)), text(st.Reason)})
	}
	return table("SHOW", cols, rows)
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
