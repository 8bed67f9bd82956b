package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
)

// RangeProgress is how far a catch-up is with one range of one input.
type RangeProgress struct {
	Input int         // position among the inputs of the job
	From  id.Relation // that it reads
	Owner id.Actor
	Waits bool // for inputs that are scanned first
	backfill.RangeStatus
}

// Ranges tells how far a job is with all its ranges, as of its last barrier; none when it is attached or does not run.
func (e *Engine) Ranges(ctx context.Context, j id.Job) (out []RangeProgress, err error) {
	err = e.do(ctx, func(d *driver) error {
		if d.jobs[j] == nil {
			return errs.NoSuchJob.New("job", j)
		}
		if in := d.insts[j]; in != nil {
			out = in.ranges()
		}
		return nil
	})
	return out, err
}

func (in *instance) ranges() (out []RangeProgress) {
	from := map[int]id.Relation{}
	for _, f := range in.frags {
		for _, l := range f.leaves {
			from[l.input] = l.from.ID
		}
	}
	for at, s := range in.status {
		for _, r := range s.Ranges {
			out = append(out, RangeProgress{at.input, from[at.input], at.actor, !in.order.Turn(at.input), r})
		}
	}
	slices.SortFunc(out, func(a, b RangeProgress) int {
		return cmp.Or(cmp.Compare(a.Input, b.Input), cmp.Compare(a.Vnode, b.Vnode))
	})
	return out
}

// InputProgress sums up the ranges of an input.
type InputProgress struct {
	Input   int
	From    id.Relation
	Phase   backfill.Phase // the least of its ranges; a scan that has read anything has started
	Ranges  int
	Scanned int // of them, to the end
	Rows    uint64
	AsOf    epoch.Epoch
	Waits   bool // for inputs that are scanned first
}

// Inputs sums up what Ranges has returned.
func Inputs(ranges []RangeProgress) (out []InputProgress) {
	for i, r := range ranges {
		if i == 0 || r.Input != ranges[i-1].Input {
			out = append(out, InputProgress{Input: r.Input, From: r.From, Phase: r.Phase, AsOf: r.AsOf, Waits: r.Waits})
		}
		in := &out[len(out)-1]
		in.Ranges++
		in.Rows += r.Rows
		if in.Phase = min(in.Phase, r.Phase); in.Phase == backfill.NotStarted && in.Rows > 0 {
			in.Phase = backfill.Scanning
		}
		if r.Phase >= backfill.Replaying {
			in.Scanned++
		}
	}
	return out
}

// Stage names the phase of a range as SHOW BACKFILL does.
func (r RangeProgress) Stage() string { return stage(r.Phase, r.Waits) }

// Stage names the phase of an input as SHOW BACKFILL does.
func (p InputProgress) Stage() string { return stage(p.Phase, p.Waits) }

func stage(p backfill.Phase, waits bool) string {
	if waits && p < backfill.Replaying {
		return "waiting"
	}
	return p.String()
}
