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
