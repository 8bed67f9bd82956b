package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/job"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/plan/planenc"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
)

// damaged is a database with a view that is there, sums, one that reads it, big, a neighbour, and a view that is half
// built, slow.
func damaged(t *testing.T) *life {
	l := newLife(t)
	l.exec(`create table t (id int primary key, g int, n int);
		insert into t select n, n % 40, n from generate_series(1, 4000) n;
		create materialized view sums as select g, sum(n) as n from t group by g;
		create materialized view big as select g from sums where n > 200000;
		create materialized view neighbour as select count(*) as n from t;
		set backfill_rate_limit = 200; set background_ddl = on;
		create materialized view slow as select g, max(n) as n from t group by g`)
	st := l.until("slow", "half built", func(s engine.JobStatus) bool { return s.Scanned > 100 && s.AsOf > 0 })
	l.staged(st.ID)
	l.exec("alter materialized view slow set backfill_rate_limit = 0; set backfill_rate_limit = default; set background_ddl = off")
	return l
}

// progressOf is the table with the records of a view's only input.
func (l *life) progressOf(view string) id.Table {
	l.Helper()
	rel, _ := l.d.engine.Catalog().Find("public", view)
	return l.control().Jobs[rel.Job].Graph.Scans()[0].Table
}

// control is the control state as it is stored.
func (l *life) control() *meta.State {
	l.Helper()
	state, _, err := meta.Load(l.store.Meta(), "dev", planenc.Resolver{Funcs: l.d.funcs, Aggs: l.d.aggs})
	if err != nil {
		l.Fatal(err)
	}
	return state
}

// record is a key of a progress record and what it holds.
func (l *life) record(view string, v uint16) kv.Write {
	l.Helper()
	w := kv.Write{Key: kv.AppendTable(nil, l.progressOf(view), v)}
	at := l.d.engine.View()
	defer at.Close()
	value, ok, err := at.Get(w.Key)
	if err != nil || !ok {
		l.Fatal(view, v, ok, err)
	}
	w.New = slices.Clone(value)
	return w
}

// codes are the findings of CHECK BACKFILL, as vnode and code.
func (l *life) codes(view string) string {
	var out []string
	for line := range strings.Lines(l.exec("check backfill " + view)) {
		f := strings.Fields(line)
		out = append(out, f[2]+" "+f[3])
	}
	return strings.Join(out, ", ")
}

// rightAgain checks that everything answers as its query does.
func (l *life) rightAgain() {
	l.Helper()
	l.exec("insert into t values (10001, 1, 7); delete from t where id < 20; wait; flush")
	for _, v := range []string{"sums", "big", "neighbour", "slow"} {
		if st, ok := l.job(v); !ok || st.State != job.Running {
			l.Errorf("%s is %s: %s", v, st.State, st.Reason)
			continue
		}
		if got := l.exec("verify materialized view " + v); got != "" {
			l.Errorf("%s: %s", v, got)
		}
		if got := l.codes(v); got != "" {
			l.Errorf("%s: %s", v, got)
		}
	}
	if got := l.exec("select count(*) from slow, sums where slow.g = sums.g"); got != "+ 40\n" {
		l.Error(got)
	}
}

// TestDamagedRecords has one record removed, truncated, flipped, set back, or of format 1, in a view that is there and in
// one that is half built: that job alone stops with its dependants, the server starts, and REPAIR puts it right.
func TestDamagedRecords(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func([]byte) []byte
		code   string // of a view that is there
		half   string // of one that is half built
	}{
		{"removed", func([]byte) []byte { return nil }, "TM-BF-001", "TM-BF-001"},
		{"truncated", func(b []byte) []byte { return b[:len(b)/2] }, "TM-BF-004", "TM-BF-004"},
		{"flipped", func(b []byte) []byte { b[len(b)/2] ^= 4; return b }, "TM-BF-004", "TM-BF-004"},
		{"set back", func([]byte) []byte { return (&backfill.Record{Phase: backfill.Scanning, AsOf: 1, Until: 1}).Encode() }, "TM-BF-008", "TM-BF-008"},
		{"of the future", func([]byte) []byte {
			return (&backfill.Record{Phase: backfill.Live, AsOf: 1 << 40, Until: 1 << 40}).Encode()
		}, "TM-BF-008", "TM-BF-008"},
		{"unfinished format 1", func([]byte) []byte {
			return (&backfill.FormatOne{Table: 7, Fragment: 3, Actor: 12, Rows: 99, Position: []byte{0x80, 5}}).Encode()
		}, "TM-BF-002", "TM-BF-002"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := damaged(t)
			defer func() { l.close() }()
			there, half := l.record("sums", 3), l.record("slow", 5)
			there.New, half.New = c.change(there.New), c.change(half.New)
			l.plant(there, half)
			l.until("sums", "stopped", func(s engine.JobStatus) bool { return s.State == job.Quarantined })
			if st, _ := l.job("big"); st.State != job.Quarantined || st.AsOf == 0 {
				t.Errorf("the view on the damaged one: %+v", st)
			}
			if got := l.exec("select n from neighbour"); got != "+ 4000\n" {
				t.Error(got)
			}
			if got := l.codes("sums"); got != "3 "+c.code {
				t.Error(got)
			}
			l.exec("alter materialized view slow set backfill_rate_limit = default")
			l.until("slow", "stopped", func(s engine.JobStatus) bool { return s.State == job.Quarantined })
			if got := l.codes("slow"); got != "5 "+c.half {
				t.Error(got)
			}
			l.exec("repair backfill slow")
			l.exec("repair backfill sums")
			l.rightAgain()
		})
	}
}

