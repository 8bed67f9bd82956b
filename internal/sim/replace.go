package sim

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/types"
)

// queriesTried bounds the queries tried to find one whose columns are those of a view.
const queriesTried = 12

// replaceView makes a view anew beside the one that is there: by its own query, or by another one, so that a reader that
// takes a wrong difference shows it.
func (s *scheduler) replaceView() bool {
	v, ok := s.aView()
	if ok && s.rand.IntN(4) > 0 {
		v = s.readOne(v)
	}
	if !ok || v.Shadow != 0 {
		return false
	}
	s.struck("replace", v.Job)
	for n := 0; n < queriesTried && v.Kind != catalog.KindIndex; n++ {
		if def, ok := s.another(v); ok {
			s.recreate(v, def)
			return true
		}
	}
	s.recreate(v, engine.Definition{SQL: "RECREATE " + v.Name})
	return true
}

// readOne is a view that others read, if there is one; else the one given.
func (s *scheduler) readOne(v *catalog.Relation) *catalog.Relation {
	c := s.engine.Catalog()
	read := slices.DeleteFunc(s.views(), func(r *catalog.Relation) bool { return len(c.Dependants(r.ID)) == 0 })
	if len(read) == 0 {
		return v
	}
	return read[s.rand.IntN(len(read))]
}

// another makes a view of another query with the columns of one that is there. Its readers can not be read by it.
func (s *scheduler) another(v *catalog.Relation) (def engine.Definition, ok bool) {
	c := s.engine.Catalog()
	from := slices.DeleteFunc(readable(c), func(r *catalog.Relation) bool { return s.depth(r) >= depthMax || c.Reads([]id.Relation{r.ID}, v.ID) })
	sql := fmt.Sprintf("CREATE MATERIALIZED VIEW %s AS %s", v.Name, s.aQuery(from))
	def, err := s.sql.define(c, sql)
	return def, s.must(sql, err) && slices.EqualFunc(v.Types(), def.Relation.Types(), types.T.Equal)
}

// recreate begins to replace a view, unless its readers rely on a key that the new one has not.
func (w *world) recreate(v *catalog.Relation, def engine.Definition) {
	def.Settings = w.settings()
	made, err := w.engine.Recreate(context.Background(), def, func(c *catalog.Snapshot) (*catalog.Relation, error) {
		now, _ := c.Relation(v.ID)
		return now, nil
	})
	if code := errs.Code(err); slices.Contains([]string{errs.RecreateKey.Code, errs.RecreateTwice.Code, errs.ViewRecursion.Code}, code) {
		return
	}
	if w.must("replace "+v.Name, err) {
		w.note("replace", "job %d: %s", made.Job, def.SQL)
		w.relearn()
	}
}

// learnSwaps looks at the stored jobs again when a view has been replaced.
func (w *world) learnSwaps() {
	for _, rel := range w.engine.Catalog().Relations() {
		if v := w.oracle.views[rel.ID]; v != nil && v.rel.Table != rel.Table {
			w.note("replaced", "%s is of job %d", rel.Name, rel.Job)
			w.relearn()
			return
		}
	}
}

// scope is what the numbers of views stand for, now or at a time before.
type scope struct {
	views map[id.Relation]*view
	past  map[id.Relation][]version // of views that were replaced, the first ones first
}

// version is what a view was until it was replaced: whoever reads it as of an epoch up to then reads that.
type version struct {
	*view
	until epoch.Epoch
}

// follow remembers what views were that have been replaced, for those who still owe the difference. What such a view was
// made of is what its upstreams were then.
func (s *scope) follow(before *scope, jobs map[id.Job]*meta.Job) {
	if s.past = maps.Clone(before.past); s.past == nil {
		s.past = map[id.Relation][]version{}
	}
	for r, old := range before.views {
		now := s.views[r]
		if now == nil || now.rel.Table == old.rel.Table {
			continue
		}
		for _, j := range jobs {
			for _, t := range j.TakesOver {
				if t.Was.Table == old.rel.Table {
					s.past[r] = append(slices.Clip(s.past[r]), version{old, t.At})
				}
			}
		}
	}
}

// read is a view as those see it who read it as of an epoch.
func (s *scope) read(r id.Relation, e epoch.Epoch) *view {
	for _, v := range s.past[r] {
		if e <= v.until {
			return v.view
		}
	}
	return s.views[r]
}
