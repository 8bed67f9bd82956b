package session

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-db/tidemark/internal/capture"
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/generate"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/job"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// job runs the statements that wait for jobs or steer them.
func (s *Session) job(ctx context.Context, st ast.Stmt) (Result, error) {
	switch st := st.(type) {
	case *ast.Flush:
		if err := s.commit(ctx); err != nil {
			return nil, err
		}
		at := s.d.engine.OpenEpoch()
		if err := s.d.engine.WaitVisible(ctx, at); err != nil {
			return nil, err
		}
		return done("FLUSH"), s.d.sinks.flush(ctx, at)
	case *ast.Wait:
		return done("WAIT"), s.wait(ctx, st)
	case *ast.Recover:
		return done("RECOVER"), s.recover(ctx)
	case *ast.CancelJobs:
		return done("CANCEL JOBS"), s.cancelJobs(ctx, st)
	case *ast.AlterJob:
		if err := s.ownsJob(s.d.engine.Catalog(), id.Job(st.Job)); err != nil {
			return nil, err
		}
		return done("ALTER JOB"), s.steer(ctx, id.Job(st.Job), st.Action, st.Param)
	case *ast.AlterBackfill:
		rel, err := s.binder(nil).Relation(st.Name)
		if err == nil && st.VNodes != nil {
			err = errs.Unsupported.New("feature", "ALTER BACKFILL of some vnodes").At(int(st.Pos))
		}
		if err == nil {
			err = s.owns(kindName(rel.Kind), rel.Name, rel.Owner)
		}
		if err != nil {
			return nil, err
		}
		return done("ALTER BACKFILL"), s.alterBackfill(ctx, rel, st)
	}
	return nil, errs.Internal.New("what", "no job statement")
}

// recover runs RECOVER.
func (s *Session) recover(ctx context.Context) error {
	if user, ok := s.d.engine.Catalog().User(s.startup.User); ok && !user.Super {
		return errs.PermissionDenied.New("what", "to recover").WithDetail("Only a superuser may replace the actors of all jobs.")
	}
	if err := s.d.engine.Recover(ctx); err != nil {
		return err
	}
	return s.d.engine.WaitRecovered(ctx)
}

