package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/epoch"
	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/job"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/kv/memkv"
	"github.com/tidemark-db/tidemark/internal/stream/backfill"
)

// patience bounds what tests wait for; it is reached only when a test fails, on the slowest machine too.
const patience = 5 * time.Minute

// life is a database over a store that the test can crash and look into, with a clock that it can move on.
type life struct {
	*testing.T
	store *memkv.Store
	later atomic.Int64 // how far the clock is ahead
	d     *Database
	s     *Session
}

func newLife(t *testing.T) *life {
	l := &life{T: t, store: memkv.Open()}
	l.open()
	return l
}

func (l *life) open() {
	l.Helper()
	var err error
	now := func() time.Time { return time.Now().Add(time.Duration(l.later.Load())) }
	if l.d, err = Open(Options{Store: l.store, Now: now, Vnodes: 8}); err != nil {
		l.Fatal(err)
	}
	l.s = l.session()
}

func (l *life) session() *Session {
	l.Helper()
	s, err := l.d.NewSession(Startup{})
	if err != nil {
		l.Fatal(err)
	}
	return s
}

func (l *life) close() {
	l.Helper()
	if err := l.d.Close(context.Background()); err != nil {
		l.Fatal(err)
	}
}

// crash loses what is not durable, and opens the rest.
func (l *life) crash() {
	l.Helper()
	left := l.store.Crash()
	l.close()
	l.store = left
	l.open()
}

func (l *life) exec(sql string) string { l.Helper(); return exec(l.T, l.s, sql) }

// fails runs a statement that must fail, and returns its error.
func (l *life) fails(sql string) *errs.Error {
	l.Helper()
	err := l.s.Simple(context.Background(), sql, func(r Result) error {
		_, err := r.Finish(context.Background())
		return err
	})
	l.s.Abort()
	e, ok := errs.As(err)
	if !ok {
		l.Fatalf("%s: %v", sql, err)
	}
	return e
}

// job finds the job of a relation; ok is false when there is none.
func (l *life) job(name string) (engine.JobStatus, bool) {
	rel, ok := l.d.engine.Catalog().Find("public", name)
	if !ok {
		return engine.JobStatus{}, false
	}
	st, ok := l.d.engine.Jobs()[rel.Job]
	return st, ok
}

// until waits for the job of a relation to be as wanted.
func (l *life) until(name, what string, ok func(engine.JobStatus) bool) engine.JobStatus {
	l.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(patience); time.Now().Before(end); <-tick.C {
		if st, found := l.job(name); found && ok(st) {
			return st
		}
	}
	st, _ := l.job(name)
	l.Fatalf("%s is not %s: %+v", name, what, st)
	return st
}

// staged waits until a step of a scan has staged rows, and tells how many.
func (l *life) staged(j id.Job) (rows uint64) {
	l.Helper()
	for end := time.Now().Add(patience); rows == 0 && time.Now().Before(end); time.Sleep(time.Millisecond) {
		ranges, err := l.d.engine.Ranges(context.Background(), j)
		if err != nil {
			l.Fatal(err)
		}
		for _, r := range ranges {
			rows += r.Rows
		}
	}
	if rows == 0 {
		l.Fatal("nothing was staged")
	}
	return rows
}

// begin runs a statement in a session of its own; the function returned cancels it and gives its error.
func (l *life) begin(sql string) (cancel func() error) {
	ctx, stop := context.WithCancel(context.Background())
	s, done := l.session(), make(chan error, 1)
	go func() {
		done <- s.Simple(ctx, sql, func(r Result) error {
			_, err := r.Finish(ctx)
			return err
		})
	}()
	return func() error {
		stop()
		err := <-done
		s.Close()
		return err
	}
}

// logged reports whether the changelog of a table is kept from an epoch on.
func (l *life) logged(name string, from epoch.Epoch) bool {
	l.Helper()
	rel, _ := l.d.engine.Catalog().Find("public", name)
	v := l.store.View()
	defer v.Close()
	it, err := v.Log(rel.Table, 0, from, v.Epoch())
	if err == nil {
		err = it.Close()
	}
	if err != nil && !errors.Is(err, kv.ErrLogGone) {
		l.Fatal(err)
	}
	return err == nil
}

// durable waits until all that was written is.
func (l *life) durable() {
	l.Helper()
	if err := l.d.engine.WaitDurable(context.Background(), l.d.engine.OpenEpoch()); err != nil {
		l.Fatal(err)
	}
}

