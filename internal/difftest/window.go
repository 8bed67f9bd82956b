package difftest

import (
	"fmt"
	"strings"
)

// window is a SELECT with window functions.
func (g *generator) window(depth int) query {
	s := g.from(2, depth)
	out := g.output(s.scope, 1+g.n(2))
	if g.chance(12) {
		return g.namedWindow(s, out)
	}
	out = append(out, g.windowCall(s.scope))
	if g.chance(50) { // of two calls that tell equal rows apart it were chance which values meet in a row
		out = append(out, g.peerCall(s.scope))
	}
	list, cols := named(out)
	q := query{sql: fmt.Sprintf("SELECT %s FROM %s", list, s.sql), cols: cols, features: s.features | Window, uses: s.uses}
	if g.chance(30) {
		q.sql += " WHERE " + g.condition(s.scope, 1).sql
	}
	if g.chance(25) {
		return g.firstRows(q)
	}
	return q
}

// namedWindow has several calls over one window, so that even those that tell equal rows apart agree on their order.
func (g *generator) namedWindow(s source, out []term) query {
	x := s.scope[g.n(len(s.scope))]
	out = append(out,
		term{sql: "row_number() OVER w", kind: Int8},
		combine(term{sql: fmt.Sprintf("lag(%s) OVER w", x.sql), kind: x.kind}, x),
		term{sql: fmt.Sprintf("count(%s) FILTER (WHERE %s) OVER (w ROWS 2 PRECEDING)", x.sql, g.condition(s.scope, 1).sql), kind: Int8})
	list, cols := named(out)
	over := strings.TrimPrefix(g.over(s.scope, false), " OVER ")
	return query{sql: fmt.Sprintf("SELECT %s FROM %s WINDOW w AS %s", list, s.sql, over), cols: cols, features: s.features | Window, uses: s.uses}
}

// firstRows keeps the rows with a low number, which is TopN by group in disguise.
func (g *generator) firstRows(q query) query {
	for _, c := range q.cols {
		if c.Kind == Int8 && !c.Fuzzy && !c.Loose {
			q.sql = fmt.Sprintf("SELECT * FROM (%s) AS d WHERE %s <= %d", q.sql, c.Name, 1+g.n(4))
			q.features |= DerivedTable
			return q
		}
	}
	return q
}

// windowCall is one call with its OVER.
func (g *generator) windowCall(sc scope) term {
	x := sc[g.n(len(sc))]
	switch g.n(6) {
	case 0, 1:
		return term{sql: "row_number()" + g.over(sc, false), kind: Int8}
	case 2:
		return g.peerCall(sc)
	case 3:
		f := []string{"lag(%s)", "lead(%s)", "lag(%s, 2)", "lead(%s, 1, %[1]s)"}[g.n(4)]
		return combine(term{sql: fmt.Sprintf(f, x.sql) + g.over(sc, false), kind: x.kind}, x)
	case 4:
		f := []string{"first_value(%s)", "last_value(%s)", "nth_value(%s, 2)"}[g.n(3)]
		return combine(term{sql: fmt.Sprintf(f, x.sql) + g.totalOver(sc), kind: x.kind}, x)
	}
	if g.chance(10) {
		return term{sql: "ntile(3)" + g.over(sc, false), kind: Int4}
	}
	if list, ok := arrayOf(x.kind); ok && g.chance(15) {
		return combine(term{sql: fmt.Sprintf("array_agg(%s)", x.sql) + g.totalOver(sc), kind: list})
	}
	if x.kind == Text && g.chance(20) {
		return term{sql: fmt.Sprintf("string_agg(%s, '+')", x.sql) + g.totalOver(sc), kind: Text}
	}
	t := term{sql: "count(*)", kind: Int8}
	if n, ok := g.ofNumbers(x); ok && g.chance(80) {
		t = n
		if strings.Contains(t.sql, "(DISTINCT ") { // PostgreSQL has no DISTINCT in windows
			t = term{sql: "count(" + x.sql + ")", kind: Int8}
		}
	} else if g.chance(50) {
		t = g.extreme(x)
	}
	t.sql = g.filtered(sc, t).sql + g.over(sc, true)
	return t
}

