package capture_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-db/tidemark/internal/errs"
	"github.com/tidemark-db/tidemark/internal/pgtest"
)

// testTypes reads every kind of type by history and by the log; both give what PostgreSQL prints.
func testTypes(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, `CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE DOMAIN pct AS int CHECK (value BETWEEN 0 AND 100);
CREATE TABLE ty (id int PRIMARY KEY, m mood, ma mood[], p pct, u uuid, r tstzrange, n numeric, nn numeric(10,2), na numeric[], ia int[][], ib int[], iv interval, b bit(4), c char(5),
vc varchar(10), ti time, ts timestamp(3), tz timestamptz, ip inet, byt bytea, f real, g double precision, d date, mo money, x xml, o bool, s smallint, j jsonb, tz2 timetz);
INSERT INTO ty VALUES (1, 'ok', '{sad,ok}', 50, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '[2024-01-01Z,2024-02-01Z)', 'NaN', 12345.6, '{1.50,NaN,NULL}', '{{1,2},{3,4}}', '{5,NULL}', '1 mon -2 days 03:00:00.5', B'1010', 'ab',
'v', '23:59:59.999999', '2024-01-01 10:20:30.4567', '0044-03-15 BC', '10.0.0.1/8', '\x00ff', 'Infinity', 0.1, '9999-12-31', 12.5, '<a/>', true, -5, '{"a": [1, null]}', '10:00+02')`)
	w.exec("CREATE SOURCE up " + w.with())
	w.exec("CREATE TABLE ty (*) FROM up TABLE 'public.ty'")
	w.pg.Exec("INSERT INTO ty SELECT 2, m, ma, p, u, r, n, nn, na, ia, ib, iv, b, c, vc, ti, ts, tz, ip, byt, f, g, d, mo, x, o, s, j, tz2 FROM ty WHERE id = 1; INSERT INTO ty(id) VALUES (3); UPDATE ty SET p = 51 WHERE id IN (1, 2)")
	w.follows("SELECT * FROM ty", `SELECT id, m, ma, p, u, r, n, nn, na, ia, ib, iv, b, c, vc, ti, ts, tz, ip, byt, f, g, d, mo, x, o, s, j, tz2 FROM ty`)
	// A table whose values do not fit is refused, with the column; the others go on. As text everything fits.
	w.pg.Exec("CREATE TABLE odd (id int PRIMARY KEY, a int[]); INSERT INTO odd VALUES (1, '{{1},{2}}')")
	if _, err := w.try("CREATE TABLE odd (*) FROM up TABLE 'odd'"); !errs.Of(err, errs.CapturedValue) || !strings.Contains(text(err), `"a"`) {
		t.Error(err)
	}
	w.exec("CREATE TABLE odd (id int PRIMARY KEY, a text) FROM up TABLE 'odd'")
	w.same("SELECT * FROM odd")
	w.pg.Exec("DELETE FROM ty WHERE id = 2")
	w.same("SELECT id FROM ty")
}

// TestUpstreamRestarts loses nothing when the server goes away, in an orderly way and not, and says that it reconnects.
func TestUpstreamRestarts(t *testing.T) {
	pg := pgtest.Start(t, pgtest.Options{Logical: true})
	w := newWorld(t, pg, "CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t SELECT x, x FROM generate_series(1, 30000) x")
	w.exec("CREATE SOURCE up " + w.with())
	w.exec("SET background_ddl = true; SET backfill_rate_limit = 20000; CREATE TABLE t (*) FROM up TABLE 'public.t'")
	for i, again := range []func(){w.pg.Restart, w.pg.Crash, w.pg.Restart} {
		w.pg.Exec(fmt.Sprintf("UPDATE t SET v = v + 1 WHERE id %% 3 = %d", i))
		again()
		w.pg.Exec(fmt.Sprintf("UPDATE t SET v = v + 1 WHERE id %% 5 = %d", i))
	}
	w.same("SELECT * FROM t")
	w.pg.Stop()
	w.until(func() bool {
		rows := w.exec("SHOW JOBS")
		return len(rows) == 1 && strings.Contains(rows[0], "CONNECTING") && strings.Contains(rows[0], "hostname and port")
	})
	w.exec("SELECT count(*) FROM t") // what was read stays readable
	w.pg.Restart()
	w.pg.Exec("DELETE FROM t WHERE id < 10000")
	w.same("SELECT * FROM t")
}

