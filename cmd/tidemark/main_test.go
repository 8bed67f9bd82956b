package main

import (
	"encoding/json"
	"errors"
	"net"
	"regexp"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark"
	"github.com/tidemark-db/tidemark/internal/errs"
)

// command runs the command with a standard input and returns its exit code and what it printed.
func command(t *testing.T, in string, args ...string) (code int, out, errOut string) {
	t.Helper()
	var o, e strings.Builder
	code = run(t.Context(), args, strings.NewReader(in), &o, &e)
	return code, o.String(), e.String()
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		want string // in what was printed
	}{
		{[]string{"--help"}, exitOK, exitCodes},
		{[]string{"sql", "--help"}, exitOK, exitCodes},
		{[]string{"nonsense"}, exitUsage, `unknown command "nonsense"`},
		{[]string{"sql", "--nonsense"}, exitUsage, "unknown flag: --nonsense"},
		{[]string{"sql", "--dsn", "x", "--data", "y"}, exitUsage, "none of the others can be"},
		{[]string{"explain"}, exitUsage, "accepts 1 arg(s), received 0"},
		{[]string{"explain", "tm-st-008"}, exitOK, "TM-ST-008"},
		{[]string{"explain", "TM-XX-999"}, exitFailed, "TM-XX-999"},
		{[]string{"version"}, exitOK, "tidemark devel"},
		{[]string{"serve", "--barrier-interval", "never"}, exitFailed, "--barrier-interval: invalid value"},
		{[]string{"serve", "--listen", "127.0.0.1:99999"}, exitFailed, "127.0.0.1:99999"},
		{[]string{"serve", "--listen", "127.0.0.1:0", "--tls-cert", "missing.pem"}, exitFailed, "missing.pem"},
	} {
		code, out, errOut := command(t, "", c.args...)
		if code != c.code || !strings.Contains(out+errOut, c.want) {
			t.Errorf("%v: %d\n%s%s", c.args, code, out, errOut)
		}
	}
}

func TestJSONPages(t *testing.T) {
	var page errorPage
	_, out, _ := command(t, "", "explain", "TM-SQL-101", "--json")
	if err := json.Unmarshal([]byte(out), &page); err != nil || page.SQLState != "42P01" || page.Class != "user" || len(page.Remedies) == 0 || page.When == "" {
		t.Errorf("%v: %s", err, out)
	}
	var v buildVersion
	_, out, _ = command(t, "", "version", "--json")
	if err := json.Unmarshal([]byte(out), &v); err != nil || v.Version != "devel" || !strings.HasPrefix(v.Go, "go") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestSQL runs scripts: each command's input goes to `tidemark sql --data DIR` with the arguments of the command's line.
func TestSQL(t *testing.T) {
	datadriven.Walk(t, "testdata/sql", func(t *testing.T, path string) {
		dir := t.TempDir()
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			args := []string{"sql", "--data", dir}
			for _, a := range d.CmdArgs {
				args = append(args, "--"+a.Key)
			}
			code, out, errOut := command(t, d.Input, args...)
			if code != exitOK {
				errOut += "exit code " + string(rune('0'+code)) + "\n"
			}
			return out + errOut
		})
	})
}

// TestSQLTakesTheEnvironment: a directory opens with the settings that a server would have.
func TestSQLTakesTheEnvironment(t *testing.T) {
	t.Setenv("TIDEMARK_BARRIER_INTERVAL", "123ms")
	code, out, errOut := command(t, "", "sql", "--data", t.TempDir(), "-c", "SHOW barrier_interval")
	if code != exitOK || !strings.Contains(out, "123ms") {
		t.Errorf("%d\n%s%s", code, out, errOut)
	}
}

