package server_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/pgtest"
)

var killRounds = flag.Int("kill.rounds", 20, "rounds of SIGKILL under writers, capture and a view being built, all at once")

const (
	killWriters  = 2    // clients of the upstream, and as many of the server
	killRows     = 8000 // that the upstream has from the start
	killKeys     = 2 * killRows
	killRate     = 4000 // rows a second that histories read: one takes several rounds
	killSlowly   = 40   // and that the view reads until a kill has met it half built, on whatever machine
	killEvery    = 5    // rounds between two comparisons with the upstream, for which the upstream's writers rest
	killWorkMin  = 200  // milliseconds of work before a kill
	killWorkMore = 400
)

// killHalf is a view of a written table and a captured one; it is made again whenever it is complete.
const killHalf = "select o.g, count(*) as n, sum(o.v + t.v) as s from t join orders o on t.id = o.id group by o.g"

// TestKill kills the real binary while clients write, a PostgreSQL under load is captured and a view is being built, all at
// once. After each start every acknowledged row is there, none twice, and every view equals its query; whenever the
// upstream's writers rest the captured tables equal the upstream's.
func TestKill(t *testing.T) {
	pg := pgtest.Start(t, pgtest.Options{Logical: true})
	for _, table := range []string{"orders", "items"} {
		pg.Exec(fmt.Sprintf("create table %s (id bigint primary key, g bigint, v bigint); insert into %s select x, x %% 50, x from generate_series(1, %d) x", table, table, killRows))
	}
	s := &siege{t: t, pg: pg, bin: buildBinary(t), dir: t.TempDir(), led: newLedger()}
	up := startLoad(pg.DSN())
	defer up.stop()
	rnd := rand.New(rand.NewPCG(3, 4))
	for round := range *killRounds {
		srv := startBinary(t, s.bin, s.dir)
		if round == 0 {
			s.create(srv)
		} else {
			s.led.verify(t, srv, round)
		}
		s.renew(srv, round)
		wait := s.led.write(srv, killWriters, rnd.Uint64())
		time.Sleep(time.Duration(killWorkMin+rnd.IntN(killWorkMore)) * time.Millisecond) // the moment of the kill is the test's input
		srv.kill(t)
		wait()
		if (round+1)%killEvery == 0 || round == *killRounds-1 {
			s.atRest(up, round)
		}
	}
	if s.led.count() == 0 || up.written() == 0 || s.met == 0 {
		t.Errorf("%d rows were acknowledged here, %d transactions upstream; %d kills met a view half built", s.led.count(), up.written(), s.met)
	}
	t.Logf("%d rounds, %d acknowledged rows, %d upstream transactions; the view was made %d times, the captured table %d times; %d kills met the view half built",
		*killRounds, s.led.count(), up.written(), s.views, s.tables, s.met)
}

// siege is what the rounds share.
type siege struct {
	t             *testing.T
	pg            *pgtest.Server
	bin, dir      string
	led           *ledger
	views, tables int // how often they were made
	met           int // kills that met the view half built
}

func (s *siege) create(srv *binary) {
	s.led.create(s.t, srv)
	srv.texts(s.t, fmt.Sprintf("create source pg with (connector = 'postgres-cdc', hostname = '%s', port = '%d', username = 'postgres', database.name = 'postgres')", s.pg.Host, s.pg.Port))
	srv.texts(s.t, s.slowly(killRate, "create table orders (*) from pg table 'public.orders'"))
	srv.texts(s.t, "create materialized view order_sums as select g, count(*) as n, sum(v) as s from orders group by g")
}

// slowly lets a statement make something in the background whose history is read at a rate.
func (s *siege) slowly(rate int, sql string) string {
	return fmt.Sprintf("set background_ddl = true; set backfill_rate_limit = %d; %s", rate, sql)
}

// renew makes the view, and the captured table beside it, again when their histories are complete, so that each kill meets
// one half built.
func (s *siege) renew(srv *binary, round int) {
	jobs := fmt.Sprint(srv.texts(s.t, "show jobs"))
	if strings.Contains(jobs, "half") {
		s.met++
	} else if !strings.Contains(jobs, "public.orders") {
		if s.views > 0 {
			srv.equal(s.t, round, "select g, n, s from half", killHalf)
			srv.exec(s.t, "drop materialized view half")
		}
		rate := killRate
		if s.met == 0 {
			rate = killSlowly
		}
		srv.texts(s.t, s.slowly(rate, "create materialized view half as "+killHalf))
		s.views++
	}
	if !strings.Contains(jobs, "public.items") {
		if s.tables > 0 {
			srv.exec(s.t, "drop table items")
		}
		srv.texts(s.t, s.slowly(killRate, "create table items (*) from pg table 'public.items'"))
		s.tables++
	}
}

// atRest compares while the upstream's writers rest. They go on whatever comes of it: who stops them waits for them.
func (s *siege) atRest(up *load, round int) {
	defer up.pause()()
	s.compare(round)
}

// compare waits until everything is built, and compares the captured tables with the upstream, which rests.
func (s *siege) compare(round int) {
	srv := startBinary(s.t, s.bin, s.dir)
	defer srv.kill(s.t)
	if jobs := srv.texts(s.t, "show jobs"); strings.Contains(fmt.Sprint(jobs), "half") {
		srv.exec(s.t, "alter materialized view half set backfill_rate_limit = default")
	}
	end := time.Now().Add(answerMax)
	for jobs := srv.texts(s.t, "show jobs"); len(jobs) > 0; jobs = srv.texts(s.t, "show jobs") {
		if time.Now().After(end) {
			s.t.Fatalf("round %d: still building %v", round, jobs)
		}
		time.Sleep(20 * time.Millisecond)
	}
	for _, table := range []string{"orders", "items"} {
		query := "select id, g, v from " + table
		want := sortedTexts(s.pg.Query(query))
		for have := sortedTexts(srv.texts(s.t, query)); !slices.Equal(have, want); have = sortedTexts(srv.texts(s.t, query)) {
			if time.Now().After(end) {
				s.t.Fatalf("round %d: %s has %d rows, upstream %d; only here %v, only there %v", round, table, len(have), len(want), without(have, want), without(want, have))
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	s.led.verify(s.t, srv, round)
	srv.equal(s.t, round, "select g, n, s from order_sums", "select g, count(*), sum(v) from orders group by g")
	if s.views > 0 { // it waits for the history of what it reads
		srv.equal(s.t, round, "select g, n, s from half", killHalf)
	}
}

// without returns the first texts of a that b does not have.
func without(a, b []string) (out []string) {
	const shown = 10
	for _, x := range a {
		if _, ok := slices.BinarySearch(b, x); !ok && len(out) < shown {
			out = append(out, x)
		}
	}
	return out
}
