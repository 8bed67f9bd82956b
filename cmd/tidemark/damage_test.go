package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
)

// TestDamage runs the scripts of testdata/damage: stores on disk whose state is wrong or old, what the tools tell of each, and
// what a server makes of it.
//
//	plant view=v change=... [vnode=n]   the progress records of the view's input, or of one vnode, are changed
//	inspect, check, upgrade-check       what the tool prints of the closed store; inspect of jobs only
//	sql                                 statements, on a server that is started for the first of them
//	until job=v state=...               waits for the state of a job, and prints why it is in it
//
// Each script begins with a store of a table t, a view sums of it, a view big of sums, a view other of t, and a view half that
// is being built and paused.
func TestDamage(t *testing.T) {
	made := madeStore(t)
	datadriven.Walk(t, "testdata/damage", func(t *testing.T, path string) {
		w := &damaged{T: t, dir: filepath.Join(t.TempDir(), "store")}
		if err := os.CopyFS(w.dir, os.DirFS(made)); err != nil {
			t.Fatal(err)
		}
		defer func() { w.close() }()
		datadriven.RunTest(t, path, w.command)
	})
}

// madeStore makes the store. Jobs have one actor, so that of several records the first is what stops one.
func madeStore(t *testing.T) string {
	w := &damaged{T: t, dir: t.TempDir()}
	w.sql(`SET state_hash = on; SET streaming_parallelism = 1;
		CREATE TABLE t (id int PRIMARY KEY, g int);
		INSERT INTO t SELECT n, n % 10 FROM generate_series(1, 1000) n;
		CREATE MATERIALIZED VIEW sums AS SELECT g, sum(id) AS s FROM t GROUP BY g;
		CREATE MATERIALIZED VIEW big AS SELECT g FROM sums WHERE s > 50000;
		CREATE MATERIALIZED VIEW other AS SELECT count(*) AS n FROM t;
		SET background_ddl = on; SET backfill_rate_limit = 0;
		CREATE MATERIALIZED VIEW half AS SELECT g, max(id) AS m FROM t GROUP BY g`)
	w.until("half", "PAUSED")
	w.close()
	return w.dir
}

// damaged is a store, and the server that runs on it.
type damaged struct {
	*testing.T
	dir string
	out strings.Builder
	run *sqlRun // nil: the store is closed
}

func (w *damaged) command(t *testing.T, d *datadriven.TestData) string {
	switch d.Cmd {
	case "plant":
		var view, change string
		vnode := -1
		d.ScanArgs(t, "view", &view)
		d.ScanArgs(t, "change", &change)
		d.MaybeScanArgs(t, "vnode", &vnode)
		w.plant(view, change, vnode)
		return ""
	case "sql":
		return w.sql(d.Input)
	case "until":
		var job, state string
		d.ScanArgs(t, "job", &job)
		d.ScanArgs(t, "state", &state)
		return w.until(job, state)
	case "inspect", "check", "upgrade-check":
		w.close()
		_, out, errOut := command(t, "", d.Cmd, w.dir)
		return w.told(d.Cmd, out+errOut)
	}
	d.Fatalf(t, "unknown command %s", d.Cmd)
	return ""
}

// numbers are of epochs and files, which differ from run to run.
var numbers = regexp.MustCompile(`\b(epoch|in|after) \d+`)

func masked(s string) string { return numbers.ReplaceAllString(s, "$1 N") }

// vnodes are what problems with many records differ by.
var vnodes = regexp.MustCompile(`\bvnode \d+`)

