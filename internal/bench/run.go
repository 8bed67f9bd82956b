package bench

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/tidemark-db/tidemark/internal/nexmark"
)

// Workloads are the names that Options.Only may have, in the order in which they run.
var Workloads = []string{"B1", "B2", "B3", "B4", "S1", "writes", "B5", "B6", "N3", "NX"}

// compared are those that have the tables of all systems; the others have a table of their own.
var compared = Workloads[:5]

// Options are what is measured. Without workloads, all are.
type Options struct {
	Only      []string
	Rows      int    // of the large table
	Runs      int    // of each backfill, in turns
	Lookups   int    // of a connection in a round
	Writes    int    // statements of each kind
	Directory string // on the disk of the subject, for synced writes of our own
	Program   string // path of the server, for workloads with a server of their own; empty: they are left out
	// Told takes each figure when it is made, as a large run takes long; nil: nobody.
	Told func(Figure)
	// Nexmark is what NX measures; its Runs are those of all.
	Nexmark NexmarkOptions
}

// Validate names the first workload that there is not.
func (o Options) Validate() error {
	for _, name := range o.Only {
		if !slices.Contains(Workloads, name) {
			return fmt.Errorf("there is no workload %q: %v", name, Workloads)
		}
	}
	if min(o.Rows, o.Runs, o.Lookups, o.Writes) < 1 {
		return fmt.Errorf("rows, runs, look-ups and writes must be at least 1")
	}
	if o.wanted("NX") && o.Program != "" && o.Nexmark.Events < nexmark.Round {
		return fmt.Errorf("events must be at least %d", nexmark.Round)
	}
	_, err := nexmark.Pick(o.Nexmark.Queries)
	return err
}

func (o Options) wanted(name string) bool { return len(o.Only) == 0 || slices.Contains(o.Only, name) }

// Run loads the data and measures the workloads.
func Run(ctx context.Context, f Field, o Options) (r Report, err error) {
	if err := o.Validate(); err != nil {
		return r, err
	}
	r.Machine, r.Data = Machine(), fmt.Sprintf("%d rows, %d events, %d runs", o.Rows, o.Nexmark.Events, o.Runs)
	if slices.ContainsFunc(compared, o.wanted) {
		if err := load(ctx, f, o.Rows); err != nil {
			return r, err
		}
		if err := f.settle(ctx); err != nil {
			return r, err
		}
	}
	for _, b := range backfills {
		if !o.wanted(b.id) {
			continue
		}
		figure, err := b.measure(ctx, f, o.Runs)
		if err != nil {
			return r, fmt.Errorf("%s: %w", b.name, err)
		}
		r.add(o, figure)
	}
	if o.wanted("S1") {
		figures, err := serving(ctx, f, o.Rows, o.Lookups)
		if err != nil {
			return r, fmt.Errorf("S1: %w", err)
		}
		r.add(o, figures...)
	}
	if o.wanted("writes") {
		if r.Latency, r.Measures, err = writing(ctx, f.Subject, o.Directory, o.Writes); err != nil {
			return r, fmt.Errorf("writes: %w", err)
		}
	}
	if err := r.disturbed(ctx, o); err != nil {
		return r, err
	}
	return r, r.contested(ctx, f.Peer, o)
}

// contested runs the queries of Nexmark, each with a server of its own.
func (r *Report) contested(ctx context.Context, oracle System, o Options) (err error) {
	if o.Program == "" || !o.wanted("NX") {
		return nil
	}
	o.Nexmark.Runs = o.Runs
	r.Contests, err = Nexmark(ctx, Program{Path: o.Program, Directory: filepath.Join(o.Directory, "NX")}, oracle, o.Nexmark)
	return err
}

// disturbed runs the workloads that have a server of their own.
func (r *Report) disturbed(ctx context.Context, o Options) error {
	for _, w := range []struct {
		name string
		run  func(context.Context, Program, int) ([]Measure, error)
	}{{"B5", Busy}, {"B6", Resume}, {"N3", Neighbour}} {
		if o.Program == "" || !o.wanted(w.name) {
			continue
		}
		measures, err := w.run(ctx, Program{Path: o.Program, Directory: filepath.Join(o.Directory, w.name)}, o.Rows)
		if err != nil {
			return err
		}
		r.Measures = append(r.Measures, measures...)
	}
	return nil
}

// add keeps figures and tells them.
func (r *Report) add(o Options, figures ...Figure) {
	r.Figures = append(r.Figures, figures...)
	for _, f := range figures {
		if o.Told != nil {
			o.Told(f)
		}
	}
}

// PeerSettings are those of PostgreSQL: one process with memory for what it does.
func PeerSettings() map[string]string {
	return map[string]string{"shared_buffers": "2GB", "work_mem": "1GB", "max_parallel_workers_per_gather": "0", "max_wal_size": "8GB"}
}
