package session

import (
	"flag"
	"fmt"
	"testing"
	"time"
)

var pauseRows = flag.Int("pause.rows", 500_000, "rows of the table of BenchmarkRescalePause; its view reads a tenth of them a second at first")

const (
	pauseRounds = 3                      // of 4, 2 and 1 actors
	pauseApart  = 300 * time.Millisecond // from one change of their number to the next
)

// BenchmarkRescalePause gives a view other numbers of actors while it reads its history and while it is in step. It reports the
// longest time in which the scan got on with no row, of which it tells every 100 ms, and the longest from a write until it showed in
// that view and in one beside it; and what each is without a change of actors.
func BenchmarkRescalePause(b *testing.B) {
	d, err := Open(Options{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close(b.Context())
	session := func() *Session {
		s, err := d.NewSession(Startup{})
		if err != nil {
			b.Fatal(err)
		}
		return s
	}
	s := session()
	exec(b, s, fmt.Sprintf(`create table t (id bigint primary key, g int);
		insert into t select n, n %% 1000 from generate_series(1, %d) n;
		create materialized view beside as select count(*) as n from t;
		set background_ddl = on; set backfill_rate_limit = %d;
		create materialized view v as select g, count(*) as n from t group by g`, *pauseRows, *pauseRows/10))
	rel, _ := d.engine.Catalog().Find("public", "v")
	read := func() { // until more rows were read
		for from := d.engine.Jobs()[rel.Job].Scanned; d.engine.Jobs()[rel.Job].Scanned == from; {
			time.Sleep(time.Millisecond)
		}
	}
	writer, next := session(), *pauseRows
	shows := func(view string) func() {
		return func() {
			next++
			exec(b, writer, fmt.Sprintf("insert into t values (%d, 1); select sum(n) from %s", next, view))
		}
	}
	rescale := func() {
		for range pauseRounds {
			for _, n := range []int{4, 2, 1} {
				exec(b, s, fmt.Sprintf("alter materialized view v set parallelism = %d", n))
				time.Sleep(pauseApart)
			}
		}
	}
	rest := func() { time.Sleep(3 * pauseRounds * pauseApart) }
	measure := func(name string, during func(), one func()) {
		b.ReportMetric(longest(during, one).Seconds()*1000, name+"-ms")
	}
	read()
	measure("scan-still", rest, read)
	measure("scan", rescale, read)
	if d.engine.Jobs()[rel.Job].Attached {
		b.Fatal("the history was read too soon; take more rows")
	}
	exec(b, s, "alter materialized view v set backfill_rate_limit = default; wait")
	for _, view := range []string{"v", "beside"} {
		one := shows(view)
		measure(view+"-still", rest, one)
		measure(view, rescale, one)
	}
	b.ReportMetric(0, "ns/op")
}

// longest runs one again and again until during has ended, and returns the longest time that one took.
func longest(during, one func()) (most time.Duration) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		during()
	}()
	for {
		began := time.Now()
		one()
		most = max(most, time.Since(began))
		select {
		case <-ended:
			return most
		default:
		}
	}
}
