package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/job"
)

// resume lets a job go on. One that has lagged out lacks changes that nobody has any more, so what it maintains is made anew
// beside the old rows, which answer meanwhile, and what reads them gets the difference; likewise what has lagged out with it.
func (s *Session) resume(ctx context.Context, j id.Job) error {
	if rel := s.capturedBy(j); rel != nil {
		if err := s.d.captures.Resume(ctx, rel); err != nil || rel.Job == 0 {
			return err
		}
	}
	err := s.d.engine.Resume(ctx, j)
	if !errs.Of(err, errs.BackfillLaggedOut) {
		return err
	}
	if s.isBuild(j) {
		return s.buildAgain(ctx, j)
	}
	for _, rel := range s.laggedWith(j) {
		if err := s.d.engine.Resume(ctx, rel.Job); err != nil && !errs.Of(err, errs.BackfillLaggedOut) {
			return err
		}
		if build, ok := s.d.engine.Catalog().Shadow(rel.ID); ok && s.d.engine.Jobs()[build.Job].State == job.LaggedOut {
			if err := s.buildAgain(ctx, build.Job); err != nil {
				return err
			}
			continue
		}
		def := engine.Definition{SQL: fmt.Sprintf("ALTER JOB %d RESUME", rel.Job), Settings: map[string]string{"background_ddl": "on"}}
		made, err := s.d.engine.Recreate(ctx, def, func(c *catalog.Snapshot) (*catalog.Relation, error) {
			if now, ok := c.Relation(rel.ID); ok && now.Job == rel.Job {
				return now, nil
			}
			return nil, errs.NoSuchJob.New("job", rel.Job)
		})
		if errs.Of(err, errs.RecreateTwice) && rel.Job != j {
			continue // it is on its way
		}
		if err != nil {
			return err
		}
		s.notice("NOTICE", "job %d has lagged out: job %d makes \"%s\" anew", rel.Job, made.Job, rel.Name)
	}
	return nil
}

// isBuild reports whether a job makes what is to take the place of a relation.
func (s *Session) isBuild(j id.Job) bool {
	rel, ok := s.d.engine.Catalog().Relation(s.d.engine.Jobs()[j].Relation)
	return ok && rel.Shadow != 0
}

// buildAgain lets a build that has lagged out begin again. What it is to take the place of answers meanwhile; nobody reads its own rows.
func (s *Session) buildAgain(ctx context.Context, j id.Job) error {
	if err := s.d.engine.Resume(ctx, j); err != nil && !errs.Of(err, errs.BackfillLaggedOut) {
		return err
	}
	if _, err := s.d.engine.RepairBackfill(ctx, j, true); err != nil {
		return err
	}
	s.notice("NOTICE", "job %d has lagged out: it begins again", j)
	return nil
}

// capturedBy finds what a number of SHOW JOBS stands for among sources and captured tables; nil is none.
func (s *Session) capturedBy(j id.Job) *catalog.Relation {
	for _, rel := range s.d.engine.Catalog().Relations() {
		if (s.d.captures.IsSource(rel) || s.d.captures.IsCaptured(rel)) && captureNumber(rel) == int64(j) {
			return rel
		}
	}
	return nil
}

// captureNumber is a captured table's job, or a source's own number: it has no job.
func captureNumber(rel *catalog.Relation) int64 {
	if rel.Job != 0 {
		return int64(rel.Job)
	}
	return int64(rel.ID)
}

// laggedWith are the relations that have lagged out and are connected with that of a job by others that have, each after
// those that it reads.
func (s *Session) laggedWith(j id.Job) (out []*catalog.Relation) {
	c, jobs := s.d.engine.Catalog(), s.d.engine.Jobs()
	var visit func(id.Relation)
	visit = func(r id.Relation) {
		rel, ok := c.Relation(r)
		if !ok || rel.Shadow != 0 || jobs[rel.Job].State != job.LaggedOut || slices.Contains(out, rel) {
			return
		}
		for _, up := range rel.DependsOn {
			visit(up)
		}
		if !slices.Contains(out, rel) {
			out = append(out, rel)
		}
		for _, d := range c.Dependants(r) {
			visit(d.ID)
		}
	}
	visit(jobs[j].Relation)
	return out
}
