package difftest

import (
	"fmt"
	"slices"
	"strings"
)

// literal is a constant of a kind.
func (g *generator) literal(k Kind) term {
	if g.chance(5) {
		return term{sql: "NULL::" + k.SQL(), kind: k}
	}
	return term{sql: k.Typed(g.n(9)), kind: k}
}

// expr makes an expression of a kind.
func (g *generator) expr(sc scope, k Kind, depth int) term {
	cols := sc.of(k)
	if depth <= 0 || len(cols) > 0 && g.chance(45) {
		if len(cols) > 0 && !g.chance(8) {
			return cols[g.n(len(cols))]
		}
		return g.literal(k)
	}
	switch g.n(10) {
	case 0:
		return g.caseOf(sc, k, depth)
	case 1:
		a, b := g.expr(sc, k, depth-1), g.expr(sc, k, depth-1)
		return combine(term{sql: fmt.Sprintf("COALESCE(%s, %s)", a.sql, b.sql), kind: k}, a, b)
	case 2:
		if k != JSONB {
			a, b := g.expr(sc, k, depth-1), g.expr(sc, k, depth-1)
			f := []string{"NULLIF", "greatest", "least"}[g.n(3)]
			t := combine(term{sql: fmt.Sprintf("%s(%s, %s)", f, a.sql, b.sql), kind: k}, a, b)
			t.varied = t.varied || k.varies()
			return t
		}
	case 3, 4, 5:
		if k == Bool {
			return g.condition(sc, depth)
		}
	}
	return g.filled(sc, g.exact[k], k, depth)
}

// filled fills one of the templates.
func (g *generator) filled(sc scope, list []template, k Kind, depth int) term {
	if len(list) == 0 {
		return g.expr(sc, k, 0)
	}
	t := g.fitting(sc, list)
	args := make([]term, len(t.args))
	for i, a := range t.args {
		args[i] = g.expr(sc, a, depth-1)
	}
	return t.apply(args)
}

// fitting picks a template, rather one for which the scope has columns: constants alone say little.
func (g *generator) fitting(sc scope, list []template) template {
	var t template
	for range tries {
		t = list[g.n(len(list))]
		if slices.ContainsFunc(t.args, func(k Kind) bool { return len(sc.of(k)) > 0 }) {
			break
		}
	}
	return t
}

// caseOf makes a CASE.
func (g *generator) caseOf(sc scope, k Kind, depth int) term {
	cond, a := g.condition(sc, depth-1), g.expr(sc, k, depth-1)
	if g.chance(40) {
		return combine(term{sql: fmt.Sprintf("CASE WHEN %s THEN %s END", cond.sql, a.sql), kind: k}, cond, a)
	}
	b := g.expr(sc, k, depth-1)
	return combine(term{sql: fmt.Sprintf("CASE WHEN %s THEN %s ELSE %s END", cond.sql, a.sql, b.sql), kind: k}, cond, a, b)
}

// condition makes a boolean expression that uses columns where it can.
func (g *generator) condition(sc scope, depth int) term {
	switch n := g.n(10); {
	case depth > 0 && n == 0:
		a := g.condition(sc, depth-1)
		return combine(term{sql: "(NOT " + a.sql + ")", kind: Bool}, a)
	case depth > 0 && n < 3:
		a, b := g.condition(sc, depth-1), g.condition(sc, depth-1)
		op := []string{"AND", "OR"}[g.n(2)]
		return combine(term{sql: fmt.Sprintf("(%s %s %s)", a.sql, op, b.sql), kind: Bool}, a, b)
	case n == 3 && len(sc) > 0:
		a := sc[g.n(len(sc))]
		return combine(term{sql: "(" + a.sql + []string{" IS NULL", " IS NOT NULL"}[g.n(2)] + ")", kind: Bool}, a)
	case n == 4 && depth > 0:
		return g.filled(sc, g.exact[Bool], Bool, depth)
	}
	if len(sc) == 0 {
		k := g.kindIn(sc)
		return g.comparison(g.literal(k), g.literal(k))
	}
	a := sc[g.n(len(sc))]
	b := g.expr(sc, a.kind, depth-1)
	for range tries { // a column compared with itself says little
		if b.sql != a.sql {
			break
		}
		b = g.expr(sc, a.kind, depth-1)
	}
	return g.comparison(a, b)
}

// comparison compares two terms of a kind.
func (g *generator) comparison(a, b term) term {
	ops := []string{"=", "<>", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"}
	return combine(term{sql: fmt.Sprintf("(%s %s %s)", a.sql, ops[g.n(len(ops))], b.sql), kind: Bool}, a, b)
}

// kindIn is a kind that the scope has, now and then any.
func (g *generator) kindIn(sc scope) Kind {
	if len(sc) == 0 || g.chance(10) {
		return Kind(g.n(int(kindsN)))
	}
	return sc[g.n(len(sc))].kind
}

// output makes n expressions for a select list, each at least now and then a column as it is.
func (g *generator) output(sc scope, n int) []term {
	out := make([]term, n)
	for i := range out {
		switch {
		case len(sc) > 0 && g.chance(55):
			out[i] = sc[g.n(len(sc))]
		case g.chance(4):
			out[i] = g.filled(sc, g.fuzzy, Float8, 2)
		default:
			out[i] = g.expr(sc, g.kindIn(sc), 2)
		}
	}
	return out
}

// named gives terms the names that their query's columns have.
func named(terms []term) (list string, cols []Column) {
	items := make([]string, len(terms))
	for i, t := range terms {
		name := fmt.Sprintf("c%d", i)
		items[i] = t.sql + " AS " + name
		cols = append(cols, Column{Name: name, Kind: t.kind, Fuzzy: t.fuzzy, Varied: t.varied, Loose: t.loose})
	}
	return strings.Join(items, ", "), cols
}
