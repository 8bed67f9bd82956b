package difftest

import "fmt"

// innerQuery is FROM and WHERE of a subquery.
type innerQuery struct {
	source
	where string
}

// inner makes FROM and WHERE of a subquery that may refer to the outer columns.
func (g *generator) inner(outer scope) innerQuery {
	alias := g.fresh("s")
	r := g.pickRelation()
	in := innerQuery{source: source{sql: r.name + " AS " + alias, scope: r.scopeOf(alias), uses: []*relation{r}}}
	if r.depth > 0 {
		in.features |= ViewOnView
	}
	if g.chance(12) {
		in.source = g.from(2, 0)
	}
	in.where = "true"
	if len(outer) > 0 && g.chance(75) {
		in.where, _ = g.on(outer, in.scope)
		in.features |= Correlated
	}
	if g.chance(30) {
		sc := in.scope
		if g.chance(30) {
			sc = append(sc[:len(sc):len(sc)], outer...)
		}
		in.where += " AND " + g.condition(sc, 1).sql
	}
	if g.chance(8) { // one level deeper, where both levels above can be seen
		p, deeper := g.predicate(append(outer[:len(outer):len(outer)], in.scope...))
		in.where += " AND " + p
		in.features, in.uses = in.features|deeper.features, append(in.uses, deeper.uses...)
	}
	return in
}

// predicate makes a condition that holds a subquery.
func (g *generator) predicate(outer scope) (string, innerQuery) {
	in := g.inner(outer)
	in.features |= Subquery
	not := []string{"", "NOT "}[g.n(2)]
	k := in.scope[g.n(len(in.scope))]
	x := g.expr(outer, k.kind, 1)
	body := fmt.Sprintf("FROM %s WHERE %s", in.sql, in.where)
	if other := outer.alike(k.kind); len(other) > 0 && g.chance(15) {
		x = other[g.n(len(other))]
	}
	switch g.n(10) {
	case 9:
		in.features |= TopN
		return fmt.Sprintf("%s %sIN (SELECT %s %s ORDER BY %s LIMIT %d)", x.sql, not, k.sql, body, orders(in.scope), 1+g.n(3)), in
	case 6:
		k2 := in.scope[g.n(len(in.scope))]
		y := g.expr(outer, k2.kind, 1)
		return fmt.Sprintf("(%s, %s) %sIN (SELECT %s, %s %s)", x.sql, y.sql, not, k.sql, k2.sql, body), in
	case 7:
		q := g.branch(g.from(1, 0), []Kind{k.kind})
		in.features |= q.features | SetOperation
		in.uses = append(in.uses, q.uses...)
		op := []string{"UNION ALL", "UNION", "EXCEPT"}[g.n(3)]
		return fmt.Sprintf("%s %sIN (SELECT %s %s %s %s)", x.sql, not, k.sql, body, op, q.sql), in
	case 8:
		in.features |= Aggregate
		return fmt.Sprintf("%s %sIN (SELECT %s %s GROUP BY %[3]s HAVING count(*) > 1)", x.sql, not, k.sql, body), in
	case 0, 1:
		return fmt.Sprintf("%sEXISTS (SELECT 1 %s)", not, body), in
	case 2, 3:
		return fmt.Sprintf("%s %sIN (SELECT %s %s)", x.sql, not, k.sql, body), in
	case 4:
		op := []string{"=", "<", ">=", "<>"}[g.n(4)]
		return fmt.Sprintf("%s %s %s (SELECT %s %s)", x.sql, op, []string{"ANY", "ALL"}[g.n(2)], k.sql, body), in
	}
	s, sub := g.scalar(outer)
	return g.comparison(s, g.expr(outer, s.kind, 1)).sql, sub
}

// scalar makes a subquery of one value.
func (g *generator) scalar(outer scope) (term, innerQuery) {
	in := g.inner(outer)
	in.features |= Subquery
	a := g.aggregate(in.scope)
	for a.fuzzy || a.loose {
		a = g.aggregate(in.scope)
	}
	k := in.scope[g.n(len(in.scope))]
	body := fmt.Sprintf("FROM %s WHERE %s", in.sql, in.where)
	switch n := g.n(20); {
	case n < 4:
		in.features |= TopN
		t := combine(term{kind: k.kind}, k)
		t.sql = fmt.Sprintf("(SELECT %s %s ORDER BY %s LIMIT 1%s)", k.sql, body, orders(in.scope), []string{"", " OFFSET 1"}[g.n(2)])
		return t, in
	case n == 4:
		in.features |= Aggregate | Distinct | DerivedTable
		return term{sql: fmt.Sprintf("(SELECT count(*) FROM (SELECT DISTINCT %s %s) AS %s)", k.sql, body, g.fresh("d")), kind: Int8}, in
	case n == 5:
		in.features |= Aggregate | Having
		return term{sql: fmt.Sprintf("(SELECT count(*) %s HAVING count(*) > 1)", body), kind: Int8}, in
	case n == 6:
		in.features |= Aggregate | DerivedTable
		return term{sql: fmt.Sprintf("(SELECT max(n) FROM (SELECT count(*) AS n %s GROUP BY %s) AS %s)", body, k.sql, g.fresh("d")), kind: Int8}, in
	case n == 7:
		if list, ok := arrayOf(k.kind); ok {
			return term{sql: fmt.Sprintf("ARRAY(SELECT %s %s ORDER BY %[1]s)", k.sql, body), kind: list}, in
		}
	}
	in.features |= Aggregate
	a.sql = fmt.Sprintf("(SELECT %s %s)", a.sql, body)
	return a, in
}

// subqueryQuery is a SELECT with subqueries in WHERE and among its columns.
func (g *generator) subqueryQuery(depth int) query {
	s := g.from(2, depth)
	out := g.output(s.scope, 1+g.n(3))
	where := ""
	features := s.features
	if g.chance(75) {
		p, in := g.predicate(s.scope)
		where, features, s.uses = p, features|in.features, append(s.uses, in.uses...)
		if g.chance(30) {
			where = fmt.Sprintf("(%s %s %s)", where, []string{"AND", "OR"}[g.n(2)], g.condition(s.scope, 1).sql)
		}
	}
	if where == "" || g.chance(30) {
		t, in := g.scalar(s.scope)
		out, features, s.uses = append(out, t), features|in.features, append(s.uses, in.uses...)
	}
	if g.chance(15) { // as a value, where a semi join is no way out
		p, in := g.predicate(s.scope)
		out, features, s.uses = append(out, term{sql: "(" + p + ")", kind: Bool}), features|in.features, append(s.uses, in.uses...)
	}
	if g.chance(10) {
		p, in := g.predicate(s.scope)
		a, deeper := g.scalar(s.scope)
		b := g.expr(s.scope, a.kind, 1)
		t := combine(term{sql: fmt.Sprintf("CASE WHEN %s THEN %s ELSE %s END", p, a.sql, b.sql), kind: a.kind}, a, b)
		out, features, s.uses = append(out, t), features|in.features|deeper.features, append(append(s.uses, in.uses...), deeper.uses...)
	}
	list, cols := named(out)
	q := query{sql: fmt.Sprintf("SELECT %s FROM %s", list, s.sql), cols: cols, features: features, uses: s.uses}
	if where != "" {
		q.sql += " WHERE " + where
	}
	return q
}
