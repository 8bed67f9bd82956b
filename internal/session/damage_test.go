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

// damaged is a database with a view that is there, sums, one that reads it, big, a neighbour, a view that is half built, slow,
// and one that has changes to replay and is paused, late. Views read their history in the way given.
func damaged(t *testing.T, mode string) *life {
	l := newLife(t)
	l.exec(fmt.Sprintf(`create table t (id int primary key, g int, n int);
		insert into t select n, n %% 40, n from generate_series(1, 4000) n;
		set backfill_mode = %s;
		create materialized view sums as select g, sum(n) as n from t group by g;
		create materialized view big as select g from sums where n > 200000;
		create materialized view neighbour as select count(*) as n from t;
		create materialized view late as select g, max(id) as n from t group by g;
		set backfill_rate_limit = 200; set background_ddl = on;
		create materialized view slow as select g, max(n) as n from t group by g`, mode))
	st := l.until("slow", "half built", func(s engine.JobStatus) bool { return s.Scanned > 100 && (s.AsOf > 0 || mode == "arrangement") })
	l.staged(st.ID)
	l.exec("alter materialized view slow set backfill_rate_limit = 0; set backfill_rate_limit = default; set background_ddl = off")
	l.exec("alter materialized view late set backfill_rate_limit = 0; alter materialized view late set parallelism = 1")
	l.until("late", "let go of", func(s engine.JobStatus) bool { return s.State == job.Paused && !s.Attached && !s.Outgrown })
	l.exec("update t set id = id + 20000 where id > 3990; flush")
	l.durable()
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
	for _, v := range []string{"sums", "big", "neighbour", "slow", "late"} {
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

// recordDamages are what may befall a record, and what is found of it.
var recordDamages = []struct {
	name   string
	change func([]byte) []byte
	code   string
}{
	{"removed", func([]byte) []byte { return nil }, "TM-BF-001"},
	{"truncated", func(b []byte) []byte { return b[:len(b)/2] }, "TM-BF-004"},
	{"flipped", func(b []byte) []byte { b[len(b)/2] ^= 4; return b }, "TM-BF-004"},
	{"set back", func([]byte) []byte { return (&backfill.Record{Phase: backfill.Scanning, AsOf: 1, Until: 1}).Encode() }, "TM-BF-008"},
	{"of the future", func([]byte) []byte {
		return (&backfill.Record{Phase: backfill.Live, AsOf: 1 << 40, Until: 1 << 40}).Encode()
	}, "TM-BF-008"},
	{"unfinished format 1", func([]byte) []byte {
		return (&backfill.FormatOne{Table: 7, Fragment: 3, Actor: 12, Rows: 99, Position: []byte{0x80, 5}}).Encode()
	}, "TM-BF-002"},
}

// TestDamagedRecords has records removed, truncated, flipped, set back, or of format 1, one or those of every vnode, in views that
// are there, half built, or behind and paused, in both ways of reading history: these alone stop, with their dependants, the server
// starts, and REPAIR puts them right.
func TestDamagedRecords(t *testing.T) {
	for _, mode := range []string{"snapshot", "arrangement"} {
		for i, c := range recordDamages {
			vnodes := []uint16{uint16(i)}
			if (mode == "snapshot") == (i%2 == 0) { // each damage of one and of all, in either way
				vnodes = []uint16{0, 1, 2, 3, 4, 5, 6, 7}
			}
			t.Run(fmt.Sprintf("%s/%s", mode, c.name), func(t *testing.T) {
				l := damaged(t, mode)
				defer func() { l.close() }()
				l.damageRecords(vnodes, c.change, c.code)
			})
		}
	}
}

func (l *life) damageRecords(vnodes []uint16, change func([]byte) []byte, code string) {
	l.Helper()
	views := []string{"sums", "late", "slow"}
	var writes []kv.Write
	var codes []string
	for _, v := range vnodes {
		codes = append(codes, fmt.Sprintf("%d %s", v, code))
		for _, view := range views {
			w := l.record(view, v)
			w.New = change(w.New)
			writes = append(writes, w)
		}
	}
	l.plant(writes...)
	stopped := func(s engine.JobStatus) bool { return s.State == job.Quarantined }
	l.until("sums", "stopped", stopped)
	if st, _ := l.job("big"); st.State != job.Quarantined || st.AsOf == 0 {
		l.Errorf("the view on the damaged one: %+v", st)
	}
	if got := l.exec("select n from neighbour"); got != "+ 4000\n" {
		l.Error(got)
	}
	for _, view := range []string{"late", "slow"} {
		l.exec("alter materialized view " + view + " set backfill_rate_limit = default")
		l.until(view, "stopped", stopped)
	}
	for _, view := range views {
		if got := l.codes(view); got != strings.Join(codes, ", ") {
			l.Errorf("%s: %s", view, got)
		}
	}
	for _, view := range views {
		l.exec("repair backfill " + view)
	}
	l.rightAgain()
}

// TestManyRecordsMissing: all that are missing are named.
func TestManyRecordsMissing(t *testing.T) {
	l := damaged(t, "snapshot")
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
	l := damaged(t, "snapshot")
	defer func() { l.close() }()
	r := l.record("sums", 2)
	r.New = (&backfill.FormatOne{Finished: true, Table: 7, Fragment: 3, Actor: 12, Rows: 510}).Encode()
	l.plant(r)
	l.exec("alter materialized view slow set backfill_rate_limit = default; alter materialized view late set backfill_rate_limit = default")
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
			l := damaged(t, "snapshot")
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
			l.exec("drop materialized view sums cascade; alter materialized view slow set backfill_rate_limit = default; alter materialized view late set backfill_rate_limit = default; wait; create materialized view sums as select g, sum(n) as n from t group by g")
			if got := l.exec("select count(*) from sums"); got != "+ 40\n" {
				t.Error(got)
			}
		})
	}
}
