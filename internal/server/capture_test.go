package server_test

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tidemark-db/tidemark/internal/pgtest"
)

var (
	captureSeconds = flag.Int("capture.seconds", 10, "how long pgbench runs")
	captureKills   = flag.Int("capture.kills", 3, "times the real binary is killed meanwhile")
)

// captured are the tables of pgbench and views over them, each with its query upstream.
var captured = map[string]string{
	"select bid, bbalance, filler from pgbench_branches":                  "",
	"select tid, bid, tbalance, filler from pgbench_tellers":              "",
	"select aid, bid, abalance, filler from pgbench_accounts":             "",
	"select id, tid, bid, aid, delta, mtime, filler from pgbench_history": "",
	"select bid, total, n from branch_sums":                               "select bid, sum(abalance), count(*) from pgbench_accounts group by bid",
	"select tid, tbalance from top_tellers":                               "select tid, tbalance from pgbench_tellers order by tbalance desc, tid limit 5",
	"select bid, tid, n, delta, balance from flow": "select b.bid, t.tid, count(*), sum(h.delta), min(b.bbalance) from pgbench_history h" +
		" join pgbench_tellers t on h.tid = t.tid join pgbench_branches b on b.bid = t.bid group by b.bid, t.tid",
}

// TestCapture runs pgbench on a real PostgreSQL whose tables are captured, and kills the real binary meanwhile. After the
// last commit the tables and every view equal PostgreSQL's own answers.
func TestCapture(t *testing.T) {
	pg := pgtest.Start(t, pgtest.Options{Logical: true})
	if out, err := pg.Program("pgbench", "-i", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	pg.Exec("ALTER TABLE pgbench_history ADD COLUMN id bigserial PRIMARY KEY")
	bin, dir := buildBinary(t), t.TempDir()
	srv := startBinary(t, bin, dir)
	srv.texts(t, fmt.Sprintf("create source pg with (connector = 'postgres-cdc', hostname = '%s', port = '%d', username = 'postgres', database.name = 'postgres')", pg.Host, pg.Port))

	load := pg.Program("pgbench", "-n", "-c", "4", "-T", fmt.Sprint(*captureSeconds))
	var report strings.Builder
	load.Stdout, load.Stderr = &report, &report
	if err := load.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- load.Wait() }()

	// History takes half of the time, so that the first kills fall into it.
	srv.texts(t, fmt.Sprintf("set background_ddl = true; set backfill_rate_limit = %d;", 200_000 / *captureSeconds)+" create table pgbench_branches (*) from pg table 'public.pgbench_branches';"+
		" create table pgbench_tellers (*) from pg table 'public.pgbench_tellers'; create table pgbench_accounts (*) from pg table 'public.pgbench_accounts';"+
		" create table pgbench_history (*) from pg table 'public.pgbench_history'")
	for range *captureKills {
		time.Sleep(time.Duration(*captureSeconds) * time.Second / time.Duration(*captureKills+1)) // the moment of the kill is the test's input
		srv.kill(t)
		srv = startBinary(t, bin, dir)
		srv.texts(t, "create materialized view if not exists branch_sums as select bid, sum(abalance) as total, count(*) as n from pgbench_accounts group by bid")
		srv.texts(t, "create materialized view if not exists top_tellers as select tid, tbalance from pgbench_tellers order by tbalance desc, tid limit 5")
		srv.texts(t, "create materialized view if not exists flow as select b.bid, t.tid, count(*) as n, sum(h.delta) as delta, min(b.bbalance) as balance from pgbench_history h"+
			" join pgbench_tellers t on h.tid = t.tid join pgbench_branches b on b.bid = t.bid group by b.bid, t.tid")
	}
	if err := <-ended; err != nil {
		t.Fatalf("%v\n%s", err, report.String())
	}
	last := time.Now()
	for len(srv.texts(t, "show jobs")) > 0 && time.Since(last) < answerMax {
		time.Sleep(20 * time.Millisecond) // history that is still being read; tables without it refuse to answer
	}
	for here, there := range captured {
		if there == "" {
			there = here
		}
		want := sortedTexts(pg.Query(there))
		for !slices.Equal(sortedTexts(srv.texts(t, here)), want) {
			if time.Since(last) > answerMax {
				t.Fatalf("%s: %d rows, want %d; jobs %v", here, len(srv.texts(t, here)), len(want), srv.texts(t, "show jobs"))
			}
			time.Sleep(20 * time.Millisecond) // it follows; how soon is not this test's question
		}
		t.Logf("%d rows after %v: %s", len(want), time.Since(last).Round(time.Millisecond), here)
	}
	t.Log(report.String())
}

// texts runs statements and returns the rows of the last one as the protocol's texts.
func (b *binary) texts(t *testing.T, sql string) [][]string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), answerMax)
	defer cancel()
	conn, err := pgconn.Connect(ctx, b.dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	results, err := conn.Exec(ctx, sql).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	var out [][]string
	for _, row := range results[len(results)-1].Rows {
		texts := make([]string, len(row))
		for i, v := range row {
			texts[i] = "NULL"
			if v != nil {
				texts[i] = string(v)
			}
		}
		out = append(out, texts)
	}
	return out
}

func sortedTexts(rows [][]string) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = strings.Join(r, "|")
	}
	slices.Sort(out)
	return out
}
