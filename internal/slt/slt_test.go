package slt

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func noInclude(string) ([]*Script, error) { return nil, os.ErrNotExist }

func parse(t *testing.T, text string) []Record {
	t.Helper()
	return Parse("f", text, noInclude)
}

func one(t *testing.T, text string) Record {
	t.Helper()
	r := parse(t, text)
	if len(r) != 1 {
		t.Fatalf("got %d records: %+v", len(r), r)
	}
	return r[0]
}

func TestStatements(t *testing.T) {
	r := one(t, "# note\n\nstatement ok\ncreate table t (\n  a int\n);\n\n")
	if r.Kind != Statement || r.Want != WantOK || r.SQL != "create table t (\n  a int\n);" || r.Line != 3 {
		t.Errorf("%+v", r)
	}
	r = one(t, "statement count 3\ninsert")
	if r.Want != WantCount || r.Count != 3 {
		t.Errorf("%+v", r)
	}
	r = one(t, "statement ok retry 3 backoff 500ms\nselect 1")
	if r.Retries != 3 || r.Backoff != 500*time.Millisecond {
		t.Errorf("%+v", r)
	}
	r = one(t, "statement count 2 retry 4 backoff 1s\nx")
	if r.Count != 2 || r.Retries != 4 {
		t.Errorf("%+v", r)
	}
}

func TestFirstLineOfBodyMayBeEmptyOrHash(t *testing.T) {
	if r := one(t, "statement ok\n# not a comment\nselect 1"); r.SQL != "# not a comment\nselect 1" {
		t.Errorf("%q", r.SQL)
	}
	if r := parse(t, "statement ok\n\nstatement ok\nx"); r[0].SQL != "\nstatement ok\nx" {
		t.Errorf("the first line always belongs to the body: %+v", r)
	}
}

func TestErrors(t *testing.T) {
	r := one(t, "statement error (?i)not   found: [0-9]+\nx")
	if r.Err.Inline != "(?i)not found: [0-9]+" || !r.Err.Match("db error: ERROR: NOT found: 7", "") || r.Err.Match("found", "") {
		t.Errorf("%+v", r.Err)
	}
	r = one(t, "query error (42P01)\nx")
	if r.Kind != Query || r.Want != WantError || r.Err.SQLState != "42P01" || !r.Err.Match("", "42P01") || r.Err.Match("", "42601") {
		t.Errorf("%+v", r)
	}
	r = one(t, "statement error\nx")
	if !r.Err.Match("anything", "") {
		t.Error("an empty expectation takes any error")
	}
	rs := parse(t, "query error retry 2 backoff 1s\nx\n----\ndb error: a\n\nCaused by\n  1: b\n\n\nstatement ok\ny\n")
	if len(rs) != 2 || rs[0].Retries != 2 || !rs[0].Err.Match("db error: a\n\nCaused by\n  1: b\n", "") || rs[1].SQL != "y" {
		t.Errorf("%+v", rs)
	}
	for _, bad := range []string{"statement error a\nx\n----\nb\n\n", "statement error (\nx", "statement ok\nx\n----\n1\n\n", "statement ok retry 0 backoff 1s\nx", "nonsense here", "statement", "control sortmode up", "query I rowsort lab what\nx"} {
		rs := parse(t, bad)
		if len(rs) == 0 || rs[0].Kind != Bad {
			t.Errorf("%q must be bad: %+v", bad, rs)
		}
	}
}

func TestQueries(t *testing.T) {
	r := one(t, "query ITR rowsort retry 5 backoff 2s\nselect *\nfrom t\n----\n1 a  2.5\n2 b 3\n\n")
	if r.Types != "ITR" || r.Sort != "rowsort" || r.Retries != 5 || !reflect.DeepEqual(r.Rows, []string{"1 a  2.5", "2 b 3"}) || !r.HasRows {
		t.Errorf("%+v", r)
	}
	r = one(t, "query T label-1 retry 2 backoff 1s\nx\n----\n")
	if r.Retries != 2 || len(r.Rows) != 0 {
		t.Errorf("%+v", r)
	}
	if r = one(t, "query\nx"); r.Want != WantRows || r.HasRows {
		t.Errorf("%+v", r)
	}
	if r = one(t, "query I\r\nx\r\n----\r\n1\r\n"); r.SQL != "x" || r.Rows[0] != "1" {
		t.Errorf("%+v", r)
	}
}

