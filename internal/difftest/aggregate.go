package difftest

import (
	"fmt"
	"strings"
)

// aggregate makes a call of an aggregate function.
func (g *generator) aggregate(sc scope) term {
	if g.chance(20) {
		return g.filtered(sc, term{sql: "count(*)", kind: Int8})
	}
	x := sc[g.n(len(sc))]
	if g.chance(30) {
		x = g.expr(sc, g.kindIn(sc), 1)
	}
	switch g.n(9) {
	case 8:
		if t, ok := g.manyValues(x); ok {
			return g.filtered(sc, t)
		}
	case 0:
		return g.filtered(sc, combine(term{sql: "count(" + x.sql + ")", kind: Int8}))
	case 1:
		if g.chance(20) {
			return g.filtered(sc, term{sql: fmt.Sprintf("count(DISTINCT (%s, %s))", x.sql, sc[g.n(len(sc))].sql), kind: Int8})
		}
		return g.filtered(sc, term{sql: "count(DISTINCT " + x.sql + ")", kind: Int8})
	case 2:
		if t, ok := g.arrayAggregate(x); ok {
			return g.filtered(sc, t)
		}
	case 3:
		if t, ok := g.textAggregate(x); ok {
			return g.filtered(sc, t)
		}
	}
	if t, ok := g.ofNumbers(x); ok && g.chance(60) {
		return g.filtered(sc, t)
	}
	return g.filtered(sc, g.extreme(x))
}

// filtered adds FILTER to some calls.
func (g *generator) filtered(sc scope, t term) term {
	if g.chance(15) {
		t.sql += fmt.Sprintf(" FILTER (WHERE %s)", g.condition(sc, 1).sql)
	}
	return t
}

// extreme is min or max, or what stands for it in kinds without.
func (g *generator) extreme(x term) term {
	switch x.kind {
	case Bool:
		return term{sql: []string{"bool_and", "bool_or", "every"}[g.n(3)] + "(" + x.sql + ")", kind: Bool}
	case UUID, JSONB, Bytea, Varchar:
		return term{sql: "max((" + x.sql + ")::text)", kind: Text}
	}
	return combine(term{sql: []string{"min", "max"}[g.n(2)] + "(" + x.sql + ")", kind: x.kind}, x).grouped()
}

// ofNumbers are sums and what is made of them.
func (g *generator) ofNumbers(x term) (term, bool) {
	distinct := ""
	if g.chance(12) && !x.varied {
		distinct = "DISTINCT "
	}
	call := func(f string, k Kind) (term, bool) {
		return term{sql: fmt.Sprintf("%s(%s%s)", f, distinct, x.sql), kind: k, fuzzy: k.float(), varied: k.varies()}, true
	}
	switch x.kind {
	case Int2, Int4, Int8:
		sum := Int8
		if x.kind == Int8 {
			sum = Numeric
		}
		switch g.n(6) {
		case 0, 1, 2:
			return call("sum", sum)
		case 3:
			return call("avg", Numeric)
		case 4:
			return call([]string{"bit_and", "bit_or", "bit_xor"}[g.n(3)], x.kind)
		}
		return call([]string{"var_pop", "var_samp", "stddev_pop", "stddev_samp", "variance", "stddev"}[g.n(6)], Numeric)
	case Numeric:
		return call([]string{"sum", "sum", "avg", "var_pop", "stddev_samp"}[g.n(5)], Numeric)
	case Float4, Float8:
		if g.chance(50) {
			return call("sum", x.kind)
		}
		return call([]string{"avg", "avg", "stddev_pop", "var_samp"}[g.n(4)], Float8)
	case Interval:
		return call([]string{"sum", "avg"}[g.n(2)], Interval)
	}
	return term{}, false
}

// arrayAggregate collects values in order.
func (g *generator) arrayAggregate(x term) (term, bool) {
	k, ok := arrayOf(x.kind)
	if !ok {
		return term{sql: fmt.Sprintf("jsonb_agg(%s ORDER BY %s)", x.sql, x.order("")), kind: JSONB, varied: true}, x.kind != Bytea && !x.kind.float() && x.kind != Numeric
	}
	return term{sql: fmt.Sprintf("array_agg(%s ORDER BY %s)", x.sql, x.order([]string{"", " DESC", " NULLS FIRST"}[g.n(3)])), kind: k}, true
}

// textAggregate joins texts in order, or finds a value by its place.
func (g *generator) textAggregate(x term) (term, bool) {
	switch {
	case x.kind == Text && g.chance(60):
		return term{sql: fmt.Sprintf("string_agg(%s, ',' ORDER BY %s)", x.sql, x.sql), kind: Text}, true
	case x.kind == Float8:
		return term{sql: fmt.Sprintf("percentile_cont(0.5) WITHIN GROUP (ORDER BY %s)", x.sql), kind: Float8, fuzzy: true}, true
	case x.kind == JSONB:
		return term{}, false
	}
	f := []string{"percentile_disc(0.4)", "mode()"}[g.n(2)]
	return combine(term{sql: fmt.Sprintf("%s WITHIN GROUP (ORDER BY %s)", f, x.sql), kind: x.kind}, x).grouped(), true
}

