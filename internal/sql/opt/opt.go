// Package opt rewrites plans: what the binder left open is decided (correlated subqueries become joins, LIMIT in the
// middle a TopN), then rules make the plan better, one rule a file.
package opt

import (
	"github.com/tidemark-db/tidemark/internal/catalog"
	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
)

// rule rewrites a whole plan; it returns an equal plan when it has nothing to do.
type rule struct {
	name     string
	required bool // a plan cannot run without it
	apply    func(plan.Node, Options) plan.Node
}

// always makes a rule of a function that needs no options.
func always(f func(plan.Node) plan.Node) func(plan.Node, Options) plan.Node {
	return func(n plan.Node, _ Options) plan.Node { return f(n) }
}

// rules are applied in this order, once.
var rules = []rule{
	{"limit", true, always(limitValues)},
	{"decorrelate", true, always(decorrelate)},
	{"order", true, always(innerOrder)},
	{"fold", false, fold},
	{"merge", false, always(merge)},
	{"factor", false, always(factor)},
	{"pushdown", false, always(pushDown)},
	{"topn", false, always(rankToTopN)},
	{"prune", false, always(prune)},
	{"merge", false, always(merge)},
	{"lookup", false, lookup},
}

// Options choose the rules.
type Options struct {
	Disable map[string]bool
	Ctx     *expr.Ctx                      // for folding constants; nil: they are not folded
	Trace   func(rule string, n plan.Node) // sees the plan after each rule that changed it; nil: nobody looks
	Once    bool                           // the plan runs once over what is stored: scans may become look-ups
	// Indexes are those of a relation that hold what it holds; nil: none may be used.
	Indexes func(*catalog.Relation) []*catalog.Relation
	Funcs   *expr.Registry // for casts that a rule adds; nil: it does without
}

// Run applies the rules.
func Run(n plan.Node, o Options) plan.Node {
	for _, r := range rules {
		if o.Disable[r.name] && !r.required {
			continue
		}
		next := r.apply(n, o)
		if o.Trace != nil && plan.Format(next) != plan.Format(n) {
			o.Trace(r.name, next)
		}
		n = next
	}
	return n
}
