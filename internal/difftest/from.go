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
	r := g.pickRelation()
	s := source{sql: r.name + " AS " + alias, scope: r.scopeOf(alias), uses: []*relation{r}}
	if r.depth > 0 {
		s.features = ViewOnView
	}
	return s
}

// join adds an item to a FROM.
func (g *generator) join(s *source, depth int) {
	if g.chance(12) {
		g.lateral(s)
		return
	}
	right := g.item(depth)
	on, equal := g.on(s.scope, right.scope)
	kind := []string{"JOIN", "JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"}[g.n(7)]
	if kind == "FULL JOIN" && !equal { // PostgreSQL can do these only by hash or merge
		kind = "LEFT JOIN"
	}
	if kind != "FULL JOIN" && g.chance(35) {
		on += " AND " + g.condition(append(s.scope[:len(s.scope):len(s.scope)], right.scope...), 1).sql
	}
	s.sql = fmt.Sprintf("%s %s %s ON %s", s.sql, kind, right.sql, on)
	s.features |= Join
	if kind != "JOIN" {
		s.features |= OuterJoin
	}
	s.add(right)
}

// on makes a join condition: equality of columns of one kind where there are such.
func (g *generator) on(left, right scope) (sql string, equal bool) {
	var conds []string
	for range 8 {
		l := left[g.n(len(left))]
		same := right.of(l.kind)
		if len(same) == 0 || l.kind == Bool && len(conds) == 0 {
			continue
		}
		conds = append(conds, fmt.Sprintf("%s = %s", l.sql, same[g.n(len(same))].sql))
		if g.chance(75) {
			break
		}
	}
	if len(conds) > 0 {
		return strings.Join(conds, " AND "), true
	}
	l, r := left[g.n(len(left))], right[g.n(len(right))]
	return fmt.Sprintf("(%s)::text = (%s)::text", l.sql, r.sql), true
}

// lateral adds an item that depends on those before it.
func (g *generator) lateral(s *source) {
	alias := g.fresh("a")
	arrays := append(s.scope.of(Int4s), s.scope.of(Texts)...)
	s.features |= Lateral
	switch {
	case len(arrays) > 0 && g.chance(50):
		a := arrays[g.n(len(arrays))]
		s.sql += fmt.Sprintf(" CROSS JOIN LATERAL unnest(%s) AS %s(v)", a.sql, alias)
		s.scope = append(s.scope, term{sql: alias + ".v", kind: a.kind.elem()})
		s.features |= SetReturning
	case g.chance(30):
		s.sql += fmt.Sprintf(" CROSS JOIN generate_series(1, 2) AS %s(v)", alias)
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
