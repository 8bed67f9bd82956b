package difftest

import (
	"fmt"
	"slices"
	"strings"
)

// rowsMax is the size from which a table rather loses rows than gains them; views of views of it must stay small.
const rowsMax = 24

// fillUp is the first INSERT into a table.
func (g *generator) fillUp(r *relation) string {
	sql := g.values(r, 4+g.n(rowsMax/2))
	if r.key > 0 {
		sql += " ON CONFLICT DO NOTHING"
	}
	return sql
}

// change is one statement that changes a table.
func (g *generator) change(r *relation) string {
	full := r.rows > rowsMax
	switch n := g.n(10); {
	case n < 4 && !full:
		return g.insert(r, 1+g.n(6))
	case n == 4 && !full:
		return g.copyRows(r)
	case n < 8 && !(full && n < 6):
		return g.update(r)
	}
	return g.delete(r)
}

// insert adds rows; a key that is there is an error, is passed over or updates.
func (g *generator) insert(r *relation, n int) string {
	return g.values(r, n) + g.onConflict(r) + g.returning(r)
}

func (g *generator) values(r *relation, n int) string {
	rows := make([]string, n)
	for i := range rows {
		vals := make([]string, len(r.cols))
		for j := range vals {
			vals[j] = g.value(r, j)
		}
		rows[i] = "(" + strings.Join(vals, ", ") + ")"
	}
	return fmt.Sprintf("INSERT INTO %s VALUES %s", r.name, strings.Join(rows, ", "))
}

func (g *generator) onConflict(r *relation) string {
	if r.key == 0 || g.chance(10) {
		return ""
	}
	if g.chance(60) {
		return " ON CONFLICT DO NOTHING"
	}
	if r.key == len(r.cols) {
		return " ON CONFLICT (" + r.keyList() + ") DO NOTHING"
	}
	c := r.key + g.n(len(r.cols)-r.key)
	name := r.cols[c].Name
	set := []string{"excluded." + name, g.value(r, c), fmt.Sprintf("COALESCE(%s.%s, excluded.%[2]s)", r.name, name)}[g.n(3)]
	sql := fmt.Sprintf(" ON CONFLICT (%s) DO UPDATE SET %s = %s", r.keyList(), name, set)
	if g.chance(30) {
		sql += fmt.Sprintf(" WHERE %s.%s IS DISTINCT FROM excluded.%[2]s", r.name, name)
	}
	return sql
}

// copyRows inserts what another table or view has.
func (g *generator) copyRows(r *relation) string {
	from := g.tables[g.n(len(g.tables))]
	alias := g.fresh("f")
	sc := from.scopeOf(alias)
	vals := make([]string, len(r.cols))
	for i, c := range r.cols {
		vals[i] = g.value(r, i)
		if same := sc.of(c.Kind); len(same) > 0 && (i < r.key || g.chance(60)) {
			vals[i] = same[g.n(len(same))].sql
		} else if vals[i] != "NULL" {
			vals[i] = "(" + vals[i] + ")::" + c.Kind.SQL()
		}
	}
	where := g.condition(sc, 1).sql
	if r.key > 0 {
		where += fmt.Sprintf(" AND %s IS NOT NULL", vals[0])
	}
	conflict := ""
	if r.key > 0 { // the first row of a key stays, so their order matters
		conflict = " ORDER BY " + positions(len(vals)) + " ON CONFLICT DO NOTHING"
	}
	return fmt.Sprintf("INSERT INTO %s SELECT DISTINCT %s FROM %s AS %s WHERE %s%s", r.name, strings.Join(vals, ", "), from.name, alias, where, conflict)
}

// update sets a column or two to what the table could hold anyway, so that values keep one text each.
func (g *generator) update(r *relation) string {
	if r.key == len(r.cols) {
		return g.delete(r)
	}
	var sets []string
	first := r.key + g.n(len(r.cols)-r.key)
	for i := first; i < min(first+1+g.n(2), len(r.cols)); i++ {
		sets = append(sets, r.cols[i].Name+" = "+g.newValue(r, i))
	}
	if r.key > 0 && g.chance(8) { // the row moves, or meets another
		if r.cols[0].Kind == Int4 && g.chance(30) { // many rows move, none to where another was
			return fmt.Sprintf("UPDATE %s SET %s = %[2]s + 100 WHERE %[2]s < 50%s", r.name, r.cols[0].Name, g.returning(r))
		}
		return fmt.Sprintf("UPDATE %s SET %s = %s WHERE %[2]s = %[4]s%[5]s", r.name, r.cols[0].Name, g.value(r, 0), g.value(r, 0), g.returning(r))
	}
	if g.chance(10) {
		return g.updateFrom(r, first)
	}
	if g.chance(8) {
		return g.updateByQuery(r, first)
	}
	return fmt.Sprintf("UPDATE %s SET %s WHERE %s%s", r.name, strings.Join(sets, ", "), g.where(r), g.returning(r))
}

