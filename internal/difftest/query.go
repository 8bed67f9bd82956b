package difftest

import (
	"fmt"
	"slices"
	"strings"
)

// query is a SELECT with what its users must know.
type query struct {
	sql      string
	cols     []Column
	features Features
	uses     []*relation
}

// query makes a query of some form. depth bounds the derived tables in it.
func (g *generator) query(depth int) query {
	switch g.n(10) {
	case 0, 1:
		return g.plain(g.joined(depth))
	case 2, 3:
		return g.aggregateQuery(depth)
	case 4:
		return g.distinct(depth)
	case 5:
		return g.setOperation(depth)
	case 6:
		return g.subqueryQuery(depth)
	case 7:
		return g.topN(depth)
	case 8:
		return g.window(depth)
	}
	return g.plain(g.from(3, depth))
}

// view makes the query of a view: any query, sometimes below another one or with WITH.
func (g *generator) view() query {
	if g.chance(8) {
		return g.with()
	}
	return g.query(1)
}

// plain is a SELECT without more than FROM and WHERE.
func (g *generator) plain(s source) query {
	list, cols := named(g.output(s.scope, 1+g.n(4)))
	q := query{sql: fmt.Sprintf("SELECT %s FROM %s", list, s.sql), cols: cols, features: s.features, uses: s.uses}
	if arrays := append(s.scope.of(Int4s), s.scope.of(Texts)...); len(arrays) > 0 && g.chance(8) {
		a := arrays[g.n(len(arrays))]
		q.sql = fmt.Sprintf("SELECT %s, unnest(%s) AS u FROM %s", list, a.sql, s.sql)
		q.cols, q.features = append(q.cols, Column{Name: "u", Kind: a.kind.elem()}), q.features|SetReturning
	}
	if g.chance(60) {
		q.sql += " WHERE " + g.condition(s.scope, 2).sql
	}
	return q
}

// distinct is SELECT DISTINCT or DISTINCT ON with a total order.
func (g *generator) distinct(depth int) query {
	s := g.from(2, depth)
	var out []term
	for range 1 + g.n(3) {
		out = append(out, s.scope[g.n(len(s.scope))])
	}
	q := query{features: s.features | Distinct, uses: s.uses}
	if g.chance(30) {
		on := out[:1]
		list, cols := named(out)
		q.cols, q.features = cols, q.features|DistinctOn
		q.sql = fmt.Sprintf("SELECT DISTINCT ON (%s) %s FROM %s ORDER BY %s, %s", sqls(on), list, s.sql, on[0].sql, orders(s.scope))
		return q
	}
	if g.chance(40) {
		out = append(out, g.expr(s.scope, g.kindIn(s.scope), 2))
	}
	for i := range out {
		out[i] = out[i].grouped()
	}
	list, cols := named(out)
	q.cols = cols
	q.sql = fmt.Sprintf("SELECT DISTINCT %s FROM %s", list, s.sql)
	return q
}

// setOperation combines two or three queries of the same kinds of columns.
func (g *generator) setOperation(depth int) query {
	first := g.from(1, depth)
	kinds := make([]Kind, 1+g.n(2))
	for i := range kinds {
		kinds[i] = g.kindIn(first.scope)
	}
	q := g.branch(first, kinds)
	if g.chance(20) {
		return g.unparenthesized(q, kinds, depth)
	}
	for range 1 + g.n(2) {
		op := []string{"UNION", "UNION ALL", "INTERSECT", "INTERSECT ALL", "EXCEPT", "EXCEPT ALL"}[g.n(6)]
		b := g.branch(g.from(2, depth), kinds)
		q.sql = fmt.Sprintf("(%s) %s (%s)", q.sql, op, b.sql)
		q.features |= b.features | SetOperation
		q.uses = append(q.uses, b.uses...)
		for i := range q.cols {
			c := &q.cols[i]
			c.Varied = c.Varied || b.cols[i].Varied
			c.Loose = c.Loose || b.cols[i].Loose || c.Varied && op != "UNION ALL"
		}
	}
	return q
}

// unparenthesized combines queries in the order that their operators bind, some of wider kinds than the first, and now and
// then takes the first rows.
func (g *generator) unparenthesized(q query, kinds []Kind, depth int) query {
	for range 2 {
		wide := slices.Clone(kinds)
		for i, k := range wide {
			if wider, ok := map[Kind]Kind{Int2: Int4, Int4: Int8, Int8: Numeric, Date: Timestamp, Timestamp: Timestamptz}[k]; ok && g.chance(30) {
				wide[i] = wider
			}
		}
		b := g.branch(g.from(1, depth), wide)
		q.sql += " " + []string{"UNION", "UNION ALL", "INTERSECT", "EXCEPT"}[g.n(4)] + " " + b.sql
		q.features |= b.features | SetOperation
		q.uses = append(q.uses, b.uses...)
		for i := range q.cols {
			c := &q.cols[i]
			c.Kind, _ = common(c.Kind, wide[i])
			c.Varied = c.Varied || b.cols[i].Varied || c.Kind.varies() && c.Kind != kinds[i]
			c.Loose = c.Loose || b.cols[i].Loose || c.Varied
		}
	}
	if !slices.ContainsFunc(q.cols, func(c Column) bool { return c.Loose || c.Fuzzy }) && g.chance(40) {
		q.sql += fmt.Sprintf(" ORDER BY %s LIMIT %d", positions(len(q.cols)), 1+g.n(6))
		q.features |= TopN
	}
	return q
}

