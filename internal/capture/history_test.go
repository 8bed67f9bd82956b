package capture_test

import (
	"fmt"
	"testing"

	"github.com/tidemark-db/tidemark/internal/pgtest"
)

// testHistoryMeetsChanges changes rows before, in and behind the range that is read, with restarts in the middle.
func testHistoryMeetsChanges(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, "CREATE TABLE acc (id int PRIMARY KEY, v int); INSERT INTO acc SELECT g, 0 FROM generate_series(1, 20000) g")
	w.exec("CREATE SOURCE up " + w.with())
	// So slowly that it takes minutes until the table may be read, and no slow machine gets there before it is asked.
	w.exec("SET background_ddl = true; SET backfill_rate_limit = 100; CREATE TABLE acc (*) FROM up TABLE 'public.acc'")
	for i := range 10 {
		w.pg.Exec(fmt.Sprintf("UPDATE acc SET v = v + 1 WHERE id %% 10 = %d; DELETE FROM acc WHERE id %% 1000 = %d", i, i))
		w.pg.Exec(fmt.Sprintf("UPDATE acc SET id = id - 30000 WHERE id > 0 AND id %% 500 = %d; UPDATE acc SET id = id + 60000 WHERE id > 0 AND id %% 500 = %d", i+20, i+50))
		w.pg.Exec(fmt.Sprintf("INSERT INTO acc VALUES (%d, 5), (%d, 6); UPDATE acc SET v = v + 1 WHERE id = %d", i-50, 100000+i, i-50))
		if i == 3 || i == 7 {
			if _, err := w.try("SELECT count(*) FROM acc"); i == 3 && err == nil {
				t.Error("a table without its history was read")
			}
			w.restart()
			w.exec("ALTER TABLE acc SET backfill_rate_limit = 8000")
		}
	}
	w.same("SELECT * FROM acc")
}

// testKeys reads histories by all kinds of keys, and follows changes of the keys.
func testKeys(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, `
CREATE TABLE g (a int, b text, c int, d int GENERATED ALWAYS AS (c * 2) STORED, PRIMARY KEY (b, a));
INSERT INTO g(a, b, c) SELECT x, 'k' || (x % 3), x FROM generate_series(1, 3000) x;
CREATE TABLE u (id uuid PRIMARY KEY, v int);
INSERT INTO u SELECT md5(x::text)::uuid, x FROM generate_series(1, 1000) x;
CREATE TABLE ts (d date, t timestamptz, s timestamp(3), v int, PRIMARY KEY (t, d, s));
INSERT INTO ts SELECT '2000-01-01'::date - x, '1999-12-31 23:00Z'::timestamptz + x * interval '7 h', '1970-01-01'::timestamp + x * interval '1 ms', x FROM generate_series(1, 1000) x;
CREATE TABLE n (k numeric PRIMARY KEY, v text COLLATE "C");
INSERT INTO n SELECT x / 7.0, 'v' || x FROM generate_series(1, 1000) x;
CREATE TABLE "Odd.name" ("Id" bigint PRIMARY KEY, "select" text);
INSERT INTO "Odd.name" SELECT x, 'it''s ' || x FROM generate_series(1, 10) x`)
	w.exec("CREATE SOURCE up " + w.with())
	for _, table := range []string{"g", "u", "ts", "n"} {
		w.exec(fmt.Sprintf("CREATE TABLE %s (*) FROM up TABLE 'public.%s'", table, table))
	}
	w.exec(`CREATE TABLE odd (*) FROM up TABLE 'public.Odd.name'`)
	w.pg.Exec(`
UPDATE g SET c = 0 WHERE a % 10 = 0; DELETE FROM g WHERE b = 'k2'; UPDATE g SET b = 'moved' WHERE a < 100; UPDATE g SET a = -a WHERE a > 2900;
UPDATE u SET v = -v WHERE v % 2 = 0; UPDATE u SET id = md5('x' || v)::uuid WHERE v < 0;
UPDATE ts SET t = t + interval '1 year' WHERE v % 3 = 0; DELETE FROM ts WHERE v % 3 = 1;
UPDATE n SET v = 'w' WHERE k > 100; DELETE FROM n WHERE k < 10; UPDATE n SET k = -k WHERE k < 50;
UPDATE "Odd.name" SET "select" = 'x' WHERE "Id" = 3; DELETE FROM "Odd.name" WHERE "Id" > 8`)
	w.same("SELECT a, b, c FROM g")
	w.same("SELECT * FROM u")
	w.same("SELECT * FROM ts")
	w.same("SELECT * FROM n")
	w.follows("SELECT * FROM odd", `SELECT * FROM "Odd.name"`)
}

