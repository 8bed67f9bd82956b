package ast

import "testing"

func TestQuoteIdent(t *testing.T) {
	for name, want := range map[string]string{
		"a": "a", "a_1": "a_1", "A": `"A"`, "1a": `"1a"`, "a b": `"a b"`, `a"b`: `"a""b"`, "": `""`, "é": `"é"`, "a$": `"a$"`,
		"select": `"select"`, "left": `"left"`, "char": `"char"`, "value": "value", "emit": "emit",
	} {
		if got := QuoteIdent(name); got != want {
			t.Errorf("QuoteIdent(%q) = %s, want %s", name, got, want)
		}
	}
}

func TestKeywordClasses(t *testing.T) {
	for word, want := range map[string]KeywordClass{
		"select": Reserved, "left": TypeFuncName, "coalesce": ColName, "year": Unreserved, "tumble": NotKeyword,
	} {
		if got := Keyword(word); got != want {
			t.Errorf("Keyword(%q) = %d, want %d", word, got, want)
		}
	}
	if BareLabel("year") || !BareLabel("value") || !BareLabel("select") {
		t.Error("year needs AS as a label, value and select do not")
	}
}
