package capture_test

import (
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/pgtest"
)

// testUnchangedUnderIdentities leaves large values out of the log under each kind of identity that a captured table may have.
func testUnchangedUnderIdentities(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, `CREATE TABLE f (id int PRIMARY KEY, n int, body text); ALTER TABLE f ALTER COLUMN body SET STORAGE EXTERNAL; ALTER TABLE f REPLICA IDENTITY FULL; INSERT INTO f SELECT x, 0, repeat('f', 4000) FROM generate_series(1, 50) x;
CREATE TABLE i (id int NOT NULL, n int, body text); ALTER TABLE i ALTER COLUMN body SET STORAGE EXTERNAL; ALTER TABLE i ADD CONSTRAINT ikey PRIMARY KEY (id); ALTER TABLE i REPLICA IDENTITY USING INDEX ikey; INSERT INTO i SELECT x, 0, repeat('i', 4000) FROM generate_series(1, 50) x`)
	w.exec("CREATE SOURCE up " + w.with())
	for _, name := range []string{"f", "i"} {
		w.exec("CREATE TABLE " + name + " (*) FROM up TABLE '" + name + "'")
		w.pg.Exec("UPDATE " + name + " SET n = 1 WHERE id < 10; UPDATE " + name + " SET id = -id WHERE id % 7 = 0; DELETE FROM " + name + " WHERE id = 3")
		w.same("SELECT * FROM " + name)
	}
	w.pg.Exec("ALTER TABLE f REPLICA IDENTITY DEFAULT; UPDATE f SET n = 2 WHERE id > 40; UPDATE f SET id = id + 1000 WHERE id = 20; DELETE FROM f WHERE id = 21")
	w.same("SELECT * FROM f")
	w.pg.Exec("ALTER TABLE i REPLICA IDENTITY FULL; UPDATE i SET n = 2 WHERE id > 40; UPDATE i SET id = id + 1000 WHERE id = 20; DELETE FROM i WHERE id = 21")
	w.same("SELECT * FROM i")
}

// testKeyChangesUpstream gives a table another key, and another identity, while it is followed: the log does not tell which row
// a change is of then. The table stops and says why, and the other one goes on.
func testKeyChangesUpstream(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, `CREATE TABLE k (id int PRIMARY KEY, other int NOT NULL UNIQUE, v int); INSERT INTO k SELECT x, x, x FROM generate_series(1, 10) x;
CREATE TABLE i (id int PRIMARY KEY, other int NOT NULL UNIQUE, v int); INSERT INTO i SELECT x, x, x FROM generate_series(1, 10) x; CREATE TABLE o (id int PRIMARY KEY)`)
	w.exec("CREATE SOURCE up " + w.with())
	w.exec("CREATE TABLE k (*) FROM up TABLE 'k'; CREATE TABLE i (*) FROM up TABLE 'i'; CREATE TABLE o (*) FROM up TABLE 'o'")
	w.pg.Exec("ALTER TABLE k DROP CONSTRAINT k_pkey; ALTER TABLE k ADD PRIMARY KEY (other); UPDATE k SET id = id + 100 WHERE id > 5; INSERT INTO o VALUES (1)")
	w.until(func() bool { // looked at again after a while it is told of in other words
		return strings.Contains(w.jobs(), `REPLICA IDENTITY of table "public.k" is (other)`) || strings.Contains(w.jobs(), "differs from primary key (other)")
	})
	w.pg.Exec("ALTER TABLE i REPLICA IDENTITY USING INDEX i_other_key; UPDATE i SET id = id + 100 WHERE id > 5; INSERT INTO o VALUES (2)")
	w.told("FAILED", `REPLICA IDENTITY of table "public.i" is`)
	w.exec("ALTER JOB " + w.job("k") + " RESUME")
	w.told("FAILED", `primary key (id) differs from primary key (other)`)
	w.same("SELECT * FROM o")
	w.pg.Exec("ALTER TABLE i REPLICA IDENTITY DEFAULT; UPDATE i SET id = id + 100 WHERE id < 5")
	w.exec("ALTER JOB " + w.job("i") + " RESUME")
	w.same("SELECT * FROM i")
	w.exec("DROP TABLE k; CREATE TABLE k (*) FROM up TABLE 'k'")
	w.pg.Exec("UPDATE k SET other = -other WHERE v < 5; UPDATE k SET id = 0 WHERE v = 1")
	w.same("SELECT * FROM k")
}