// branch is one side of a set operation.
func (g *generator) branch(s source, kinds []Kind) query {
	out := make([]term, len(kinds))
	for i, k := range kinds {
		out[i] = g.expr(s.scope, k, 1)
	}
	list, cols := named(out)
	q := query{sql: fmt.Sprintf("SELECT %s FROM %s", list, s.sql), cols: cols, features: s.features, uses: s.uses}
	if g.chance(40) {
		q.sql += " WHERE " + g.condition(s.scope, 1).sql
	}
	return q
}

// topN is ORDER BY all columns with LIMIT.
func (g *generator) topN(depth int) query {
	s := g.from(2, depth)
	out := g.output(s.scope, 1+g.n(3))
	keys := make([]string, len(out))
	for i := range out {
		if out[i].fuzzy {
			out[i] = s.scope[g.n(len(s.scope))]
		}
		out[i] = out[i].grouped()
		keys[i] = fmt.Sprint(i+1) + []string{"", "", " DESC", " ASC NULLS FIRST", " DESC NULLS LAST"}[g.n(5)]
	}
	list, cols := named(out)
	q := query{cols: cols, features: s.features | TopN, uses: s.uses}
	q.sql = fmt.Sprintf("SELECT %s FROM %s", list, s.sql)
	if g.chance(30) {
		q.sql += " WHERE " + g.condition(s.scope, 1).sql
	}
	limit := fmt.Sprintf(" LIMIT %d", 1+g.n(9))
	switch g.n(20) {
	case 0:
		limit = fmt.Sprintf(" OFFSET %d", 1+g.n(4)) // all but the first
	case 1:
		limit = " LIMIT 0"
	case 2:
		limit = " LIMIT ALL"
	}
	if g.chance(30) && !strings.Contains(limit, "OFFSET") {
		limit += fmt.Sprintf(" OFFSET %d", g.n(4))
	}
	if g.chance(20) { // ties come along, so that some of the order is enough
		keys, limit = keys[:1], fmt.Sprintf(" FETCH FIRST %d ROWS WITH TIES", 1+g.n(5))
	}
	q.sql += " ORDER BY " + strings.Join(keys, ", ") + limit
	return q
}

// with is a query over common table expressions: one that is used twice, or two that any part of the query may use.
func (g *generator) with() query {
	if g.chance(50) {
		return g.withTwo()
	}
	a := g.query(0)
	r := &relation{name: g.fresh("w"), cols: a.cols}
	if len(r.scopeOf("")) == 0 {
		return g.with()
	}
	l, rt := g.fresh("a"), g.fresh("a")
	s := source{scope: append(r.scopeOf(l), r.scopeOf(rt)...)}
	on, _ := g.on(r.scopeOf(l), r.scopeOf(rt))
	s.sql = fmt.Sprintf("%s AS %s JOIN %s AS %s ON %s", r.name, l, r.name, rt, on)
	q := g.plain(s)
	q.sql = fmt.Sprintf("WITH %s AS (%s) %s", r.name, a.sql, q.sql)
	q.features |= a.features | With | Join
	q.uses = append(q.uses, a.uses...)
	return q
}

// withTwo names two queries, the second of which may use the first, and then uses them wherever it uses relations.
func (g *generator) withTwo() query {
	defer func(n int) { g.views = g.views[:n] }(len(g.views))
	var defs []string
	var all query
	for range 2 {
		q := g.query(0)
		r := &relation{name: g.fresh("w"), cols: q.cols, depth: 1}
		how := []string{"", "", "MATERIALIZED ", "NOT MATERIALIZED "}[g.n(4)]
		defs = append(defs, fmt.Sprintf("%s AS %s(%s)", r.name, how, q.sql))
		all.features, all.uses = all.features|q.features, append(all.uses, q.uses...)
		for range withWeight {
			g.views = append(g.views, r)
		}
	}
	q := g.query(0)
	q.sql = fmt.Sprintf("WITH %s %s", strings.Join(defs, ", "), q.sql)
	q.features |= all.features | With
	q.uses = append(q.uses, all.uses...)
	return q
}

// withWeight is how often a name of WITH counts among the views, so that it is used.
const withWeight = 8

// lookUp is a query for few rows of a relation, by a key or an index where there is one.
func (g *generator) lookUp() query {
	r := g.pickRelation()
	sc := r.scopeOf(r.name)
	var conds []string
	for range 1 + g.n(2) {
		c := sc[g.n(len(sc))]
		if r.key > 0 && g.chance(60) {
			c = sc[len(conds)%r.key]
		}
		a, b := c.kind.Typed(g.n(9)), c.kind.Typed(g.n(9))
		form := []string{"$1 = $2", "$1 = $2", "$1 IN ($2, $3)", "$1 > $2", "$1 BETWEEN $2 AND $3", "($1 >= $2 AND $1 < $3)"}[g.n(6)]
		conds = append(conds, strings.NewReplacer("$1", c.sql, "$2", a, "$3", b).Replace(form))
	}
	out, keys := named(sc)
	q := query{sql: fmt.Sprintf("SELECT %s FROM %s WHERE %s", out, r.name, strings.Join(conds, " AND ")), cols: keys, uses: []*relation{r}}
	if g.chance(30) {
		q.sql += fmt.Sprintf(" ORDER BY %s LIMIT %d", orders(sc), 1+g.n(5))
	}
	return q
}