// peerCall is a call that gives all peers one value.
func (g *generator) peerCall(sc scope) term {
	switch f := []string{"rank()", "dense_rank()", "count(*)", "percent_rank()", "cume_dist()"}[g.n(5)]; f {
	case "percent_rank()", "cume_dist()":
		return term{sql: f + g.tiedOver(sc), kind: Float8}
	default:
		return term{sql: f + g.tiedOver(sc), kind: Int8}
	}
}

// tiedOver is the window of a call that gives all peers one value.
func (g *generator) tiedOver(sc scope) string {
	first := sc[g.n(len(sc))].sql + []string{"", " DESC", " NULLS FIRST"}[g.n(3)]
	if g.chance(50) {
		return fmt.Sprintf(" OVER (PARTITION BY %s ORDER BY %s)", sc[g.n(len(sc))].sql, first)
	}
	return fmt.Sprintf(" OVER (ORDER BY %s)", first)
}

// totalOver is a window with frame in which even peers have an order.
func (g *generator) totalOver(sc scope) string {
	return fmt.Sprintf(" OVER (PARTITION BY %s ORDER BY %s %s)", sc[g.n(len(sc))].sql, orders(sc), g.frame())
}

// over is the window of a call; its order is total but for ranges, so that no result depends on how ties are broken.
func (g *generator) over(sc scope, framed bool) string {
	partition := ""
	if g.chance(65) {
		partition = "PARTITION BY " + sc[g.n(len(sc))].sql + " "
	}
	frame := ""
	if framed && g.chance(60) {
		frame = " " + g.frame()
	}
	if framed && g.chance(15) {
		if w, ok := g.rangeOver(sc, partition); ok {
			return w
		}
	}
	first := sc[g.n(len(sc))].sql + []string{"", " DESC", " NULLS FIRST"}[g.n(3)]
	return fmt.Sprintf(" OVER (%sORDER BY %s, %s%s)", partition, first, orders(sc), frame)
}

// rangeOver is a window of the rows whose key is near, which takes peers along.
func (g *generator) rangeOver(sc scope, partition string) (string, bool) {
	for _, k := range sc {
		near := map[Kind]string{Int4: "2", Int8: "1", Int2: "3", Timestamp: "'10 days'::interval", Date: "'1 mon'::interval", Numeric: "1.5",
			Timestamptz: "'36 hours'::interval", Float8: "0.75", Time: "'02:00'::interval", Interval: "'1 day'::interval", Float4: "2"}[k.kind]
		if near == "" || g.chance(40) {
			continue
		}
		bounds := []string{near + " PRECEDING AND CURRENT ROW", near + " PRECEDING AND " + near + " FOLLOWING", "CURRENT ROW AND UNBOUNDED FOLLOWING"}[g.n(3)]
		desc := []string{"", " DESC", " NULLS FIRST"}[g.n(3)]
		return fmt.Sprintf(" OVER (%sORDER BY %s%s RANGE BETWEEN %s)", partition, k.sql, desc, bounds), true
	}
	return "", false
}

// frame is a frame clause.
func (g *generator) frame() string {
	mode := []string{"ROWS", "ROWS", "RANGE", "GROUPS"}[g.n(4)]
	bounds := []string{"UNBOUNDED PRECEDING", "UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING", "CURRENT ROW AND UNBOUNDED FOLLOWING"}
	if mode != "RANGE" {
		bounds = append(bounds, "1 PRECEDING AND 1 FOLLOWING", "2 PRECEDING", "1 FOLLOWING AND 3 FOLLOWING", "2 PRECEDING AND 1 PRECEDING")
	}
	b := bounds[g.n(len(bounds))]
	out := mode + " " + b
	if strings.Contains(b, " AND ") {
		out = mode + " BETWEEN " + b
	}
	return out + []string{"", "", "", " EXCLUDE CURRENT ROW", " EXCLUDE TIES", " EXCLUDE GROUP"}[g.n(6)]
}
