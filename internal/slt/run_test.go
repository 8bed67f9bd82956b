package slt

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/pgtest"
)

const passing = `
statement ok
create table t (a int primary key, b text);

statement count 2
insert into t values (1, null), (2, '');

restart

wait

query IT rowsort
select a, b from t
----
2 (empty)
1 NULL

let n
select count(*) from t

control substitution on

connection other
query I
select $n + 1
----
3

statement error (42P01)
select * from missing

onlyif tidemark
statement ok
no such syntax
`

const failing = `
query I
select 1
----
2

statement ok
select * from missing

restart now
`

// TestMainAgainstPostgres runs the command on the oracle: a script that passes, one that fails, and the ratchet over both.
func TestMainAgainstPostgres(t *testing.T) {
	pg := pgtest.Start(t, pgtest.Options{})
	dir := t.TempDir()
	write(t, dir, map[string]string{"good.slt": passing, "bad.slt": failing})
	run := func(want int, args ...string) string {
		t.Helper()
		var out bytes.Buffer
		if got := Main(append([]string{"-dsn", pg.DSN(), "-root", dir}, args...), &out, &out); got != want {
			t.Fatalf("%v: exit code %d, want %d\n%s", args, got, want, out.String())
		}
		return out.String()
	}
	run(0, "-files", filepath.Join(dir, "good.slt"))
	run(0, "-isolate", "database", "-jobs", "2", "-protocol", "extended", filepath.Join(dir, "good.slt"))
	base := filepath.Join(dir, "base")
	out := run(1, "-dir", dir, "-write-baseline", base)
	for _, want := range []string{"bad.slt:2: wrong-rows", "bad.slt:7: unexpected-error", "bad.slt:10: parse"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	run(0, "-dir", dir, "-baseline", base)
	write(t, dir, map[string]string{"good.slt": "statement ok\nselect 1/0\n"})
	run(1, "-dir", dir, "-baseline", base)
	run(2, "-dir", filepath.Join(dir, "none"))
	run(2, "-isolate", "wishes", "-dir", dir)
	if rows := pg.Query("select 1 from information_schema.tables where table_schema = 'public'"); len(rows) != 0 {
		t.Error("what a script leaves behind must be dropped")
	}
}

// TestServerThatFailsToStartIsReported checks that the log of a server that ends is shown.
func TestServerThatFailsToStartIsReported(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "server")
	if err := os.WriteFile(binary, []byte("#!/bin/sh\necho \"arguments: $*\"\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{"a.slt": "restart\n"})
	var out bytes.Buffer
	if code := Main([]string{"-engine", "tidemark", "-binary", binary, "-dir", dir}, &out, &out); code != 2 {
		t.Errorf("exit code %d", code)
	}
	if !regexp.MustCompile(`ended while it started:\narguments: serve --data .+ --listen 127.0.0.1:\d+`).Match(out.Bytes()) {
		t.Error(out.String())
	}
}
