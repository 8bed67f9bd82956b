package difftest

import (
	"fmt"
	"strings"
)

// table makes a table and remembers it.
func (g *generator) table() Step {
	r := &relation{name: g.fresh("t")}
	if g.chance(60) {
		r.key = 1 + g.n(10)/9
	}
	var defs []string
	for i := range 3 + g.n(5) {
		c := Column{Name: fmt.Sprintf("k%d", i), Kind: Kind(g.n(int(kindsN) - 1))}
		f := fill{domain: []int{2, 4, 8, 8, 20}[g.n(5)], nulls: []int{0, 10, 10, 50}[g.n(4)], skew: g.chance(40)}
		def := c.Name + " "
		if i < r.key {
			c.Kind = []Kind{Int4, Int4, Int8, Text, Int2, UUID, Date}[g.n(7)]
			f = fill{domain: []int{8, 20, 30}[g.n(3)]}
		} else if i == r.key && g.chance(70) {
			c.Kind = Int4 // so that most tables can be joined
		}
		def += c.Kind.SQL()
		if i >= r.key && f.nulls == 0 && g.chance(30) {
			def += " NOT NULL"
		} else if i >= r.key && g.chance(10) {
			def += " DEFAULT " + c.Kind.Typed(3)
		}
		r.cols, r.fills, defs = append(r.cols, c), append(r.fills, f), append(defs, def)
	}
	if r.key > 0 {
		defs = append(defs, "PRIMARY KEY ("+r.keyList()+")")
	}
	g.tables = append(g.tables, r)
	return Step{Kind: StepTable, Name: r.name, SQL: fmt.Sprintf("CREATE TABLE %s (%s)", r.name, strings.Join(defs, ", "))}
}

// keyList names the columns of the primary key.
func (r *relation) keyList() string {
	var names []string
	for _, c := range r.cols[:r.key] {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

// value is a literal for a column.
func (g *generator) value(r *relation, col int) string {
	f := r.fills[col]
	if g.chance(f.nulls) {
		return "NULL"
	}
	i := g.n(f.domain)
	if f.skew && g.chance(60) {
		i = 0
	}
	return r.cols[col].Kind.Literal(i)
}

// index is an index on a table, which look-ups may take.
func (g *generator) index() string {
	r := g.tables[g.n(len(g.tables))]
	first := g.n(len(r.cols))
	names := r.cols[first].Name
	if second := g.n(len(r.cols)); second != first && g.chance(40) {
		names += ", " + r.cols[second].Name
	}
	return fmt.Sprintf("CREATE INDEX %s ON %s (%s)", g.fresh("i"), r.name, names)
}

// addColumn adds a column to a table, whose stored rows then lack it.
func (g *generator) addColumn() string {
	r := g.tables[g.n(len(g.tables))]
	c := Column{Name: fmt.Sprintf("k%d", len(r.cols)), Kind: Kind(g.n(int(kindsN) - 1))}
	sql := fmt.Sprintf("ALTER TABLE %s ADD COLUMN %s %s", r.name, c.Name, c.Kind.SQL())
	if g.chance(50) {
		sql += " DEFAULT " + c.Kind.Typed(g.n(4))
	}
	r.cols, r.fills = append(r.cols, c), append(r.fills, fill{domain: 4, nulls: 20})
	return sql
}

// fillMany fills a table with more rows than a chunk holds.
func (g *generator) fillMany(r *relation, n int) string {
	var exprs []string
	for i, c := range r.cols {
		f := r.fills[i]
		var values []string
		for range 2 * f.domain {
			v := g.value(r, i)
			if v == "NULL" && i < r.key {
				continue
			}
			values = append(values, "("+v+")::"+c.Kind.SQL())
		}
		if c.Kind.array() { // an array of arrays would be another thing
			exprs = append(exprs, fmt.Sprintf("CASE WHEN i %% 3 = 0 THEN %s ELSE %s END", values[0], values[1]))
			continue
		}
		exprs = append(exprs, fmt.Sprintf("(ARRAY[%s])[1 + (i * %d) %% %d]", strings.Join(values, ", "), 2*i+7, len(values)))
	}
	sql := fmt.Sprintf("INSERT INTO %s SELECT %s FROM generate_series(1, %d) AS s(i)", r.name, strings.Join(exprs, ", "), n)
	if r.key > 0 {
		sql += " ON CONFLICT DO NOTHING"
	}
	return sql
}
