package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/golden"
)

// TestSession runs scripts of one session: set, local, reset, show, begin, commit, rollback, mark, back, alter, startup,
// reported. Each line of a command's input is one setting.
func TestSession(t *testing.T) {
	datadriven.Walk(t, "testdata/session", func(t *testing.T, path string) {
		w := &world{server: NewServer(NewRegistry())}
		w.session = NewSession(w.server)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var out strings.Builder
			for _, line := range strings.Split(d.Input, "\n") {
				name, text, _ := strings.Cut(line, " = ")
				if answer := w.run(t, d.Cmd, name, text); answer != "" {
					fmt.Fprintln(&out, answer)
				}
			}
			return out.String()
		})
	})
}

type world struct {
	server  *Server
	session *Session
	mark    Mark
}

func (w *world) run(t *testing.T, cmd, name, text string) string {
	var notice *errs.Error
	var err error
	switch cmd {
	case "set", "local":
		notice, err = w.session.Set(name, text, cmd == "local")
	case "startup":
		notice, err = w.session.Startup(name, text)
	case "alter":
		err = w.server.Alter(name, text)
	case "reset":
		err = w.session.Reset(name)
	case "begin":
		w.session.Begin()
	case "commit":
		w.session.Commit()
	case "rollback":
		w.session.Rollback()
	case "mark":
		w.mark = w.session.Mark()
	case "back":
		w.session.RollbackTo(w.mark)
	case "show":
		var shown string
		if shown, err = w.session.Show(name); err == nil {
			return shown
		}
	case "path":
		return fmt.Sprintf("%q", w.session.Path())
	case "reported":
		var lines []string
		for k, v := range w.session.Reported() {
			lines = append(lines, k+" = "+v)
		}
		sort.Strings(lines)
		return strings.Join(lines, "\n")
	default:
		t.Fatalf("unknown command %s", cmd)
	}
	return describe(notice, err)
}

func describe(notice *errs.Error, err error) string {
	if notice != nil {
		return "NOTICE: " + notice.Message
	}
	e, ok := errs.As(err)
	if !ok {
		return ""
	}
	s := e.Entry.SQLState + " " + e.Message
	if e.Hint != "" {
		s += "\n  HINT: " + e.Hint
	}
	return s
}

func TestEveryDefinitionIsComplete(t *testing.T) {
	for _, d := range NewRegistry().All() {
		if d.Doc == "" || d.Category == "" {
			t.Errorf("%s: description or category is missing", d.Name)
		}
		if got, err := d.Parse(d.Default); err != nil || got != d.Default {
			t.Errorf("%s: the default %q is not in canonical form: %q, %v", d.Name, d.Default, got, err)
		}
		if d.Kind == Duration && d.base() == 1 && d.Unit != "us" {
			t.Errorf("%s: a duration has a unit", d.Name)
		}
	}
}

func TestParse(t *testing.T) {
	reg := NewRegistry()
	for _, c := range []struct{ name, text, want string }{
		{"background_ddl", "TRUE", "on"}, {"background_ddl", "of", "off"}, {"background_ddl", "0", "off"}, {"background_ddl", "y", "on"},
		{"statement_timeout", "1500", "1500ms"}, {"statement_timeout", "2s", "2s"}, {"statement_timeout", " 1.5 min ", "90s"},
		{"statement_timeout", "0", "0"}, {"statement_timeout", "1h", "1h"}, {"statement_timeout", "1400us", "1ms"},
		{"statement_size_max", "1MiB", "1MB"}, {"statement_size_max", "2048", "2kB"}, {"statement_size_max", "1KB", "1kB"},
		{"checkpoint_interval", "500ms", "500ms"}, {"row_size_max", "1GB", "1GB"},
		{"freshness", "SESSION", "session"}, {"streaming_parallelism", "Adaptive", "adaptive"}, {"streaming_parallelism_for_index", "Ratio(0.5)", "ratio(0.5)"}, {"streaming_parallelism", "3", "3"},
		{"client_encoding", "utf-8", "UTF8"}, {"client_encoding", "'UTF_8'", "UTF8"}, {"datestyle", "iso, dmy", "ISO, DMY"}, {"TimeZone", "europe/berlin", "Europe/Berlin"},
		{"TimeZone", "-3.5", "<-03:30>+03:30"}, {"TimeZone", "<+02>-02", "<+02>-02"}, {"TimeZone", "+05:45", "<+05:45>-05:45"},
	} {
		d, ok := reg.Lookup(c.name)
		if !ok {
			t.Fatalf("no setting %s", c.name)
		}
		got, err := d.Parse(c.text)
		if err != nil || got != c.want {
			t.Errorf("%s = %q: %q, %v; want %q", c.name, c.text, got, err, c.want)
		}
		if again, err := d.Parse(got); err != nil || again != got {
			t.Errorf("%s: %q is not canonical: %q, %v", c.name, got, again, err)
		}
	}
}

