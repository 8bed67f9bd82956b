package engine

import (
	"context"
	"time"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/fragment"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/settings"
)

// Standing is what a job's rows are and what they should follow from, at one moment.
type Standing struct {
	View     kv.View // the caller closes it
	Relation *catalog.Relation
	Plan     plan.Node      // of the relation over what the job reads; nil: its rows come from statements
	Zone     *time.Location // in which its expressions read and print times
	Partial  bool           // what was there when the job was made is left out
	Strict   bool           // a row whose expression fails stops the job, instead of being NULL there
	AsOf     epoch.Epoch    // that the rows equal
	// Behind are the tables of inputs that are ahead of the job in the view: they are to be seen as of AsOf.
	Behind map[id.Table]epoch.Epoch
}

// Standing pins what a job has shown and what it was made of. Both go on meanwhile.
func (e *Engine) Standing(ctx context.Context, j id.Job) (s *Standing, err error) {
	err = e.do(ctx, func(d *driver) error {
		def := d.jobs[j]
		if def == nil {
			return errs.NoSuchJob.New("job", j)
		}
		if err := d.broken[j]; err != nil {
			return err
		}
		rel, ok := e.Catalog().Relation(def.Relation)
		if !ok {
			return errs.JobGraph.New("job", j, "what", "its relation is not in the catalog")
		}
		s = &Standing{View: e.store.View(), Relation: rel, Zone: settings.Location(def.Settings["TimeZone"]),
			Strict: d.onRowError(j) == nil, Partial: def.SkipsHistory(), AsOf: d.coord.AsOf(j), Behind: map[id.Table]epoch.Epoch{}}
		if len(def.Upstream) > 0 || !rel.Base() {
			s.Plan = d.owing(def, s).Whole(func(n *plan.Scan) plan.Node { return n })
		}
		for _, up := range def.Upstream {
			if d.coord.AsOf(up) > s.AsOf {
				s.Behind[d.jobs[up].Table] = s.AsOf
			}
		}
		return nil
	})
	if err != nil && s != nil { // pinned by a driver whose caller has gone
		s.View.Close()
	}
	return s, err
}

// owing is what a job's rows follow from: it has yet to go from relations that were replaced to those in their places.
func (d *driver) owing(def *meta.Job, s *Standing) *fragment.Graph {
	g := def.Graph
	for _, up := range def.Upstream {
		t, ok := def.Owed(d.jobs[up].Relation, s.AsOf)
		if !ok {
			continue
		}
		if g = g.Repointed(t.Was); !t.InStep {
			s.Behind[t.Was.Table] = s.AsOf
		}
	}
	return g
}