// stored lists what the store holds: tables with rows, and names in the meta space but for counters and the DML log.
func (l *life) stored() (out []string) {
	l.Helper()
	add := func(it kv.Iterator, name func(key []byte) string) {
		for it.Next() {
			if n := name(it.Key()); n != "" && !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
		if err := it.Close(); err != nil {
			l.Fatal(err)
		}
	}
	v := l.store.View()
	defer v.Close()
	add(v.Scan([]byte{kv.SpaceTable}, []byte{kv.SpaceTable + 1}), func(key []byte) string {
		t, _, _, _ := kv.TableOf(key)
		return "table " + t.String()
	})
	add(l.store.Meta().Scan([]byte{kv.SpaceMeta}, []byte{kv.SpaceMeta + 1}), func(key []byte) string {
		name := string(key[1:])
		if dir, _, ok := strings.Cut(name, "/"); !ok || dir == "dml" {
			return ""
		}
		return name
	})
	return out
}

// building opens a table of so many rows and a session in which creations go on for ever.
func building(t *testing.T, rows int) *life {
	l := newLife(t)
	l.exec(fmt.Sprintf("create table t (k int primary key, v int); insert into t select g, g %% 10 from generate_series(1, %d) g; flush", rows))
	l.exec("set backfill_rate_limit = 20")
	return l
}

// A creation that ends before its time, however it does, leaves its name free and nothing in the store.
func TestUnfinishedCreationLeavesNothing(t *testing.T) {
	const create = "create materialized view m as select v, count(*) as n from t group by v"
	for name, end := range map[string]func(l *life, cancel func() error) error{
		"cancel": func(_ *life, cancel func() error) error { return cancel() },
		"cancel job": func(l *life, cancel func() error) error {
			st, _ := l.job("m")
			l.exec(fmt.Sprintf("cancel job %d", st.ID))
			return cancel()
		},
		"drop": func(l *life, cancel func() error) error {
			l.exec("drop materialized view m")
			return cancel()
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := building(t, 2000)
			before := l.stored()
			cancel := l.begin("set backfill_rate_limit = 20; " + create)
			l.until("m", "scanning", func(st engine.JobStatus) bool { return st.Scanned > 0 })
			err := end(l, cancel)
			if e, _ := errs.As(err); !errors.Is(err, context.Canceled) && (e == nil || e.Entry.SQLState != "57014") {
				t.Errorf("the creation ended with %v", err)
			}
			if _, ok := l.job("m"); ok {
				t.Error("the job is still there")
			}
			l.exec("set backfill_rate_limit = default; " + create)
			if got := l.exec("select count(*), sum(n) from m"); got != "+ 10 2000\n" {
				t.Errorf("the second one holds %s", got)
			}
			l.exec("drop materialized view m")
			l.close()
			if after := l.store.Crash(); !slices.Equal((&life{T: t, store: after}).stored(), before) {
				t.Errorf("left in the store: %v\nbefore: %v", (&life{T: t, store: after}).stored(), before)
			}
		})
	}
}

// A crash while somebody waits for a creation leaves a job that goes on, or nothing; here always the job, whose definition
// is durable before its scan begins. It does not scan again what was durable.
func TestCrashDuringCreation(t *testing.T) {
	l := building(t, 1500)
	cancel := l.begin("set backfill_rate_limit = 20; create materialized view m as select count(*) as n, sum(v) as s from t")
	l.until("m", "scanning", func(st engine.JobStatus) bool { return st.Scanned > 0 })
	st, _ := l.job("m")
	if err := l.d.engine.Pause(context.Background(), st.ID); err != nil {
		t.Fatal(err)
	}
	l.exec("insert into t values (5000, 1); update t set v = v + 100 where k = 7; flush")
	read := l.staged(st.ID)
	l.durable()
	left := l.store.Crash()
	if err := cancel(); err == nil {
		t.Error("a creation that was cancelled succeeded")
	}
	l.close()
	l.store = left
	l.open()
	st = l.until("m", "paused", func(st engine.JobStatus) bool { return st.State == job.Paused && st.Scanned > 0 })
	if st.Scanned < read {
		t.Errorf("%d rows were staged before the crash, %d are after it", read, st.Scanned)
	}
	l.exec("create materialized view other as select max(k) from t")
	l.exec("alter backfill m resume; alter materialized view m set backfill_rate_limit = default; wait")
	if got, want := l.exec("select n, s from m"), "+ 1501 6851\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	l.close()
}

// Rows written while views are created and dropped are in each of them, once. However many write all the time, a view attaches.
func TestCreationsUnderWrites(t *testing.T) {
	for writers, creations := range map[int]int{1: 20, 16: 5} {
		t.Run(fmt.Sprintf("%d writers", writers), func(t *testing.T) { creationsUnderWrites(t, writers, creations) })
	}
}

