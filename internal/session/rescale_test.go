package session

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/job"
	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/kv/memkv"
)

// counted counts the rows of a table that are read from views.
type counted struct {
	kv.Store
	table atomic.Uint32
	rows  atomic.Int64
}

func (s *counted) View() kv.View { return countedView{s.Store.View(), s} }

type countedView struct {
	kv.View
	of *counted
}

func (v countedView) Scan(start, end []byte) kv.Iterator {
	it := v.View.Scan(start, end)
	if t, _, _, ok := kv.TableOf(start); ok && t == id.Table(v.of.table.Load()) {
		return countedIterator{it, v.of}
	}
	return it
}

type countedIterator struct {
	kv.Iterator
	of *counted
}

func (it countedIterator) Next() bool {
	more := it.Iterator.Next()
	if more {
		it.of.rows.Add(1)
	}
	return more
}

// A view is given other numbers of actors in every phase of its life, in both ways of reading history. Nothing is read twice, and
// the view is right.
func TestRescaledInEachPhase(t *testing.T) {
	for _, mode := range []string{"snapshot", "arrangement"} {
		t.Run(mode, func(t *testing.T) {
			store := &counted{Store: memkv.Open()}
			d, err := Open(Options{Store: store, Vnodes: 8})
			if err != nil {
				t.Fatal(err)
			}
			l := &life{T: t, d: d}
			l.s = l.session()
			defer l.close()
			l.rescaleEachPhase(store, mode)
		})
	}
}

const rescaleRows = 3000

func (l *life) rescaleEachPhase(store *counted, mode string) {
	l.exec(fmt.Sprintf(`create table t (id int primary key, g int, n int);
		insert into t select n, n %% 40, n from generate_series(1, %d) n`, rescaleRows))
	rel, _ := l.d.engine.Catalog().Find("public", "t")
	store.table.Store(uint32(rel.Table))
	l.exec(fmt.Sprintf(`set background_ddl = on; set backfill_rate_limit = 20; set backfill_mode = %s;
		create materialized view v as select g, sum(n) as n from t group by g`, mode))
	change := 0
	rescale := func(deferred string) {
		for _, actors := range []int{4, 2, 1} {
			began := time.Now()
			l.exec(fmt.Sprintf("alter materialized view v set parallelism = %d%s", actors, deferred))
			st := l.until("v", "rescaled", func(s engine.JobStatus) bool { return !s.Outgrown })
			l.Logf("%s: %d actors after %v", st.State, actors, time.Since(began).Round(time.Millisecond))
			if st.Created {
				l.verifiedView("v")
			}
			change++
			l.exec(fmt.Sprintf("update t set n = n + 1000 where id = %d", 97*change))
		}
	}

	from := l.until("v", "reading", func(s engine.JobStatus) bool { return s.Scanned > 0 }).Scanned
	rescale("")
	l.until("v", "read on", func(s engine.JobStatus) bool { return s.Scanned > from })
	l.exec("alter materialized view v set backfill_rate_limit = 0")
	paused := l.until("v", "paused", func(s engine.JobStatus) bool { return s.State == job.Paused })
	rescale("")
	l.checkRanges(paused.ID)
	if l.exec("alter materialized view v set backfill_rate_limit = default; wait"); paused.Created {
		l.Fatal("all was read before anything was changed")
	}
	if rows := store.rows.Load(); rows != rescaleRows {
		l.Errorf("%d rows were read, there are %d", rows, rescaleRows)
	}
	rescale("") // it runs

	// One that runs and is paused lets go with other actors, and then has much to replay for its limit: what is published by then.
	l.exec("alter materialized view v set backfill_rate_limit = 0; alter materialized view v set parallelism = 2; update t set n = n + 1; flush")
	l.until("v", "paused", func(s engine.JobStatus) bool { return s.State == job.Paused })
	l.exec("alter materialized view v set backfill_rate_limit = 1")
	l.until("v", "paying for its replay", func(s engine.JobStatus) bool { return s.State == job.CatchingUp && s.Paying })
	rescale("")
	// Readers waited as long as the limit had to pay, which is hours here.
	for _, sql := range []string{"select sum(n) from v", "update t set n = n + 1", "select sum(n) from v"} {
		l.exec(sql)
	}
	l.exec("alter materialized view v set backfill_rate_limit = default; wait")
	l.verifiedView("v")
}

// verifiedView checks that a view is what its query gives, as of the epoch that it has reached.
func (l *life) verifiedView(view string) {
	l.Helper()
	if found := strings.TrimSpace(l.exec("verify materialized view " + view)); found != "" {
		l.Error(found)
	}
}

// checkRanges compares what SHOW BACKFILL tells of v, of which two numbers a row are read, with itself.
func (l *life) checkRanges(j id.Job) {
	l.Helper()
	var ranges []engine.RangeProgress
	l.until("v", "told by its last owners", func(engine.JobStatus) bool {
		var err error
		if ranges, err = l.d.engine.Ranges(l.Context(), j); err != nil {
			l.Fatal(err)
		}
		return len(ranges) == 8 && ranges[0].Generation == 6
	})
	shown := strings.Split(strings.TrimSpace(l.exec("show backfill v by range")), "\n")
	read := uint64(0)
	for i, r := range ranges {
		read += r.Rows
		if r.Bytes != 16*r.Rows || r.Generation != 6 || r.Owner == 0 {
			l.Errorf("%+v", r)
		}
		if !strings.Contains(shown[i], fmt.Sprintf(" %d %d %d %d %d", r.Rows, r.Bytes, r.AsOf, r.Generation, r.Owner)) ||
			strings.Contains(shown[i], "id=") != (r.Rows > 0) {
			l.Errorf("%s, and not %+v", shown[i], r)
		}
	}
	if st, _ := l.job("v"); read != st.Scanned || read == 0 {
		l.Errorf("the ranges have read %d rows, the job %d", read, st.Scanned)
	}
}
