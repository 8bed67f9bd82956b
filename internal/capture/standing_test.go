package capture_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/pgtest"
)

// TestStanding compares what is shown of a source with what the server says: positions, bytes, and the progress of a history.
func TestStanding(t *testing.T) {
	pg := pgtest.Start(t, pgtest.Options{Logical: true})
	w := newWorld(t, pg, `CREATE TABLE h (id int PRIMARY KEY, v text); INSERT INTO h SELECT x, repeat('v', 100) FROM generate_series(1, 20000) x; ANALYZE h;
CREATE TABLE s (id int PRIMARY KEY)`)
	w.exec("CREATE SOURCE up " + w.with("slot.name = 'mine'"))
	w.exec("CREATE TABLE s (*) FROM up TABLE 's'; SET background_ddl = true; SET backfill_rate_limit = 500; CREATE TABLE h (*) FROM up TABLE 'h'")
	const enough = 5 // looks at the middle; until then the history is read so slowly that no machine misses it
	var last float64
	seen := 0
	w.until(func() bool {
		rows := w.exec("SELECT rows_read, rows_total, progress, ranges_read, ranges_passed, state FROM tm_captured_tables WHERE name = 'h'")
		if len(rows) == 0 { // the source has not looked at it
			return false
		}
		f := strings.Split(rows[0], "|")
		p := strings.Split(w.exec("SELECT split_total_count, split_backfilled_count, split_completed_count FROM rw_catalog.rw_cdc_progress p JOIN tm_captured_tables t ON t.job = p.job_id WHERE name = 'h'")[0], "|")
		progress, _ := strconv.ParseFloat(f[2], 64)
		if progress < last || progress == 100 && f[5] != "STREAMING" {
			t.Fatalf("progress fell from %v: %v", last, f)
		}
		if last = progress; progress > 1 && progress < 90 && seen < enough {
			seen++
			read, total := number(t, f[0]), number(t, p[0])
			if f[1] != "20000" || read*100/20000 != int(progress) {
				t.Errorf("of 20000 rows %v", f)
			}
			if total < 20000/50-1 || total < number(t, p[1]) { // ranges of 50 rows, of fewer after a slow read
				t.Errorf("splits %v of %v", p, f)
			}
			if jobs := w.jobs(); jobs != "" && !strings.Contains(jobs, "/20000 rows)|SCANNING|") {
				t.Errorf("jobs %s", jobs)
			}
			if seen == enough {
				w.exec("ALTER TABLE h SET backfill_rate_limit = DEFAULT")
			}
		}
		return progress == 100
	})
	if seen == 0 {
		t.Error("the middle was not seen")
	}
	// In step there is no lag, and the positions are the server's.
	w.pg.Exec("INSERT INTO s VALUES (1)")
	at := w.upstream("SELECT pg_current_wal_lsn()")[0]
	w.until(func() bool {
		f := strings.Split(w.exec("SELECT state, lag_bytes, lag, position, upstream_position, tables_live FROM tm_sources")[0], "|")
		return f[0] == "STREAMING" && f[1] == "0" && f[2] == "00:00:00" && w.upstream(fmt.Sprintf("SELECT '%s'::pg_lsn >= '%s' AND '%[1]s'::pg_lsn <= pg_current_wal_lsn()", f[3], at))[0] == "t" && f[5] == "2"
	})
	kept := number(t, w.exec("SELECT kept_bytes FROM tm_sources")[0])
	if truth := number(t, w.upstream("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) FROM pg_replication_slots")[0]); kept > truth+1<<20 || truth > kept+1<<20 {
		t.Errorf("%d bytes are kept, the server says %d", kept, truth)
	}
	// Away from the server it falls behind, and goes on when it is told to.
	w.pg.Stop()
	w.until(func() bool {
		rows := w.exec("SELECT state FROM tm_sources WHERE lag > interval '1 s' AND reason LIKE '%hostname and port%'")
		return len(rows) == 1 && rows[0] == "CONNECTING"
	})
	w.pg.Restart()
	w.pg.Exec("INSERT INTO s VALUES (2)")
	w.exec("ALTER JOB " + w.exec("SELECT job FROM tm_sources")[0] + " RESUME")
	w.same("SELECT * FROM s")
}

