package session

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/settings"
)

// logged is what was logged so far.
type logged struct {
	mu  sync.Mutex
	all strings.Builder
}

func (l *logged) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(line)
}

func (l *logged) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

// TestLateView gives one view more to do than a barrier may take: a view beside it answers meanwhile, and the late one comes
// to the right answer by itself.
func TestLateView(t *testing.T) {
	resolved, err := settings.Resolve(settings.NewRegistry(), settings.Sources{Flags: map[string]string{"detach_after": "100ms"}})
	if err != nil {
		t.Fatal(err)
	}
	var log logged
	d, err := Open(Options{Settings: resolved, Vnodes: 4, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close(context.Background())
	s, err := d.NewSession(Startup{})
	if err != nil {
		t.Fatal(err)
	}
	exec(t, s, "create table a (x int primary key); create table b (x int primary key)")
	exec(t, s, "create materialized view slow as select count(*) as n from a, b where a.x % 7 > b.x % 5")
	exec(t, s, "create materialized view quick as select count(*) as n from a")
	exec(t, s, "insert into b select generate_series(1, 2000)")
	exec(t, s, "insert into a select generate_series(1, 2000)")
	if got := exec(t, s, "select n from quick"); got != "+ 2000\n" {
		t.Errorf("quick is %s", got)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := d.engine.WaitAll(ctx); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.text(), errs.JobLate.Code) { // not in SHOW JOBS, from which it may be gone by now
		t.Error("the slow view held up the quick one:", log.text())
	}
	const quickly = "select sum(a.n * b.n) from (select x % 7 as k, count(*) as n from a group by k) a, (select x % 5 as k, count(*) as n from b group by k) b where a.k > b.k"
	if got := exec(t, s, "select n - ("+quickly+") = 0 from slow"); got != "+ t\n" {
		t.Errorf("the late view equals its query: %s", got)
	}
}
