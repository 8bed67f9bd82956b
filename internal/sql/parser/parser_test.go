package parser

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/sql/ast"
)

// TestScripts prints what is parsed. `print` shows each statement as Format prints it; a line that would come out as it went
// in but for letter case and spaces is shown as "=". `tree` shows the nodes, `error` the errors with SQLSTATE and position.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		if strings.Contains(path, "fuzz") {
			return // the corpus of FuzzParse, which that test runs
		}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "print":
				return printEach(t, d.Input)
			case "expr":
				return printExprs(t, d.Input)
			case "tree":
				stmt, err := Parse(d.Input)
				if err != nil {
					t.Fatalf("%s: %v", d.Pos, err)
				}
				return tree(stmt)
			case "error":
				return errorsOf(d.Input)
			case "split":
				return split(d.Input)
			}
			t.Fatalf("%s: unknown command %s", d.Pos, d.Cmd)
			return ""
		})
	})
}

// printEach prints each line as a statement, after checking that what is printed parses to the same tree.
func printEach(t *testing.T, input string) string {
	var out strings.Builder
	for _, line := range strings.Split(input, "\n") {
		out.WriteString(printed(t, line) + "\n")
	}
	return out.String()
}

func printed(t *testing.T, line string) string {
	stmt, err := Parse(line)
	if err != nil {
		return describe(err)
	}
	text := ast.Format(stmt)
	again, err := Parse(text)
	if err != nil {
		t.Errorf("%s\nis printed as\n%s\nwhich does not parse: %s", line, text, describe(err))
		return text
	}
	if !sameTree(stmt, again) {
		t.Errorf("%s\nis printed as\n%s\nwhich is another tree:\n%s\n%s", line, text, tree(stmt), tree(again))
	}
	if sameWords(text, line) {
		return "="
	}
	return text
}

func sameWords(a, b string) bool {
	squeeze := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), "")) }
	return squeeze(a) == squeeze(b)
}

func printExprs(t *testing.T, input string) string {
	var out strings.Builder
	for _, line := range strings.Split(input, "\n") {
		text := printed(t, "SELECT "+line)
		out.WriteString(strings.TrimPrefix(text, "SELECT ") + "\n")
	}
	return out.String()
}

func errorsOf(input string) string {
	var out strings.Builder
	for _, line := range strings.Split(input, "\n") {
		_, err := Parse(line)
		if err == nil {
			out.WriteString("no error\n")
			continue
		}
		out.WriteString(describe(err) + "\n")
	}
	return out.String()
}

func describe(err error) string {
	e, ok := errs.As(err)
	if !ok {
		return "not in the catalogue: " + err.Error()
	}
	return fmt.Sprintf("%s:%d: %s", e.Entry.SQLState, e.Position, e.Message)
}

func split(input string) string {
	all, err := ParseAll(input, Options{})
	var out strings.Builder
	for _, s := range all {
		fmt.Fprintf(&out, "%d-%d %q", s.Start, s.End, input[s.Start:s.End])
		if s.Err != nil {
			fmt.Fprintf(&out, " %s", describe(s.Err))
		}
		out.WriteString("\n")
	}
	if err != nil {
		fmt.Fprintf(&out, "first error: %s\n", describe(err))
	}
	return out.String()
}

// sameTree compares trees without positions.
func sameTree(a, b any) bool { return tree(a) == tree(b) }

// tree prints a node with the fields that are set, positions left out.
func tree(node any) string {
	var b strings.Builder
	writeTree(&b, reflect.ValueOf(node))
	return b.String()
}

func writeTree(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Invalid:
		b.WriteString("nil")
	case reflect.Interface, reflect.Pointer:
		writeTree(b, v.Elem())
	case reflect.Struct:
		writeFields(b, v)
	case reflect.Slice:
		b.WriteString("[")
		for i := range v.Len() {
			if i > 0 {
				b.WriteString(" ")
			}
			writeTree(b, v.Index(i))
		}
		b.WriteString("]")
	case reflect.String:
		fmt.Fprintf(b, "%q", v.String())
	default:
		fmt.Fprint(b, v.Interface())
	}
}

func writeFields(b *strings.Builder, v reflect.Value) {
	b.WriteString(v.Type().Name() + "{")
	sep := ""
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Type == reflect.TypeFor[ast.Pos]() || v.Field(i).IsZero() && f.Type.Kind() != reflect.Bool {
			continue
		}
		if v.Field(i).IsZero() {
			continue
		}
		b.WriteString(sep + f.Name + ": ")
		writeTree(b, v.Field(i))
		sep = ", "
	}
	b.WriteString("}")
}

func TestNotices(t *testing.T) {
	long := strings.Repeat("é", 40)
	var notices []string
	_, err := ParseAll("SELECT "+long+" FROM \""+long+"\"", Options{Notice: func(e *errs.Error) {
		notices = append(notices, fmt.Sprintf("%d %s", e.Position, e.Message))
	}})
	cut := strings.Repeat("é", 31)
	message := fmt.Sprintf("identifier %q will be truncated to %q", long, cut)
	want := []string{"8 " + message, "54 " + message}
	if err != nil || !reflect.DeepEqual(notices, want) {
		t.Errorf("got %q, %v\nwant %q", notices, err, want)
	}
}

