package difftest

import (
	"fmt"
	"math/rand/v2"
)

// generator makes schemas, views and changes. The same seed makes the same, as long as it is told the same.
type generator struct {
	rand   *rand.Rand
	exact  map[Kind][]template
	fuzzy  []template
	tables []*relation
	views  []*relation
	names  int // of aliases and relations made so far
}

// relation is what FROM may name.
type relation struct {
	name  string
	cols  []Column
	depth int // views below it; 0 for a table
	rows  int // at the last look
	// Of tables:
	key   int // columns of the primary key, the first ones
	fills []fill
}

// fill says how a column of a table is filled.
type fill struct {
	domain int // how many values there are
	nulls  int // percent
	skew   bool
}

func newGenerator(seed uint64) *generator {
	g := &generator{rand: rand.New(rand.NewPCG(seed, 0x7469646d))}
	g.exact, g.fuzzy = templates()
	return g
}

func (g *generator) n(max int) int       { return g.rand.IntN(max) }
func (g *generator) chance(pct int) bool { return g.rand.IntN(100) < pct }

// fresh is a name that nothing has yet.
func (g *generator) fresh(prefix string) string {
	g.names++
	return fmt.Sprintf("%s%d", prefix, g.names)
}

// scopeOf are the columns of a relation under an alias, without those that two databases may show differently.
func (r *relation) scopeOf(alias string) scope {
	var out scope
	for _, c := range r.cols {
		if !c.Fuzzy && !c.Loose {
			out = append(out, term{sql: alias + "." + c.Name, kind: c.Kind, varied: c.Varied})
		}
	}
	return out
}

// pickRelation picks a table or view for FROM, newer views a little more often.
func (g *generator) pickRelation() *relation {
	if len(g.views) > 0 && g.chance(40) {
		v := g.views[g.n(len(g.views))]
		if v.depth < viewDepthMax && len(v.scopeOf("")) > 0 {
			return v
		}
	}
	return g.tables[g.n(len(g.tables))]
}

// viewDepthMax bounds how many views stand on each other.
const viewDepthMax = 4
