package engine_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/tidemark-db/tidemark/internal/chunk"
	"github.com/tidemark-db/tidemark/internal/dml"
	"github.com/tidemark-db/tidemark/internal/engine"
	"github.com/tidemark-db/tidemark/internal/id"
	"github.com/tidemark-db/tidemark/internal/kv/memkv"
	"github.com/tidemark-db/tidemark/internal/plan/planenc"
	"github.com/tidemark-db/tidemark/internal/sched"
	"github.com/tidemark-db/tidemark/internal/sql/sqltest"
)

// TestSharedCatchUpEnds: somebody waits all the time, and by the share's clock each piece of a catch-up's work takes an hour, so
// that its actors hand the one processor that they have to each other after each. Beside a table that changes all the time a view
// attaches anyhow, and only its scan and its first replay are kept to the share: if all were, windows would not get short.
func TestSharedCatchUpEnds(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), commandMax)
	defer cancel()
	w := &world{T: t, sql: sqltest.New(), store: memkv.Open()}
	var hours atomic.Int64
	share := sched.NewShare(1, func() time.Time { return time.Unix(0, 0).Add(time.Duration(hours.Add(1)) * time.Hour) })
	var err error
	w.engine, err = engine.Open(w.store, engine.Options{Vnodes: 32, Parallelism: 2, BarrierInterval: 5 * time.Millisecond, Share: share,
		Resolver: planenc.Resolver{Funcs: w.sql.Funcs, Aggs: w.sql.Aggs}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.close()
	defer w.engine.Attend()()
	if err := w.create(ctx, &datadriven.TestData{Input: "create table t (k int primary key, v int)"}); err != nil {
		t.Fatal(err)
	}
	f := &feeder{world: w}
	if err := f.feed(ctx); err != nil {
		t.Fatal(err)
	}
	created := make(chan error, 1)
	go func() {
		created <- w.create(ctx, &datadriven.TestData{Input: "create materialized view m as select count(*) as n, sum(v) as s from t"})
	}()
	for done := false; !done; {
		select {
		case err = <-created:
			done = true
		default:
			if err = f.feed(ctx); err == nil {
				err = w.engine.CheckShare(ctx)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if got, err := w.show(ctx, w.relation("m")); err != nil || got != fmt.Sprintf("+ %d %d\n", f.rows, f.rows) {
		t.Errorf("the view has %s (%v) after %d rows", got, err, f.rows)
	}
}

// feeder gives a table new rows.
type feeder struct {
	*world
	rows int
}

// feed gives it as many that each vnode has some, and waits for them to be there.
func (f *feeder) feed(ctx context.Context) (err error) {
	rel := f.relation("t")
	var rows strings.Builder
	for range 4 * rel.Vnodes {
		f.rows++
		fmt.Fprintf(&rows, "+ %d 1\n", f.rows)
	}
	c, err := chunk.Parse(rel.Types(), rows.String())
	if err != nil {
		return err
	}
	f.fed, err = f.engine.Feed(0, func(yield func(dml.Fed, error) bool) { yield(dml.Fed{Job: rel.Job, Rows: c}, nil) })
	if err != nil {
		return err
	}
	_, err = f.engine.WaitFresh(ctx, []id.Job{rel.Job}, f.fed, false)
	return err
}
