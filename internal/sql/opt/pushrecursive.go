package opt

import (
	"slices"

	"github.com/tidemark-db/tidemark/internal/expr"
	"github.com/tidemark-db/tidemark/internal/plan"
)

// pushRecursive runs a recursion for all values of the domain at once: its rows carry all items from the first round on,
// and a round joins by them. The first round is held to the domain's own values: those of others may have no end.
func (d *domain) pushRecursive(n *plan.Recursive) pushed {
	items := itemsOf(n)
	own := len(n.Schema())
	base := d.only(d.carry(d.push(n.Base).withoutNulls(), items, own), items, own)
	work := &plan.Given{Fields: base.Schema()}
	at := map[int]int{}
	for k, i := range items {
		at[i] = own + k
	}
	if d.work == nil {
		d.work = map[*plan.Given]pushed{}
	}
	d.work[n.Work] = pushed{n: work, at: at}
	defer delete(d.work, n.Work)
	step := d.carry(d.push(n.Step).withoutNulls(), items, own).n
	return pushed{n: &plan.Recursive{Base: base, Step: step, Work: work, All: n.All}, at: at, strict: map[int]*expr.Func{}}
}

// carry gives a part all items, behind its own columns.
func (d *domain) carry(p pushed, items []int, own int) pushed {
	var lacking []int
	for _, i := range items {
		if _, ok := p.at[i]; !ok {
			lacking = append(lacking, i)
		}
	}
	p = d.cross(p, lacking)
	cols := span(0, own)
	for _, i := range items {
		cols = append(cols, p.at[i])
	}
	p.n = pick(p.n, cols)
	return p
}

// only keeps the rows whose items are values of the domain.
func (d *domain) only(p pushed, items []int, own int) plan.Node {
	j := &plan.Join{Kind: plan.Semi, Left: p.n, Right: d.values(items)}
	for k := range items {
		j.LeftKeys, j.RightKeys, j.NullSafe = append(j.LeftKeys, own+k), append(j.RightKeys, k), append(j.NullSafe, true)
	}
	return j
}

// itemsOf are the items that a plan refers to.
func itemsOf(n plan.Node) []int {
	var out []int
	plan.MapExprs(n, func(e expr.Expr) expr.Expr {
		out = append(out, refsOf(e)...)
		return e
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// independent reports whether a part is the same for every value of the domain.
func (d *domain) independent(n plan.Node) bool {
	return !correlated(n) && !plan.Any(n, func(n plan.Node) bool {
		g, ok := n.(*plan.Given)
		_, recurs := d.work[g]
		return ok && recurs
	})
}
