package difftest

import (
	"strings"
)

// term is an expression with what comparisons must know of its value.
type term struct {
	sql  string
	kind Kind
	// As in Column.
	fuzzy, varied, loose bool
}

// scope are the columns that an expression may use.
type scope []term

// of returns the columns of a kind.
func (s scope) of(k Kind) scope {
	var out scope
	for _, t := range s {
		if t.kind == k {
			out = append(out, t)
		}
	}
	return out
}

// alike returns the columns of kinds that compare with the given one.
func (s scope) alike(k Kind) scope {
	var out scope
	for _, t := range s {
		if _, ok := common(k, t.kind); ok {
			out = append(out, t)
		}
	}
	return out
}

// combine marks a term by what it is made of.
func combine(t term, parts ...term) term {
	for _, p := range parts {
		t.fuzzy = t.fuzzy || p.fuzzy
		t.loose = t.loose || p.loose
		t.varied = t.varied || p.varied && p.kind == t.kind
	}
	return t
}

// grouped is the term as a key of groups, of which any of the equal values may be shown.
func (t term) grouped() term {
	if t.varied || t.fuzzy {
		t.loose = true
	}
	return t
}

// order is the term in ORDER BY: a varied value is followed by its text, so that the order is total.
func (t term) order(direction string) string {
	if t.varied {
		return t.sql + direction + ", (" + t.sql + ")::text"
	}
	return t.sql + direction
}

// orders joins terms for ORDER BY.
func orders(terms []term) string {
	out := make([]string, len(terms))
	for i, t := range terms {
		out[i] = t.order("")
	}
	return strings.Join(out, ", ")
}

// sqls joins the texts of terms.
func sqls(terms []term) string {
	out := make([]string, len(terms))
	for i, t := range terms {
		out[i] = t.sql
	}
	return strings.Join(out, ", ")
}