func TestNestingLimit(t *testing.T) {
	for name, text := range map[string]string{
		"parentheses":    "SELECT " + strings.Repeat("(", 100_000) + "1" + strings.Repeat(")", 100_000),
		"open":           "SELECT " + strings.Repeat("(", 100_000),
		"not":            "SELECT " + strings.Repeat("NOT ", 100_000) + "a",
		"minus":          "SELECT " + strings.Repeat("- ", 100_000) + "1",
		"left chain":     "SELECT 1" + strings.Repeat(" + 1", 100_000),
		"casts":          "SELECT 1" + strings.Repeat("::int", 100_000),
		"subscripts":     "SELECT a" + strings.Repeat("[1]", 100_000),
		"subqueries":     "SELECT " + strings.Repeat("(SELECT ", 100_000) + "1" + strings.Repeat(")", 100_000),
		"from":           "SELECT * FROM " + strings.Repeat("(", 100_000) + "t" + strings.Repeat(")", 100_000),
		"from subquery":  strings.Repeat("SELECT * FROM (", 100_000) + "t",
		"unions":         "SELECT 1" + strings.Repeat(" UNION SELECT 1", 100_000),
		"query parens":   strings.Repeat("(", 100_000) + "SELECT 1" + strings.Repeat(")", 100_000),
		"joins":          "SELECT * FROM t" + strings.Repeat(" CROSS JOIN t", 100_000),
		"nested joins":   "SELECT * FROM t" + strings.Repeat(" JOIN t", 100_000),
		"arrays":         "SELECT ARRAY" + strings.Repeat("[", 100_000),
		"structs":        "SELECT a::" + strings.Repeat("struct<a ", 100_000),
		"explain":        strings.Repeat("EXPLAIN ", 100_000) + "SELECT 1",
		"case":           "SELECT " + strings.Repeat("CASE ", 100_000),
		"grouping sets":  "SELECT 1 FROM t GROUP BY " + strings.Repeat("GROUPING SETS (", 100_000),
		"options":        "ALTER TABLE t SET a = " + strings.Repeat("(", 100_000),
		"lambda":         "SELECT " + strings.Repeat("|x| ", 100_000) + "1",
		"quantified":     "SELECT " + strings.Repeat("1 = ANY (", 100_000),
		"chain in chain": "SELECT (1" + strings.Repeat(" + 1", 2500) + ")" + strings.Repeat(" + 1", 2500),
	} {
		_, err := Parse(text)
		if !errs.Of(err, errs.TooComplex) {
			t.Errorf("%s: got %.80v, want %s", name, err, errs.TooComplex.Message)
		}
	}
	for name, text := range map[string]string{
		"and":         "SELECT a" + strings.Repeat(" AND a", 100_000),
		"list":        "SELECT a IN (1" + strings.Repeat(", 1", 100_000) + ")",
		"parentheses": "SELECT " + strings.Repeat("(", 1000) + "1" + strings.Repeat(")", 1000),
	} {
		if _, err := Parse(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRemedies parses the SQL in the remedies of this package's errors.
func TestRemedies(t *testing.T) {
	for _, e := range errs.Entries() {
		for _, r := range e.EveryRemedy() {
			parts := strings.Split(r, "`")
			for i := 1; i < len(parts); i += 2 {
				if !strings.HasSuffix(parts[i], ";") {
					continue
				}
				if _, err := ParseAll(parts[i], Options{}); err != nil {
					t.Errorf("%s: %s: %s", e.Code, parts[i], describe(err))
				}
			}
		}
	}
}

// scriptLines returns the statements of the golden scripts, as seeds.
func scriptLines(tb testing.TB) []string {
	var lines []string
	files, err := filepath.Glob("testdata/*/*.txt")
	if err != nil || len(files) == 0 {
		tb.Fatalf("no scripts: %v", err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			tb.Fatal(err)
		}
		lines = append(lines, strings.Split(string(data), "\n")...)
	}
	return lines
}

// FuzzParse checks that any text parses or fails without panic, that errors are catalogued and point into the text, and that
// what is printed parses to the same tree.
func FuzzParse(f *testing.F) {
	for _, line := range scriptLines(f) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ParseAll(text, Options{})
		if e, ok := errs.As(err); err != nil && (!ok || e.Position < 0 || e.Position > len(text)+1) {
			t.Fatalf("error %v at %d of %d", err, e.Position, len(text))
		}
		for _, s := range all {
			if s.Start > s.End || s.End > len(text) {
				t.Fatalf("range %d-%d of %d", s.Start, s.End, len(text))
			}
			if s.Err == nil {
				checkPrinted(t, text[s.Start:s.End], s.Stmt)
			}
		}
	})
}

func checkPrinted(t *testing.T, source string, stmt ast.Stmt) {
	text := ast.Format(stmt)
	again, err := Parse(text)
	if errs.Of(err, errs.TooComplex) { // parentheses that printing added
		return
	}
	if err != nil {
		t.Fatalf("%s\nis printed as\n%s\nwhich does not parse: %s", source, text, describe(err))
	}
	if !sameTree(stmt, again) {
		t.Fatalf("%s\nis printed as\n%s\nwhich is another tree:\n%s\n%s", source, text, tree(stmt), tree(again))
	}
}

func BenchmarkInsertValues(b *testing.B) {
	text := "INSERT INTO t VALUES " + strings.Repeat("(12345, 'some text', 1.5, NULL, true), ", 27_000) + "(1, '', 1, NULL, false)"
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}