// manyValues are calls that give arrays, of distinct values or at several fractions, and the interpolated middle of times.
func (g *generator) manyValues(x term) (term, bool) {
	list, ok := arrayOf(x.kind)
	switch {
	case ok && g.chance(50):
		return term{sql: fmt.Sprintf("array_agg(DISTINCT %s ORDER BY %s)", x.sql, x.sql), kind: list}, true
	case ok:
		return term{sql: fmt.Sprintf("percentile_disc(ARRAY[0.2, 0.9, NULL]) WITHIN GROUP (ORDER BY %s)", x.sql), kind: list}, true
	case x.kind == Interval:
		return term{sql: fmt.Sprintf("percentile_cont(0.3) WITHIN GROUP (ORDER BY %s)", x.sql), kind: Interval, varied: true}, !x.varied
	case x.varied || x.fuzzy || x.loose:
		return term{}, false
	}
	return term{sql: fmt.Sprintf("array_agg((%s)::text ORDER BY (%[1]s)::text)", x.sql), kind: Texts}, true
}

// aggregateQuery is a SELECT with groups.
func (g *generator) aggregateQuery(depth int) query {
	s := g.from(2, depth)
	q := query{features: s.features | Aggregate, uses: s.uses}
	keys := g.keys(s.scope)
	out := make([]term, 0, 6)
	for _, k := range keys {
		out = append(out, k.grouped())
	}
	for range 1 + g.n(3) {
		out = append(out, g.aggregate(s.scope))
	}
	if g.chance(12) {
		out = append(out, g.overGroups(keys))
		q.features |= Window
	}
	if g.chance(6) {
		t, in := g.scalar(s.scope)
		q.features, q.uses = q.features|in.features, append(q.uses, in.uses...)
		out = append(out, g.extreme(t))
	}
	by := g.groupBy(keys, &q.features)
	if q.features.Has(GroupingSets) && len(keys) > 1 && g.chance(50) {
		out = append(out, term{sql: "GROUPING(" + sqls(keys) + ")", kind: Int4})
	}
	list, cols := named(out)
	q.cols = cols
	q.sql = fmt.Sprintf("SELECT %s FROM %s", list, s.sql)
	if g.chance(30) {
		q.sql += " WHERE " + g.condition(s.scope, 2).sql
	}
	if len(keys) > 0 {
		q.sql += " GROUP BY " + by
	}
	switch n := g.n(20); {
	case n < 3:
		q.sql += " HAVING " + []string{"count(*) > 1", "count(*) <> 2", "count(*) % 2 = 1"}[g.n(3)]
		q.features |= Having
	case n == 3:
		in := g.inner(nil)
		q.sql += fmt.Sprintf(" HAVING count(*) %s (SELECT count(*) FROM %s WHERE %s)", []string{"<", ">=", "<>"}[g.n(3)], in.sql, in.where)
		q.features |= Having | Subquery | in.features
		q.uses = append(q.uses, in.uses...)
	}
	return q
}

// overGroups is a window function over the groups.
func (g *generator) overGroups(keys []term) term {
	t := term{sql: []string{"rank()", "dense_rank()"}[g.n(2)] + " OVER (ORDER BY count(*) DESC)", kind: Int8}
	if g.chance(50) {
		t = term{sql: "sum(count(*)) OVER (ORDER BY count(*))", kind: Numeric}
	}
	if len(keys) > 0 && g.chance(40) && strings.Contains(keys[0].sql, ".") {
		t = term{sql: "max(count(*)) OVER (PARTITION BY " + keys[0].sql + ")", kind: Int8}
	}
	return t
}

// keys are the expressions to group by, none for a single group.
func (g *generator) keys(sc scope) []term {
	var out []term
	for range []int{0, 1, 1, 1, 2, 2}[g.n(6)] {
		if g.chance(80) {
			out = append(out, sc[g.n(len(sc))])
		} else {
			out = append(out, g.expr(sc, g.kindIn(sc), 2))
		}
	}
	return out
}

// groupBy writes the keys, now and then as grouping sets.
func (g *generator) groupBy(keys []term, f *Features) string {
	for _, k := range keys { // PostgreSQL takes a constant for a position
		if !strings.Contains(k.sql, ".") || strings.Contains(k.sql, "SELECT") {
			return positions(len(keys))
		}
	}
	if g.chance(75) || len(keys) < 2 {
		return sqls(keys)
	}
	*f |= GroupingSets
	form := []string{"ROLLUP ($0, $1)", "CUBE ($0, $1)", "GROUPING SETS (($0, $1), ($0), ())", "GROUPING SETS (ROLLUP ($1), ($0), ($0))",
		"$0, CUBE ($1)", "GROUPING SETS (($0), ($1)), GROUPING SETS (($1), ())", "ROLLUP (($0, $1))", "DISTINCT ROLLUP ($0, $1), ROLLUP ($0)"}[g.n(8)]
	return strings.NewReplacer("$0", keys[0].sql, "$1", keys[1].sql).Replace(form)
}

// positions are the first n columns of the select list.
func positions(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprint(i + 1)
	}
	return strings.Join(out, ", ")
}