// updateFrom sets a column to what other tables have in common; every row meets one row at most.
func (g *generator) updateFrom(r *relation, col int) string {
	o := g.tables[g.n(len(g.tables))]
	alias := g.fresh("f")
	same := o.scopeOf(alias).of(r.cols[col].Kind)
	key := r.scopeOf(r.name)[g.n(len(r.cols))]
	keys := o.scopeOf(alias).of(key.kind)
	if len(same) == 0 || len(keys) == 0 || r.cols[col].Kind == Bool || r.cols[col].Kind == UUID || r.cols[col].Kind == JSONB || r.cols[col].Kind == Bytea {
		return g.delete(r)
	}
	k, v := keys[g.n(len(keys))].sql, same[g.n(len(same))].sql
	value := "d.m"
	if r.cols[col].Kind == Varchar {
		value = "d.m::varchar"
	}
	not := "d.m IS NOT NULL"
	return fmt.Sprintf("UPDATE %s SET %s = %s FROM (SELECT %s AS k, max(%s) AS m FROM %s AS %s GROUP BY %[4]s) AS d WHERE d.k = %[8]s AND %[9]s",
		r.name, r.cols[col].Name, value, k, v, o.name, alias, key.sql, not)
}

// updateByQuery sets columns to what a subquery of each row gives, NULL where it gives nothing.
func (g *generator) updateByQuery(r *relation, first int) string {
	in := g.inner(r.scopeOf(r.name))
	for in.features.Has(ViewOnView) {
		in = g.inner(r.scopeOf(r.name))
	}
	var names, values []string
	for i := first; i < len(r.cols) && len(names) < 2; i++ {
		same := in.scope.of(r.cols[i].Kind)
		same = slices.DeleteFunc(same, func(t term) bool { return t.varied })
		if len(same) > 0 {
			names, values = append(names, r.cols[i].Name), append(values, same[g.n(len(same))].sql)
		}
	}
	if len(names) == 0 {
		return g.delete(r)
	}
	target, list := strings.Join(names, ", "), strings.Join(values, ", ")
	if len(names) > 1 {
		target = "(" + target + ")"
	}
	return fmt.Sprintf("UPDATE %s SET %s = (SELECT %s FROM %s WHERE %s ORDER BY %s LIMIT 1) WHERE %s%s",
		r.name, target, list, in.sql, in.where, orders(in.scope), g.where(r), g.returning(r))
}

func (g *generator) newValue(r *relation, col int) string {
	if g.chance(70) {
		return g.value(r, col)
	}
	same := r.scopeOf(r.name).of(r.cols[col].Kind)
	other := same[g.n(len(same))].sql
	if g.chance(30) {
		return fmt.Sprintf("CASE WHEN %s THEN %s ELSE %s END", g.condition(r.scopeOf(r.name), 1).sql, other, r.name+"."+r.cols[col].Name)
	}
	return other
}

func (g *generator) delete(r *relation) string {
	if g.chance(2) {
		return "DELETE FROM " + r.name
	}
	if g.chance(2) {
		return "TRUNCATE " + r.name
	}
	if g.chance(12) {
		return g.deleteUsing(r)
	}
	return fmt.Sprintf("DELETE FROM %s WHERE %s%s", r.name, g.where(r), g.returning(r))
}

// deleteUsing deletes the rows that meet rows of another table, however many each meets.
func (g *generator) deleteUsing(r *relation) string {
	o, alias := g.tables[g.n(len(g.tables))], g.fresh("f")
	on, _ := g.on(r.scopeOf(r.name), o.scopeOf(alias))
	return fmt.Sprintf("DELETE FROM %s USING %s AS %s WHERE %s AND %s", r.name, o.name, alias, on, g.condition(o.scopeOf(alias), 1).sql)
}

// where picks some rows, mostly few.
func (g *generator) where(r *relation) string {
	c := g.n(len(r.cols))
	col := r.name + "." + r.cols[c].Name
	if g.chance(55) {
		return fmt.Sprintf("%s = %s", col, r.cols[c].Kind.Typed(g.n(r.fills[c].domain)))
	}
	if g.chance(20) {
		in := g.inner(r.scopeOf(r.name))
		for in.features.Has(ViewOnView) { // a view is a matter of its own in DML
			in = g.inner(r.scopeOf(r.name))
		}
		return fmt.Sprintf("EXISTS (SELECT 1 FROM %s WHERE %s)", in.sql, in.where)
	}
	return g.condition(r.scopeOf(r.name), 1).sql
}

func (g *generator) returning(r *relation) string {
	if !g.chance(15) {
		return ""
	}
	if g.chance(50) {
		return " RETURNING *"
	}
	out := g.output(r.scopeOf(r.name), 2)
	return " RETURNING " + sqls(out)
}

// transaction is what happens between two checks: single statements, or blocks that may be rolled back.
func (g *generator) transaction() []string {
	r := g.tables[g.n(len(g.tables))]
	if g.chance(60) {
		return []string{g.change(r)}
	}
	out := []string{"BEGIN"}
	saved := false
	for range 1 + g.n(4) {
		r = g.tables[g.n(len(g.tables))]
		switch {
		case !saved && g.chance(15):
			out, saved = append(out, "SAVEPOINT s"), true
		case saved && g.chance(20):
			out, saved = append(out, "ROLLBACK TO SAVEPOINT s"), false
		case g.chance(15):
			out = append(out, "SELECT * FROM "+r.name)
			continue
		}
		out = append(out, g.change(r))
	}
	return append(out, []string{"COMMIT", "COMMIT", "COMMIT", "ROLLBACK"}[g.n(4)])
}
