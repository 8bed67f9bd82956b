// Package opt rewrites plans to better ones, one rule a file.
package opt

import "github.com/tidemark-db/tidemark/internal/plan"

// Rule rewrites a whole plan; it returns the same plan when it has nothing to do.
type Rule struct {
	Name  string
	Apply func(plan.Node) plan.Node
}

// Rules are applied in this order, once.
var rules = []Rule{
	{"pushdown", pushDown},
	{"prune", prune},
}

// Options choose the rules.
type Options struct {
	Disable map[string]bool
}

// Run applies the rules.
func Run(n plan.Node, o Options) plan.Node {
	for _, r := range rules {
		if !o.Disable[r.Name] {
			n = r.Apply(n)
		}
	}
	return n
}
