package engine

import (
	"context"
	"maps"
	"slices"

	"github.com/tidemark-db/tidemark/internal/fragment"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/plan"
)

// Part is a fragment of a job and who runs it.
type Part struct {
	Job         id.Job
	Index       int // the last of a job writes its relation
	Last        bool
	Single      bool // its rows are not spread
	Vnodes      int
	Tables      []id.Table
	Inside      []int // fragments of the job that it reads
	Inputs      []PartInput
	Parallelism int        // actors that it is to have
	Actors      []id.Actor // none while the job does not run
}

// PartInput is another job that a fragment reads, and how far it is with its history.
type PartInput struct {
	Progress id.Table // that holds the records
	InputProgress
	Total uint64 // rows that there are to read
}

// Percent is the share of the history that was read.
func (p PartInput) Percent() float64 {
	return Progress{Phase: p.Phase, Scanned: p.Rows, Total: p.Total}.percent()
}

// Parts lists the fragments of all jobs, by job.
func (e *Engine) Parts(ctx context.Context) (out []Part, err error) {
	err = e.do(ctx, func(d *driver) error {
		for _, j := range slices.Sorted(maps.Keys(d.jobs)) {
			out = append(out, d.parts(j)...)
		}
		return nil
	})
	return out, err
}

// LooksUp reports whether a job looks rows up in what others have published, so that it matters in which epoch rows come.
func (e *Engine) LooksUp(ctx context.Context) (found bool, err error) {
	err = e.do(ctx, func(d *driver) error {
		for _, j := range d.jobs {
			for _, f := range j.Graph.Fragments {
				found = found || plan.Any(f.Root, func(n plan.Node) bool { _, ok := n.(*plan.LookupJoin); return ok })
			}
		}
		return nil
	})
	return found, err
}

func (d *driver) parts(j id.Job) []Part {
	def, in := d.jobs[j], d.insts[j]
	if in != nil && in.stopping {
		in = nil
	}
	out := make([]Part, 0, len(def.Graph.Fragments))
	inputs := d.partInputs(def, in)
	for i, f := range def.Graph.Fragments {
		p := Part{Job: j, Index: i, Last: i == len(def.Graph.Fragments)-1, Single: f.Dist.Single, Vnodes: f.Dist.Vnodes,
			Tables: slices.Concat(f.Tables...), Parallelism: len(f.Owners(d.parallelism(def)))}
		fragment.Walk(f.Root, func(n plan.Node) {
			switch n := n.(type) {
			case *plan.Exchange:
				p.Inside = append(p.Inside, n.Fragment)
			case *plan.Scan:
				p.Inputs, inputs = append(p.Inputs, inputs[0]), inputs[1:]
			}
		})
		if p.Last {
			p.Tables = append(p.Tables, def.Table)
		}
		if in != nil {
			for _, a := range in.frags[i].actors {
				p.Actors = append(p.Actors, a.id)
			}
		}
		out = append(out, p)
	}
	return out
}

// partInputs are the inputs of a job in its order. What is not known of their progress, as that of an attached job, is zero.
func (d *driver) partInputs(def *meta.Job, in *instance) (out []PartInput) {
	var known []InputProgress
	if in != nil {
		known = Inputs(in.ranges())
	}
	for i, s := range def.Graph.Scans() {
		p := PartInput{Progress: s.Table, Total: uint64(max(d.rows[s.Rel.Job], 0))}
		p.Input, p.From = i, s.Rel.ID
		for _, k := range known {
			if k.Input == i {
				p.InputProgress = k
			}
		}
		out = append(out, p)
	}
	return out
}
