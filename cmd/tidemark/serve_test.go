package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// serving runs `serve` with arguments until stop is called, which returns the exit code. It returns the address once the
// server takes connections. The log is JSON.
func serving(t *testing.T, args ...string) (dsn string, stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, append([]string{"serve", "--log-format", "json"}, args...), strings.NewReader(""), io.Discard, w)
		w.Close()
	}()
	lines := bufio.NewScanner(r)
	var seen []string
	for lines.Scan() {
		seen = append(seen, lines.Text())
		var line struct{ Msg, Listen string }
		if err := json.Unmarshal(lines.Bytes(), &line); err == nil && line.Msg == "ready" {
			go io.Copy(io.Discard, r)
			return "postgres://root@" + line.Listen + "/dev", func() int { cancel(); return <-code }
		}
	}
	t.Fatalf("no server: %d\n%s", <-code, strings.Join(seen, "\n"))
	return "", nil
}

// A setting comes from its flag, else the environment, else the file, else the default; pg_settings tells which.
func TestServeSettings(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "tidemark.toml")
	if err := os.WriteFile(config, []byte("barrier_interval = \"40ms\"\ncheckpoint_interval = \"500ms\"\nmax_connections = 7\nfreshness = \"session\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TIDEMARK_CHECKPOINT_INTERVAL", "600ms")
	t.Setenv("TIDEMARK_MAX_CONNECTIONS", "8")
	limit := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(limit)
	dsn, stop := serving(t, "--config", config, "--data", filepath.Join(dir, "store"), "--listen", "127.0.0.1:0", "--max-connections", "9", "--memory", "1GB")
	_, out, errOut := command(t, "", "sql", "--dsn", dsn, "--json", "-c", `SELECT name, setting, source FROM pg_settings
		WHERE name IN ('barrier_interval', 'checkpoint_interval', 'max_connections', 'row_size_max', 'freshness') ORDER BY name`)
	var res struct{ Rows [][]string }
	if err := json.Unmarshal([]byte(out), &res); err != nil {
		t.Fatal(err, out, errOut)
	}
	want := [][]string{{"barrier_interval", "40", "configuration file"}, {"checkpoint_interval", "600", "environment variable"},
		{"freshness", "session", "configuration file"}, {"max_connections", "9", "command line"}, {"row_size_max", "67108864", "default"}}
	if fmt.Sprint(res.Rows) != fmt.Sprint(want) {
		t.Errorf("got\n%v\nwant\n%v", res.Rows, want)
	}
	if got := debug.SetMemoryLimit(-1); got != 3<<29 {
		t.Errorf("the heap is limited to %d; memory and half of it are %d", got, 3<<29)
	}
	code, _, errOut := command(t, "", "sql", "--data", filepath.Join(dir, "store"), "-c", "select 1")
	if want := fmt.Sprintf("process %d", os.Getpid()); code != exitFailed || !strings.Contains(errOut, want) {
		t.Errorf("a second process is refused, naming the first: %s", errOut)
	}
	if code := stop(); code != exitOK {
		t.Error("exit code", code)
	}
	checkStoreFiles(t, filepath.Join(dir, "store"))
}

// checkStoreFiles looks at what a server leaves in its directory.
func checkStoreFiles(t *testing.T, dir string) {
	t.Helper()
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o700 {
		t.Errorf("mode %o", info.Mode().Perm())
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"FORMAT", "LOCK", "store", "spill", "ballast"} {
		if !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == want }) {
			t.Errorf("no %s among %v", want, entries)
		}
	}
}

// A value set by ALTER SYSTEM counts after a restart.
func TestServeAlterSystem(t *testing.T) {
	dir := t.TempDir()
	for i, c := range []struct{ sql, want string }{
		{"ALTER SYSTEM SET barrier_interval = '70ms'", "ALTER SYSTEM\n"},
		{"SHOW barrier_interval", " barrier_interval\n------------------\n 70ms\n(1 row)\n"},
	} {
		dsn, stop := serving(t, "--data", dir, "--listen", "127.0.0.1:0")
		if _, out, errOut := command(t, "", "sql", "--dsn", dsn, "-c", c.sql); out != c.want {
			t.Errorf("run %d: %s%s", i, out, errOut)
		}
		if code := stop(); code != exitOK {
			t.Error("exit code", code)
		}
	}
}

// A port that is taken is an error with a way out, as a store that is in use is.
func TestServePortIsTaken(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	code, _, errOut := command(t, "", "serve", "--listen", ln.Addr().String())
	if code != exitFailed || !strings.Contains(errOut, "TM-WIRE-026: cannot listen on "+ln.Addr().String()+": ") || !strings.Contains(errOut, "HINT: ") {
		t.Errorf("%d %s", code, errOut)
	}
}