func creationsUnderWrites(t *testing.T, writers, creations int) {
	l := newLife(t)
	l.exec("create table t (k int primary key, v int)")
	stop, written := make(chan struct{}), make(chan int)
	for i := range writers {
		go func() {
			s, n := l.session(), 0
			defer func() { s.Close(); written <- n }()
			for {
				select {
				case <-stop:
					return
				default:
				}
				exec(t, s, fmt.Sprintf("insert into t values (%d, 1)", n*writers+i))
				n++
			}
		}()
	}
	for range creations {
		l.exec("create materialized view m as select count(*) as n from t")
		if got := l.exec("select (select n from m) - (select count(*) from t)"); got != "+ 0\n" {
			t.Errorf("view and table differ by %s", got)
		}
		l.exec("drop materialized view m")
	}
	close(stop)
	n := 0
	for range writers {
		n += <-written
	}
	if got, want := l.exec("select count(*) from t"), fmt.Sprintf("+ %d\n", n); got != want {
		t.Errorf("%s rows, want %s", got, want)
	}
	l.close()
}

// While all jobs are attached no changelog is kept; a job that stays detached for longer than the retention loses its own.
func TestChangelogIsBounded(t *testing.T) {
	l := newLife(t)
	l.exec("create table t (k int primary key, v int); create materialized view ok as select count(*) as n from t")
	l.exec("insert into t select g, 1 from generate_series(1, 100) g; flush")
	if l.durable(); l.logged("t", l.d.engine.Visible()-1) {
		t.Error("a changelog is kept and nobody needs it")
	}
	l.exec("set on_row_error = stop; create materialized view m as select 1 / v as q from t; insert into t values (0, 0); flush; wait")
	st := l.until("m", "quarantined", func(st engine.JobStatus) bool { return st.State == job.Quarantined })
	l.exec("insert into t values (200, 1); flush")
	if l.durable(); !l.logged("t", st.AsOf) {
		t.Error("no changelog is kept for a job that can be resumed")
	}
	l.later.Store(int64(25 * time.Hour))
	l.until("m", "lagged out", func(st engine.JobStatus) bool { return st.State == job.LaggedOut })
	l.exec("insert into t values (201, 1); flush")
	if l.durable(); l.logged("t", l.d.engine.Visible()-1) {
		t.Error("the changelog outlives its retention")
	}
	if got := l.exec("select count(*) from m"); got != "+ 100\n" {
		t.Errorf("the view answers %s", got)
	}
	if got := l.exec("select n from ok"); got != "+ 103\n" {
		t.Errorf("its neighbour answers %s", got)
	}
	l.crash()
	l.until("m", "lagged out", func(st engine.JobStatus) bool { return st.State == job.LaggedOut })
	l.exec("drop materialized view m; create materialized view m as select count(*) as n from t")
	if got := l.exec("select n from m"); got != "+ 103\n" {
		t.Errorf("created anew it answers %s", got)
	}
	l.close()
}

// The percentage of a build never falls, whatever happens to its table, and is 100 when all is read.
func TestProgressOnlyGrows(t *testing.T) {
	l := building(t, 1000)
	l.exec("set background_ddl = on; set backfill_rate_limit = 2000; create materialized view m as select v, count(*) from t group by v")
	var shown []float64
	ids := map[id.Job]bool{}
	grown := 0
	l.until("m", "attached", func(st engine.JobStatus) bool {
		if ids[st.ID] = true; !st.Attached {
			shown = append(shown, st.Percent)
			if st.Phase >= backfill.Replaying && st.Percent != 100 {
				t.Errorf("%v %% in phase %v", st.Percent, st.Phase)
			}
		}
		if grown < 20 && len(shown)%10 == 9 {
			grown++
			l.exec(fmt.Sprintf("insert into t select g, 1 from generate_series(%d, %d) g; flush", 10_000+grown*100, 10_049+grown*100))
		}
		return st.Attached
	})
	if !slices.IsSorted(shown) {
		t.Errorf("shown: %v", shown)
	}
	if len(ids) != 1 {
		t.Errorf("jobs: %v", ids)
	}
	l.close()
}

