package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/inspect"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/kv/pebblekv"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
)

// tamper changes keys of a closed store.
func tamper(t *testing.T, dir string, change func(r kv.Reader) []kv.Write) {
	t.Helper()
	s, err := pebblekv.Open(pebblekv.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	v := s.View()
	writes := change(v)
	v.Close()
	if err := s.Apply(writes); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// tableOf finds the table of a job's role in a report.
func tableOf(t *testing.T, dir, job, role string) (start, end []byte) {
	t.Helper()
	r, err := inspect.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range r.Jobs {
		for _, table := range j.Tables {
			if j.Name == job && table.Role == role {
				return kv.TableRange(table.ID)
			}
		}
	}
	t.Fatal("no table", job, role)
	return nil, nil
}

// checked runs check, and returns the codes of the problems.
func checked(t *testing.T, dir string, want int) (codes []string, c inspect.Checked) {
	t.Helper()
	code, out, errOut := command(t, "", "check", dir, "--json")
	if err := json.Unmarshal([]byte(out), &c); code != want || err != nil {
		t.Fatal(code, err, out, errOut)
	}
	for _, p := range c.Problems {
		codes = append(codes, p.Code)
		if p.Where == "" || p.What == "" || p.Remedy == "" {
			t.Errorf("%+v", p)
		}
	}
	return codes, c
}

func TestCheck(t *testing.T) {
	dir := inspected(t)
	if codes, c := checked(t, dir, exitOK); len(codes) != 0 || c.Rows != 110 || c.Records != 64 {
		t.Errorf("%+v", c)
	}
	progress, _ := tableOf(t, dir, "public.v", "progress")
	start, end := tableOf(t, dir, "public.v", "rows")
	tamper(t, dir, func(r kv.Reader) (out []kv.Write) {
		it := r.Scan(start, end)
		it.Next()
		moved := bytes.Clone(it.Key())
		moved[6] ^= 1
		out = append(out, kv.Write{Key: bytes.Clone(it.Key())}, kv.Write{Key: moved, New: bytes.Clone(it.Value())})
		it.Next()
		out = append(out, kv.Write{Key: bytes.Clone(it.Key()), New: []byte{1}})
		if err := it.Close(); err != nil {
			t.Fatal(err)
		}
		record := func(v byte) []byte { return append(bytes.Clone(progress), 0, v) }
		return append(out, kv.Write{Key: record(7)}, kv.Write{Key: record(9), New: []byte("nonsense")},
			kv.Write{Key: record(11), New: (&backfill.FormatOne{Rows: 5}).Encode()})
	})
	codes, _ := checked(t, dir, exitFailed)
	slices.Sort(codes)
	if got := strings.Join(codes, " "); got != "TM-BF-001 TM-BF-002 TM-BF-004 TM-CK-001 "+errs.RowCorrupt.Code {
		t.Error(got)
	}
	code, out, _ := command(t, "", "check", dir)
	for _, want := range []string{"job 2 public.v, progress on public.t: TM-BF-001", "for vnode 7 of job 2", "\n5 problems in "} {
		if code != exitFailed || !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if code, out, _ = command(t, "", "inspect", dir); code != exitOK || !strings.Contains(out, "1 without a record, 2 with a record that cannot be read") {
		t.Error(out)
	}
	if code, out, _ = command(t, "", "upgrade-check", dir); code != exitFailed || !strings.Contains(out, "TM-BF-002") || strings.Contains(out, "TM-BF-001") {
		t.Error(code, out)
	}
	for _, name := range []string{"check", "upgrade-check", "inspect"} {
		if code, out, errOut := command(t, "", name, t.TempDir()); code != exitFailed || out != "" || !strings.Contains(errOut, "is empty") {
			t.Error(name, code, out, errOut)
		}
	}
}

// TestCheckNamesMissingFiles: a store that does not open is told of like other problems, with the file.
func TestCheckNamesMissingFiles(t *testing.T) {
	dir := inspected(t)
	manifest, err := filepath.Glob(filepath.Join(dir, "store", "MANIFEST-*"))
	if err != nil || len(manifest) != 1 {
		t.Fatal(manifest, err)
	}
	if err := os.Remove(manifest[0]); err != nil {
		t.Fatal(err)
	}
	codes, c := checked(t, dir, exitFailed)
	if !slices.Equal(codes, []string{"TM-ST-013"}) || !strings.Contains(c.Problems[0].What, filepath.Base(manifest[0])+" is missing") {
		t.Errorf("%+v", c)
	}
}

// TestCheckReadsEveryBlock: a bit that has flipped in a file is found, wherever it is.
func TestCheckReadsEveryBlock(t *testing.T) {
	dir := t.TempDir()
	db, err := tidemark.Open(dir, tidemark.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(t.Context(), "create table t (id int primary key, w text); insert into t select g, 'word ' || g from generate_series(1, 30000) g"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, c := checked(t, dir, exitOK); c.Files == 0 || c.Rows != 30000 {
		t.Fatalf("%+v", c)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "store", "*.sst"))
	name := slices.MaxFunc(files, func(a, b string) int { return int(size(t, a) - size(t, b)) })
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/3] ^= 1
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if codes, c := checked(t, dir, exitFailed); !slices.Contains(codes, "TM-ST-007") || !strings.Contains(fmt.Sprint(c.Problems), filepath.Base(name)) {
		t.Errorf("%s of %v, %d bytes: %+v", name, files, len(b), c)
	}
}

func size(t *testing.T, name string) int64 {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

func TestUpgradeCheck(t *testing.T) {
	dir := inspected(t)
	code, out, errOut := command(t, "", "upgrade-check", dir, "--json")
	var u inspect.Upgrade
	if err := json.Unmarshal([]byte(out), &u); code != exitOK || err != nil || u.Jobs != 2 || !slices.Equal(u.Formats, []int{2}) {
		t.Fatal(code, err, out, errOut)
	}
	name := filepath.Join(dir, "FORMAT")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	newer := strings.Replace(string(text), "format 1", "format 7", 1)
	if newer == string(text) {
		t.Fatalf("%s", text)
	}
	if err := os.WriteFile(name, []byte(newer), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, _ = command(t, "", "upgrade-check", dir); code != exitFailed || !strings.Contains(out, "TM-ST-003") {
		t.Error(code, out)
	}
}