// The same client talks to a server; several -c run one after the other.
func TestSQLOverTheNetwork(t *testing.T) {
	db, err := tidemark.Open(tidemark.Memory, tidemark.Options{})
	if err != nil {
		t.Fatal(err)
	}
	served, at, err := listen(db, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dsn := "postgres://root@" + at.String() + "/dev"
	code, out, errOut := command(t, "", "sql", "--dsn", dsn, "-c", "create table t (a int); insert into t values (1)", "-c", "select * from t")
	if want := "CREATE TABLE\nINSERT 0 1\n a\n---\n 1\n(1 row)\n"; code != exitOK || out != want {
		t.Errorf("%d\n%s%s", code, out, errOut)
	}
	code, _, errOut = command(t, "", "sql", "--dsn", "postgres://nobody@"+at.String()+"/dev", "-c", "select 1")
	if code != exitFailed || !strings.Contains(errOut, `role "nobody" does not exist`) {
		t.Errorf("%d\n%s", code, errOut)
	}
	if err := errors.Join(db.Close(), <-served); err != nil {
		t.Error(err)
	}
}

func TestPromptGoesOnAfterErrors(t *testing.T) {
	var out, errOut strings.Builder
	p := textPrinter{&out, &errOut}
	c, err := connect(t.Context(), sqlOptions{data: tidemark.Memory}, p.notice)
	if err != nil {
		t.Fatal(err)
	}
	s := sqlRun{client: c, printer: p}
	if err := s.prompt(t.Context(), strings.NewReader("select 1/0;\nselect\n 5 as five;\n\\q\nselect 6;\n"), &out); err != nil {
		t.Error(err)
	}
	if err := c.close(); err != nil {
		t.Error(err)
	}
	if want := "tidemark=> tidemark=> tidemark->  five\n------\n    5\n(1 row)\ntidemark=> "; out.String() != want {
		t.Errorf("got %q", out.String())
	}
	if !strings.Contains(errOut.String(), "division by zero") {
		t.Error(errOut.String())
	}
}

func TestStatements(t *testing.T) {
	for _, c := range []struct {
		text, rest string
		all        []string
	}{
		{"select 1; select 2", " select 2", []string{"select 1"}},
		{";; -- nothing;\n;", "", nil},
		{"select ';', 'it''s;'; x", " x", []string{"select ';', 'it''s;'"}},
		{`select e'\';', "a;""b"; `, " ", []string{`select e'\';', "a;""b"`}},
		{`select '\'; x`, " x", []string{`select '\'`}},
		{"select $$;$$, $t$ ; $$ $t$, $1; x", " x", []string{"select $$;$$, $t$ ; $$ $t$, $1"}},
		{"select a$b$ ; select c$b$;", "", []string{"select a$b$", "select c$b$"}},
		{"/* ; /* ; */ ; */ select 1 -- ;\n;", "", []string{"/* ; /* ; */ ; */ select 1 -- ;"}},
		{"select 'open; ", "select 'open; ", nil},
		{"select /* open; ", "select /* open; ", nil},
		{"select $x$ open; ", "select $x$ open; ", nil},
		{"select $", "select $", nil},
	} {
		all, rest := statements(c.text)
		if strings.Join(all, "|") != strings.Join(c.all, "|") || rest != c.rest {
			t.Errorf("%q: %q, rest %q", c.text, all, rest)
		}
	}
}

func TestDemo(t *testing.T) {
	code, out, errOut := command(t, "", "demo", "--once")
	for _, want := range []string{"view revenue", "connect with: psql -h 127.0.0.1", "last one visible", "unpaid"} {
		if code != exitOK || !strings.Contains(out, want) {
			t.Fatalf("%d, no %q in\n%s%s", code, want, out, errOut)
		}
	}
}

// A port that is taken does not leave the store open: the directory can be opened again.
func TestServeClosesWhatItCannotServe(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	dir := t.TempDir()
	for range 2 {
		code, _, errOut := command(t, "", "serve", "--data", dir, "--listen", taken.Addr().String())
		if code != exitFailed || !strings.Contains(errOut, "address already in use") {
			t.Fatal(code, errOut)
		}
	}
}

var commandInText = regexp.MustCompile("`tidemark ([a-z]+)")

// A remedy names only commands that there are.
func TestRemediesNameCommands(t *testing.T) {
	known := map[string]bool{}
	for _, c := range commands() {
		known[c.Name()] = true
	}
	found := 0
	for _, e := range errs.Entries() {
		for _, m := range commandInText.FindAllStringSubmatch(strings.Join(e.EveryRemedy(), "\n"), -1) {
			if found++; !known[m[1]] {
				t.Errorf("%s: there is no command %q", e.Code, m[1])
			}
		}
	}
	if found == 0 {
		t.Error("no command found in any remedy")
	}
}
