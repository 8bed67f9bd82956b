package difftest

import (
	"fmt"
	"strings"
)

// source is a FROM clause with what it offers.
type source struct {
	sql      string
	scope    scope
	features Features
	uses     []*relation
}

func (s *source) add(o source) {
	s.scope = append(s.scope, o.scope...)
	s.features |= o.features
	s.uses = append(s.uses, o.uses...)
}

// from makes a FROM of up to max items.
func (g *generator) from(max, depth int) source {
	s := g.item(depth)
	n := 1
	for n < max && g.chance(40) {
		n++
		g.join(&s, depth)
	}
	return s
}

// joined makes a FROM with at least one join.
func (g *generator) joined(depth int) source {
	s := g.item(depth)
	g.join(&s, depth)
	if g.chance(25) {
		g.join(&s, depth)
	}
	return s
}

// item is one item of FROM: a relation or a derived table.
func (g *generator) item(depth int) source {
	alias := g.fresh("a")
	if depth > 0 && g.chance(15) {
		q := g.query(depth - 1)
		r := &relation{cols: q.cols}
		if sc := r.scopeOf(alias); len(sc) > 0 {
			return source{sql: fmt.Sprintf("(%s) AS %s", q.sql, alias), scope: sc, features: q.features | DerivedTable, uses: q.uses}
		}
	}
	if g.chance(3) {
		return g.valuesItem(alias)
	}
	r := g.pickRelation()
	s := source{sql: r.name + " AS " + alias, scope: r.scopeOf(alias), uses: []*relation{r}}
	if r.depth > 0 {
		s.features = ViewOnView
	}
	return s
}

// valuesItem is a small table of constants.
func (g *generator) valuesItem(alias string) source {
	kinds := []Kind{Int4, Kind(g.n(int(kindsN)))}
	rows := make([]string, 1+g.n(4))
	for i := range rows {
		rows[i] = fmt.Sprintf("(%s, %s)", g.literal(kinds[0]).sql, g.literal(kinds[1]).sql)
	}
	return source{sql: fmt.Sprintf("(VALUES %s) AS %s(x, y)", strings.Join(rows, ", "), alias),
		scope: scope{{sql: alias + ".x", kind: kinds[0]}, {sql: alias + ".y", kind: kinds[1]}}}
}

// lateral adds an item that depends on those before it.
func (g *generator) lateral(s *source) {
	alias := g.fresh("a")
	arrays := append(s.scope.of(Int4s), s.scope.of(Texts)...)
	s.features |= Lateral
	switch {
	case len(arrays) > 0 && g.chance(50):
		a := arrays[g.n(len(arrays))]
		s.scope = append(s.scope, term{sql: alias + ".v", kind: a.kind.elem()})
		switch {
		case g.chance(30):
			s.sql += fmt.Sprintf(" CROSS JOIN LATERAL unnest(%s) WITH ORDINALITY AS %s(v, n)", a.sql, alias)
			s.scope = append(s.scope, term{sql: alias + ".n", kind: Int8})
		case g.chance(30):
			s.sql += fmt.Sprintf(" LEFT JOIN LATERAL unnest(%s) AS %s(v) ON true", a.sql, alias)
		default:
			s.sql += fmt.Sprintf(" CROSS JOIN LATERAL unnest(%s) AS %s(v)", a.sql, alias)
		}
		s.features |= SetReturning
	case g.chance(30):
		to := "2"
		if ints := s.scope.of(Int4); len(ints) > 0 && g.chance(60) {
			to = "least(" + ints[g.n(len(ints))].sql + ", 3)"
		}
		s.sql += fmt.Sprintf(" CROSS JOIN LATERAL generate_series(1, %s) AS %s(v)", to, alias)
		s.scope = append(s.scope, term{sql: alias + ".v", kind: Int4})
		s.features |= SetReturning
	default:
		sub := g.inner(s.scope)
		list, cols := named(g.output(sub.scope, 2))
		how := []string{"CROSS JOIN LATERAL", "LEFT JOIN LATERAL"}[g.n(2)]
		on := ""
		if how == "LEFT JOIN LATERAL" {
			on, s.features = " ON true", s.features|OuterJoin
		}
		limit := ""
		if g.chance(50) {
			limit = fmt.Sprintf(" ORDER BY %s LIMIT %d", orders(sub.scope), 1+g.n(3))
			s.features |= TopN
		}
		s.sql += fmt.Sprintf(" %s (SELECT %s FROM %s WHERE %s%s) AS %s%s", how, list, sub.sql, sub.where, limit, alias, on)
		s.scope = append(s.scope, (&relation{cols: cols}).scopeOf(alias)...)
		s.features |= Join | Subquery | Correlated | sub.features
		s.uses = append(s.uses, sub.uses...)
	}
}