// A view that has lagged out is made anew when it is resumed, with what has lagged out with it; meanwhile both answer as of
// the moment before, and what reads them gets the difference.
func TestResumeOfWhatHasLaggedOut(t *testing.T) {
	l := newLife(t)
	defer func() { l.close() }()
	l.exec(`create table t (k int primary key, v int); create table u (g int primary key, name text); insert into u select g, 'g' || g from generate_series(0, 9) g;
		insert into t select g, g % 100 + 1 from generate_series(1, 1000) g;
		set on_row_error = stop; create materialized view m as select k, k % 10 as g, 100 / v as q from t;
		create materialized view s as select u.name, count(*) as n, sum(q) as q from m join u on u.g = m.g group by u.name;
		create index by_q on m (q); flush`)
	l.exec("insert into t values (0, 0); flush; wait")
	l.until("m", "quarantined", func(st engine.JobStatus) bool { return st.State == job.Quarantined })
	l.exec("delete from t where k % 3 = 1; update u set name = 'other' where g = 1; flush")
	l.later.Store(int64(25 * time.Hour))
	l.until("m", "lagged out", func(st engine.JobStatus) bool { return st.State == job.LaggedOut })
	st := l.until("s", "lagged out", func(st engine.JobStatus) bool { return st.State == job.LaggedOut })
	if got := l.exec("select sum(n) from s"); got != "+ 1000\n" {
		t.Errorf("having lagged out the view answers %s", got)
	}
	l.exec("delete from t where k = 0; flush") // what it stopped at
	l.exec(fmt.Sprintf("alter job %d resume; wait", st.ID))
	l.until("m", "attached", func(st engine.JobStatus) bool { return st.Attached })
	l.until("s", "attached", func(st engine.JobStatus) bool { return st.Attached })
	for _, v := range []string{"materialized view m", "materialized view s", "index by_q"} {
		if got := l.exec("verify " + v); got != "" {
			t.Errorf("%s: %s", v, got)
		}
	}
	if got := l.exec("select count(*) from m"); got != "+ 666\n" {
		t.Errorf("%s rows", got)
	}
	l.crash()
	l.exec("insert into t values (2000, 5); flush; wait")
	if got := l.exec("verify materialized view s"); got != "" {
		t.Error(got)
	}
}

// A build that is to take the place of a view, and has lagged out, begins again when it is resumed by its number, or with the view.
// The view answers meanwhile, and is what the build makes in the end.
func TestResumeOfABuildThatHasLaggedOut(t *testing.T) {
	for _, by := range []string{"its number", "the view's"} {
		t.Run(by, func(t *testing.T) {
			l := newLife(t)
			defer func() { l.close() }()
			l.exec(`create table t (k int primary key, v int); insert into t select g, g % 100 + 1 from generate_series(1, 3000) g;
				set on_row_error = stop; create materialized view m as select v, sum(100 / v) as n from t group by v;
				create materialized view s as select sum(n) as n from m;
				set background_ddl = on; set backfill_rate_limit = 500;
				create or replace materialized view m as select v, count(*) + 1 as n from t group by v`)
			m, _ := l.d.engine.Catalog().Find("public", "m")
			build, ok := l.d.engine.Catalog().Shadow(m.ID)
			if !ok {
				t.Fatal("nothing is built")
			}
			in := func(what string, j id.Job, ok func(engine.JobStatus) bool) {
				l.Helper()
				l.until("m", what, func(engine.JobStatus) bool { return ok(l.d.engine.Jobs()[j]) })
			}
			lagged := func(st engine.JobStatus) bool { return st.State == job.LaggedOut }
			in("half built", build.Job, func(st engine.JobStatus) bool { return st.Scanned > 100 && st.AsOf > 0 })
			l.exec(fmt.Sprintf("alter job %d pause", build.Job))
			number, sum := build.Job, "+ 3101\n"
			if by == "the view's" {
				number, sum = m.Job, "+ 3103\n"
				l.exec("insert into t values (-1, 0); flush; wait")
				in("quarantined", number, func(st engine.JobStatus) bool { return st.State == job.Quarantined })
			}
			l.exec("insert into t values (0, 7); flush")
			l.later.Store(int64(25 * time.Hour))
			in("lagged out", build.Job, lagged)
			if number == m.Job {
				in("lagged out too", m.Job, lagged)
			}
			l.exec(fmt.Sprintf("alter job %d resume", number))
			l.exec(fmt.Sprintf("alter job %d set backfill_rate_limit = default; wait", build.Job))
			for _, v := range []string{"m", "s"} {
				l.until(v, "in step", func(st engine.JobStatus) bool { return st.Attached && !st.Shadow })
			}
			if got := l.exec("select n from s"); got != sum {
				t.Error(got)
			}
			for _, v := range []string{"m", "s"} {
				if got := l.exec("verify materialized view " + v); got != "" {
					t.Errorf("%s: %s", v, got)
				}
			}
		})
	}
}
