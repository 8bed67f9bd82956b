package difftest

import "testing"

func TestDiffers(t *testing.T) {
	const oidNumeric, oidText = 1700, 25
	fuzzy, loose := []Column{{Kind: Float8, Fuzzy: true}}, []Column{{Kind: Numeric, Loose: true}}
	row := func(texts ...string) [][]string {
		var out [][]string
		for _, s := range texts {
			out = append(out, []string{s})
		}
		return out
	}
	for _, c := range []struct {
		name      string
		oid       uint32
		got, want [][]string
		cols      []Column
		differ    bool
	}{
		{"order does not count", oidText, row("a", "b"), row("b", "a"), nil, false},
		{"copies count", oidText, row("a", "a"), row("a"), nil, true},
		{"NULL is not an empty text", oidText, row(nullText), row(""), nil, true},
		{"the last digit of a float is free", oidFloat8, row("0.1", "0.30000000000000004"), row("0.3", "0.1"), fuzzy, false},
		{"the tenth digit is not", oidFloat8, row("0.3000000001"), row("0.3"), fuzzy, true},
		{"zeros at the end count", oidNumeric, row("1.0"), row("1"), nil, true},
		{"but not where any of the equals may be shown", oidNumeric, row("1.0"), row("1"), loose, false},
		{"values count there too", oidNumeric, row("10"), row("1"), loose, true},
	} {
		got, want := Rows{Types: []uint32{c.oid}, Rows: c.got}, Rows{Types: []uint32{c.oid}, Rows: c.want}
		if d := got.Differs(want, c.cols); (d != "") != c.differ {
			t.Errorf("%s: %q", c.name, d)
		}
	}
	if (Rows{Types: []uint32{oidText}}).DiffersInTypes(Rows{Types: []uint32{oidNumeric}}) == "" {
		t.Error("types count")
	}
}
