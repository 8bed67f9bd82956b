package session

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/settings"
)

// TestLateView gives one view more to do than a barrier may take: a view beside it answers meanwhile, and the late one comes
// to the right answer by itself.
func TestLateView(t *testing.T) {
	resolved, err := settings.Resolve(settings.NewRegistry(), settings.Sources{Flags: map[string]string{"detach_after": "100ms"}})
	if err != nil {
		t.Fatal(err)
	}
	d, err := Open(Options{Settings: resolved, Vnodes: 4})
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
	begun := time.Now()
	if got := exec(t, s, "select n from quick"); got != "+ 2000\n" {
		t.Errorf("quick is %s", got)
	}
	waited := time.Since(begun)
	if late := exec(t, s, "show jobs"); !strings.Contains(late, "held up") {
		t.Errorf("the slow view held up the quick one for %v and did not go on by itself:\n%s", waited, late)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := d.engine.WaitAll(ctx); err != nil {
		t.Fatal(err)
	}
	const quickly = "select sum(a.n * b.n) from (select x % 7 as k, count(*) as n from a group by k) a, (select x % 5 as k, count(*) as n from b group by k) b where a.k > b.k"
	if got := exec(t, s, "select n - ("+quickly+") = 0 from slow"); got != "+ t\n" {
		t.Errorf("the late view equals its query: %s", got)
	}
}