func TestGuardsAndConnections(t *testing.T) {
	rs := parse(t, "skipif madsim\nonlyif serial\nconnection other\nsleep 2s\n\nstatement ok\na\n\nstatement ok\nb\n\nonlyif x\nsystem ok\necho\n\nconnection default\nquery I\nc\n")
	if len(rs) != 5 || rs[0].Kind != Sleep || rs[0].Dur != 2*time.Second {
		t.Fatalf("%+v", rs)
	}
	if a := rs[1]; a.Conn != "other" || !reflect.DeepEqual(a.Conds, []Cond{{false, "madsim"}, {true, "serial"}}) {
		t.Errorf("%+v", a)
	}
	if b := rs[2]; b.Conn != "" || b.Conds != nil {
		t.Errorf("guards hold for one record: %+v", b)
	}
	if rs[3].Conds[0] != (Cond{true, "x"}) || rs[4].Conds != nil || rs[4].Conn != "" {
		t.Errorf("%+v", rs[3:])
	}
	run := &Runner{opt: &Options{Labels: map[string]bool{"serial": true, "postgres": true}}}
	for _, c := range []struct {
		cond Cond
		skip bool
	}{{Cond{false, "madsim"}, false}, {Cond{false, "serial"}, true}, {Cond{true, "serial"}, false}, {Cond{true, "parallel"}, true}, {Cond{true, "postgres"}, false}} {
		if got := run.skip([]Cond{c.cond}); got != c.skip {
			t.Errorf("%+v: skip=%v", c.cond, got)
		}
	}
}

func TestOtherRecords(t *testing.T) {
	rs := parse(t, "control substitution on\ncontrol sortmode rowsort\nhash-threshold 10\nsubtest a\nlet x, y_1\nselect 1,\n2\n\nsystem ok retry 2 backoff 1s\necho a\n----\na\n\nb\n\n\nhalt\n")
	if len(rs) != 7 {
		t.Fatalf("%+v", rs)
	}
	if l := rs[4]; l.Kind != Let || !reflect.DeepEqual(l.Vars, []string{"x", "y_1"}) || l.SQL != "select 1,\n2" {
		t.Errorf("%+v", l)
	}
	if s := rs[5]; s.Kind != System || *s.Stdout != "a\n\nb" || s.Retries != 2 {
		t.Errorf("%+v", s)
	}
	if rs[6].Kind != Halt {
		t.Errorf("%+v", rs[6])
	}
}

func TestDurations(t *testing.T) {
	for s, want := range map[string]time.Duration{"5s": 5 * time.Second, "500ms": 500 * time.Millisecond, "1min": time.Minute, "1m30s": 90 * time.Second, "2 hours": 2 * time.Hour} {
		if d, err := parseDuration(s); err != nil || d != want {
			t.Errorf("%s: %v %v", s, d, err)
		}
	}
	for _, s := range []string{"", "5", "s", "5 parsecs"} {
		if _, err := parseDuration(s); err == nil {
			t.Errorf("%q must fail", s)
		}
	}
}

