package capture_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/kv"
	"github.com/tidemark-db/tidemark/internal/kv/pebblekv"
	"github.com/tidemark-db/tidemark/internal/meta"
	"github.com/tidemark-db/tidemark/internal/pgtest"
)

// testDamagedRecord removes, cuts or flips the record of a source while the database is closed and the upstream goes on, in the
// middle of a table's history and after it, or sets it back to what it was in the middle. The database opens, others are not
// concerned, and the table is right once it was read again; one that was set back asks for that.
func testDamagedRecord(t *testing.T, pg *pgtest.Server) {
	flip := func(name string) func(kv.Write) kv.Write {
		return func(w kv.Write) kv.Write {
			w.New[strings.Index(string(w.New), name)+len(name)] ^= 1 // the first digit of a number, or what ends a name
			return w
		}
	}
	for _, c := range []struct {
		name   string
		change func(kv.Write) kv.Write
	}{
		{"removed", func(w kv.Write) kv.Write { return kv.Write{Key: w.Key} }},
		{"truncated", func(w kv.Write) kv.Write { w.New = w.New[:len(w.New)/2]; return w }},
		{"flipped name", flip(`"Tables`)},
		{"flipped place in the log", flip(`"Position":`)},
		{"set back", nil},
	} {
		for _, phase := range []string{"SCANNING", "LIVE"} {
			if c.change == nil && phase == "SCANNING" {
				continue // it is set back to that
			}
			t.Run(c.name+" "+phase, func(t *testing.T) { damagedRecord(t, pg, phase, c.change) })
		}
	}
}

func damagedRecord(t *testing.T, pg *pgtest.Server, phase string, change func(kv.Write) kv.Write) {
	w := newWorld(t, pg, "CREATE TABLE acc (id int PRIMARY KEY, v int); INSERT INTO acc SELECT g, 0 FROM generate_series(1, 3000) g")
	w.exec("CREATE TABLE own (id int PRIMARY KEY); INSERT INTO own VALUES (1); CREATE MATERIALIZED VIEW beside AS SELECT count(*) AS n FROM own")
	w.exec("CREATE SOURCE up " + w.with())
	w.exec("SET background_ddl = on; SET backfill_rate_limit = 300; CREATE TABLE acc (*) FROM up TABLE 'public.acc'; SET backfill_rate_limit = DEFAULT")
	w.exec("CREATE MATERIALIZED VIEW sums AS SELECT count(*) AS n, sum(v) AS v FROM acc; SET background_ddl = off")
	w.until(func() bool { return len(w.exec("SELECT FROM tm_captured_tables WHERE rows_read > 0")) > 0 })
	w.exec("ALTER TABLE acc SET backfill_rate_limit = 0")
	var record kv.Write
	take := func(s *pebblekv.Store) []kv.Write {
		captures, err := meta.LoadCaptures(s.Meta())
		if err != nil || len(captures) != 1 {
			t.Fatal(captures, err)
		}
		for source, rec := range captures {
			record = meta.PutCapture(source, rec)
		}
		return nil
	}
	if state := w.exec("SELECT state FROM tm_captured_tables"); !slices.Equal(state, []string{"SCANNING"}) {
		t.Fatal(state)
	}
	w.close()
	w.plant(take)
	if phase == "LIVE" {
		early := record
		w.open()
		w.exec("ALTER TABLE acc SET backfill_rate_limit = DEFAULT")
		w.same("SELECT * FROM acc")
		w.pg.Exec("UPDATE acc SET v = 5 WHERE id % 3 = 0; DELETE FROM acc WHERE id IN (20, 2900)")
		w.same("SELECT * FROM acc")
		w.close()
		if w.plant(take); change == nil {
			record = early
		}
	}
	w.pg.Exec("UPDATE acc SET v = v + 1 WHERE id % 2 = 0; DELETE FROM acc WHERE id IN (10, 2800); INSERT INTO acc VALUES (4000, 2)")
	if change != nil {
		record = change(record)
	}
	w.plant(func(*pebblekv.Store) []kv.Write { return []kv.Write{record} })
	w.open()
	w.exec("INSERT INTO own VALUES (2)")
	if got := w.exec("SELECT n FROM beside"); !slices.Equal(got, []string{"2"}) {
		t.Errorf("its neighbour answers %v", got)
	}
	if change == nil {
		w.until(func() bool { return strings.Contains(w.jobs(), "begins at") })
		w.exec("REFRESH SOURCE up")
	}
	w.exec("ALTER TABLE acc SET backfill_rate_limit = DEFAULT")
	w.same("SELECT * FROM acc")
	w.follows("SELECT * FROM sums", "SELECT count(*), sum(v) FROM acc")
	if found := w.exec("VERIFY MATERIALIZED VIEW sums"); len(found) > 0 {
		t.Error(found)
	}
}
