package pgcatalog

import (
	"fmt"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/id"
)

// fragmentsMax is the room for the numbers of one job's fragments.
const fragmentsMax = 256

// fragmentID numbers the fragments of all jobs.
func fragmentID(j id.Job, index int) int { return int(j)*fragmentsMax + index }

// fragments are the fragments of all jobs, and the number of the last one of each.
type fragments struct {
	*scan
	all  []FragmentInfo
	last map[id.Job]int
}

func fragmentsOf(s *scan) fragments {
	out := fragments{scan: s, last: map[id.Job]int{}}
	if s.info.Fragments != nil {
		out.all = s.info.Fragments()
	}
	for _, f := range out.all {
		out.last[f.Job] = fragmentID(f.Job, f.Index)
	}
	return out
}

// row is what the relations about fragments have in common.
func (s fragments) row(f FragmentInfo, j JobInfo) row {
	kind := "HASH"
	if f.Single {
		kind = "SINGLE"
	}
	return row{"fragment_id": fragmentID(f.Job, f.Index), "distribution_type": kind, "state_table_ids": mapped(f.Tables, toInt),
		"upstream_fragment_ids": s.upstreams(f), "flags": s.flags(f, j), "parallelism": f.Parallelism,
		"max_parallelism": f.Vnodes, "parallelism_policy": j.Parallelism}
}

// upstreams are the fragments of the job that feed a fragment, and the last ones of other jobs.
func (s fragments) upstreams(f FragmentInfo) []int {
	out := mapped(f.Inside, func(i int) int { return fragmentID(f.Job, i) })
	for _, in := range f.Inputs {
		if rel, ok := s.info.Catalog.Relation(in.From); ok {
			out = append(out, s.last[rel.Job])
		}
	}
	return out
}

// flags say what a fragment does besides computing.
func (s fragments) flags(f FragmentInfo, j JobInfo) []string {
	out := []string{}
	if rel := s.target(j); f.Last && rel != nil && rel.Kind != catalog.KindSink {
		out = append(out, "MVIEW")
	}
	if len(f.Inputs) > 0 {
		out = append(out, "STREAM_SCAN")
	}
	return out
}

// each calls fn for the fragments of jobs that the catalog knows.
func (s fragments) each(fn func(FragmentInfo, JobInfo)) {
	for _, f := range s.all {
		if j, ok := s.job(f.Job); ok {
			fn(f, j)
		}
	}
}

func fragmentRows(s *scan) {
	all := fragmentsOf(s)
	all.each(func(f FragmentInfo, j JobInfo) {
		r := all.row(f, j)
		r["table_id"] = int(j.Relation)
		s.add(r)
	})
}

func fragmentParallelismRows(s *scan) {
	all := fragmentsOf(s)
	all.each(func(f FragmentInfo, j JobInfo) {
		r := all.row(f, j)
		r["id"], r["name"], r["relation_type"] = int(j.Relation), targetName(s.target(j)), s.targetKind(j)
		s.add(r)
	})
}

func actorRows(s *scan) {
	fragmentsOf(s).each(func(f FragmentInfo, _ JobInfo) {
		for _, a := range f.Actors {
			s.add(row{"actor_id": int(a), "fragment_id": fragmentID(f.Job, f.Index), "worker_id": workerID, "state": "RUNNING"})
		}
	})
}

// eachInput calls fn for what the fragments of unfinished jobs read.
func (s *scan) eachInput(fn func(f FragmentInfo, j JobInfo, in InputInfo)) {
	fragmentsOf(s).each(func(f FragmentInfo, j JobInfo) {
		for _, in := range f.Inputs {
			if !j.Finished {
				fn(f, j, in)
			}
		}
	})
}

func fragmentProgressRows(s *scan) {
	s.eachInput(func(f FragmentInfo, j JobInfo, in InputInfo) {
		rel, upstream := s.target(j), (*catalog.Relation)(nil)
		if upstream, _ = s.relation(int(in.From)); rel == nil || upstream == nil {
			return
		}
		s.add(row{"job_id": int(j.ID), "fragment_id": fragmentID(f.Job, f.Index), "job_name": rel.Qualified(),
			"upstream_table_name": upstream.Qualified(), "progress": fmt.Sprintf("%s (%d/%d rows)", percent(in.Percent), in.Rows, in.Total)})
	})
}

func backfillRows(s *scan) {
	s.eachInput(func(f FragmentInfo, j JobInfo, in InputInfo) {
		r := row{"job_id": int(j.ID), "fragment_id": fragmentID(f.Job, f.Index), "backfill_state_table_id": int(in.Progress),
			"backfill_target_relation_id": int(in.From), "backfill_type": backfillKind, "backfill_epoch": int(in.AsOf)}
		s.add(r)
	})
}