// testSlotMoves lets the upstream forget its log although no captured table changes.
func testSlotMoves(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, "CREATE TABLE quiet (id int PRIMARY KEY); CREATE TABLE noisy (id int)")
	w.exec("CREATE SOURCE up " + w.with("slot.name = 'mine'", "publication.name = 'mypub'"))
	w.exec("CREATE TABLE quiet (*) FROM up TABLE 'quiet'")
	for range 2 {
		w.pg.Exec("INSERT INTO noisy SELECT generate_series(1, 20000)")
		at := w.upstream("SELECT pg_current_wal_lsn()")[0]
		w.until(func() bool {
			return w.upstream("SELECT confirmed_flush_lsn >= '" + at + "' FROM pg_replication_slots WHERE slot_name = 'mine'")[0] == "t"
		})
	}
	w.exec("DROP TABLE quiet")
	if rows := w.upstream("SELECT tablename FROM pg_publication_tables WHERE pubname = 'mypub'"); len(rows) > 0 {
		t.Errorf("still published: %v", rows)
	}
}

// testForeignSlotAndPublicationStay uses what is there upstream and leaves it there. Its role may read, and nothing more.
func testForeignSlotAndPublicationStay(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, "CREATE TABLE t (id int PRIMARY KEY); CREATE PUBLICATION theirs FOR TABLE t; INSERT INTO t VALUES (1);"+
		"CREATE ROLE reader LOGIN REPLICATION; GRANT USAGE ON SCHEMA public TO reader; GRANT SELECT ON t TO reader")
	w.upstream("SELECT pg_create_logical_replication_slot('their_slot', 'pgoutput')")
	w.pg.Exec("INSERT INTO t VALUES (2)")
	w.exec("CREATE TABLE one (id bigint PRIMARY KEY) " + w.with("username = 'reader'", "slot.name = 'their_slot'", "publication.name = 'theirs'", "table.name = 't'"))
	w.pg.Exec("INSERT INTO t VALUES (3)")
	w.follows("SELECT * FROM one", "SELECT * FROM t")
	w.exec("DROP TABLE one")
	if _, err := w.try("CREATE SOURCE bad " + w.with("username = 'reader'")); !errs.Of(err, errs.ReplicationRight) {
		t.Error(err) // it may not make a publication
	}
	if rows := w.upstream("SELECT slot_name FROM pg_replication_slots UNION ALL SELECT pubname FROM pg_publication"); len(rows) != 2 {
		t.Errorf("upstream has %v", rows)
	}
}

// testLostSlot stops a source whose log is gone, and says so; its tables stay readable.
func testLostSlot(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, "CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)")
	w.exec("CREATE SOURCE up " + w.with("slot.name = 'mine'"))
	w.exec("CREATE TABLE t (*) FROM up TABLE 't'")
	w.same("SELECT * FROM t")
	w.close()
	w.dropSlot("mine")
	w.pg.Exec("INSERT INTO t VALUES (2)")
	w.open()
	w.until(func() bool {
		rows := w.exec("SHOW JOBS")
		return len(rows) == 1 && strings.Contains(rows[0], `replication slot "mine" does not exist: changes since`)
	})
	if rows := w.exec("SELECT * FROM t"); len(rows) != 1 {
		t.Errorf("rows %v", rows)
	}
	w.pg.Query("SELECT pg_create_logical_replication_slot('mine', 'pgoutput')") // does not bring the changes back
	w.until(func() bool { return strings.Contains(strings.Join(w.exec("SHOW JOBS"), ""), "begins at") })
	w.exec("DROP SOURCE up CASCADE")
}

// testRowsAreReadOnly refuses every statement that would change a captured table.
func testRowsAreReadOnly(t *testing.T, pg *pgtest.Server) {
	w := newWorld(t, pg, "CREATE TABLE t (id int PRIMARY KEY)")
	w.exec("CREATE SOURCE up " + w.with())
	w.exec("CREATE TABLE t (*) FROM up TABLE 'public.t'")
	for _, sql := range []string{"INSERT INTO t VALUES (1)", "UPDATE t SET id = 2", "DELETE FROM t", "TRUNCATE t"} {
		if _, err := w.try(sql); !errs.Of(err, errs.CapturedTable) {
			t.Errorf("%s: %v", sql, err)
		}
	}
	if rows := w.exec("SHOW CREATE SOURCE up"); strings.Contains(rows[0], "secret") {
		t.Error(rows)
	}
}

