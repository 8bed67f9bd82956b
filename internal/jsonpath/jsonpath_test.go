package jsonpath

import (
	"regexp"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"pgregory.net/rapid"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/types"
)

// compile is enough for the patterns of the tests.
func compile(pattern, flags string) (*regexp.Regexp, error) {
	opts := ""
	for have, opt := range map[string]string{"i": "i", "s": "s", "n": "m"} {
		if strings.Contains(flags, have) {
			opts += opt
		}
	}
	if opts != "" {
		pattern = "(?" + opts + ")" + pattern
	}
	return regexp.Compile(pattern)
}

// TestScripts evaluates each line's path over the document of the command; what it gives was compared with PostgreSQL 15.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			lines := strings.Split(d.Input, "\n")
			doc, err := types.ParseJSON(lines[0])
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			for _, line := range lines[1:] {
				out.WriteString(line + "  ->  " + answer(line, doc) + "\n")
			}
			return out.String()
		})
	})
}

func answer(path string, doc types.JSON) string {
	p, err := Parse(path, compile)
	var items []types.JSON
	if err == nil {
		items, err = p.Query(doc, `{"two": 2, "a b": "x"}`)
	}
	if e, ok := errs.As(err); ok {
		return e.Entry.SQLState + " " + e.Error()
	}
	return string(types.JSONArrayOf(items))
}

// TestAnyText: no text makes the reader or the evaluation panic.
func TestAnyText(t *testing.T) {
	pieces := []string{"$", "@", ".", "a", "**", "*", "[", "]", "(", ")", "?", "last", " to ", "1", "1.", ".5", "1e", "\"", "\"b\"", "\\", "!", "&&", "==", "<", "-", "exists",
		" is unknown", " like_regex ", " flag ", " starts with ", "{", "}", ",", "$two", "$\"a b\"", "strict ", ".size()", ".double()", "/*", "*/", "true", "é", "\x00"}
	rapid.Check(t, func(t *rapid.T) {
		path := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "pieces"), "")
		p, err := Parse(path, compile)
		if err == nil {
			_, err = p.Query(`{"a": [1, {"b": "1"}], "b": null}`, "{}")
		}
		if err != nil && err.Error() == "" {
			t.Fatal("an error without text")
		}
	})
}

// Evaluation goes as deep as there are operators in a row, which must end before the stack does.
func TestManyOperators(t *testing.T) {
	for _, path := range []string{"1" + strings.Repeat("+1", operatorsMax+1), strings.Repeat("$ == 1 || ", operatorsMax+1) + "$ == 1", strings.Repeat("$ == 1 && ", operatorsMax+1) + "$ == 1"} {
		if _, err := Parse(path, compile); !errs.Of(err, errs.PathSyntax) {
			t.Errorf("%d bytes: %v", len(path), err)
		}
	}
	if got := answer("1"+strings.Repeat("+1", operatorsMax), "null"); got != "[10001]" {
		t.Error(got)
	}
}

// Steps multiply items, which are bounded.
func TestItemsAreBounded(t *testing.T) {
	deep := types.JSON(strings.Repeat("[", 60) + strings.Repeat("]", 60))
	if got := answer("$.**.**.**.**.**", deep); !strings.Contains(got, "selects more than") {
		t.Errorf("%.100s", got)
	}
	if got := answer("$.**.size()", deep); strings.Contains(got, "selects more than") {
		t.Errorf("%.100s", got)
	}
}
