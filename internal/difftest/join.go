package difftest

import (
	"fmt"
	"strings"
)

// join adds an item to a FROM.
func (g *generator) join(s *source, depth int) {
	if g.chance(12) {
		g.lateral(s)
		return
	}
	right := g.item(depth)
	if g.chance(8) {
		right = g.nested(right, depth)
	} else if g.chance(8) && g.using(s, right) {
		return
	}
	if g.chance(4) {
		s.sql, s.features = s.sql+" CROSS JOIN "+right.sql, s.features|Join
		s.add(right)
		return
	}
	on, equal := g.on(s.scope, right.scope)
	if g.chance(6) { // nothing to hash by
		both := append(s.scope[:len(s.scope):len(s.scope)], right.scope...)
		on, equal = g.condition(both, 1).sql, false
	}
	kind := []string{"JOIN", "JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"}[g.n(7)]
	if kind == "FULL JOIN" && !equal { // PostgreSQL can do these only by hash or merge
		kind = "LEFT JOIN"
	}
	if g.chance(35) {
		on += " AND " + g.condition(append(s.scope[:len(s.scope):len(s.scope)], right.scope...), 1).sql
	}
	s.sql = fmt.Sprintf("%s %s %s ON %s", s.sql, kind, right.sql, on)
	s.joined(kind, right)
}

// joined adds what a join of a kind brings.
func (s *source) joined(kind string, right source) {
	s.features |= Join
	if kind != "JOIN" {
		s.features |= OuterJoin
	}
	s.add(right)
}

// nested joins an item with another in parentheses, so that both are one side of the next join.
func (g *generator) nested(left source, depth int) source {
	right := g.item(depth)
	on, _ := g.on(left.scope, right.scope)
	kind := []string{"JOIN", "LEFT JOIN", "FULL JOIN"}[g.n(3)]
	left.sql = fmt.Sprintf("(%s %s %s ON %s)", left.sql, kind, right.sql, on)
	left.joined(kind, right)
	return left
}

// using joins by columns of one name, which the result has once more, without a table's name.
func (g *generator) using(s *source, right source) bool {
	for _, l := range s.scope {
		for _, r := range right.scope {
			_, name, _ := strings.Cut(l.sql, ".")
			_, same, _ := strings.Cut(r.sql, ".")
			kind, ok := common(l.kind, r.kind)
			if name == "" || name != same || !ok || kind == Bool || g.chance(30) {
				continue
			}
			how := []string{"JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"}[g.n(4)]
			s.sql = fmt.Sprintf("%s %s %s USING (%s)", s.sql, how, right.sql, name)
			s.joined(how, right)
			merged := combine(term{sql: name, kind: kind, varied: l.varied || r.varied || l.kind != r.kind && kind.varies()}, l, r)
			s.scope = append(scope{merged}, s.scope...)
			return true
		}
	}
	return false
}

// on makes a join condition: equality of columns of one kind where there are such, or of kinds that compare.
func (g *generator) on(left, right scope) (sql string, equal bool) {
	var conds []string
	for range 8 {
		l := left[g.n(len(left))]
		same := right.of(l.kind)
		if g.chance(12) {
			same = right.alike(l.kind)
		}
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