func TestResolvePrecedence(t *testing.T) {
	env := map[string]string{"TIDEMARK_CONFIG": "t.toml", "TIDEMARK_PARALLELISM": "3", "TIDEMARK_LOG_LEVEL": "warn"}
	src := Sources{
		Flags:    map[string]string{"log_level": "debug"},
		Env:      func(n string) (string, bool) { v, ok := env[n]; return v, ok },
		ReadFile: func(string) ([]byte, error) { return []byte(tomlText), nil },
	}
	s, err := Resolve(NewRegistry(), src)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, want string
		from       Origin
	}{
		{"log_level", "debug", FromFlag}, {"parallelism", "3", FromEnv}, {"checkpoint_interval", "2s", FromFile},
		{"background_ddl", "on", FromFile}, {"max_connections", "200", FromDefault}, {"row_size_max", "1MB", FromFile},
	} {
		if got, from := s.Text(c.name), s.From(c.name); got != c.want || from != c.from {
			t.Errorf("%s: %q from %v, want %q from %v", c.name, got, from, c.want, c.from)
		}
	}
	if s.Duration("checkpoint_interval") != 2*time.Second || s.Int("row_size_max") != 1<<20 || !s.Bool("background_ddl") {
		t.Error("typed values differ from their text")
	}
	if v := NewSession(s).Text("background_ddl"); v != "on" {
		t.Errorf("a session starts from the server's values: %q", v)
	}
}

const tomlText = `
checkpoint_interval = "2s"
parallelism = 8
log-level = "error"
background_ddl = true
row_size_max = 1048576
`

func TestResolveRefusals(t *testing.T) {
	for text, want := range map[string]string{
		"nonsense = 1":             `configuration file "f" cannot be read: unrecognized configuration parameter "nonsense"`,
		"listen = [1]":             `configuration file "f" cannot be read: listen: want a string, number or boolean`,
		"[server]\nlisten = \"x\"": `configuration file "f" cannot be read: server: want a string, number or boolean`,
		"server_version = 9":       `configuration file "f" cannot be read: parameter "server_version" cannot be changed`,
		"log_level = \"loud\"":     `configuration file "f" cannot be read: invalid value for parameter "log_level": "loud"`,
	} {
		_, err := Resolve(NewRegistry(), Sources{File: "f", ReadFile: func(string) ([]byte, error) { return []byte(text), nil }})
		if e, ok := errs.As(err); !ok || e.Message != want {
			t.Errorf("%s: %v", text, err)
		}
	}
	_, err := Resolve(NewRegistry(), Sources{File: "f", ReadFile: func(string) ([]byte, error) { return nil, fs.ErrNotExist }})
	if !errs.Is(err, errs.User) {
		t.Error(err)
	}
	bad := func(n string) (string, bool) { return "x", n == "TIDEMARK_PARALLELISM" }
	if _, err = Resolve(NewRegistry(), Sources{Env: bad}); err == nil || !strings.HasPrefix(err.Error(), "TIDEMARK_PARALLELISM: ") {
		t.Error("the variable must be named:", err)
	}
	_, err = Resolve(NewRegistry(), Sources{Flags: map[string]string{"detach_after": "1ms"}})
	var e *errs.Error
	if !errors.As(err, &e) || e.Entry != errs.SettingRange || !strings.HasPrefix(err.Error(), "--detach-after: ") {
		t.Error("the flag must be named:", err)
	}
}

func TestRowsTellUnitsAndOrigins(t *testing.T) {
	server := NewServer(NewRegistry())
	session := NewSession(server)
	if _, err := session.Set("statement_timeout", "2s", false); err != nil {
		t.Fatal(err)
	}
	for _, r := range session.Rows() {
		if r.Name == "statement_timeout" {
			got := fmt.Sprint(r.Setting, r.Unit, " ", r.Context, " ", r.Source, " ", r.Min, r.Max, " ", r.Boot, " ", r.Reset, " ", r.Shown)
			if got != "2000ms user session 02147483647 0 0 2s" {
				t.Error(got)
			}
			return
		}
	}
	t.Error("statement_timeout is not listed")
}

func TestConfigurationPage(t *testing.T) {
	golden.File(t, "../../docs/configuration.md", Markdown(NewRegistry()))
}

// TestReadAgain: what was read before is read anew after whatever changes a value, of the session or of the server.
func TestReadAgain(t *testing.T) {
	server := NewServer(NewRegistry())
	s := NewSession(server)
	const name = "statement_timeout"
	for _, step := range []struct {
		do   func() error
		want time.Duration
	}{
		{func() error { return nil }, 0},
		{func() error { _, err := s.Set(name, "5ms", false); return err }, 5 * time.Millisecond},
		{func() error { s.Begin(); _, err := s.Set(name, "7ms", true); return err }, 7 * time.Millisecond},
		{func() error { s.Rollback(); return nil }, 5 * time.Millisecond},
		{func() error { return s.Reset(name) }, 0},
		{func() error { return server.Alter(name, "9ms") }, 9 * time.Millisecond},
		{func() error { return server.Reset(name) }, 0},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got := s.Duration(name); got != step.want || s.Text("application_name") != "" || s.Text("no_such_setting") != "" {
				t.Errorf("%s is %v, want %v", name, got, step.want)
			}
		}
	}
}
