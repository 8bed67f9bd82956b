package session

import (
	"context"
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/pgcatalog"
	"github.com/tidemark-db/tidemark/internal/types"
)

// systemRelation finds a relation of the system schemas.
func (s *Session) systemRelation(schema, name string) (*catalog.Relation, bool) {
	return s.d.system.Find(schema, name)
}

// systemRows makes the rows of a system relation.
func (s *Session) systemRows(rel *catalog.Relation, cols []int) (*chunk.Chunk, error) {
	return s.d.system.Rows(rel, cols, s.systemInfo())
}

// catalogCall answers functions over the catalog.
func (s *Session) catalogCall(fn string, args types.Row) (types.Datum, error) {
	if d, ok, err := s.ownCall(fn, args); ok {
		return d, err
	}
	return s.d.system.Caller(s.systemInfo()).Call(fn, args)
}

// systemInfo is what the system relations are made of, as of now.
func (s *Session) systemInfo() pgcatalog.Info {
	info := pgcatalog.Info{Catalog: s.d.engine.Catalog(), Settings: s.vars.Rows(), Functions: s.d.functions,
		Database: s.d.engine.Catalog().Database, User: s.startup.User, PID: int32(s.startup.PID), SearchPath: s.path(),
		Cluster: s.d.cluster, Started: s.d.started}
	info.Fragments, info.Memory, info.Sessions, info.Sources = s.fragments, s.d.memory.info, s.d.sessions, s.sourceInfo
	info.Watermark = s.d.marks.look
	jobs := s.d.jobs()
	for _, id := range slices.Sorted(maps.Keys(jobs)) {
		info.Jobs = append(info.Jobs, s.jobInfo(jobs[id]))
	}
	for _, e := range s.d.engine.RowErrors() {
		if _, there := jobs[e.Job]; !there {
			continue // its actors are ending
		}
		info.Errors = append(info.Errors, pgcatalog.ErrorInfo{Job: e.Job, Code: e.Code, Text: e.Text, Detail: e.Detail, Count: e.Count,
			First: e.First, Last: e.Last})
	}
	return info
}

// jobInfo is a job as the system relations show it.
func (s *Session) jobInfo(j engine.JobStatus) pgcatalog.JobInfo {
	info := pgcatalog.JobInfo{ID: j.ID, Relation: j.Relation, SQL: j.SQL, State: string(j.State), Progress: j.Percent,
		RowsScanned: j.Scanned, RowsTotal: j.Total, RowsPerSecond: j.Rate, AsOf: j.AsOfAt, WaitsFor: s.d.engine.Names(j.WaitsFor),
		Reason: j.Reason, Foreground: !j.Background, Finished: j.Created, Parallelism: j.Parallelism}
	if j.Attached {
		info.Progress = 100
	} else if !j.AsOfAt.IsZero() {
		info.Lag = s.d.now().Sub(j.AsOfAt)
	}
	return info
}

// fragments are the parts of all jobs; none when the engine ends.
func (s *Session) fragments() (out []pgcatalog.FragmentInfo) {
	parts, err := s.d.engine.Parts(context.Background())
	if err != nil {
		return nil
	}
	for _, p := range parts {
		f := pgcatalog.FragmentInfo{Job: p.Job, Index: p.Index, Last: p.Last, Single: p.Single, Vnodes: p.Vnodes, Tables: p.Tables,
			Inside: p.Inside, Parallelism: p.Parallelism, Actors: p.Actors}
		for _, in := range p.Inputs {
			f.Inputs = append(f.Inputs, pgcatalog.InputInfo{From: in.From, Progress: in.Progress, Rows: in.Rows, Total: in.Total,
				AsOf: uint64(in.AsOf), Percent: in.Percent()})
		}
		out = append(out, f)
	}
	return out
}
