package bind

import "fmt"

// suggestDistance is the most letters by which a name may differ from what was meant, as in PostgreSQL.
const suggestDistance = 3

// suggestion collects the columns that come closest to a name that does not exist. It is PostgreSQL's rule, so that its users
// are told what they know: one or two of equal distance are named, more are none.
type suggestion struct {
	name     string
	distance int
	best     []*scopeCol
}

// suggest returns the hint for a column that does not exist; "" when no name is like it.
func (s *scope) suggest(table, name string) string {
	g := suggestion{name: name, distance: suggestDistance + 1}
	for sc := s; sc != nil; sc = sc.outer {
		for i := range sc.cols {
			c := &sc.cols[i]
			if c.table == "" || c.starless {
				continue
			}
			away := 0
			if table != "" {
				away = editDistance(table, c.table)
			}
			g.consider(c, away)
		}
	}
	switch len(g.best) {
	case 1:
		return fmt.Sprintf("Perhaps you meant to reference the column \"%s\".", g.best[0].qualified())
	case 2:
		return fmt.Sprintf("Perhaps you meant to reference the column \"%s\" or the column \"%s\".", g.best[0].qualified(), g.best[1].qualified())
	}
	return ""
}

func (c *scopeCol) qualified() string { return c.table + "." + c.name }

// consider takes a column whose table's name is away letters off.
func (g *suggestion) consider(c *scopeCol, away int) {
	d := editDistance(g.name, c.name)
	if d > len(g.name)/2 { // another word rather than a slip
		return
	}
	switch d += away; {
	case d < g.distance:
		g.distance, g.best = d, []*scopeCol{c}
	case d == g.distance && len(g.best) == 2: // too many to be of help; only a closer one will do
		g.distance, g.best = d-1, nil
	case d == g.distance && d <= suggestDistance:
		g.best = append(g.best, c)
	}
}

// editDistance is Levenshtein's: the letters to insert, delete or replace.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			next := corner
			if a[i] != b[j] {
				next = 1 + min(corner, row[j], row[j+1])
			}
			corner, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
