package capture_test

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-db/tidemark/internal/connector/builtin"
	"github.com/tidemark-db/tidemark/internal/pgtest"
	"github.com/tidemark-db/tidemark/internal/session"
	"github.com/tidemark-db/tidemark/internal/types"
)

// followMax bounds how long a table may take to show what was committed upstream; it is reached only when a test fails.
const followMax = 5 * time.Minute

// world is a PostgreSQL server and a database that captures from it.
type world struct {
	t   testing.TB
	pg  *pgtest.Server
	dir string
	d   *session.Database
	s   *session.Session
	// patience is followMax, or what a benchmark needs.
	patience time.Duration
}

// newWorld opens a database beside a server that has nothing but what setup makes.
func newWorld(t testing.TB, pg *pgtest.Server, setup string) *world {
	t.Helper()
	w := &world{t: t, pg: pg, dir: t.TempDir(), patience: followMax}
	w.until(func() bool { // the readers of the world before may be on their way out
		_, err := pg.Try("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots")
		return err == nil
	})
	pg.Exec("DROP SCHEMA public CASCADE; CREATE SCHEMA public;" +
		"DO $$ DECLARE p name; BEGIN FOR p IN SELECT pubname FROM pg_publication LOOP EXECUTE format('DROP PUBLICATION %I', p); END LOOP; END $$")
	if setup != "" {
		pg.Exec(setup)
	}
	w.open()
	t.Cleanup(w.close)
	return w
}

// TestPostgres runs what needs no server of its own.
func TestPostgres(t *testing.T) {
	pg := pgtest.Start(t, pgtest.Options{Logical: true})
	for _, c := range []struct {
		name string
		run  func(*testing.T, *pgtest.Server)
	}{
		{"follows all changes", testFollowsAllChanges}, {"history meets changes", testHistoryMeetsChanges}, {"keys", testKeys}, {"key orders", testKeyOrders}, {"keys in one go", testKeysInOneGo},
		{"keys move in one transaction", testKeysMoveInOneTransaction}, {"truncate", testTruncate}, {"unchanged values", testUnchangedValues},
		{"partitions", testPartitions}, {"types", testTypes}, {"slot moves while nothing is captured", testSlotMoves},
		{"commits that nobody sees", testCommitsNobodySees}, {"foreign slot and publication stay", testForeignSlotAndPublicationStay}, {"TLS", testTLS}, {"create is interrupted", testCreateIsInterrupted}, {"large transactions", testLargeTransactions}, {"row too large", testRowTooLarge}, {"refresh", testRefresh}, {"columns change upstream", testColumnsChangeUpstream},
		{"examples of the docs", testDocs}, {"upstream only", testUpstreamOnly}, {"lost slot", testLostSlot}, {"a window without its place", testUnplaced}, {"a damaged record", testDamagedRecord}, {"publication trouble", testPublicationTrouble}, {"parts are published", testPartsArePublished}, {"rows are read only", testRowsAreReadOnly},
		{"odd types", testOddTypes}, {"unchanged values under identities", testUnchangedUnderIdentities}, {"key changes upstream", testKeyChangesUpstream}, {"altered during history", testAlteredDuringHistory},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, pg) })
	}
}

func (w *world) open() {
	w.t.Helper()
	w.openWith(session.Options{Dir: w.dir, Systems: builtin.Systems()})
}

func (w *world) openWith(o session.Options) {
	w.t.Helper()
	var err error
	if w.d, err = session.Open(o); err != nil {
		w.t.Fatal(err)
	}
	if w.s, err = w.d.NewSession(session.Startup{}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) close() {
	w.s.Close()
	if err := w.d.Close(context.Background()); err != nil {
		w.t.Error(err)
	}
}

// restart ends the database and opens it again.
func (w *world) restart() {
	w.t.Helper()
	w.close()
	w.open()
}

// with are the options of the server as the upstream.
func (w *world) with(more ...string) string {
	all := append([]string{"connector = 'postgres-cdc'", fmt.Sprintf("hostname = '%s'", w.pg.Host), fmt.Sprintf("port = '%d'", w.pg.Port),
		"username = 'postgres'", "database.name = 'postgres'"}, more...)
	return "WITH (" + strings.Join(all, ", ") + ")"
}

// try runs statements and returns the rows of the last one as texts.
func (w *world) try(sql string) (rows []string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), w.patience)
	defer cancel()
	err = w.s.Simple(ctx, sql, func(r session.Result) error {
		rows = nil
		for {
			c, err := r.Next(ctx)
			if err != nil {
				return err
			}
			if c == nil {
				break
			}
			for i := range c.Rows() {
				rows = append(rows, textRow(r.Columns(), c.Row(i)))
			}
		}
		_, err := r.Finish(ctx)
		return err
	})
	if err != nil {
		w.s.Abort()
	}
	return rows, err
}

func textRow(cols []session.Column, row types.Row) string {
	parts := make([]string, len(row))
	for i, d := range row {
		parts[i] = "NULL"
		if !d.IsNull() {
			parts[i] = types.Format(cols[i].Type, d, types.Ctx{})
		}
	}
	return strings.Join(parts, "|")
}

// exec runs statements that must not fail.
func (w *world) exec(sql string) []string {
	w.t.Helper()
	rows, err := w.try(sql)
	if err != nil {
		w.t.Fatalf("%s: %v", sql, err)
	}
	return rows
}

// upstream runs a query on PostgreSQL.
func (w *world) upstream(sql string) []string {
	w.t.Helper()
	var out []string
	for _, r := range w.pg.Query(sql) {
		out = append(out, strings.Join(r, "|"))
	}
	return out
}

// dropSlot drops a slot upstream once the server has noticed that its reader is gone.
func (w *world) dropSlot(name string) {
	w.t.Helper()
	w.until(func() bool {
		_, err := w.pg.Try("SELECT pg_drop_replication_slot('" + name + "')")
		return err == nil
	})
}

// follows waits until a query has the same rows here and upstream.
func (w *world) follows(here, there string) {
	w.t.Helper()
	want := sorted(w.upstream(there))
	var have []string
	for end := time.Now().Add(w.patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		rows, err := w.try(here)
		if err != nil {
			have = []string{err.Error()}
			continue
		}
		if have = sorted(rows); strings.Join(have, "\n") == strings.Join(want, "\n") {
			return
		}
	}
	w.t.Fatalf("jobs %q\n%s: %d rows\n%s\nwant %d\n%s", w.exec("SHOW JOBS"), here, len(have), head(have), len(want), head(want))
}

func (w *world) same(sql string) { w.t.Helper(); w.follows(sql, sql) }

func sorted(rows []string) []string { sort.Strings(rows); return rows }

func head(rows []string) string { return strings.Join(rows[:min(len(rows), 20)], "\n") }

// until waits for a condition.
func (w *world) until(ok func() bool) {
	w.t.Helper()
	for end := time.Now().Add(w.patience); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatal("it does not come to pass")
		}
	}
}

// job is the number of a source or table in SHOW JOBS.
func (w *world) job(name string) string {
	w.t.Helper()
	return w.exec("SELECT job FROM tm_sources WHERE name = '" + name + "' UNION ALL SELECT job FROM tm_captured_tables WHERE name = '" + name + "'")[0]
}

// told waits until SHOW JOBS has a state and a reason.
func (w *world) told(state, reason string) {
	w.t.Helper()
	w.until(func() bool {
		jobs := w.jobs()
		return strings.Contains(jobs, state) && strings.Contains(jobs, reason)
	})
}
