package bind

import "testing"

// The hints are what PostgreSQL 15 gives for the same tables.
func TestSuggest(t *testing.T) {
	s := &scope{cols: []scopeCol{{table: "c", name: "id"}, {table: "c", name: "name"}, {table: "o", name: "id"}, {table: "o", name: "amount"}},
		outer: &scope{cols: []scopeCol{{table: "p", name: "price"}}}}
	for _, c := range []struct{ table, name, hint string }{
		{"", "nam", `Perhaps you meant to reference the column "c.name".`},
		{"", "idd", `Perhaps you meant to reference the column "c.id" or the column "o.id".`},
		{"o", "nme", `Perhaps you meant to reference the column "c.name".`},
		{"o", "amout", `Perhaps you meant to reference the column "o.amount".`},
		{"", "prize", `Perhaps you meant to reference the column "p.price".`},
		{"", "nope", `Perhaps you meant to reference the column "c.name".`},
		{"", "other", ""},
		{"", "x", ""},
		{"customers", "name", ""}, // the table's name is too far off
	} {
		if got := s.suggest(c.table, c.name); got != c.hint {
			t.Errorf("%s.%s: %s", c.table, c.name, got)
		}
	}
}

func TestSuggestNamesNoneOfMany(t *testing.T) {
	s := &scope{cols: []scopeCol{{table: "t", name: "col1"}, {table: "t", name: "col2"}, {table: "t", name: "col3"}}}
	if got := s.suggest("", "col4"); got != "" {
		t.Errorf("%s", got)
	}
	s.cols = append(s.cols, scopeCol{table: "t", name: "col44"})
	if got := s.suggest("", "col4444"); got != `Perhaps you meant to reference the column "t.col44".` {
		t.Errorf("%s", got)
	}
}