// TestWrongOptions names the option or the statement that puts things right, and leaves nothing behind.
func TestWrongOptions(t *testing.T) {
	w := &world{t: t, pg: pgtest.Start(t, pgtest.Options{Logical: true, Password: "right"}), dir: t.TempDir(), patience: followMax}
	w.open()
	t.Cleanup(w.close)
	w.pg.Exec(`CREATE TABLE k (id int PRIMARY KEY, ts timestamp, n numeric(30,10), s varchar(10), a int[]); INSERT INTO k VALUES (1, '2024-01-01', 1, 's', '{1}');
CREATE TABLE nokey (id int); CREATE TABLE ident (id int PRIMARY KEY); ALTER TABLE ident REPLICA IDENTITY NOTHING;
CREATE ROLE plain LOGIN PASSWORD 'right'; CREATE PUBLICATION part FOR TABLE k WITH (publish = 'insert')`)
	source := func(o ...string) string { return "CREATE SOURCE bad " + w.with(append(o, "password = 'right'")...) }
	table := func(columns, name string) string {
		return "CREATE TABLE bad (" + columns + ") FROM up TABLE '" + name + "'"
	}
	w.exec("CREATE SOURCE up " + w.with("password = 'right'"))
	if rows := w.exec("SHOW CREATE SOURCE up"); strings.Contains(rows[0], "right") {
		t.Errorf("the password is shown: %s", rows)
	}
	for _, c := range []struct {
		sql   string
		entry *errs.Entry
		names string
	}{
		{source("port = '1'"), errs.UpstreamUnreachable, "hostname and port"},
		{source("hostname = '169.254.1.1'"), errs.UpstreamUnreachable, "link-local"},
		{strings.ReplaceAll(source(), "right", "wrong"), errs.UpstreamLogin, "username and password"},
		{source("database.name = 'none'"), errs.UpstreamDatabase, "database.name"},
		{source("sslmode = 'require'"), errs.UpstreamTLS, "sslmode"},
		{source("sslmode = 'maybe'"), errs.OptionInvalid, "sslmode"},
		{source("slot.name = 'Up per'"), errs.OptionInvalid, "slot.name"},
		{source("colour = 'red'"), errs.OptionInvalid, "colour"},
		{source("username = 'plain'"), errs.ReplicationRight, "REPLICATION"},
		{source("publication.name = 'part'"), errs.PublicationLacks, "publication.name"},
		{source("publication.name = 'none'", "publication.create.enable = 'false'"), errs.PublicationLacks, "publication.name"},
		{"CREATE SOURCE bad WITH (connector = 'postgres-cdc', hostname = 'x')", errs.OptionMissing, "username"},
		{"CREATE SOURCE bad WITH (connector = 'oracle-cdc')", errs.UnknownConnector, "oracle-cdc"},
		{table("*", "public.missing"), errs.UpstreamTable, "public.missing"},
		{table("*", "nokey"), errs.UpstreamNoKey, "REPLICA IDENTITY"},
		{table("*", "ident"), errs.UpstreamIdentity, "NOTHING"},
		{table("id int PRIMARY KEY, ts timestamptz", "k"), errs.CapturedColumn, "ts"},
		{table("id int PRIMARY KEY, a varchar[]", "k"), errs.CapturedColumn, "a"},
		{table("id int PRIMARY KEY, s varchar(5)", "k"), errs.CapturedColumn, "s"},
		{table("ts timestamp PRIMARY KEY, id int", "k"), errs.CapturedKey, "(id)"},
		{table("id int, ts timestamp", "k"), errs.CapturedKey, "(id)"},
		{table("id int PRIMARY KEY, nope int", "k"), errs.CapturedColumnMissing, "nope"},
		{"CREATE TABLE bad (*) FROM bad TABLE 'k'", errs.UndefinedTable, "bad"},
	} {
		_, err := w.try(c.sql)
		if !errs.Of(err, c.entry) || !strings.Contains(text(err), c.names) {
			t.Errorf("%s: %v", c.sql, err)
		}
	}
	w.exec("CREATE TABLE good (id bigint PRIMARY KEY, ts timestamp, s text) FROM up TABLE 'k'")
	w.follows("SELECT * FROM good", "SELECT id, ts, s FROM k")
	if slots := w.upstream("SELECT slot_name FROM pg_replication_slots"); len(slots) != 1 {
		t.Errorf("slots %v", slots)
	}
}

// text is an error with its particulars and hint, as a client sees it.
func text(err error) string {
	var e *errs.Error
	if !errors.As(err, &e) {
		return fmt.Sprint(err)
	}
	return strings.Join(append([]string{e.Message, e.Detail, e.Hint}, e.Entry.Remedies...), " ")
}

// TestWalLevel refuses a server whose log has no rows.
func TestWalLevel(t *testing.T) {
	w := &world{t: t, pg: pgtest.Start(t, pgtest.Options{}), dir: t.TempDir(), patience: followMax}
	w.open()
	t.Cleanup(w.close)
	if _, err := w.try("CREATE SOURCE pg " + w.with()); !errs.Of(err, errs.WalLevel) {
		t.Error(err)
	}
}