// TestManyRecordsMissing: all that are missing are named.
func TestManyRecordsMissing(t *testing.T) {
	l := damaged(t)
	defer func() { l.close() }()
	var gone []kv.Write
	for _, v := range []uint16{1, 4, 6} {
		gone = append(gone, kv.Write{Key: l.record("sums", v).Key})
	}
	l.plant(gone...)
	st := l.until("sums", "stopped", func(s engine.JobStatus) bool { return s.State == job.Quarantined })
	if !strings.Contains(st.Reason, "missing") { // those of one actor, whichever was first
		t.Error(st.Reason)
	}
	if got := l.codes("sums"); got != "1 TM-BF-001, 4 TM-BF-001, 6 TM-BF-001" {
		t.Error(got)
	}
}

// TestFinishedFormatOne is adopted without a word.
func TestFinishedFormatOne(t *testing.T) {
	l := damaged(t)
	defer func() { l.close() }()
	r := l.record("sums", 2)
	r.New = (&backfill.FormatOne{Finished: true, Table: 7, Fragment: 3, Actor: 12, Rows: 510}).Encode()
	l.plant(r)
	l.exec("alter materialized view slow set backfill_rate_limit = default")
	l.rightAgain()
}

// TestBrokenJob: a job whose stored form cannot be read, or names what there is not, stops with those that read it.
func TestBrokenJob(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(string) string
		code   string
	}{
		{"truncated", func(s string) string { return s[:len(s)/2] }, errs.MetaCorrupt.Code},
		{"another relation", func(s string) string { return strings.Replace(s, `"Rel":1`, `"Rel":9991`, 1) }, errs.JobGraph.Code},
		{"no such upstream", func(s string) string { return strings.Replace(s, `"Upstream":[`, `"Upstream":[77,`, 1) }, errs.FragmentMissing.Code},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := damaged(t)
			defer func() { l.close() }()
			rel, _ := l.d.engine.Catalog().Find("public", "sums")
			key := []byte(fmt.Sprintf("mjob/%020d", uint64(rel.Job)))
			value, _, _ := l.store.Meta().Get(key)
			changed := c.change(string(value))
			if changed == string(value) {
				t.Fatalf("nothing to change in %s", value)
			}
			l.plant(kv.Write{Key: key, New: []byte(changed)})
			for _, v := range []string{"sums", "big"} {
				l.until(v, "stopped", func(s engine.JobStatus) bool {
					return slices.Contains([]job.State{job.Quarantined, job.Queued, job.LaggedOut}, s.State) && s.AsOf != 0
				})
			}
			if got := l.exec("check backfill sums"); !strings.Contains(got, c.code) {
				t.Error(got)
			}
			if e := l.fails("repair backfill sums"); e.Entry.Code != c.code {
				t.Error(e)
			}
			l.exec("insert into t values (5001, 1, 1)")
			if got := l.exec("select n from neighbour"); got != "+ 4001\n" {
				t.Error(got)
			}
			l.exec("drop materialized view sums cascade; alter materialized view slow set backfill_rate_limit = default; wait; create materialized view sums as select g, sum(n) as n from t group by g")
			if got := l.exec("select count(*) from sums"); got != "+ 40\n" {
				t.Error(got)
			}
		})
	}
}
