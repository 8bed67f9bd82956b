package verify

import (
	"context"

	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/plan"
	"github.com/tidemark-db/tidemark/internal/state"
	"github.com/tidemark-db/tidemark/internal/types"
	"github.com/tidemark-db/tidemark/internal/vnode"
)

// Subject is a view with what it is made of, both as of one epoch.
type Subject struct {
	Relation *catalog.Relation
	Plan     plan.Node // that gives the relation's columns
	Reader   kv.Reader // of the view's rows and of what the plan reads
	Ctx      *expr.Ctx // in which the view's operators evaluate
}

// Options say how much is compared and told.
type Options struct {
	Vnodes []vnode.ID // of the view that are compared; nil: all
	Shown  int        // differences told at most
}

// Result is what a comparison has found.
type Result struct {
	Rows        int64        // that the view has, in what was compared
	Differences []Difference // by vnode, then key
	More        bool         // there are others
}

// Difference is a row that the view and its query have not equally often.
type Difference struct {
	Vnode vnode.ID
	Count int64     // how many times more often the view has the row; negative: it lacks it
	Row   types.Row // nil: what is stored cannot be decoded
}

// Run compares.
func Run(ctx context.Context, s Subject, o Options) (*Result, error) {
	c := &comparison{Subject: s, Options: o, ctx: ctx, format: state.FormatOf(s.Relation)}
	c.chosen = chosen(o.Vnodes, s.Relation.Vnodes)
	sums := &sums{seed: seed}
	if err := c.pass(sums); err != nil {
		return nil, err
	}
	r := &Result{Rows: sums.stored}
	suspects, all := sums.suspects(collectBytes)
	if len(suspects) == 0 {
		return r, nil
	}
	found := &rows{seed: seed, of: suspects, counts: map[string]int64{}}
	if err := c.pass(found); err != nil {
		return nil, err
	}
	r.Differences, r.More = c.told(found.sorted())
	r.More = r.More || !all
	return r, nil
}

// chosen reports for each vnode whether it is compared; nil: all are.
func chosen(vs []vnode.ID, n int) []bool {
	if vs == nil {
		return nil
	}
	out := make([]bool, n)
	for _, v := range vs {
		out[v] = true
	}
	return out
}

// Sample chooses as many vnodes as make up the share, at least one, others for each turn.
func Sample(vnodes int, percent float64, turn uint64) []vnode.ID {
	n := min(max(int(float64(vnodes)*percent/100+0.5), 1), vnodes)
	out := make([]vnode.ID, n)
	for i := range out { // evenly spread, begun where the turn says
		out[i] = vnode.ID((turn + uint64(i)*uint64(vnodes)/uint64(n)) % uint64(vnodes))
	}
	return out
}
