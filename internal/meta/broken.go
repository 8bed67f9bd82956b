package meta

import (
	"maps"
	"slices"
	"strconv"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/fragment"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/plan/planenc"
)

// loadGraphs reads the jobs. One that cannot be read is broken, and known by what the catalog says of its relation.
func (s *State) loadGraphs(r kv.Reader, resolve planenc.Resolver) error {
	return loadRaw(r, dirJob, func(name string, value []byte) error {
		number, err := jobNumber(dirJob, name)
		if err != nil {
			return err
		}
		stored, err := decode[storedJob](dirJob+name, value)
		if err != nil {
			return s.breaks(number, err)
		}
		j := stored.Job
		if j.Graph, err = decodeGraph(stored.Fragments, resolve); err != nil {
			j.Graph = &fragment.Graph{}
			s.Jobs[j.ID] = &j
			return s.breaks(j.ID, errs.JobGraph.New("job", j.ID, "what", err.Error()).Wrap(err))
		}
		s.Jobs[j.ID] = &j
		return nil
	})
}

func jobNumber(dir, name string) (id.Job, error) {
	n, err := strconv.ParseUint(name, 10, 32)
	if err != nil {
		return 0, errs.MetaCorrupt.New("key", dir+name).Wrap(err)
	}
	return id.Job(n), nil
}

// breaks marks a job as broken. A table's job must not be missing, because what was acknowledged is in it: then the store
// is not opened.
func (s *State) breaks(j id.Job, why error) error {
	rel := s.relationOf(j)
	if rel == nil || rel.Base() {
		return why
	}
	if s.Jobs[j] == nil {
		s.Jobs[j] = s.stub(j, rel)
	}
	if s.Broken[j] == nil {
		s.Broken[j] = why
	}
	return nil
}

// stub is what the catalog tells of a job.
func (s *State) stub(j id.Job, rel *catalog.Relation) *Job {
	stub := &Job{ID: j, Relation: rel.ID, SQL: rel.Definition, Graph: &fragment.Graph{}, Table: rel.Table, Tables: []id.Table{rel.Table}, Parallel: 1}
	for _, on := range rel.DependsOn {
		if up, ok := s.Catalog.Relation(on); ok && up.Job != 0 {
			stub.Upstream = append(stub.Upstream, up.Job)
		}
	}
	return stub
}

func (s *State) relationOf(j id.Job) *catalog.Relation {
	for _, rel := range append(s.Catalog.Relations(), s.Catalog.Shadows()...) {
		if rel.Job == j && rel.Runs() {
			return rel
		}
	}
	return nil
}

// checkGraphs marks jobs that name what there is not.
func (s *State) checkGraphs() error {
	for _, number := range slices.Sorted(maps.Keys(s.Jobs)) {
		j := s.Jobs[number]
		missing := func(kind string, what any) error {
			return s.breaks(number, errs.FragmentMissing.New("job", number, "kind", kind, "id", what))
		}
		var err error
		switch {
		case s.Broken[number] != nil:
			continue
		case s.relationOf(number) == nil:
			err = missing("relation", j.Relation)
		case j.Graph == nil:
			err = missing("fragment", 0)
		}
		j.Upstream = slices.DeleteFunc(j.Upstream, func(up id.Job) bool {
			gone := s.Jobs[up] == nil
			if gone && err == nil {
				err = missing("job", up)
			}
			return gone
		})
		if err == nil && j.Graph != nil {
			for at, f := range j.Graph.Fragments {
				fragment.Walk(f.Root, func(n plan.Node) {
					if x, ok := n.(*plan.Exchange); ok && x.Fragment >= at && err == nil {
						err = missing("fragment", x.Fragment)
					}
				})
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