func number(t testing.TB, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// testPublicationTrouble loses the publication, and a table of it: what follows is told of, nothing is missed in silence, and
// ALTER JOB reads by difference what is in doubt. Views answer all the time.
func testPublicationTrouble(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, "CREATE TABLE a (id int PRIMARY KEY, v int); INSERT INTO a SELECT x, 0 FROM generate_series(1, 2000) x; CREATE TABLE b (id int PRIMARY KEY); CREATE TABLE c (id int PRIMARY KEY)")
	w.exec("CREATE SOURCE up " + w.with("slot.name = 'mine'", "publication.name = 'pub'"))
	w.exec("CREATE TABLE a (*) FROM up TABLE 'a'; CREATE TABLE b (*) FROM up TABLE 'b'; CREATE TABLE c (*) FROM up TABLE 'c'")
	w.exec("CREATE MATERIALIZED VIEW m AS SELECT v, count(*) AS n FROM a GROUP BY v; CREATE SUBSCRIPTION ch FROM a WITH (retention = '1h'); FLUSH")
	w.pg.Exec("ALTER PUBLICATION pub DROP TABLE a; INSERT INTO a VALUES (-1, 1); INSERT INTO b VALUES (1); DROP TABLE c")
	w.told("FAILED", `leaves out public.a`)
	w.told("FAILED", `"public.c" does not exist`)
	w.same("SELECT * FROM b")
	if rows := w.exec("SELECT n FROM m"); len(rows) != 1 || rows[0] != "2000" {
		t.Errorf("the view has %v", rows)
	}
	w.exec("DROP TABLE c; DECLARE changes SUBSCRIPTION CURSOR FOR ch SINCE now()")
	w.exec("ALTER JOB " + w.job("a") + " RESUME")
	w.same("SELECT * FROM a")
	w.exec("FLUSH")
	if rows := w.exec("FETCH 1000 FROM changes"); len(rows) != 1 {
		t.Errorf("%d changes were made of 1 difference", len(rows))
	}
	w.pg.Exec("DROP PUBLICATION pub; UPDATE a SET v = 2 WHERE id < 10; INSERT INTO b VALUES (2); CREATE PUBLICATION pub FOR TABLE a")
	w.told("CONNECTING", `publication "pub" was dropped: changes since`)
	w.exec("SELECT * FROM m")
	w.exec("ALTER JOB " + w.job("up") + " RESUME")
	w.same("SELECT * FROM a")
	w.same("SELECT * FROM b")
	w.follows("SELECT * FROM m", "SELECT v, count(*) FROM a GROUP BY v")
	w.pg.Exec("DELETE FROM a WHERE id > 100; INSERT INTO b VALUES (3)")
	w.same("SELECT * FROM a")
	w.same("SELECT * FROM b")
}

// testPartsArePublished alters the publication so that it gives a part of what happens to a table: the table stops and says why,
// and is read by difference once it is published as a whole. What was left out for a moment only is noticed, too.
func testPartsArePublished(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, "CREATE TABLE a (id int PRIMARY KEY, v int); INSERT INTO a SELECT x, 0 FROM generate_series(1, 500) x; CREATE TABLE b (id int PRIMARY KEY); CREATE PUBLICATION pub FOR TABLE a, b")
	w.exec("CREATE SOURCE up " + w.with("slot.name = 'mine'", "publication.name = 'pub'"))
	w.exec("CREATE TABLE a (*) FROM up TABLE 'a'; CREATE TABLE b (*) FROM up TABLE 'b'")
	change := "; INSERT INTO a SELECT max(id) + 1, 7 FROM a; UPDATE a SET v = v + 1 WHERE id % 50 = 0; DELETE FROM a WHERE id = (SELECT min(id) FROM a); INSERT INTO b SELECT count(*) FROM b"
	whole := "ALTER PUBLICATION pub SET TABLE a, b"
	for alter, reason := range map[string]string{"SET TABLE a WHERE (id < 100), b": "rows or columns of public.a", "SET TABLE a (id), b": "rows or columns of public.a"} {
		pg.Exec("ALTER PUBLICATION pub " + alter + change)
		w.told("FAILED", reason)
		if _, err := w.try("ALTER JOB " + w.job("a") + " RESUME"); !errs.Of(err, errs.PublicationLacks) {
			t.Errorf("%s: %v", alter, err)
		}
		w.same("SELECT * FROM b")
		pg.Exec(whole)
		w.exec("ALTER JOB " + w.job("a") + " RESUME")
		w.same("SELECT * FROM a")
	}
	pg.Exec("ALTER PUBLICATION pub SET (publish = 'insert')" + change)
	w.told("FAILED", "some kinds of changes of public.a")
	w.told("FAILED", "some kinds of changes of public.b")
	pg.Exec("ALTER PUBLICATION pub SET (publish = 'insert, update, delete, truncate')")
	w.exec("ALTER JOB " + w.job("a") + " RESUME; ALTER JOB " + w.job("b") + " RESUME")
	w.same("SELECT * FROM a")
	w.same("SELECT * FROM b")
	pg.Exec("BEGIN; ALTER PUBLICATION pub DROP TABLE a; COMMIT" + change + "; BEGIN; " + whole + "; COMMIT")
	w.told("FAILED", "has left out changes of public.a")
	w.exec("ALTER JOB " + w.job("a") + " RESUME")
	w.same("SELECT * FROM a")
	w.close()
	pg.Exec("BEGIN; ALTER PUBLICATION pub SET TABLE a WHERE (id < 0), b; COMMIT" + change + "; BEGIN; " + whole + "; COMMIT")
	w.open()
	w.same("SELECT * FROM a")
	w.same("SELECT * FROM b")
}