// testKeysMoveInOneTransaction swaps keys under a constraint that is checked at the end.
func testKeysMoveInOneTransaction(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, `CREATE TABLE pk (id int PRIMARY KEY DEFERRABLE INITIALLY IMMEDIATE, v text); ALTER TABLE pk REPLICA IDENTITY FULL;
INSERT INTO pk VALUES (1, 'a'), (2, 'b'), (3, 'c')`)
	w.exec("CREATE SOURCE up " + w.with())
	w.exec("CREATE TABLE pk (*) FROM up TABLE 'public.pk'")
	w.pg.Exec(`BEGIN; SET CONSTRAINTS ALL DEFERRED; UPDATE pk SET id = 3 - id WHERE id < 3; UPDATE pk SET id = id + 1;
DELETE FROM pk WHERE v = 'c'; INSERT INTO pk VALUES (4, 'c2'); COMMIT`)
	w.same("SELECT * FROM pk")
}

// testTruncate empties tables in the middle of transactions, also one whose history is being read.
func testTruncate(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, `CREATE TABLE a (id int PRIMARY KEY, v int); CREATE TABLE b (id int PRIMARY KEY, v int); CREATE TABLE c (id int PRIMARY KEY);
INSERT INTO a VALUES (1, 1), (2, 2); INSERT INTO b VALUES (1, 1); INSERT INTO c SELECT generate_series(1, 5000)`)
	w.exec("CREATE SOURCE up " + w.with())
	w.exec("CREATE TABLE a (*) FROM up TABLE 'public.a'; CREATE TABLE b (*) FROM up TABLE 'public.b'")
	w.exec("SET background_ddl = true; SET backfill_rate_limit = 2000; CREATE TABLE c (*) FROM up TABLE 'public.c'")
	w.pg.Exec("BEGIN; INSERT INTO a VALUES (3, 3); TRUNCATE a; INSERT INTO a VALUES (9, 9); COMMIT; INSERT INTO b VALUES (2, 2)")
	w.same("SELECT * FROM a")
	w.same("SELECT * FROM b")
	w.pg.Exec("TRUNCATE a, c; INSERT INTO c SELECT generate_series(3, 400)")
	w.same("SELECT * FROM a")
	w.same("SELECT * FROM c")
}

// testUnchangedValues keeps large values that the log leaves out, also where the row before is not here yet.
func testUnchangedValues(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, `CREATE TABLE doc (id int PRIMARY KEY, n int, body text, js jsonb); ALTER TABLE doc ALTER COLUMN body SET STORAGE EXTERNAL;
INSERT INTO doc SELECT x, 1, repeat(chr(97 + x % 26), 5000), jsonb_build_object('k', repeat('y', 9000)) FROM generate_series(1, 300) x`)
	w.exec("CREATE SOURCE up " + w.with())
	w.exec("SET background_ddl = true; SET backfill_rate_limit = 50; CREATE TABLE doc (*) FROM up TABLE 'public.doc'")
	w.pg.Exec("UPDATE doc SET n = n + 1; UPDATE doc SET id = -id WHERE id > 200")
	w.pg.Exec("UPDATE doc SET id = 1000 + n WHERE id = -250; DELETE FROM doc WHERE id = -260; UPDATE doc SET id = -300 - n WHERE id = -270")
	w.exec("ALTER TABLE doc SET backfill_rate_limit = DEFAULT")
	w.same("SELECT id, n, length(body), md5(body), js FROM doc")
	w.pg.Exec("INSERT INTO doc VALUES (2000, 1, repeat('z', 30000), '{}'); UPDATE doc SET n = n + 1; UPDATE doc SET body = NULL WHERE id = 1; UPDATE doc SET n = 100 WHERE id = 1")
	w.same("SELECT id, n, length(body), md5(body), js FROM doc")
}

// testPartitions follows a partitioned table as one, with partitions that come and go.
func testPartitions(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, `CREATE TABLE ev (id int, day date, v int, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
CREATE TABLE ev1 PARTITION OF ev FOR VALUES FROM ('2024-01-01') TO ('2024-02-01');
CREATE TABLE ev2 PARTITION OF ev FOR VALUES FROM ('2024-02-01') TO ('2024-03-01');
INSERT INTO ev VALUES (1, '2024-01-05', 1), (2, '2024-02-05', 2)`)
	w.exec("CREATE SOURCE up " + w.with())
	w.exec("CREATE TABLE ev (*) FROM up TABLE 'public.ev'")
	w.pg.Exec(`INSERT INTO ev VALUES (3, '2024-01-06', 3); UPDATE ev SET day = '2024-02-20' WHERE id = 1;
CREATE TABLE ev3 PARTITION OF ev FOR VALUES FROM ('2024-03-01') TO ('2024-04-01'); INSERT INTO ev VALUES (4, '2024-03-03', 4); DELETE FROM ev WHERE id = 3`)
	w.same("SELECT * FROM ev")
}
