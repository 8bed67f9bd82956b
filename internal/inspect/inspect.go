// Package inspect looks at a store that no server has open: what wrote it, how far it is, what it holds and how large that
// is. It changes nothing.
//
//	report, err := inspect.Open(dir)
package inspect

import (
	"errors"
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/expr/agg"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv/pebblekv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/plan/planenc"
)

// Report is what was found.
type Report struct {
	Dir       string      `json:"dir"`
	Format    []string    `json:"format"` // the lines of the file FORMAT: that of the directory, and options
	Data      int         `json:"data_format"`
	Epoch     epoch.Epoch `json:"epoch"` // the durable one
	Commits   uint64      `json:"commits"`
	DMLSeq    uint64      `json:"dml_seq"` // the epoch holds what the log of writes has up to it
	Counters  Counters    `json:"next"`
	Spaces    []Space     `json:"spaces"`
	Relations []Relation  `json:"relations"`
	Jobs      []Job       `json:"jobs"`
}

// Counters are the next numbers that were never used.
type Counters struct {
	Relation id.Relation `json:"relation"`
	Job      id.Job      `json:"job"`
	Table    id.Table    `json:"table"`
	Epoch    epoch.Epoch `json:"epoch"`
}

// Relation is a row of the catalog.
type Relation struct {
	ID      id.Relation `json:"id"`
	Name    string      `json:"name"` // with its schema
	Kind    string      `json:"kind"`
	Job     id.Job      `json:"job,omitempty"`
	Columns int         `json:"columns"`
}

// Job is a streaming computation and its tables.
type Job struct {
	ID       id.Job      `json:"id"`
	Name     string      `json:"name"` // of its relation
	SQL      string      `json:"sql"`
	State    string      `json:"state"` // attached, detached, quarantined, broken
	AsOf     epoch.Epoch `json:"as_of"`
	Reason   string      `json:"reason,omitempty"` // of a quarantine
	Parallel int         `json:"parallelism"`
	Upstream []id.Job    `json:"upstream,omitempty"`
	Inputs   []Input     `json:"inputs,omitempty"`
	Tables   []Table     `json:"tables"`
}

// Open looks at the store in a directory.
func Open(dir string) (r *Report, err error) {
	store, err := pebblekv.OpenReadOnly(pebblekv.Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	state, err := stateOf(store)
	if err != nil {
		return nil, err
	}
	x := inspector{store, state}
	r = &Report{Dir: dir, Format: store.Format(), Data: meta.Version, Epoch: store.Epoch(), Commits: store.Commits(), DMLSeq: state.DMLSeq,
		Counters: Counters(state.Counters), Relations: x.relations()}
	for _, j := range slices.Sorted(maps.Keys(state.Jobs)) {
		job, err := x.job(state.Jobs[j])
		if err != nil {
			return nil, err
		}
		r.Jobs = append(r.Jobs, job)
	}
	r.Spaces, err = x.spaces()
	return r, err
}

// stateOf reads the control state of a store.
func stateOf(store *pebblekv.ReadOnly) (*meta.State, error) {
	state, _, err := meta.Load(store.Meta(), "dev", planenc.Resolver{Funcs: expr.NewRegistry(), Aggs: agg.NewRegistry()})
	return state, err
}

// inspector is an open store and its control state.
type inspector struct {
	store *pebblekv.ReadOnly
	state *meta.State
}

func (x inspector) relations() []Relation {
	var out []Relation
	for _, r := range x.state.Catalog.Relations() {
		out = append(out, Relation{ID: r.ID, Name: r.Qualified(), Kind: r.Kind.String(), Job: r.Job, Columns: len(r.Visible())})
	}
	slices.SortFunc(out, func(a, b Relation) int { return int(a.ID) - int(b.ID) })
	return out
}

// job describes a job with everything below it.
func (x inspector) job(j *meta.Job) (out Job, err error) {
	out = Job{ID: j.ID, SQL: j.SQL, Parallel: j.Parallel, Upstream: j.Upstream}
	if rel, ok := x.state.Catalog.Relation(j.Relation); ok {
		out.Name = rel.Qualified()
	}
	switch st := x.state.Status[j.ID]; {
	case x.state.Broken[j.ID] != nil:
		out.State, out.AsOf, out.Reason = "broken", st.AsOf, x.state.Broken[j.ID].Error()
	case st.Quarantined != "":
		out.State, out.AsOf, out.Reason = "quarantined", st.AsOf, st.Quarantined
	case st.Attached:
		out.State, out.AsOf = "attached", x.store.Epoch()
	default:
		out.State, out.AsOf = "detached", st.AsOf
	}
	if out.Inputs, err = x.inputs(j); err != nil {
		return out, err
	}
	out.Tables, err = x.tables(j)
	return out, err
}

// roles says what each table of a job is for.
func roles(j *meta.Job) map[id.Table]string {
	out := map[id.Table]string{}
	for _, t := range j.Tables {
		out[t] = "state"
	}
	if j.Graph != nil {
		for _, s := range j.Graph.Scans() {
			out[s.Table] = "progress"
		}
	}
	out[j.Table] = "rows"
	return out
}