// told is what a tool has printed, less what differs from run to run; of lines that differ by a vnode only there is one.
func (w *damaged) told(tool, out string) string {
	var lines []string
	alike, last := 0, ""
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		if next := vnodes.ReplaceAllString(line, ""); next == last && next != line {
			alike++
			continue
		} else if last = next; alike > 0 {
			lines, alike = append(lines, fmt.Sprintf("... and %d vnodes more", alike)), 0
		}
		job := strings.HasPrefix(line, "job ") || strings.HasPrefix(line, "reads ") || strings.HasPrefix(line, "reason: ")
		if tool != "inspect" || job {
			line = strings.ReplaceAll(line, w.dir, "DIR")
			lines = append(lines, masked(line))
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// plant changes one progress record of a view, or all of them.
func (w *damaged) plant(view, change string, vnode int) {
	w.Helper()
	w.close()
	start, end := tableOf(w.T, w.dir, "public."+view, "progress")
	tamper(w.T, w.dir, func(r kv.Reader) (out []kv.Write) {
		var records []kv.Write
		it := r.Scan(start, end)
		for it.Next() {
			records = append(records, kv.Write{Key: bytes.Clone(it.Key()), New: bytes.Clone(it.Value())})
		}
		if err := it.Close(); err != nil {
			w.Fatal(err)
		}
		old := oldRecords(len(records), change == "finished-format-1")
		for v, rec := range records {
			if v == vnode || vnode < 0 {
				if rec.New = old[v]; !strings.HasSuffix(change, "format-1") {
					rec.New = changed(w.T, change, records[v].New)
				}
				out = append(out, rec)
			}
		}
		if change == "one-too-many" {
			key := bytes.Clone(records[0].Key)
			key[len(key)-2], key[len(key)-1] = 0x7f, 1
			out = []kv.Write{{Key: key, New: records[0].New}}
		}
		return out
	})
}

// oldRecords are those of a store in format 1: three actors, each with a position of its own.
func oldRecords(vnodes int, finished bool) [][]byte {
	return backfill.FormatOneRecords(vnodes, 3, func(actor int) backfill.FormatOne {
		return backfill.FormatOne{Finished: finished, Table: 1001, Fragment: 7, Actor: uint64(40 + actor), Rows: uint64(100 * (actor + 1)),
			Position: []byte{0x80, 0, 0, byte(actor)}}
	})
}

// changed is a record as something has left it.
func changed(t *testing.T, change string, b []byte) []byte {
	rec, err := backfill.DecodeRecord(b)
	if err != nil {
		t.Fatal(err)
	}
	switch change {
	case "removed":
		return nil
	case "truncated":
		return b[:len(b)-3]
	case "flipped":
		b[len(b)/2] ^= 0x10
		return b
	case "set-back":
		return (&backfill.Record{Phase: backfill.Scanning, Generation: rec.Generation, AsOf: 1, Until: 1}).Encode()
	case "of-the-future":
		rec.AsOf, rec.Until = 1<<40, 1<<40
	case "of-another-generation":
		rec.Generation += 3
	case "one-too-many": // the record of a vnode that there is not
	default:
		t.Fatalf("unknown change %s", change)
	}
	return rec.Encode()
}

// open starts a server on the store.
func (w *damaged) open() {
	w.Helper()
	if w.run != nil {
		return
	}
	p := textPrinter{&w.out, &w.out}
	c, err := connect(w.Context(), sqlOptions{data: w.dir}, p.notice)
	if err != nil {
		w.Fatal(err)
	}
	w.run = &sqlRun{client: c, printer: p}
}

func (w *damaged) close() {
	w.Helper()
	if w.run == nil {
		return
	}
	if err := w.run.client.close(); err != nil {
		w.Error(err)
	}
	w.run = nil
}

// sql runs statements, and returns what is printed.
func (w *damaged) sql(script string) string {
	w.Helper()
	w.open()
	w.out.Reset()
	if err := w.run.script(w.Context(), script); err != nil && !errors.Is(err, errReported) {
		w.Fatal(err)
	}
	return masked(w.out.String())
}

// damagePatience bounds what is waited for, on the slowest machine too, and pollEvery is how often it is looked at.
const (
	damagePatience = 5 * time.Minute
	pollEvery      = 10 * time.Millisecond
)

// until waits for a job to be in a state, and returns the reason.
func (w *damaged) until(job, state string) string {
	w.Helper()
	query := fmt.Sprintf("SELECT state, reason FROM tm_jobs WHERE name = '%s'", job)
	var out string
	for end := time.Now().Add(damagePatience); time.Now().Before(end); time.Sleep(pollEvery) {
		if out = w.sql(query); strings.Contains(out, " "+state+" ") {
			return out
		}
	}
	w.Fatalf("%s is not %s: %s", job, state, out)
	return ""
}