func TestSubstitute(t *testing.T) {
	get := func(n string) (string, bool) {
		v, ok := map[string]string{"a": "1", "b_2": "two"}[n]
		return v, ok
	}
	for in, want := range map[string]string{"$a ${a}${b_2}": "1 1two", `\$a \\ \{ \: `: `$a \ { : `, "${x:d} ${x:$a-${y:q}} ${a:$none}!": "d 1-q 1!", "{a: b}": "{a: b}", "${x:}": ""} {
		if got, err := Substitute(in, get); err != nil || got != want {
			t.Errorf("%q: %q %v, want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"$x", "${a", `\q`, "$ a", "${x}", "$1"} {
		if _, err := Substitute(in, get); err == nil {
			t.Errorf("%q must fail", in)
		}
	}
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name string
		rec  Record
		st   state
		rows [][]string
		want bool
	}{
		{"same", Record{Rows: []string{"1 a"}}, state{}, [][]string{{"1", "a"}}, true},
		{"white space", Record{Rows: []string{" 1\t a  b "}}, state{}, [][]string{{"1", "a b"}}, true},
		{"order matters", Record{Rows: []string{"2", "1"}}, state{}, [][]string{{"1"}, {"2"}}, false},
		{"rowsort", Record{Sort: "rowsort", Rows: []string{"2", "1"}}, state{}, [][]string{{"1"}, {"2"}}, true},
		{"rowsort keeps counts", Record{Sort: "rowsort", Rows: []string{"1", "1", "2"}}, state{}, [][]string{{"1"}, {"2"}, {"2"}}, false},
		{"file sort mode", Record{Rows: []string{"1", "2"}}, state{sort: "rowsort"}, [][]string{{"2"}, {"1"}}, true},
		{"valuesort", Record{Sort: "valuesort", Rows: []string{"1", "2", "3", "4"}}, state{}, [][]string{{"4", "3"}, {"2", "1"}}, true},
		{"valuewise", Record{Rows: []string{"1", "2"}}, state{valueWise: true}, [][]string{{"1", "2"}}, true},
		{"no rows", Record{}, state{}, nil, true},
		{"rows missing", Record{Rows: []string{"1"}}, state{}, nil, false},
		{"ignore", Record{Rows: []string{"cost=<slt:ignore> x", "y<slt:ignore>"}}, state{}, [][]string{{"cost=12 x"}, {"y 9"}}, true},
		{"ignore fails", Record{Rows: []string{"cost=<slt:ignore> z"}}, state{}, [][]string{{"cost=12 x"}}, false},
		{"hash", Record{Rows: []string{"3 values hashing to 16d9ffe02c6fe39c5a0a0e2ddb72a0de"}}, state{hashThreshold: 2}, [][]string{{"x"}, {"y"}, {"z"}}, false},
	} {
		if got, _ := sameRows(&c.rec, c.st, c.rows); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for n, s := range files {
		p := filepath.Join(dir, n)
		os.MkdirAll(filepath.Dir(p), 0o755)
		if err := os.WriteFile(p, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestIncludesAndUnits(t *testing.T) {
	d := t.TempDir()
	write(t, d, map[string]string{
		"main.slt":          "statement ok\nSET a TO 1;\n\ninclude ./p/**/*.slt.part\n",
		"p/one.slt.part":    "statement ok\ncreate table t(a int);\n\nquery I\nselect * from t;\n",
		"p/q/two.slt.part":  "query I\nvalues (1)\n----\n1\n",
		"open.slt":          "include ./p/one.slt.part\ninclude ./use/*.part\n",
		"use/use.slt.part":  "statement ok\ninsert into missing values (1)\n",
		"broken.slt":        "include ./none/*.part\n",
		"real/x.slt":        "statement ok\nselect 1\n",
		"real/y.slt.serial": "statement ok\nselect 1\n",
	})
	os.Symlink(filepath.Join(d, "p"), filepath.Join(d, "link"))
	closed := func(s *Script) bool { return !Classify("", s.Flat()).open }
	load := func(n string) *Script {
		s, err := ParseFile(filepath.Join(d, n))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if n := len(load("main.slt").Flat()); n != 4 {
		t.Errorf("flat: %d records", n)
	}
	us := load("main.slt").Units(closed)
	if len(us) != 2 || !strings.HasSuffix(us[0].Path, "p/one.slt.part") || !us[0].Recs[0].Prelude || countExecutable(us[0].Recs) != 2 {
		t.Errorf("units: %+v", us)
	}
	if us := load("open.slt").Units(closed); len(us) != 1 {
		t.Errorf("a part that uses what it does not make keeps the file whole: %d units", len(us))
	}
	if rs := load("broken.slt").Flat(); len(rs) != 1 || rs[0].Kind != Bad {
		t.Errorf("%+v", rs)
	}
	got, err := collect(&Options{dirs: d})
	if err != nil || len(got) != 5 {
		t.Errorf("collect: %v %v", got, err)
	}
}

func TestClassify(t *testing.T) {
	for want, text := range map[string]string{
		"pure":       "statement ok\ncreate table t(a int);\n\nstatement ok\ninsert into t values (1), (2);\n",
		"introspect": "query T\nselect name from rw_catalog.rw_tables;\n",
		"builtin":    "statement ok\ncreate source s (a int) with (connector = 'datagen');\n",
		"control":    "onlyif can-use-recover\nstatement ok\nrecover;\n",
		"ext":        "statement ok\ncreate source s (a int) with (connector='kafka');\n",
		"udf":        "statement ok\ncreate function f(int) returns int language javascript as $$ return 1 $$;\n",
		"phased":     "statement ok\ninsert into t values (1);\n",
		"local":      "system ok\ncat x.txt\n",
	} {
		if got := Classify("x/y.slt", parse(t, text)).Class; got != want {
			t.Errorf("%s: %s", want, got)
		}
	}
}

func TestReasonsAndBaseline(t *testing.T) {
	a, b := NormalizeReason(`db error: ERROR: relation "a_1" does not exist`), NormalizeReason(`db error: ERROR: relation "b" does not exist`)
	if a != b || a != `ERROR: relation "?" does not exist` {
		t.Errorf("%q %q", a, b)
	}
	if r := NormalizeReason("db error: ERROR: Failed\n\nCaused by:\n  1: bind 12\n  2: no such thing"); r != "ERROR: Failed / no such thing" {
		t.Errorf("%q", r)
	}
	p := filepath.Join(t.TempDir(), "base")
	old := []*FileResult{{Path: "a", Status: "pass", Passed: 3, Total: 3}, {Path: "b", Status: "fail", Passed: 2, Total: 5}, {Path: "gone", Status: "pass"}}
	if err := WriteBaseline(p, old); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	now := []*FileResult{{Path: "a", Status: "pass", Passed: 3, Total: 3}, {Path: "b", Status: "fail", Passed: 1, Total: 5}}
	if rc := CheckBaseline(&out, p, now, 0); rc != 1 || !strings.Contains(out.String(), "1 passed, 1 failed") {
		t.Errorf("%d %s", rc, out.String())
	}
	if rc := CheckBaseline(&out, p, now, 1); rc != 0 {
		t.Error("slack of one record must do")
	}
}
