package server_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// ledger is what clients wrote to tables t and log, and what of it was acknowledged.
type ledger struct {
	mu struct {
		sync.Mutex
		next  int64
		acked map[int64]bool // ids whose INSERT into both was acknowledged
	}
}

func newLedger() *ledger {
	l := &ledger{}
	l.mu.acked = map[int64]bool{}
	return l
}

// ledgerViews are views over t, each with its query.
var ledgerViews = map[string]string{
	"select g, n, s from sums": "select g, count(*), sum(v) from t group by g",
	"select id, n from big":    "select t.id, x.n from t join (select g, count(*) as n from t group by g) x on t.g = x.g where t.v > 500",
}

func (l *ledger) create(t *testing.T, srv *binary) {
	t.Helper()
	srv.exec(t, "create table t (id bigint primary key, g bigint, v bigint)")
	srv.exec(t, "create table log (id bigint)") // no key that would hide a row fed twice
	srv.exec(t, "create materialized view sums as select g, count(*) as n, sum(v) as s from t group by g")
	srv.exec(t, "create materialized view big as select t.id, sums.n from t join sums on t.g = sums.g where t.v > 500")
}

func (l *ledger) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.mu.acked)
}

// write lets clients write until the server is gone; wait returns when all have noticed.
func (l *ledger) write(srv *binary, clients int, seed uint64) (wait func()) {
	var wg sync.WaitGroup
	for c := range clients {
		wg.Add(1)
		go func() {
			defer wg.Done()
			l.client(srv.dsn, rand.New(rand.NewPCG(seed, uint64(c))))
		}()
	}
	return wg.Wait
}

func (l *ledger) client(dsn string, rnd *rand.Rand) {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return // killed before it could connect
	}
	defer conn.Close(ctx)
	for {
		l.mu.Lock()
		l.mu.next++
		id := l.mu.next
		l.mu.Unlock()
		if _, err := conn.Exec(ctx, "insert into t values ($1, $2, $3)", id, rnd.Int64N(10), rnd.Int64N(1000)); err != nil {
			return
		}
		if _, err := conn.Exec(ctx, "insert into log values ($1)", id); err != nil {
			return
		}
		l.mu.Lock()
		l.mu.acked[id] = true
		l.mu.Unlock()
		if rnd.IntN(3) == 0 {
			if _, err := conn.Exec(ctx, "update t set v = v + 1 where g = $1", rnd.Int64N(10)); err != nil {
				return
			}
		}
	}
}

// verify compares the tables with what was acknowledged, and the views with their queries.
func (l *ledger) verify(t *testing.T, srv *binary, round int) {
	t.Helper()
	for _, table := range []string{"t", "log"} {
		have := map[int64]bool{}
		for _, row := range srv.query(t, "select id from "+table) {
			id := row[0].(int64)
			if have[id] {
				t.Fatalf("round %d: row %d is in %s twice", round, id, table)
			}
			have[id] = true
		}
		l.mu.Lock()
		for id := range l.mu.acked {
			if !have[id] {
				t.Errorf("round %d: acknowledged row %d is missing in %s", round, id, table)
			}
		}
		l.mu.Unlock()
	}
	for view, query := range ledgerViews {
		srv.equal(t, round, view, query)
	}
}

// equal compares two queries at one epoch.
func (b *binary) equal(t *testing.T, round int, view, query string) {
	t.Helper()
	for _, diff := range []string{view + " except all " + query, query + " except all " + view} {
		if rows := b.query(t, diff); len(rows) > 0 {
			t.Fatalf("round %d: %s gives %v", round, diff, rows)
		}
	}
}