// wait waits for one job, or for all that get on by themselves, and for what sinks have to pass on then; of the others it tells.
func (s *Session) wait(ctx context.Context, st *ast.Wait) error {
	if st.Kind != "" {
		rel, err := s.binder(nil).Relation(st.Name)
		if err != nil || rel.Job == 0 {
			return err
		}
		if err := s.d.engine.WaitJob(ctx, rel.Job); err != nil {
			return err
		}
		return s.d.sinks.flush(ctx, s.d.engine.Visible())
	}
	if err := s.d.engine.WaitAll(ctx); err != nil {
		return err
	}
	if err := s.d.sinks.flush(ctx, s.d.engine.Visible()); err != nil {
		return err
	}
	for _, j := range s.d.unfinished() {
		if j.State == job.Quarantined || j.State == job.Paused {
			s.notice("NOTICE", "job %d is %s%s", j.ID, j.State, because(j.Reason))
		}
	}
	return nil
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

// cancelJobs drops what the jobs were to make: all of them, or none when one can not be cancelled.
func (s *Session) cancelJobs(ctx context.Context, st *ast.CancelJobs) error {
	return s.dropRelations(ctx, func(c *catalog.Snapshot) (rels []*catalog.Relation, err error) {
		jobs := s.d.engine.Jobs()
		for _, n := range st.Jobs {
			j, ok := jobs[id.Job(n)]
			if !ok {
				return nil, errs.NoSuchJob.New("job", n)
			}
			rel, ok := c.Relation(j.Relation)
			switch {
			case !ok:
				return nil, errs.NoSuchJob.New("job", n)
			case j.Created && rel.Shadow == 0:
				return nil, errs.JobCreated.New("job", n)
			}
			if err := s.ownsJob(c, j.ID); err != nil {
				return nil, err
			}
			for _, r := range dependants(c, rel) {
				if !slices.Contains(rels, r) {
					rels = append(rels, r)
				}
			}
		}
		return rels, nil
	})
}

// building is the job that reads history for a relation: while one is built to take its place, that of the build.
func (s *Session) building(rel *catalog.Relation) id.Job {
	if shadow, ok := s.d.engine.Catalog().Shadow(rel.ID); ok {
		return shadow.Job
	}
	return rel.Job
}

// alterBackfill runs ALTER BACKFILL.
func (s *Session) alterBackfill(ctx context.Context, rel *catalog.Relation, st *ast.AlterBackfill) error {
	if st.Param != nil {
		return s.setParameter(ctx, rel, st.Param)
	}
	return s.steer(ctx, s.building(rel), st.Action, nil)
}

// ownsJob refuses to steer what makes another user's relation. A job without one belongs to nobody.
func (s *Session) ownsJob(c *catalog.Snapshot, j id.Job) error {
	rel, ok := c.Relation(s.d.engine.Jobs()[j].Relation)
	if !ok {
		return nil
	}
	return s.owns(kindName(rel.Kind), rel.Name, rel.Owner)
}

// steer pauses or resumes a job, or sets a parameter of it.
func (s *Session) steer(ctx context.Context, j id.Job, action string, param *ast.SetParameter) error {
	switch action {
	case "PAUSE":
		return s.d.engine.Pause(ctx, j)
	case "RESUME":
		return s.resume(ctx, j)
	}
	return s.setJobParameter(ctx, j, param)
}

// setParameter runs ALTER ... SET name = value.
func (s *Session) setParameter(ctx context.Context, rel *catalog.Relation, a *ast.SetParameter) error {
	switch {
	case strings.EqualFold(a.Name, capture.RateOption) && s.d.captures.IsCaptured(rel):
		return s.setRateOption(ctx, rel, capture.RateOption, a)
	case strings.EqualFold(a.Name, sourceRateOption) && generate.Is(rel.With["connector"]):
		return s.setRateOption(ctx, rel, sourceRateOption, a)
	}
	j := s.building(rel)
	if j == rel.Job || isRate(a.Name) { // the view itself reads nothing
		return s.setJobParameter(ctx, j, a)
	}
	if err := s.setJobParameter(ctx, rel.Job, a); err != nil {
		return err
	}
	err := s.setJobParameter(ctx, j, a)
	if errs.Of(err, errs.NoSuchJob) {
		return nil // it was cancelled meanwhile
	}
	return err
}

// isRate reports whether a parameter says how fast a job reads.
func isRate(name string) bool {
	return strings.EqualFold(name, "backfill_rate_limit") || strings.EqualFold(name, sourceRateOption)
}

func (s *Session) setJobParameter(ctx context.Context, j id.Job, a *ast.SetParameter) error {
	if isRate(a.Name) {
		rate, err := rateOf(a)
		if err != nil {
			return err
		}
		return s.d.engine.SetRate(ctx, j, rate)
	}
	switch strings.ToLower(a.Name) {
	case "parallelism", "backfill_parallelism":
		return s.setParallelism(ctx, j, a)
	case meta.LagSetting:
		return s.setOnLag(ctx, j, a)
	}
	return errs.Unsupported.New("feature", "SET "+a.Name).At(int(a.Pos))
}

// setOnLag runs ALTER ... SET ON_LAG = detach | slow; DEFAULT is the session's.
func (s *Session) setOnLag(ctx context.Context, j id.Job, a *ast.SetParameter) error {
	text := a.Value.Text
	if strings.EqualFold(text, "default") {
		text = s.vars.Text(meta.LagSetting)
	}
	what, err := s.settingValue(meta.LagSetting, text, a.Pos)
	if err != nil {
		return err
	}
	return s.d.engine.SetOnLag(ctx, j, what)
}

// rateOf reads rows a second; a negative rate is none, as is DEFAULT.
func rateOf(a *ast.SetParameter) (float64, error) {
	rate, err := parseRate(a.Name, a.Value.Text, a.Pos)
	return float64(rate), err
}

// parseRate reads the text of a rate; -1 is none.
func parseRate(name, text string, at ast.Pos) (int64, error) {
	if strings.EqualFold(text, "default") {
		return -1, nil
	}
	rate, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, errs.SettingValue.New("name", name, "value", text, "why", "It is a number of rows a second, or DEFAULT.").At(int(at))
	}
	return max(rate, -1), nil
}
